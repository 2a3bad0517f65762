// tests > fuzz > [checkpoint]
//
// Any bytes as tokenizer.json, and as vocab.json, a NUL byte and merges.txt: refused in words, or every merge is two
// texts, and the pieces around a text and the added ones are of the vocabulary or the next ids. The vocabulary gets the
// bytes that it lacks; it then makes a tokenizer, or is refused in words.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "demand.hpp"
#include "entrain/checkpoint/byte_bpe_files.hpp"

using namespace entrain;
using test::demand;

namespace {
void use(checkpoint::ByteBpeFile file, std::string_view input) {
  const std::size_t ids = file.vocabulary.size() + file.options.added.size();
  const bool gaps = std::find(file.vocabulary.begin(), file.vocabulary.end(), "") != file.vocabulary.end();
  if (!gaps) {
    for (const auto* const around : {&file.before, &file.after})
      for (const std::int32_t id : *around) demand(id >= 0 && static_cast<std::size_t>(id) < ids);
    for (const text::AddedPiece& one : file.options.added)
      demand(one.id >= 0 && static_cast<std::size_t>(one.id) < ids);
  }
  for (const auto& [left, right] : file.merges) demand(!left.empty() || !right.empty());
  for (int b = 0; b < 256; ++b) {
    char letter[4];
    const std::string byte(letter, text::encode(text::letter_of_byte(static_cast<unsigned char>(b)), letter));
    if (std::find(file.vocabulary.begin(), file.vocabulary.end(), byte) == file.vocabulary.end())
      file.vocabulary.push_back(byte);
  }
  if (file.options.unk_token.empty()) file.options.unk_token = "a";
  const text::ByteBpe tokenizer(std::move(file.vocabulary), file.merges, std::move(file.options));
  text::ByteBpe::Reader reader(tokenizer);
  text::Pieces pieces;
  const std::string_view text = input.substr(0, 200);
  demand(reader.encode(text, pieces) == text::count_code_points(text));
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  try {
    use(checkpoint::parse_byte_bpe(input, "tokenizer.json"), input);
  } catch (const Error&) {
  }
  const std::size_t end = std::min(input.find('\0'), size);
  try {
    checkpoint::ByteBpeFile file;
    file.vocabulary = checkpoint::parse_vocabulary(input.substr(0, end), "vocab.json");
    file.merges = checkpoint::parse_merges(input.substr(std::min(end + 1, size)), "merges.txt");
    use(std::move(file), input);
  } catch (const Error&) {
  }
  return 0;
}
