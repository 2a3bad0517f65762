// tests > fuzz > [checkpoint]
//
// Any bytes as tokenizer.json, tokenizer_config.json, special_tokens_map.json and added_tokens.json, with a NUL byte
// between two of them: refused in words, or every piece has a score, and the pieces around a text and the added ones
// are of the vocabulary or the next ids; a tokenizer of them gives such ids for any text. Any bytes as a map of
// characters: refused in words, or what it makes of any text is UTF-8, with places in order. Any bytes as a text in
// base64: none, or the text of its bytes.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../base64.hpp"
#include "demand.hpp"
#include "entrain/checkpoint/unigram_files.hpp"

using namespace entrain;
using entrain::test::demand;
using ::test::to_base64;

namespace {

void use(checkpoint::UnigramFile file, std::string_view input) {
  const std::size_t ids = file.vocabulary.size() + file.options.added.size();
  demand(file.scores.size() == file.vocabulary.size() && !file.vocabulary.empty());
  for (const std::string& piece : file.vocabulary) demand(!piece.empty());
  for (const auto* const around : {&file.before, &file.after})
    for (const std::int32_t id : *around) demand(id >= 0 && static_cast<std::size_t>(id) < ids);
  for (const text::AddedPiece& one : file.options.added) demand(one.id >= 0 && static_cast<std::size_t>(one.id) < ids);
  const text::Unigram tokenizer(std::move(file.vocabulary), std::move(file.scores), std::move(file.options));
  text::Unigram::Reader reader(tokenizer, 64);
  for (const std::string_view text : {input.substr(0, 200), std::string_view("a  <mask>\u00e9 \u2581b\tab<s>")}) {
    text::Pieces pieces;
    const std::uint32_t count = reader.encode(text, pieces);
    demand(count == text::count_code_points(text));
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      demand(pieces.id[i] >= 0 && static_cast<std::size_t>(pieces.id[i]) < ids);
      demand(pieces.begin[i] <= pieces.end[i] && pieces.end[i] <= count);
    }
  }
}

void use(const text::Charsmap& map, std::string_view text) {
  std::string valid;
  text::repair_utf8(text, valid);
  text::MappedText out;
  const std::uint32_t count = map.apply(valid, out);
  demand(count == text::count_code_points(valid));
  demand(text::is_valid_utf8(out.text) && out.place.size() == out.text.size());
  for (std::size_t i = 0; i < out.place.size(); ++i)
    demand(out.place[i] < count && (i == 0 || out.place[i - 1] <= out.place[i]));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  try {
    use(checkpoint::parse_unigram(input, "tokenizer.json"), input);
  } catch (const Error&) {
  }
  constexpr std::array names{"tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json"};
  std::vector<checkpoint::FolderText> texts;
  std::size_t at = 0;
  for (const std::string name : names) {
    const std::size_t end = std::min(input.find('\0', at), size);
    if (end > at) texts.push_back({name, "folder/" + name, std::string(input.substr(at, end - at))});
    at = std::min(end + 1, size);
  }
  const std::string config = R"({"model_type":"xlm-roberta","max_position_embeddings":42})";
  texts.push_back({"config.json", "folder/config.json", config});
  try {
    std::vector<std::string> notes;
    use(checkpoint::read_unigram(texts, "folder", notes), input);
  } catch (const Error&) {
  }
  try {
    const text::Charsmap map{std::string(input)};
    std::string ascii;
    for (char c = 0; c < 127; ++c) ascii.append({c, 'a', c});
    for (const std::string_view text : {input.substr(0, 300), input.substr(size - std::min<std::size_t>(size, 300)),
                                        std::string_view(ascii), std::string_view("\u00e9a\u0301\uff21\u3000\ufb01")})
      use(map, text);
  } catch (const Error&) {
  }
  if (const auto bytes = checkpoint::from_base64(input)) demand(to_base64(*bytes) == input);
  return 0;
}
