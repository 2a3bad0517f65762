// bench: converts texts to ids and offsets, which bench/peers/piece_parity.py compares with those of tokenizers.
//
//   piece_lines TOKENIZER.JSON
//
// Standard input: chunks of a count of texts, then for each text its number of bytes and the bytes. Standard output:
// for each chunk the count of numbers that follow, then for each text the count of its pieces, their ids, and begin and
// end of each. All numbers are 32 bits wide, in this machine's byte order. Every text is read twice, once without the
// cache: both results must agree.
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "bench/slices/tokenizer_of_file.hpp"

using namespace entrain;

namespace {

bool take(void* to, std::size_t bytes) { return std::fread(to, 1, bytes, stdin) == bytes; }

bool equal(const text::Pieces& a, const text::Pieces& b) {
  return a.id == b.id && a.begin == b.begin && a.end == b.end;
}

template <class Tokenizer> int answer(const Tokenizer& tokenizer) {
  typename Tokenizer::Reader reader(tokenizer), forgetful(tokenizer, 2);
  text::Pieces pieces, again;
  std::string line;
  std::vector<std::uint32_t> out;
  for (std::uint32_t texts = 0; take(&texts, sizeof texts);) {
    out.assign(1, 0);
    for (std::uint32_t bytes = 0; texts > 0; --texts) {
      if (!take(&bytes, sizeof bytes)) return std::fprintf(stderr, "piece_lines: a chunk is cut short\n"), 1;
      line.resize(bytes);
      if (!take(line.data(), bytes)) return std::fprintf(stderr, "piece_lines: a text is cut short\n"), 1;
      pieces.clear(), again.clear();
      reader.encode(line, pieces);
      forgetful.encode(line, again);
      if (!equal(pieces, again)) return std::fprintf(stderr, "with and without cache differ: %s\n", line.c_str()), 1;
      out.push_back(static_cast<std::uint32_t>(pieces.size()));
      for (const std::int32_t id : pieces.id) out.push_back(static_cast<std::uint32_t>(id));
      for (std::size_t i = 0; i < pieces.size(); ++i) out.push_back(pieces.begin[i]), out.push_back(pieces.end[i]);
    }
    out[0] = static_cast<std::uint32_t>(out.size() - 1);
    std::fwrite(out.data(), sizeof out[0], out.size(), stdout);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: piece_lines TOKENIZER.JSON\n"), 2;
  return slices::with_tokenizer(argv[1], [](const auto& tokenizer) { return answer(tokenizer); });
}
