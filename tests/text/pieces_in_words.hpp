// tests > [text]: the pieces of a text as a line of a golden file, for the tests of tokenizers.
#pragma once
#include <doctest/doctest.h>

#include <istream>
#include <string>
#include <string_view>

#include "entrain/text/tokenizer/added_pieces.hpp"
#include "entrain/text/tokenizer/contract.hpp"
#include "entrain/text/unicode/utf8.hpp"

namespace test {

/// `ID:BEGIN-END ID:BEGIN-END`
inline std::string in_words(const entrain::text::Pieces& p) {
  std::string s;
  for (std::size_t i = 0; i < p.size(); ++i)
    s += (i > 0 ? " " : "") + std::to_string(p.id[i]) + ":" + std::to_string(p.begin[i]) + "-" +
         std::to_string(p.end[i]);
  return s;
}

inline std::string from_hex(const std::string& hex) {
  std::string s;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) s += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return s;
}

/// `ID FLAGS TEXT` of a golden file, as scripts/golden/byte_bpe.py and byte_bpe_nfc.py write it.
inline entrain::text::AddedPiece added_piece(std::istream& fields) {
  entrain::text::AddedPiece piece;
  std::string flags;
  fields >> piece.id >> flags >> piece.text;
  const auto set = [&](char flag) { return flags.find(flag) != flags.npos; };
  piece.lstrip = set('l'), piece.rstrip = set('r'), piece.single_word = set('s'), piece.normalized = set('n');
  if (set('h')) piece.text = from_hex(piece.text);
  return piece;
}

/// The pieces of a text, the same from the cache as without it.
template <class Tokenizer> std::string read(const Tokenizer& tokenizer, std::string_view text) {
  typename Tokenizer::Reader reader(tokenizer);
  entrain::text::Pieces once, again;
  CHECK(reader.encode(text, once) == entrain::text::count_code_points(text));
  reader.encode(text, again);
  CHECK(in_words(once) == in_words(again));
  return in_words(once);
}

}  // namespace test
