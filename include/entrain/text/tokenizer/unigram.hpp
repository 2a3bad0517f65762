// [text] > batch > embed > encode > head > optim > checkpoint
//
// The unigram language model of SentencePiece, as XLM-RoBERTa has it: text to ids, each with the code points that it
// covers. Ids are those of the package tokenizers. Read contract.hpp and charsmap.hpp first;
// checkpoint/unigram_files.hpp reads the files.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/text/tokenizer/added_pieces.hpp"
#include "entrain/text/tokenizer/charsmap.hpp"
#include "entrain/text/tokenizer/contract.hpp"
#include "entrain/text/tokenizer/piece_cache.hpp"
#include "entrain/text/tokenizer/piece_trie.hpp"
#include "entrain/text/unicode/unicode.hpp"  // is_space
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::text {

/// The rules in addition to the vocabulary, by the names of tokenizer.json.
struct UnigramOptions {
  std::string unk_token = "<unk>";
  std::string precompiled_charsmap;              // the bytes of a Charsmap; empty: the text is not changed
  bool strip_left = false, strip_right = false;  // white space at the ends of a text is left out
  std::string two_spaces;                        // what two or more of them become: a space or a mark; empty: they stay
  bool whitespace_split = true;                  // words end at all white space, not at spaces alone
  std::vector<AddedPiece> added;
};

/// A vocabulary with its scores and its rules. Const after it is made; threads share it, and each brings its own
/// Reader.
///
/// A text is cut at its added pieces; the map of characters changes what is between them, which is then cut into words.
/// Every word begins with the mark U+2581: where whitespace_split is false, a space becomes one.
///
/// pieces    of the ways to cut a word into pieces, that with the largest sum of scores; of two equal ones, that whose
///           last piece begins first. A code point that is no piece has the score of the worst piece less 10; adjacent
///           ones of them are one unknown piece
/// offsets   a piece begins with the place (Charsmap) of its first code point and ends with that of its last one; a
///           mark that is put before a word has the place of the word's first code point
/// source    Kudo 2018, "Subword Regularization", arXiv:1804.10959, section 3.2; Conneau et al. 2019, "XLM-R",
///           arXiv:1911.02116; the package tokenizers' Unigram, Metaspace and WhitespaceSplit
class Unigram {
 public:
  static constexpr std::string_view mark = "\xE2\x96\x81";  // U+2581

  /// vocabulary   the pieces by id; an empty text is an id without a piece
  /// scores       of the pieces by id: natural logarithms of probabilities, or other numbers
  /// where        what messages call it: a folder, a file
  /// throws       entrain.text.14 for a piece that occurs twice, .15 if unk_token is not in it, .18 as Charsmap,
  ///              .19 for a score that is missing or not finite
  ENTRAIN_INLINE Unigram(std::vector<std::string> vocabulary, std::vector<double> scores, UnigramOptions options = {},
                         const std::string& where = "vocabulary");

  const UnigramOptions& options() const noexcept { return options_; }
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
    explicit Reader(const Unigram& of, std::size_t cached_words = std::size_t{1} << 16)
        : of_(&of), cache_(cached_words) {}

    /// Appends the pieces of `text` to `out`. The first code point has number `from`; returns the number after the last
    /// one. An invalid byte is read as U+FFFD.
    std::uint32_t encode(std::string_view text, Pieces& out, std::uint32_t from = 0) {
      return of_->added_.split(
          text, from, [&](std::string_view part, std::uint32_t at) { return between(part, at, out); },
          [&](std::int32_t id, std::uint32_t begin, std::uint32_t end) { out.add(id, begin, end); });
    }

   private:
    /// The pieces of a text between two added ones.
    std::uint32_t between(std::string_view text, std::uint32_t from, Pieces& out) {
      if (text.empty()) return from;
      if (!of_->keeps(text)) return mapped(text, from, out);
      words(text, Places{from, nullptr}, out);
      return from + static_cast<std::uint32_t>(text.size());
    }
    ENTRAIN_INLINE std::uint32_t mapped(std::string_view text, std::uint32_t from, Pieces& out);

    /// The code points of bytes: from a table, or one for each.
    struct Places {
      std::uint32_t from;
      const std::uint32_t* table;
      std::uint32_t operator[](std::size_t byte) const noexcept {
        return from + (table != nullptr ? table[byte] : static_cast<std::uint32_t>(byte));
      }
    };

    /// The pieces of a text after the map.
    void words(std::string_view text, Places places, Pieces& out) {
      if (!of_->options_.whitespace_split) return marked(text, 0, text.size(), places, out);
      for (std::size_t at = 0, end; at < text.size(); at = end) {
        end = at;
        while (end < text.size() && bytes_of_space(text, end) == 0) ++end;
        marked(text, at, end, places, out);
        if (end < text.size()) end += bytes_of_space(text, end);
      }
    }
    /// The pieces of the bytes [at, end) of a text: a word begins at each mark, and at the first byte.
    void marked(std::string_view text, std::size_t at, std::size_t end, Places places, Pieces& out) {
      for (std::size_t next; at < end; at = next) {
        const std::size_t body = at + bytes_of_mark(text, at);
        next = body;
        while (next < end && bytes_of_mark(text, next) == 0) ++next;
        word(text, body, next, places[at], places, out);
      }
    }
    /// How many bytes the white space has that begins at `at`; 0: none begins there.
    static std::size_t bytes_of_space(std::string_view text, std::size_t at) noexcept {
      const auto byte = static_cast<unsigned char>(text[at]);
      if (byte < 0x80) return byte == ' ' || (byte >= '\t' && byte <= '\r');
      if (byte < 0xC2) return 0;
      const CodePoint p = decode(text, at);
      return is_space(p.cp) ? p.bytes : 0;
    }
    /// The same of a mark, or of a space that becomes one.
    std::size_t bytes_of_mark(std::string_view text, std::size_t at) const noexcept {
      if (text[at] == ' ') return !of_->options_.whitespace_split;
      return text[at] == mark[0] && text.substr(at).starts_with(mark) ? mark.size() : 0;
    }

    /// A mark and the bytes [at, end) of a text, by the cache if they are few enough for that.
    void word(std::string_view text, std::size_t at, std::size_t end, std::uint32_t place_of_mark, Places places,
              Pieces& out) {
      const auto add = [&](std::int32_t id, std::size_t from, std::size_t to) {
        const auto place = [&](std::size_t byte) {
          return byte < mark.size() ? place_of_mark : places[at + (byte - mark.size())];
        };
        out.add(id, place(from), place(to - 1) + 1);
      };
      text = text.substr(at, end - at);
      if (text.empty() || text.size() > WordKey::most_bytes) return best(text, add);
      CachedWord& known = cache_.place(text);
      if (known.bytes == 0) {
        std::size_t pieces = 0;
        best(text, [&](std::int32_t id, std::size_t from, std::size_t to) {
          add(id, from, to);
          if (pieces < CachedWord::most_pieces) {
            known.id[pieces] = id;
            known.begin[pieces] = static_cast<std::uint8_t>(from);
            known.end[pieces] = static_cast<std::uint8_t>(to);
          }
          ++pieces;
        });
        if (pieces > CachedWord::most_pieces) return;
        known.bytes = static_cast<std::uint8_t>(text.size());
        known.pieces = static_cast<std::uint8_t>(pieces);
        return;
      }
      for (std::size_t k = 0; k < known.pieces; ++k) add(known.id[k], known.begin[k], known.end[k]);
    }
    /// add(id, from, to) for each piece of a mark and a word, and the bytes of both that it has.
    template <class Add> void best(std::string_view text, Add&& add) {
      search(text);
      std::size_t from = 0;
      for (std::size_t k = path_.size(); k-- > 0; from = path_[k].end) add(path_[k].id, from, path_[k].end);
    }
    /// Finds the best pieces of a mark and a word: path_, the last piece first.
    ENTRAIN_INLINE void search(std::string_view text);

    /// The best way to cut what is before a byte.
    struct Cut {
      double score;
      std::int32_t id;     // of its last piece; no_piece: there is no way
      std::uint32_t from;  // where that begins
    };
    struct Step {
      std::int32_t id;
      std::uint32_t end;
    };
    const Unigram* of_;
    PieceCache cache_;
    MappedText mapped_;
    std::string word_, valid_;
    std::vector<Cut> cuts_;
    std::vector<Step> path_;
  };

 private:
  static constexpr std::int32_t no_piece = PieceTrie::no_piece;

  /// Whether all of a text is ASCII that the rules do not change.
  bool keeps(std::string_view text) const noexcept {
    if (!only_map_ || ascii_run(text) != text.size()) return false;
    for (const char c : text)
      if (map_.changes(c) || c == '\r') return false;
    return true;
  }
  /// Makes the text of a MappedText that is searched for words; returns the number of code points of `text`.
  ENTRAIN_INLINE std::uint32_t normalize(std::string_view text, MappedText& out) const;
  /// The id of a text, or no_piece.
  std::int32_t find(std::string_view text) const noexcept {
    std::uint32_t node = 0;
    for (const char c : text)
      if ((node = trie_.child(node, c)) == PieceTrie::nowhere) return no_piece;
    return trie_.piece(node);
  }

  UnigramOptions options_;
  std::vector<std::string> vocabulary_;
  std::vector<double> scores_;
  double unknown_score_ = 0;
  std::int32_t unknown_ = 0;
  bool only_map_ = true;  // nothing but the map changes a text
  Charsmap map_;
  PieceTrie trie_;
  AddedPieces added_, normalized_;
};

static_assert(IsTokenizer<Unigram>);

}  // namespace entrain::text

#if !defined(ENTRAIN_COMPILED)
#include "entrain/text/tokenizer/unigram.ipp"
#endif
