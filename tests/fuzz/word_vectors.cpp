// tests > fuzz > [vectors]
//
// Any bytes as a file of word vectors: refused in words, or finite numbers that both formats keep bit for bit.
#include "entrain/vectors/files.hpp"

#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "file_of.hpp"

namespace {
using namespace entrain;

std::optional<vectors::WordVectors> read(const std::string& path, const vectors::ReadOptions& options) {
  try {
    return vectors::read_vectors(path, options);
  } catch (const Error& e) {
    if (std::string_view(e.what()).find('\n') != std::string_view::npos) std::abort();  // not one line
    return std::nullopt;
  }
}
bool same(const vectors::WordVectors& a, const vectors::WordVectors& b) {
  return a.words == b.words && a.width == b.width && a.rows.size() == b.rows.size() &&
         std::memcmp(a.rows.data(), b.rows.data(), a.rows.size() * sizeof(float)) == 0;
}

void check(const std::string& path, vectors::Format format) {
  const auto all = read(path, {format});
  if (!all) return;
  if (all->rows.size() != all->size() * all->width || all->width == 0) std::abort();
  for (const float x : all->rows)
    if (!std::isfinite(x)) std::abort();
  const auto first = read(path, {format, 1});
  if (!first || first->size() > 1 || (all->size() > 0 && !(first->words[0] == all->words[0]))) std::abort();
  static const std::string copy = "/dev/shm/entrain-fuzz-" + std::to_string(::getpid());  // in memory: it is flushed
  for (const auto written : {vectors::Format::text, vectors::Format::binary}) {
    try {
      vectors::write_vectors(copy, *all, written);
    } catch (const Error& e) {
      if (e.id() != "entrain.vectors.10") throw;  // a word with a space
      return;
    }
    const auto again = read(copy, {written});
    if (!again || !same(*again, *all)) std::abort();
  }
  ::unlink(copy.c_str());
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string path = fuzz::file_of(data, size);
  for (const auto format : {vectors::Format::detect, vectors::Format::text, vectors::Format::binary})
    check(path, format);
  return 0;
}
