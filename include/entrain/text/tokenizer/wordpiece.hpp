// [text] > batch > embed > encode > head > optim > checkpoint
//
// WordPiece, as BERT has it: text to ids, each with the code points that it covers. Ids and offsets are those of the
// package tokenizers. Read contract.hpp, bert_letters.hpp and piece_trie.hpp first; checkpoint/wordpiece_files.hpp
// reads the files.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/text/tokenizer/bert_letters.hpp"
#include "entrain/text/tokenizer/contract.hpp"
#include "entrain/text/tokenizer/piece_cache.hpp"
#include "entrain/text/tokenizer/piece_trie.hpp"
#include "entrain/text/unicode/unicode.hpp"  // is_space
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
  ENTRAIN_INLINE explicit WordPiece(std::vector<std::string> vocabulary, WordPieceOptions options = {},
                                    const std::string& where = "vocabulary");

  const WordPieceOptions& options() const noexcept { return options_; }
  const std::vector<std::string>& vocabulary() const noexcept { return vocabulary_; }
  std::size_t size() const noexcept { return vocabulary_.size(); }
  std::int32_t unknown() const noexcept { return unknown_; }
  void each_special(auto&& f) const {
    for (const AddedPiece& one : options_.added) f(one.id, std::string_view(one.text));
  }
  ENTRAIN_INLINE std::string fingerprint() const;

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

    ENTRAIN_INLINE std::uint32_t cut(std::string_view run, std::uint32_t from, Pieces& out);

    const WordPiece* of_;
    PieceCache cache_;
    std::vector<BertLetter> letters_;
  };

 private:
  /// One word into pieces.
  ENTRAIN_INLINE void pieces(std::span<const BertLetter> word, Pieces& out) const;

  static CodePoint last_of(std::string_view text) noexcept {
    std::size_t at = text.size() - 1;
    while (at > 0 && text.size() - at < 4 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
    return decode(text, at);
  }
  std::size_t next_first_byte(std::string_view text, std::size_t at) const noexcept {
    return first_bytes_.size() == 1 ? text.find(first_bytes_[0], at) : text.find_first_of(first_bytes_, at);
  }
  /// The longest added piece at `at`, or null.
  ENTRAIN_INLINE const AddedPiece* added_at(std::string_view text, std::size_t at) const;

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
