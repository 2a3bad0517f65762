// [text] > batch > embed > encode > head > optim > checkpoint
//
// Definitions of label_form.hpp.
#pragma once
#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "entrain/text/corpus/excerpt.hpp"
#include "entrain/text/corpus/token_fault.hpp"  // is_invisible
#include "entrain/text/tags/label_form.hpp"
#include "entrain/text/tokenizer/bert_flags.hpp"  // decompositions
#include "entrain/text/unicode/unicode.hpp"
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::text {
namespace detail {

/// The canonical decomposition of a text, NFD: Unicode 14.0, section 3.11.
inline std::u32string decomposed(const std::u32string& text) {
  std::u32string out;
  for (const char32_t cp : text) {
    if (cp - 0xAC00u < 11172u) {  // Hangul
      const char32_t syllable = cp - 0xAC00u, last = syllable % 28;
      out += {0x1100 + syllable / 588, 0x1161 + syllable % 588 / 28};
      if (last != 0) out += 0x11A7 + last;
    } else if ((bert_flags(cp) & bert_decomposes) != 0) {
      for (const char32_t part : bert_entry(bert_decompositions, cp, &BertDecomposition::from).to)
        if (part != 0) out += part;
    } else {
      out += cp;
    }
  }
  const auto rank = [](char32_t cp) {  // 0: not reordered
    return (bert_flags(cp) & bert_ordered) == 0 ? 0 : bert_entry(bert_orders, cp, &BertOrder::last).rank;
  };
  std::vector<std::uint64_t> marks;  // rank, place, code point: equal ranks keep their order
  for (auto at = out.begin(); at != out.end(); ++at) {
    marks.clear();
    for (auto i = at; i != out.end() && rank(*i) != 0; ++i)
      marks.push_back(static_cast<std::uint64_t>(rank(*i)) << 53 | static_cast<std::uint64_t>(i - at) << 21 | *i);
    std::sort(marks.begin(), marks.end());
    for (const std::uint64_t mark : marks) *at++ = static_cast<char32_t>(mark & 0x1FFFFF);
    if (at == out.end()) break;
  }
  return out;
}

/// The characters of a kind whose counts differ between two texts, as ` (U+00A0, U+200B)`.
template <class Is> std::string named_characters(std::string_view a, std::string_view b, Is&& is) {
  std::map<char32_t, int> more;
  for (const auto& [text, count] : {std::pair(a, 1), std::pair(b, -1)})
    for (std::size_t at = 0; at < text.size();) {
      const CodePoint p = decode(text, at);
      at += p.bytes;
      if (is(p.cp)) more[p.cp] += count;
    }
  std::string s;
  for (const auto& [cp, times] : more)
    if (times != 0) s.append(s.empty() ? " (" : ", ").append(code_point_name(cp));
  return s.empty() ? s : s + ")";
}

}  // namespace detail

ENTRAIN_INLINE std::string fold_label(std::string_view label, const LabelFold& over) {
  if (!is_valid_utf8(label)) return std::string(label);
  std::u32string text;
  bool space = false;
  for (std::size_t at = 0; at < label.size();) {
    const CodePoint p = decode(label, at);
    at += p.bytes;
    if (over.invisible && is_invisible(p.cp)) continue;
    if (over.blanks && is_space(p.cp)) {
      space = true;
      continue;
    }
    if (space && !text.empty()) text += U' ';
    space = false;
    text += p.cp;
  }
  if (over.form) text = detail::decomposed(text);
  std::string out;
  for (const char32_t cp : text) {
    char bytes[4];
    out.append(bytes, encode(over.letter_case ? lower(cp) : cp, bytes));
  }
  return out;
}

ENTRAIN_INLINE std::string difference_of_labels(std::string_view a, std::string_view b) {
  constexpr std::array parts{&LabelFold::letter_case, &LabelFold::blanks, &LabelFold::invisible, &LabelFold::form};
  std::string s;
  for (const auto part : parts) {
    LabelFold without;
    without.*part = false;
    if (fold_label(a, without) == fold_label(b, without)) continue;  // they do not differ by that
    s += s.empty() ? "" : " and ";
    if (part == &LabelFold::letter_case)
      s += "case";
    else if (part == &LabelFold::blanks)
      s += "blanks" + detail::named_characters(a, b, [](char32_t cp) { return is_space(cp); });
    else if (part == &LabelFold::invisible)
      s += "invisible characters" + detail::named_characters(a, b, [](char32_t cp) { return is_invisible(cp); });
    else
      s += "the Unicode form (NFC or NFD)";
  }
  return s.empty() ? "bytes" : s;
}

ENTRAIN_INLINE std::vector<std::string> look_alikes(const std::vector<std::string>& labels) {
  constexpr std::size_t most = 20;
  std::vector<std::string> sentences;
  std::map<std::string, const std::string*> first;
  std::size_t more = 0;
  for (const std::string& label : labels) {
    const auto [at, added] = first.emplace(fold_label(label), &label);
    if (added || (sentences.size() == most && ++more > 0)) continue;
    sentences.push_back("label '" + excerpt(label) + "' differs from '" + excerpt(*at->second) + "' by " +
                        difference_of_labels(label, *at->second) + " only: they are two types");
  }
  if (more > 0)
    sentences.push_back(std::to_string(more) + (more == 1 ? " more label looks" : " more labels look") +
                        " like an earlier one; check --list all lists " + (more == 1 ? "it" : "them"));
  return sentences;
}

}  // namespace entrain::text
