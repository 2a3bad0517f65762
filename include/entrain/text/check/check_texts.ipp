// [text] > batch > embed > encode > head > optim > checkpoint
//
// Definitions of check_texts.hpp.
#pragma once
#include <algorithm>
#include <map>
#include <numeric>

#include "entrain/core/error.hpp"
#include "entrain/core/hash.hpp"
#include "entrain/text/check/check_texts.hpp"
#include "entrain/text/check/check_words.hpp"  // counted, percent, describe(Met)
#include "entrain/text/corpus/excerpt.hpp"
#include "entrain/text/corpus/token_fault.hpp"
#include "entrain/text/split/splitter.hpp"
#include "entrain/text/tags/label_form.hpp"
#include "entrain/text/unicode/unicode.hpp"  // lower

namespace entrain::text {
namespace detail {

inline std::string quoted(std::string_view s) { return "'" + excerpt(s) + "'"; }

/// Why a text is odd, as text for people; empty: it is not.
inline std::string oddness(std::string_view text) {
  const TokenFault fault = find_fault(text);
  if (fault.fault == Fault::none || fault.fault == Fault::inner_space) return {};
  std::string words = describe(fault);
  if (const std::size_t at = words.find("the token"); at != words.npos) words.replace(at, 9, "the text");
  return words;
}

/// Converts to lower case, with one blank for white space of any length, and none at the ends.
inline void fold(std::string_view text, std::string& to) {
  to.clear();
  bool space = false;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint p = decode(text, at);
    at += p.bytes;
    if (is_space(p.cp)) {
      space = true;
      continue;
    }
    if (space && !to.empty()) to += ' ';
    space = false;
    char bytes[4];
    to.append(bytes, encode(lower(p.cp), bytes));
  }
}

}  // namespace detail

ENTRAIN_INLINE std::string_view finding_name(TextKind kind, bool many) {
  switch (kind) {
    case TextKind::malformed_record:
      return many ? "malformed records" : "malformed record";
    case TextKind::no_text:
      return many ? "files without a text" : "file without a text";
    case TextKind::empty_text:
      return many ? "empty texts" : "empty text";
    case TextKind::odd_text:
      return many ? "odd texts" : "odd text";
    case TextKind::long_text:
      return many ? "long texts" : "long text";
    case TextKind::other_label:
      return many ? "texts labelled in two ways" : "text labelled in two ways";
    case TextKind::repeated_text:
      return many ? "repeated texts" : "repeated text";
    case TextKind::shared_text:
      return many ? "texts shared by files" : "text shared by files";
    case TextKind::label_case:
      return many ? "labels with variant spellings" : "label with a variant spelling";
    case TextKind::unseen_label:
      return many ? "labels unseen in the first file" : "label unseen in the first file";
    case TextKind::rare_label:
      return many ? "rare labels" : "rare label";
    case TextKind::one_label:
      return many ? "files with one label" : "file with one label";
  }
  return {};
}

ENTRAIN_INLINE void TextsChecker::file(const std::string& name) {
  findings_.file(name);
  File& file = files_.emplace_back();
  file.name = name;
  file.shared.resize(files_.size() - 1);
  file.shared_otherwise.resize(files_.size() - 1);
}

/// The number of the text in its folder, for a folder.
ENTRAIN_INLINE std::uint32_t TextsChecker::line_of(std::uint64_t line) const {
  const std::uint64_t members = findings_.members(files_.size() - 1);
  return static_cast<std::uint32_t>(members > 0 ? members : line);
}

ENTRAIN_INLINE void TextsChecker::add(const Texts& texts) {
  File& file = files_.back();
  file.met += texts.met;
  for (const Problem& p : texts.problems) report(line_of(p.line), TextKind::malformed_record, [&] { return p.reason; });
  number_.clear();
  for (const std::string& name : texts.labels.names()) number_.push_back(labels_.add(name));
  const auto labels = static_cast<std::size_t>(labels_.size());
  if (labels > options_.most_labels)
    throw Error("entrain.text.71", texts.where(texts.size() - 1),
                "more than " + std::to_string(options_.most_labels) + " different labels",
                "labels that are shared by many texts",
                "if the label is in another column, name it with --label-column");
  file.texts.resize(labels);
  file.first_line.resize(labels);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    here_.clear();
    for (const std::int32_t label : texts.labels_of(i)) here_.push_back(number_[static_cast<std::size_t>(label)]);
    take(texts, i);
  }
}

/// The label of a text that has one; the set of those of a text that has several, as a number below Types::none.
ENTRAIN_INLINE std::int32_t TextsChecker::answer() {
  if (here_.size() <= 1) return here_.empty() ? Types::none : here_[0];
  std::sort(here_.begin(), here_.end());
  std::string set;
  for (const std::int32_t label : here_) set += (set.empty() ? "" : ", ") + labels_.name(label);
  return Types::none - 1 - sets_.add(set);
}

ENTRAIN_INLINE void TextsChecker::take(const Texts& texts, std::size_t i) {
  File& file = files_.back();
  const std::string_view text = texts.text(i);
  const std::uint32_t line = line_of(texts.line[i]);
  for (const std::int32_t label : here_)
    if (const auto l = static_cast<std::size_t>(label); file.texts[l]++ == 0) file.first_line[l] = line;
  words_.clear();
  UnicodeWords::split(text, words_);
  file.words.add(words_.size(), line);
  file.letters.add(count_code_points(text), line);
  if (words_.empty()) {
    ++file.empty;
    report(line, TextKind::empty_text, [&] {
      return text.empty() ? std::string("the text is empty") : "the text is blank: " + detail::quoted(text);
    });
    return;
  }
  if (std::string odd = detail::oddness(text); !odd.empty()) report(line, TextKind::odd_text, [&] { return odd; });
  if (words_.size() > options_.long_text)
    report(line, TextKind::long_text, [&] { return "a text of " + std::to_string(words_.size()) + " words"; });
  sighted(text, line, answer());
}

/// Reports whether the text occurred before, in this file or an earlier one.
ENTRAIN_INLINE void TextsChecker::sighted(std::string_view text, std::uint32_t line, std::int32_t label) {
  File& file = files_.back();
  detail::fold(text, folded_);
  const std::uint64_t hash = std::max<std::uint64_t>(hash_bytes(folded_, 1), 1);
  const auto exact = static_cast<std::uint32_t>(hash_bytes(text, 2));
  const auto otherwise = [&](const First& first) {
    return (first.exact == exact ? "" : ", spelled differently") +
           (first.label == label ? std::string()
                                 : ", labelled " + shown(first.label) + " there and " + shown(label) + " here");
  };
  const auto [first, added] = file.seen.insert({hash, exact, line, label});
  if (!added) {
    ++file.repeated;
    file.other_label += first->label != label;
    report(line, first->label == label ? TextKind::repeated_text : TextKind::other_label, [&, f = first] {
      return detail::quoted(text) + " is also at " + findings_.place(files_.size() - 1, f->line) + otherwise(*f);
    });
    return;
  }
  for (std::size_t g = 0; g + 1 < files_.size(); ++g) {
    const First* const there = files_[g].seen.find(hash);
    if (there == nullptr) continue;
    ++file.shared[g];
    file.shared_otherwise[g] += there->label != label;
    report(line, TextKind::shared_text,
           [&] { return detail::quoted(text) + " is also at " + findings_.place(g, there->line) + otherwise(*there); });
  }
}

ENTRAIN_INLINE std::string TextsChecker::shown(std::int32_t label) const {
  if (label < Types::none) return detail::quoted(sets_.name(Types::none - 1 - label));
  return label == Types::none ? std::string("nothing") : detail::quoted(labels_.name(label));
}
ENTRAIN_INLINE std::uint64_t TextsChecker::total(std::size_t label) const {
  std::uint64_t n = 0;
  for (const File& file : files_) n += file.texts[label];
  return n;
}

ENTRAIN_INLINE std::vector<std::uint64_t> TextsChecker::texts_of_labels() const {
  std::vector<std::uint64_t> texts;
  for (std::size_t l = 0; l < labels().size(); ++l) texts.push_back(total(l));
  return texts;
}

/// Called when all files are known.
ENTRAIN_INLINE void TextsChecker::judge_labels() {
  const auto labels = static_cast<std::size_t>(labels_.size());
  std::map<std::string, std::vector<std::size_t>> spellings;
  for (std::size_t l = 0; l < labels; ++l) spellings[fold_label(labels_.names()[l])].push_back(l);
  for (File& file : files_) file.texts.resize(labels), file.first_line.resize(labels);
  for (std::size_t f = 0; f < files_.size(); ++f) {
    const File& file = files_[f];
    const auto found = [&](std::size_t l, TextKind kind, const auto& reason) {
      findings_.add(f, l < labels ? file.first_line[l] : 0, kind, reason);
    };
    if (file.words.count() == 0) found(labels, TextKind::no_text, [] { return std::string("no texts in the file"); });
    std::size_t used = 0, last = 0;
    for (std::size_t l = 0; l < labels; ++l) {
      const std::uint64_t texts = file.texts[l];
      if (texts == 0) continue;
      ++used, last = l;
      const auto times = [&, l] {
        return shown(static_cast<std::int32_t>(l)) + " (" + std::to_string(texts) + " here)";
      };
      if (f == 0 && texts < options_.rare) found(l, TextKind::rare_label, [&] { return "rare label " + times(); });
      if (f > 0 && files_[0].texts[l] == 0)
        found(l, TextKind::unseen_label, [&] { return "label " + times() + " never occurs in " + files_[0].name; });
      for (const std::size_t other : spellings[fold_label(labels_.names()[l])])
        if (total(other) > total(l) || (total(other) == total(l) && other < l))
          found(l, TextKind::label_case, [&] {
            return "label " + times() + " differs from " + shown(static_cast<std::int32_t>(other)) + " by " +
                   difference_of_labels(labels_.names()[l], labels_.names()[other]) + " only";
          });
      const std::string& name = labels_.names()[l];
      if (const std::string seen = without_unseen(name); seen != name && spellings[fold_label(name)].size() == 1)
        found(l, TextKind::label_case, [&] {
          return "label " + times() + " is " + detail::quoted(seen) + " but for " + difference_of_labels(name, seen);
        });
    }
    if (used == 1)
      found(labels, TextKind::one_label, [&] { return "one label only: " + shown(static_cast<std::int32_t>(last)); });
  }
}

ENTRAIN_INLINE std::string TextsChecker::lengths(const File& file, const Lengths& of) const {
  const auto f = static_cast<std::size_t>(&file - files_.data());
  return findings_.members(f) == 0 ? of.words() : of.words(findings_.place(f, of.longest_line()));
}

ENTRAIN_INLINE std::string TextsChecker::summary(const File& file) const {
  using detail::counted;
  std::size_t used = 0, least = 0, most = 0;
  for (std::size_t l = 0; l < file.texts.size(); ++l) {
    if (file.texts[l] == 0) continue;
    if (used == 0 || file.texts[l] < file.texts[least]) least = l;
    if (used == 0 || file.texts[l] > file.texts[most]) most = l;
    ++used;
  }
  const auto texts = [&](std::size_t l) {
    return counted(file.texts[l], "text", "texts") + " (" + excerpt(labels_.names()[l]) + ")";
  };
  std::string s = file.name + ": " + counted(file.words.count(), "text", "texts") + ", " +
                  counted(file.words.sum(), "word", "words") +
                  (options_.labels ? ", " + counted(used, "label", "labels") : "") + "\n";
  s += "  words per text: " + lengths(file, file.words) + "\n";
  s += "  characters per text: " + lengths(file, file.letters) + "\n";
  s += "  layout: " + file.layout + "\n";
  Met met = file.met;
  met.malformed = 0;  // counted as records below
  if (const std::string words = text::describe(met); !words.empty()) s += "  met: " + words + "\n";
  if (used > 1)
    s += file.texts[least] == file.texts[most]
             ? "  each label has " + counted(file.texts[least], "text", "texts") + "\n"
             : "  a label has from " + texts(least) + " to " + texts(most) + "\n";
  if (file.empty + file.repeated > 0)
    s += "  " + counted(file.empty, "empty text", "empty texts") + ", " +
         counted(file.repeated, "text repeats", "texts repeat") + " an earlier one (" +
         detail::percent(file.repeated, file.words.count()) + ")" +
         (file.other_label > 0 ? ", " + std::to_string(file.other_label) + " with another label" : "") + "\n";
  return s;
}

/// Most frequent first.
ENTRAIN_INLINE std::string TextsChecker::label_table() const {
  std::vector<std::size_t> order(static_cast<std::size_t>(labels_.size()));
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return total(a) > total(b) || (total(a) == total(b) && a < b); });
  std::string s = order.empty() ? "" : "texts of each label, by file\n";
  for (std::size_t i = 0; i < std::min(order.size(), options_.shown_labels); ++i) {
    s += "  " + excerpt(labels_.names()[order[i]]) + ":";
    for (const File& file : files_)
      s += " " + std::to_string(file.texts[order[i]]) + " (" +
           detail::percent(file.texts[order[i]], file.words.count()) + ")";
    s += "\n";
  }
  if (order.size() > options_.shown_labels)
    s += "  and " + detail::counted(order.size() - options_.shown_labels, "label", "labels") + " more\n";
  return s;
}

/// The texts that each file shares with earlier files, and the labels of those files that it lacks.
ENTRAIN_INLINE std::string TextsChecker::comparisons() const {
  using detail::counted, detail::percent;
  std::string s;
  for (std::size_t b = 1; b < files_.size(); ++b)
    for (std::size_t a = 0; a < b; ++a) {
      const File &early = files_[a], &late = files_[b];
      s += late.name + " shares with " + early.name + ": " + std::to_string(late.shared[a]) + " of " +
           counted(late.seen.size(), "different text", "different texts") + " (" +
           percent(late.shared[a], late.seen.size()) + ")";
      if (late.shared_otherwise[a] > 0) s += ", " + std::to_string(late.shared_otherwise[a]) + " with another label";
      s += "\n";
      std::size_t lacking = 0, of = 0;
      std::string names;
      for (std::size_t l = 0; l < early.texts.size(); ++l) {
        of += early.texts[l] > 0;
        if (early.texts[l] == 0 || late.texts[l] > 0) continue;
        if (lacking++ < 10) names.append(lacking == 1 ? "" : ", ").append(excerpt(labels_.names()[l]));
      }
      if (lacking > 0)
        s += late.name + " lacks " + std::to_string(lacking) + " of the " + counted(of, "label", "labels") + " of " +
             early.name + ": " + names + (lacking > 10 ? ", ..." : "") + "\n";
    }
  return s;
}

ENTRAIN_INLINE std::string TextsChecker::describe() {
  judge_labels();
  std::string s = findings_.listed();
  for (const File& file : files_) s += summary(file);
  return s + label_table() + comparisons() + findings_.tally() + "\n";
}

}  // namespace entrain::text
