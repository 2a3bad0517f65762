// tests > fuzz > [checkpoint]
//
// Any bytes as tokenizer.json: refused in words, or every piece that it gives of any text is a row of the model's
// table, and every window has at most as many rows as there are positions.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/batch/encode/encoded.hpp"
#include "entrain/batch/encode/pieces.hpp"
#include "entrain/batch/pack/packer.hpp"
#include "entrain/checkpoint/wordpiece_files.hpp"
#include "entrain/text/corpus/corpus.hpp"

using namespace entrain;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr int positions = 8, rows = 8;  // few, so that inputs are at the limits
  using Features = batch::Pieces<positions, rows, text::WordPiece>;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  try {
    checkpoint::TokenizerFile file = checkpoint::parse_tokenizer(input, "fuzz");
    text::Corpus corpus;
    for (const text::AddedPiece& one : file.options.added) corpus.push(one.text, 0);
    for (const std::string_view word : {"ab", "a<new>b", "[CLS]", "vocab", "abbbbbbbbbbbbbbbb", "\xC3\x81", "\x01"})
      corpus.push(word, 0);
    corpus.push(input.substr(0, 100), 0);
    corpus.end_sentence();
    const Features features(
        std::make_shared<const text::WordPiece>(std::move(file.vocabulary), std::move(file.options)),
        std::move(file.before), std::move(file.after), "fuzz");
    const auto encoded = batch::encode<Features>(corpus, features);
    batch::Packer<Features> packer(encoded.longest());
    const std::vector<std::uint32_t> order{0};
    const auto batch = packer.pack(encoded, order, 3);
    const auto& view = batch.words;
    if (view.count != encoded.longest() || view.touched.count > rows) std::abort();
    for (int i = 0; i < view.count; ++i)
      if (view.ids[i] < 0 || view.ids[i] >= rows || view.position[i] >= positions) std::abort();
    for (int i = 0; i < batch.shape.rows; ++i)
      if (view.word_of[view.first[i]] != i) std::abort();
  } catch (const Error&) {
  }
  return 0;
}
