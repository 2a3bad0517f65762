// bench: passes that cut text into pieces, so that they can take turns with bench/peers/hf_tokenizers.py.
//
//   piece_slices TOKENIZER.JSON FILE ...     lines 'cold', 'warm', 'cut', 'quit'; one JSON line back for each
//
// A slice reads every line of the files: ids, and offsets in code points. cold: by a reader that has met no word; warm:
// by one that has met all; cut: almost without a cache, so that almost every word is cut.
#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "bench/slices/slices.hpp"
#include "bench/slices/tokenizer_of_file.hpp"

using namespace entrain;

namespace {

template <class Tokenizer> int serve(const Tokenizer& tokenizer, const std::vector<std::string>& texts) {
  using Reader = typename Tokenizer::Reader;
  text::Pieces pieces;
  const auto pass = [&](Reader& reader) {
    std::uint64_t count = 0;
    for (const std::string_view text : texts)
      for (std::size_t at = 0; at <= text.size(); ++at) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        pieces.clear();
        reader.encode(text.substr(at, end - at), pieces);
        count += pieces.size();
        at = end;
      }
    return count;
  };
  Reader kept(tokenizer);
  pass(kept);
  slices::serve("pieces", tokenizer.vocabulary().size(), [&](const std::string& what) {
    if (what == "warm") return pass(kept);
    Reader fresh(tokenizer, what == "cold" ? std::size_t{1} << 16 : 2);
    return pass(fresh);
  });
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::fprintf(stderr, "usage: piece_slices TOKENIZER.JSON FILE ...\n"), 2;
  std::vector<std::string> texts;
  for (int i = 2; i < argc; ++i) texts.push_back(text::read_file(argv[i]));
  return slices::with_tokenizer(argv[1], [&](const auto& tokenizer) { return serve(tokenizer, texts); });
}
