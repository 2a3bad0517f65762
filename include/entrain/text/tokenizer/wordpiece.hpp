// [text] > batch > embed > encode > head > optim > checkpoint
//
// WordPiece, as BERT has it: text to ids, each with the code points that it covers. Ids and offsets are those of the
// package tokenizers. Read contract.hpp, bert_letters.hpp and piece_trie.hpp first; checkpoint/wordpiece_files.hpp
// reads the files.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/core/error.hpp"
#include "entrain/text/tokenizer/bert_letters.hpp"
#include "entrain/text/tokenizer/contract.hpp"
#include "entrain/text/tokenizer/piece_cache.hpp"
#include "entrain/text/tokenizer/piece_trie.hpp"
#include "entrain/text/unicode/unicode.hpp"  // is_space, is_letter
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::text {

/// A piece that is searched in the unchanged text, before anything else: [CLS], [MASK].
struct AddedPiece {
  std::string text;
  std::int32_t id = 0;
  bool lstrip = false, rstrip = false;  // also takes the spaces before or after it
  bool single_word = false;             // only where no letter, digit or underscore touches it
};

/// The rules in addition to the vocabulary, by the names of tokenizer.json; the values here are BERT's.
struct WordPieceOptions {
  BertNormalizer normalizer;
  std::string unk_token = "[UNK]";
  std::string continuing_subword_prefix = "##";
  std::size_t max_input_chars_per_word = 100;  // a longer word is unknown
  std::vector<AddedPiece> added;
};

/// A vocabulary and its rules. Const after it is made; threads share it, and each brings its own Reader.
///
/// pieces    the longest piece that a word begins with, then the longest "##" piece that continues it, and so on; a
///           word with a rest that is no piece is unknown as a whole
/// source    Schuster, Nakajima 2012, ICASSP, section 4; Devlin et al. 2019, appendix A, and its tokenization.py
class WordPiece {
 public:
  /// vocabulary   the pieces by id; an empty text is an id without a piece
  /// where        what messages call it: a folder, a file
  /// throws       entrain.text.14 for a piece that occurs twice, .15 if unk_token is not in it
  explicit WordPiece(std::vector<std::string> vocabulary, WordPieceOptions options = {},
                     const std::string& where = "vocabulary")
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
      if (piece.size() > prefix.size() && piece.starts_with(prefix))
        inside.emplace_back(piece.substr(prefix.size()), id);
    }
    const auto unknown = ids.find(options_.unk_token);
    if (unknown == ids.end())
      throw Error("entrain.text.15", where, "no piece " + options_.unk_token + " among " + std::to_string(ids.size()),
                  "a piece for unknown words");
    unknown_ = unknown->second;
    whole_ = PieceTrie(std::move(whole));
    inside_ = PieceTrie(std::move(inside));
    std::sort(options_.added.begin(), options_.added.end(),
              [](const AddedPiece& a, const AddedPiece& b) { return a.text.size() > b.text.size(); });
    for (const AddedPiece& one : options_.added)
      if (!one.text.empty() && first_bytes_.find(one.text[0]) == std::string::npos) first_bytes_ += one.text[0];
  }

  const WordPieceOptions& options() const noexcept { return options_; }
  const std::vector<std::string>& vocabulary() const noexcept { return vocabulary_; }
  std::size_t size() const noexcept { return vocabulary_.size(); }
  std::int32_t unknown() const noexcept { return unknown_; }
  void each_special(auto&& f) const {
    for (const AddedPiece& one : options_.added) f(one.id, std::string_view(one.text));
  }
  std::string fingerprint() const;

  /// What a thread needs to read text: room to work in, and the words it met.
  class Reader {
   public:
    explicit Reader(const WordPiece& of, std::size_t cached_words = std::size_t{1} << 16)
        : of_(&of), cache_(cached_words) {}

    /// Appends the pieces of `text` to `out`. The first code point has number `from`; returns the number after the last
    /// one.
    std::uint32_t encode(std::string_view text, Pieces& out, std::uint32_t from = 0) {
      std::size_t at = 0;
      for (std::size_t look = 0; (look = of_->next_first_byte(text, look)) != text.npos;) {
        const AddedPiece* const found = of_->added_at(text, look);
        if (found == nullptr) {
          ++look;
          continue;
        }
        std::size_t begin = look, end = look + found->text.size();
        if (found->lstrip)
          while (begin > at && is_space(last_of(text.substr(at, begin - at)).cp))
            begin -= last_of(text.substr(at, begin - at)).bytes;
        if (found->rstrip)
          while (end < text.size() && is_space(decode(text, end).cp)) end += decode(text, end).bytes;
        from = plain(text.substr(at, begin - at), from, out);
        const auto length = static_cast<std::uint32_t>(count_code_points(text.substr(begin, end - begin)));
        out.add(found->id, from, from + length);
        from += length;
        at = look = end;
      }
      return plain(text.substr(at), from, out);
    }
    [[deprecated("use encode")]] std::uint32_t read(std::string_view text, Pieces& out, std::uint32_t from = 0) {
      return encode(text, out, from);
    }

   private:
    static bool ascii_space(char c) noexcept { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

    std::uint32_t plain(std::string_view text, std::uint32_t from, Pieces& out) {
      for (std::size_t at = 0; at < text.size();) {
        if (ascii_space(text[at])) {
          ++at, ++from;
          continue;
        }
        std::size_t end = at + 1;
        while (end < text.size() && !ascii_space(text[end])) ++end;
        from = word(text.substr(at, end - at), from, out);
        at = end;
      }
      return from;
    }

    /// A run of bytes without ASCII spaces, by the cache if it is short enough for that.
    std::uint32_t word(std::string_view run, std::uint32_t from, Pieces& out) {
      if (run.size() > WordKey::most_bytes) return cut(run, from, out);
      CachedWord& known = cache_.place(run);
      if (known.bytes == 0) {
        const std::size_t before = out.size();
        const std::uint32_t after = cut(run, from, out);
        if (out.size() - before > CachedWord::most_pieces) return after;
        known.bytes = static_cast<std::uint8_t>(run.size());
        known.code_points = static_cast<std::uint8_t>(after - from);
        known.pieces = static_cast<std::uint8_t>(out.size() - before);
        for (std::size_t k = 0; k < known.pieces; ++k) {
          known.id[k] = out.id[before + k];
          known.begin[k] = static_cast<std::uint8_t>(out.begin[before + k] - from);
          known.end[k] = static_cast<std::uint8_t>(out.end[before + k] - from);
        }
        return after;
      }
      for (std::size_t k = 0; k < known.pieces; ++k) out.add(known.id[k], from + known.begin[k], from + known.end[k]);
      return from + known.code_points;
    }

    std::uint32_t cut(std::string_view run, std::uint32_t from, Pieces& out) {
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

    const WordPiece* of_;
    PieceCache cache_;
    std::vector<BertLetter> letters_;
  };

 private:
  /// One word into pieces.
  void pieces(std::span<const BertLetter> word, Pieces& out) const {
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

  static CodePoint last_of(std::string_view text) noexcept {
    std::size_t at = text.size() - 1;
    while (at > 0 && text.size() - at < 4 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
    return decode(text, at);
  }
  static bool touches(char32_t cp) noexcept { return is_letter(cp) || is_number(cp) || is_mark(cp) || cp == '_'; }

  std::size_t next_first_byte(std::string_view text, std::size_t at) const noexcept {
    return first_bytes_.size() == 1 ? text.find(first_bytes_[0], at) : text.find_first_of(first_bytes_, at);
  }
  /// The longest added piece at `at`, or null.
  const AddedPiece* added_at(std::string_view text, std::size_t at) const {
    for (const AddedPiece& one : options_.added) {
      const std::size_t end = at + one.text.size();
      if (one.text.empty() || !text.substr(at).starts_with(one.text)) continue;
      if (one.single_word &&
          ((at > 0 && touches(last_of(text.substr(0, at)).cp)) || (end < text.size() && touches(decode(text, end).cp))))
        continue;
      return &one;
    }
    return nullptr;
  }

  WordPieceOptions options_;
  std::vector<std::string> vocabulary_;
  std::int32_t unknown_ = 0;
  PieceTrie whole_, inside_;
  std::string first_bytes_;  // of added pieces
};

static_assert(IsTokenizer<WordPiece>);

}  // namespace entrain::text

#if !defined(ENTRAIN_COMPILED)
#include "entrain/text/tokenizer/wordpiece.ipp"
#endif
