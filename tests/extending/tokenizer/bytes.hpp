// tests > [extending]
//
// A tokenizer that entrain does not know: a byte of a text is a piece. Its folder has one file, bytes.txt, with the
// pieces before and after every text. Read entrain/checkpoint/tokenizer.hpp first.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/checkpoint/tokenizer.hpp"
#include "entrain/family/bert.hpp"
#include "entrain/text/tokenizer/contract.hpp"

namespace bytes {

struct Tokenizer {
  class Reader {
   public:
    Reader(const Tokenizer&, std::size_t) {}
    std::uint32_t encode(std::string_view text, entrain::text::Pieces& out, std::uint32_t from) const {
      for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        from += (byte & 0xc0) != 0x80;  // a byte that begins a code point
        out.add(byte, from - 1, from);
      }
      return from;
    }
  };
  static std::size_t size() { return 256; }
  static std::int32_t unknown() { return 0; }
  static void each_special(auto&&) {}
  static std::string fingerprint() { return "bytes"; }
};

/// BERT's names and keys, with this tokenizer.
struct Family : entrain::family::Bert {
  static constexpr std::string_view model_type = "bytes", type = "::bytes::Family", embedding = "BertOfBytes";
  using Tokenizer = bytes::Tokenizer;
};

}  // namespace bytes

template <> struct entrain::checkpoint::TokenizerOf<bytes::Tokenizer> {
  static constexpr std::string_view names[]{"bytes.txt"};
  static OpenedTokenizer<bytes::Tokenizer> open(const std::vector<FolderText>& texts, const std::string&,
                                                std::vector<std::string>&) {
    const FolderText* const file = find_text(texts, names[0]);
    return {{}, {file->text[0]}, {file->text[1]}};
  }
};
