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
#include "entrain/text/tokenizer/added_pieces.hpp"
#include "entrain/text/tokenizer/bert_letters.hpp"
#include "entrain/text/tokenizer/contract.hpp"
#include "entrain/text/tokenizer/piece_cache.hpp"
#include "entrain/text/tokenizer/piece_trie.hpp"

namespace entrain::text {

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
      return of_->added_.split(
          text, from, [&](std::string_view part, std::uint32_t at) { return plain(part, at, out); },
          [&](std::int32_t id, std::uint32_t begin, std::uint32_t end) { out.add(id, begin, end); });
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

  WordPieceOptions options_;
  std::vector<std::string> vocabulary_;
  std::int32_t unknown_ = 0;
  PieceTrie whole_, inside_;
  AddedPieces added_;
};

static_assert(IsTokenizer<WordPiece>);

}  // namespace entrain::text

#if !defined(ENTRAIN_COMPILED)
#include "entrain/text/tokenizer/wordpiece.ipp"
#endif
