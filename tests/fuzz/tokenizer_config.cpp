// tests > fuzz > [checkpoint]
//
// Any bytes as tokenizer_config.json, a NUL byte and vocab.txt: refused in words, or the pieces around a text and those
// of the config have ids of the vocabulary or after it.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "entrain/checkpoint/wordpiece_files.hpp"

using namespace entrain;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(input.find('\0'), size);
  try {
    const auto config = checkpoint::parse_tokenizer_config(input.substr(0, end), "config");
    auto file = checkpoint::from_vocabulary(input.substr(std::min(end + 1, size)), "vocab.txt", config);
    const auto pieces = static_cast<std::int32_t>(file.vocabulary.size());
    for (const std::int32_t id : {file.before.at(0), file.after.at(0)})
      if (id < 0 || id >= pieces) std::abort();
    for (const text::AddedPiece& one : file.options.added)
      if (one.id < 0 || (one.id < pieces && file.vocabulary[static_cast<std::size_t>(one.id)] != one.text))
        std::abort();
    const text::WordPiece wordpiece(std::move(file.vocabulary), std::move(file.options));
  } catch (const Error&) {
  }
  return 0;
}
