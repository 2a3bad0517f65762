// [text] > batch > embed > encode > head > optim > checkpoint
//
// Definitions of bert_letters.hpp. Read bert_flags.hpp first.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "entrain/text/tokenizer/bert_flags.hpp"
#include "entrain/text/tokenizer/bert_letters.hpp"
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::text {
namespace detail {

/// Appends the letters of one text, ordered and aligned as in tokenizers' NormalizedString.
class BertLetters {
 public:
  BertLetters(const BertNormalizer& options, std::vector<BertLetter>& out) : options_(options), out_(out) {}

  void add(char32_t cp, std::uint32_t from) {
    const std::uint8_t flags = bert_flags(cp);
    const BertKind kind = kind_of(flags);
    if (options_.clean_text) {
      if (kind == BertKind::drop || kind == BertKind::drop_space) return;
      if (kind == BertKind::space) return starter(' ', 0, from);
    }
    const bool alone = kind == BertKind::han && options_.handle_chinese_chars;
    if (alone) starter(' ', 0, from);
    if (options_.strip_accents)
      decompose(cp, flags, from);
    else
      small(cp, flags, from);
    if (alone) starter(' ', 0, from);
  }
  void finish() { settle(); }

 private:
  /// A mark whose place is not yet decided. `more`: not the first code point of its decomposition.
  struct Mark {
    char32_t cp;
    std::uint32_t from;
    std::uint8_t flags, rank;
    bool more;
    std::uint32_t place;  // index among the pending marks
  };

  void decompose(char32_t cp, std::uint8_t flags, std::uint32_t from) {
    if (cp - 0xAC00u < 11172u) {  // Hangul: Unicode 14.0, section 3.12
      const char32_t syllable = cp - 0xAC00u, last = syllable % 28;
      starter(0x1100 + syllable / 588, 0, from), starter(0x1161 + syllable % 588 / 28, 0, from);
      if (last != 0) starter(0x11A7 + last, 0, from);
    } else if ((flags & bert_decomposes) != 0) {
      bool more = false;
      for (const char32_t part : bert_entry(bert_decompositions, cp, &BertDecomposition::from).to) {
        if (part != 0) decomposed(part, bert_flags(part), from, more);
        more = true;
      }
    } else {
      decomposed(cp, flags, from, false);
    }
  }
  void decomposed(char32_t cp, std::uint8_t flags, std::uint32_t from, bool more) {
    if ((flags & bert_ordered) != 0)
      marks_.push_back({cp, from, flags, bert_entry(bert_orders, cp, &BertOrder::last).rank, more,
                        static_cast<std::uint32_t>(marks_.size())});
    else
      starter(cp, flags, from);
  }
  void starter(char32_t cp, std::uint8_t flags, std::uint32_t from) {
    settle();
    before_ = from;
    if (!options_.strip_accents || kind_of(flags) != BertKind::mark) small(cp, flags, from);
  }

  /// Puts the pending marks into canonical order. tokenizers counts from the left: the first mark of the output is
  /// aligned with the first mark of the input, whatever its source.
  void settle() {
    if (marks_.empty()) return;
    const bool all_go = std::all_of(marks_.begin(), marks_.end(), [](const Mark& m) { return goes(m); });
    if (!all_go) {
      std::vector<std::uint32_t> sources;
      for (const Mark& m : marks_)
        if (!m.more) sources.push_back(m.from);
      std::sort(marks_.begin(), marks_.end(),
                [](const Mark& a, const Mark& b) { return a.rank != b.rank ? a.rank < b.rank : a.place < b.place; });
      std::size_t met = 0;
      for (const Mark& m : marks_) {
        met += !m.more;
        if (!goes(m)) small(m.cp, m.flags, met > 0 ? sources[met - 1] : before_);
      }
    }
    marks_.clear();
  }
  static bool goes(const Mark& m) noexcept { return kind_of(m.flags) == BertKind::mark; }

  void small(char32_t cp, std::uint8_t flags, std::uint32_t from) {
    if (options_.lowercase && (flags & bert_lowers) != 0) {
      if (cp == 0x130) {
        out_.push_back({'i', from}), out_.push_back({0x307, from});
        return;
      }
      cp = static_cast<char32_t>(static_cast<std::int32_t>(cp) +
                                 bert_entry(bert_lower_runs, cp, &BertLower::last).delta);
    }
    out_.push_back({cp, from});
  }

  const BertNormalizer& options_;
  std::vector<BertLetter>& out_;
  std::vector<Mark> marks_;
  std::uint32_t before_ = 0;  // source of the letter before the marks
};

}  // namespace detail

ENTRAIN_INLINE std::uint32_t bert_letters(std::string_view text, std::uint32_t from, const BertNormalizer& options,
                                          std::vector<BertLetter>& out) {
  detail::BertLetters letters(options, out);
  for (std::size_t at = 0; at < text.size(); ++from) {
    const CodePoint p = decode(text, at);
    letters.add(p.cp, from);
    at += p.bytes;
  }
  letters.finish();
  return from;
}

ENTRAIN_INLINE bool is_bert_space(char32_t cp) noexcept {
  const auto kind = detail::kind_of(detail::bert_flags(cp));
  return kind == detail::BertKind::space || kind == detail::BertKind::drop_space;
}
ENTRAIN_INLINE bool is_bert_punctuation(char32_t cp) noexcept {
  return detail::kind_of(detail::bert_flags(cp)) == detail::BertKind::punctuation;
}

}  // namespace entrain::text
