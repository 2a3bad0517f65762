// bench: a corpus of any size through a pipe, in the memory of a few blocks.
//
//   loader_memory make BYTES            that much CoNLL text with ever new words: one in sixteen did not occur before
//   loader_memory read WORKERS          standard input to packed batches; a line of JSON at the end
//
// The reader measures its own memory (VmRSS of /proc/self/status) once a second. It prints the memory after six
// seconds, and the most and the least after that.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

#include "entrain/batch/encode/encode.hpp"
#include "entrain/batch/encode/hashed_words.hpp"
#include "entrain/batch/pack/packed.hpp"
#include "entrain/batch/pack/shuffled.hpp"
#include "entrain/batch/pipeline/workers.hpp"
#include "entrain/core/random.hpp"
#include "entrain/task/tagging.hpp"
#include "entrain/text/conll/conll_stream.hpp"

using namespace entrain;

namespace {

using Words = batch::AffixWords;
using Encode = batch::Encode<Words, task::Tagging<text::Bioes>, text::Conll<text::Bio>>;
using Shuffled = batch::Shuffled<batch::Workers<Encode>>;
using Loader = batch::Workers<batch::Packed<batch::Prefetch<Shuffled>>>;

int make(std::uint64_t bytes) {
  Random random(1, 2, 3);
  std::string text;
  std::uint64_t written = 0, word = 0;
  while (written < bytes) {
    text.clear();
    while (text.size() < (1 << 20)) {
      for (std::uint32_t n = 5 + random.below(30); n > 0; --n) {
        text += random.below(16) == 0 ? "w" + std::to_string(++word) : "word" + std::to_string(random.below(20'000));
        text += random.below(20) == 0 ? "\tB-PER\n" : "\tO\n";
      }
      text += '\n';
    }
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) return 1;
    written += text.size();
  }
  return 0;
}

double resident_mebibytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmRSS:")) return std::strtod(line.c_str() + 6, nullptr) / 1024;
  return 0;
}

int read(int workers) {
  using Clock = std::chrono::steady_clock;
  const text::Labels<text::Bioes> labels({"PER"});
  Encode encode(Words{}, labels, text::Conll<text::Bio>({"-"}));
  Shuffled shuffled(batch::Workers<Encode>(std::move(encode), {workers}), {1, std::size_t{1} << 16, true});
  Loader loader(batch::Packed<batch::Prefetch<Shuffled>>(batch::Prefetch<Shuffled>(std::move(shuffled), 1),
                                                         {{{4096}, 1, 0.1f, 1}, labels.count(), {}, 4096}),
                {1});
  loader.start(0, {});
  std::uint64_t rows = 0, batches = 0;
  double settled = 0, least = 1e9, most = 0;
  const auto begin = Clock::now();
  auto looked = begin;
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  for (batch::Loaded<Words> item; loader.next(item); ++batches) {
    rows += static_cast<std::uint64_t>(item.batch.shape.rows);
    if (Clock::now() - looked < std::chrono::seconds(1)) continue;
    looked = Clock::now();
    if (seconds() < 6) continue;
    const double now = resident_mebibytes();
    if (settled == 0) settled = now;
    least = std::min(least, now), most = std::max(most, now);
  }
  std::printf(
      "{\"what\":\"memory\",\"words\":%llu,\"batches\":%llu,\"seconds\":%.1f,\"mib_after_6_s\":%.1f,"
      "\"mib_least\":%.1f,\"mib_most\":%.1f}\n",
      static_cast<unsigned long long>(rows), static_cast<unsigned long long>(batches), seconds(), settled, least, most);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc == 3 ? argv[1] : "";
  if (what == "make") return make(std::strtoull(argv[2], nullptr, 10));
  if (what == "read") return read(std::atoi(argv[2]));
  std::fputs("loader_memory make BYTES | loader_memory read WORKERS\n", stderr);
  return 2;
}
