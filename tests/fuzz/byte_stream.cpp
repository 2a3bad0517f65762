// tests > fuzz > [text]
//
// Any bytes as a file, packed or not: the same text or the same refusal, however it is asked for; and skipping is
// reading.
//
// flags: -DENTRAIN_ZLIB -DENTRAIN_ZSTD -lz -lzstd
#include <cstdint>
#include <cstdlib>
#include <string>

#include "entrain/core/error.hpp"
#include "entrain/text/files/byte_stream.hpp"
#include "file_of.hpp"

namespace {
constexpr std::size_t most = std::size_t{1} << 14;  // a few bytes may be very long zeros

struct Result {
  std::string text, refusal;
  friend bool operator==(const Result&, const Result&) = default;
};

/// What is read after `skipped` bytes, `step` at a time.
Result read(const std::string& path, std::size_t skipped, std::size_t step) {
  Result r;
  try {
    auto stream = entrain::text::ByteStream::open(path);
    if (stream.skip(skipped) < skipped) return r;
    std::string part(step, '\0');
    for (std::size_t got = step; got == step && r.text.size() < most - skipped;) {
      got = stream.read(part.data(), std::min(step, most - skipped - r.text.size()));
      r.text.append(part, 0, got);
    }
  } catch (const entrain::Error& e) {
    r.refusal = e.id();  // how far it came depends on the steps
  }
  return r;
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string& path = entrain::fuzz::file_of(data + 2, size - 2);
  const Result whole = read(path, 0, most), steps = read(path, 0, 1 + data[0] * std::size_t{5});
  if (whole.refusal != steps.refusal) std::abort();
  // the bytes before a broken place is given as far as whole steps reach
  if (whole.refusal.empty() ? whole.text != steps.text
                            : !steps.text.starts_with(whole.text) && !whole.text.starts_with(steps.text))
    std::abort();
  const std::size_t skipped = data[1];
  const Result rest = read(path, skipped, 1000);
  if (whole.refusal.empty() && rest.refusal.empty() && whole.text.size() < most &&
      rest.text != (skipped < whole.text.size() ? whole.text.substr(skipped) : ""))
    std::abort();
  if (whole.refusal.empty() && whole.text.size() < most && !rest.refusal.empty()) std::abort();
  return 0;
}
