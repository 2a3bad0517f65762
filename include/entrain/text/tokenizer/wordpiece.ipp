// [text] > batch > embed > encode > head > optim > checkpoint
//
// Definitions of wordpiece.hpp.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/core/fields.hpp"
#include "entrain/text/tokenizer/added_pieces.hpp"
#include "entrain/text/tokenizer/bert_letters.hpp"
#include "entrain/text/tokenizer/piece_trie.hpp"
#include "entrain/text/tokenizer/wordpiece.hpp"
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::text {

ENTRAIN_INLINE WordPiece::WordPiece(std::vector<std::string> vocabulary, WordPieceOptions options,
                                    const std::string& where)
    : options_(std::move(options)), vocabulary_(std::move(vocabulary)) {
  std::unordered_map<std::string_view, std::int32_t> ids;
  std::vector<std::pair<std::string_view, std::int32_t>> whole, inside;
  const std::string_view prefix = options_.continuing_subword_prefix;
  for (std::size_t i = 0; i < vocabulary_.size(); ++i) {
    const std::string_view piece = vocabulary_[i];
    if (piece.empty()) continue;
    const auto id = static_cast<std::int32_t>(i);
    if (const auto [there, fresh] = ids.emplace(piece, id); !fresh)
      throw Error("entrain.text.14", where,
                  "'" + vocabulary_[i] + "' has ids " + std::to_string(there->second) + " and " + std::to_string(i),
                  "one id per piece");
    whole.emplace_back(piece, id);
    if (piece.size() > prefix.size() && piece.starts_with(prefix)) inside.emplace_back(piece.substr(prefix.size()), id);
  }
  const auto unknown = ids.find(options_.unk_token);
  if (unknown == ids.end())
    throw Error("entrain.text.15", where, "no piece " + options_.unk_token + " among " + std::to_string(ids.size()),
                "a piece for unknown words");
  unknown_ = unknown->second;
  whole_ = PieceTrie(std::move(whole));
  inside_ = PieceTrie(std::move(inside));
  added_ = AddedPieces(std::move(options_.added));
  options_.added = added_.all();
}

ENTRAIN_INLINE std::uint32_t WordPiece::Reader::cut(std::string_view run, std::uint32_t from, Pieces& out) {
  letters_.clear();
  from = bert_letters(run, from, of_->options_.normalizer, letters_);
  for (std::size_t at = 0; at < letters_.size();) {
    const char32_t cp = letters_[at].cp;
    std::size_t end = at + 1;
    if (!is_bert_space(cp)) {
      if (!is_bert_punctuation(cp))
        while (end < letters_.size() && !is_bert_space(letters_[end].cp) && !is_bert_punctuation(letters_[end].cp))
          ++end;
      of_->pieces({letters_.data() + at, end - at}, out);
    }
    at = end;
  }
  return from;
}

ENTRAIN_INLINE void WordPiece::pieces(std::span<const BertLetter> word, Pieces& out) const {
  const std::size_t before = out.size();
  bool known = word.size() <= options_.max_input_chars_per_word;
  for (std::size_t at = 0; known && at < word.size();) {
    const PieceTrie& trie = at == 0 ? whole_ : inside_;
    std::uint32_t node = 0;
    std::int32_t best = PieceTrie::no_piece;
    std::size_t end = at;
    for (std::size_t k = at; k < word.size(); ++k) {
      char bytes[4];
      const std::uint32_t count = encode(word[k].cp, bytes);
      for (std::uint32_t i = 0; i < count; ++i)
        if ((node = trie.child(node, bytes[i])) == PieceTrie::nowhere) break;
      if (node == PieceTrie::nowhere) break;
      if (trie.piece(node) != PieceTrie::no_piece) best = trie.piece(node), end = k + 1;
    }
    known = best != PieceTrie::no_piece;
    if (known) out.add(best, word[at].from, word[end - 1].from + 1);
    at = end;
  }
  if (known) return;
  out.id.resize(before), out.begin.resize(before), out.end.resize(before);
  out.add(unknown_, word.front().from, word.back().from + 1);
}

ENTRAIN_INLINE std::string WordPiece::fingerprint() const {
  Fields fields;
  fields.say("tokenizer", "WordPiece");
  fields.say("vocabulary", vocabulary_);
  fields.number("clean_text", options_.normalizer.clean_text);
  fields.number("handle_chinese_chars", options_.normalizer.handle_chinese_chars);
  fields.number("strip_accents", options_.normalizer.strip_accents);
  fields.number("lowercase", options_.normalizer.lowercase);
  fields.say("unk_token", options_.unk_token);
  fields.say("continuing_subword_prefix", options_.continuing_subword_prefix);
  fields.number("max_input_chars_per_word", static_cast<std::int64_t>(options_.max_input_chars_per_word));
  say_added(fields, options_.added);
  return fields.bytes();
}

}  // namespace entrain::text
