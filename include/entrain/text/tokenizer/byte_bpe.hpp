// [text] > batch > embed > encode > head > optim > checkpoint
//
// Byte-level BPE, as RoBERTa and ModernBERT have it: text to ids, each with the code points that it covers. Ids and
// offsets are those of the package tokenizers with add_prefix_space. Read contract.hpp, byte_level.hpp, merge_table.hpp
// and unicode/nfc.hpp first; checkpoint/byte_bpe_files.hpp reads the files.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/text/tokenizer/added_pieces.hpp"
#include "entrain/text/tokenizer/byte_level.hpp"
#include "entrain/text/tokenizer/contract.hpp"
#include "entrain/text/tokenizer/merge_table.hpp"
#include "entrain/text/tokenizer/piece_cache.hpp"
#include "entrain/text/unicode/nfc.hpp"
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::text {

/// The rules in addition to the vocabulary and the merges, by the names of tokenizer.json.
struct ByteBpeOptions {
  std::string unk_token = "<unk>";  // for word dropout; no text needs it, because each byte is a piece
  std::vector<AddedPiece> added;
  bool nfc = false;  // normalizer NFC
};

/// A vocabulary, its merges and its rules. Const after it is made; threads share it, and each brings its own Reader.
///
/// A space is put before every text that begins with none, and before what follows an added piece, as transformers does
/// with words (add_prefix_space). An invalid byte is read as U+FFFD.
///
/// With nfc, what is between the added pieces that are not `normalized` is normalized (Nfc); the other added pieces are
/// normalized too, and searched in the result. A piece then has the places of its first and last code point, and what
/// is between these.
///
/// pieces    those of each word of the text (byte_level.hpp): at first its bytes; then, of all adjacent pairs that have
///           a merge, that of the lowest rank becomes one piece, the leftmost of equals first, until no pair has one
/// source    Sennrich et al. 2016, arXiv:1508.07909, section 3.2; Radford et al. 2019, section 2.2; Liu et al. 2019,
///           arXiv:1907.11692, section 4.4; Warner et al. 2024, arXiv:2412.13663
class ByteBpe {
 public:
  using Pair = std::pair<std::string, std::string>;

  /// vocabulary   the pieces by id, a code point for each byte (letter_of_byte); an empty text is an id without a piece
  /// merges       by rank: two pieces that become the piece of both texts
  /// where        what messages call it: a folder, a file
  /// throws       entrain.text.14 for a piece that occurs twice, .15 if unk_token is not in it, .16 for a merge of or
  /// to
  ///              what is no piece, or that occurs twice, .17 for a byte without a piece
  ENTRAIN_INLINE ByteBpe(std::vector<std::string> vocabulary, const std::vector<Pair>& merges,
                         ByteBpeOptions options = {}, const std::string& where = "vocabulary");

  const ByteBpeOptions& options() const noexcept { return options_; }
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
    explicit Reader(const ByteBpe& of, std::size_t cached_words = std::size_t{1} << 16)
        : of_(&of), cache_(cached_words) {}

    /// Appends the pieces of `text` to `out`. The first code point has number `from`; returns the number after the last
    /// one. A piece has the code points of its bytes, without spaces at its ends.
    std::uint32_t encode(std::string_view text, Pieces& out, std::uint32_t from = 0) {
      return of_->added_.split(
          text, from,
          [&](std::string_view part, std::uint32_t at) {
            return of_->options_.nfc && nfc_.apply(part) ? normalized(at, out) : between(part, at, out);
          },
          [&](std::int32_t id, std::uint32_t begin, std::uint32_t end) { out.add(id, begin, end); });
    }

   private:
    /// The pieces of a text that is normalized.
    std::uint32_t between(std::string_view text, std::uint32_t from, Pieces& out) {
      return of_->normalized_.split(
          text, from, [&](std::string_view part, std::uint32_t at) { return plain(part, at, out); },
          [&](std::int32_t id, std::uint32_t begin, std::uint32_t end) { out.add(id, begin, end); });
    }
    /// The pieces of the text of nfc_.
    ENTRAIN_INLINE std::uint32_t normalized(std::uint32_t from, Pieces& out);
    std::uint32_t plain(std::string_view text, std::uint32_t from, Pieces& out) {
      if (text.empty()) return from;
      spaced_.clear();
      if (text[0] != ' ') spaced_ += ' ';
      const std::uint32_t put = text[0] != ' ';  // the space that the text does not have
      const std::size_t ascii = ascii_run(text);
      spaced_.append(text, 0, ascii);
      repair_utf8(text.substr(ascii), spaced_);
      std::uint32_t counted = 0;  // code points of spaced_
      for (std::size_t at = 0, end; at < spaced_.size(); at = end) {
        end = end_of_byte_level_word(spaced_, at);
        counted = word(std::string_view(spaced_).substr(at, end - at), counted, [&](auto id, auto begin, auto to) {
          out.add(id, from + (begin > put ? begin - put : 0), from + (to > put ? to - put : 0));
        });
      }
      return from + counted - put;
    }

    /// One word, by the cache if it is short enough for that. add(id, begin, end) gets its pieces.
    template <class Add> std::uint32_t word(std::string_view text, std::uint32_t from, Add&& add) {
      if (text.size() > WordKey::most_bytes) return merged(text, from, add);
      CachedWord& known = cache_.place(text);
      if (known.bytes == 0) {
        std::size_t pieces = 0;
        const std::uint32_t after = merged(text, from, [&](std::int32_t id, std::uint32_t begin, std::uint32_t end) {
          add(id, begin, end);
          if (pieces < CachedWord::most_pieces) {
            known.id[pieces] = id;
            known.begin[pieces] = static_cast<std::uint8_t>(begin - from);
            known.end[pieces] = static_cast<std::uint8_t>(end - from);
          }
          ++pieces;
        });
        if (pieces > CachedWord::most_pieces) return after;
        known.bytes = static_cast<std::uint8_t>(text.size());
        known.code_points = static_cast<std::uint8_t>(after - from);
        known.pieces = static_cast<std::uint8_t>(pieces);
        return after;
      }
      for (std::size_t k = 0; k < known.pieces; ++k) add(known.id[k], from + known.begin[k], from + known.end[k]);
      return from + known.code_points;
    }

    /// The pieces of a word that is not in the cache.
    template <class Add> std::uint32_t merged(std::string_view text, std::uint32_t from, Add&& add) {
      merge(text);
      std::uint32_t counted = from;  // code points that begin before the byte `at`
      const auto begins = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80; };
      for (std::size_t at = 0, next; at < text.size(); at = next) {
        next = at + symbols_[at].bytes;
        const std::uint32_t first = counted + begins(at) - 1;  // the code point of its first byte
        std::size_t begin = at, end = next;
        while (begin < end && text[begin] == ' ') ++begin;
        while (end > begin && text[end - 1] == ' ') --end;
        for (std::size_t i = at; i < next; ++i) counted += begins(i);
        const auto front = static_cast<std::uint32_t>(begin - at), back = static_cast<std::uint32_t>(next - end);
        add(symbols_[at].piece, first + front, counted - back);
      }
      return counted;
    }

    /// Merges the bytes of a word to the pieces in symbols_; that of byte i is at place i.
    ENTRAIN_INLINE void merge(std::string_view text);
    ENTRAIN_INLINE void merge_by_scanning(std::string_view text);
    static constexpr std::uint32_t most_scanned = 32;  // bytes; more are merged by a heap, whose time is n log n
    /// Remembers the merge of the symbol at `at` with the one after it.
    ENTRAIN_INLINE void consider(std::uint32_t at);

    struct Symbol {
      std::int32_t piece;           // no_piece: it is part of an earlier one
      std::uint32_t before, bytes;  // the place of the symbol before it; its length
    };
    struct Candidate {
      std::uint32_t rank, at;
      std::int32_t left, right, piece;
      /// Whether it is done after `other`: the order of the heap.
      bool operator<(const Candidate& other) const noexcept {
        return rank != other.rank ? rank > other.rank : at > other.at;
      }
    };
    const ByteBpe* of_;
    PieceCache cache_;
    std::string spaced_;
    std::vector<Symbol> symbols_;
    std::vector<Candidate> heap_;
    Nfc nfc_;
  };

 private:
  static constexpr std::int32_t no_piece = -1;

  ByteBpeOptions options_;
  std::vector<std::string> vocabulary_;
  std::int32_t unknown_ = 0;
  std::array<std::int32_t, 256> bytes_{};                     // the pieces of single bytes
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs_;  // by rank
  MergeTable merges_;
  AddedPieces added_, normalized_;
};

static_assert(IsTokenizer<ByteBpe>);

}  // namespace entrain::text

#if !defined(ENTRAIN_COMPILED)
#include "entrain/text/tokenizer/byte_bpe.ipp"
#endif
