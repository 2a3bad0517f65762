// [text] > batch > embed > encode > head > optim > checkpoint
//
// Writes the findings of check as text: one line a problem, as compilers do, then the numbers.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/text/check/check_result.hpp"
#include "entrain/text/corpus/excerpt.hpp"

namespace entrain::text {

/// The name of a kind of finding, in the singular and the plural.
constexpr std::string_view kind_name(Kind kind, bool many) noexcept {
  switch (kind) {
    case Kind::malformed_line:
      return many ? "malformed lines" : "malformed line";
    case Kind::bad_entity:
      return many ? "bad entities" : "bad entity";
    case Kind::other_text:
      return many ? "texts or tokens that do not match their offsets" : "text or token that does not match its offsets";
    case Kind::unlabelled_text:
      return many ? "texts without an entity list" : "text without an entity list";
    case Kind::odd_name:
      return many ? "files with a name that is not UTF-8" : "file with a name that is not UTF-8";
    case Kind::bad_tag:
      return many ? "bad tags" : "bad tag";
    case Kind::broken_scheme:
      return many ? "tags that violate the scheme" : "tag that violates the scheme";
    case Kind::other_scheme:
      return many ? "files in another scheme" : "file in another scheme";
    case Kind::odd_layout:
      return many ? "files with another column of words" : "file with another column of words";
    case Kind::token_fault:
      return many ? "odd tokens" : "odd token";
    case Kind::label_case:
      return many ? "labels with variant spellings" : "label with a variant spelling";
    case Kind::unseen_label:
      return many ? "labels unseen in the first file" : "label unseen in the first file";
    case Kind::rare_label:
      return many ? "rare labels" : "rare label";
    case Kind::one_label:
      return many ? "files with one label" : "file with one label";
    case Kind::no_entities:
      return many ? "files without entities" : "file without entities";
    case Kind::unread_list:
      return many ? "lists that are not read" : "list that is not read";
    case Kind::long_sentence:
      return many ? "long sentences" : "long sentence";
    case Kind::repeated_sentence:
      return many ? "repeated sentences" : "repeated sentence";
    case Kind::shared_sentence:
      return many ? "sentences shared by files" : "sentence shared by files";
  }
  return {};
}

namespace detail {

inline std::string counted(std::uint64_t n, std::string_view one, std::string_view many) {
  return std::to_string(n) + " " + std::string(n == 1 ? one : many);
}
inline std::string percent(std::size_t part, std::size_t whole) {  // one decimal, rounded
  if (whole == 0) return "-";
  const std::size_t tenths = (2000 * part + whole) / (2 * whole);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " %";
}

/// `12 more rare labels; --list all lists them`
inline std::string more_unlisted(std::uint64_t more, std::string_view kind) {
  return std::to_string(more) + " more " + std::string(kind) +
         (more > 1 ? "; --list all lists them\n" : "; --list all lists it\n");
}

}  // namespace detail

/// What the reader counted, as in "2394 blank separators, 1 byte order mark"; empty if nothing.
inline std::string describe(const Met& met) {
  std::string s;
  const auto add = [&](std::uint64_t n, std::string_view one, std::string_view many) {
    if (n > 0) s.append(s.empty() ? "" : ", ").append(detail::counted(n, one, many));
  };
  add(met.bom, "byte order mark", "byte order marks");
  add(met.crlf, "line ending in CR LF", "lines ending in CR LF");
  add(met.comments, "comment", "comments");
  add(met.docstarts, "-DOCSTART- line", "-DOCSTART- lines");
  add(met.word_ranges, "line for several words or none", "lines for several words or none");
  add(met.headers, "line that names the columns", "lines that name the columns");
  add(met.keyless, "word without the key of the tags, read as O", "words without the key of the tags, read as O");
  add(met.blank_separators, "separator line of blanks", "separator lines of blanks");
  add(met.ragged, "line with repeated blanks", "lines with repeated blanks");
  add(met.empty_tokens, "empty token", "empty tokens");
  add(met.invalid_tokens, "token that is not UTF-8", "tokens that are not UTF-8");
  add(met.lone_surrogates, "half of a surrogate pair, read as U+FFFD",
      "halves of surrogate pairs, each read as U+FFFD");
  add(met.malformed, "malformed line", "malformed lines");
  add(met.misaligned, "entity not aligned with words", "entities not aligned with words");
  add(met.overlapping, "entity that overlaps another", "entities that overlap another");
  add(met.empty_annotations, "entity without a word", "entities without a word");
  add(met.outside, "entity outside its text", "entities outside their text");
  add(met.other_texts, "text or token that does not match its offsets",
      "texts or tokens that do not match their offsets");
  add(met.unaccepted, "record not accepted", "records not accepted");
  add(met.unlabelled, "text without an entity list", "texts without an entity list");
  add(met.unread_lists, "record with a list that is not read", "records with a list that is not read");
  add(met.wordless, "record without a word", "records without a word");
  add(met.blank_words, "blank word", "blank words");
  add(met.joined_sentences, "end of a sentence inside an entity", "ends of sentences inside an entity");
  add(met.merged_entities, "entity that IO cannot separate from the preceding one",
      "entities that IO cannot separate from the preceding ones");
  return s;
}

/// `train.conll:812: reason`, one line each, by file and line; of each kind the first `most`, then the number of the
/// rest.
inline std::string list_findings(const Check& check, std::size_t most = all_of_a_kind) {
  std::string s;
  std::array<std::size_t, kinds> listed{};
  for (const Finding& f : check.findings) {
    const auto kind = static_cast<std::size_t>(f.kind);
    if (check.counts[kind] > most && (f.of_many || listed[kind] == most)) continue;
    ++listed[kind];
    s.append(check.splits[f.split].name);
    if (f.line > 0) s.append(":").append(std::to_string(f.line));
    s.append(": ").append(f.reason).append("\n");
  }
  for (std::size_t k = 0; k < kinds; ++k)
    if (check.counts[k] > most)
      s.append(detail::more_unlisted(check.counts[k] - listed[k],
                                     kind_name(static_cast<Kind>(k), check.counts[k] - listed[k] > 1)));
  return s;
}

namespace detail {

inline constexpr std::size_t labels_shown = 200;  // with their counts, the most frequent ones

inline std::uint64_t mentions_of(const Check& check, std::size_t label) {
  std::uint64_t n = 0;
  for (const SplitSummary& split : check.splits) n += split.mentions[label];
  return n;
}
/// For each label, whether it is shown.
inline std::vector<bool> shown_labels(const Check& check) {
  const std::size_t n = check.labels.size();
  std::vector<bool> shown(n, n <= labels_shown);
  if (n <= labels_shown) return shown;
  std::vector<std::uint64_t> mentions;
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < n; ++k) mentions.push_back(mentions_of(check, k)), order.push_back(k);
  std::nth_element(
      order.begin(), order.begin() + static_cast<std::ptrdiff_t>(labels_shown), order.end(),
      [&](std::size_t a, std::size_t b) { return mentions[a] != mentions[b] ? mentions[a] > mentions[b] : a < b; });
  for (std::size_t i = 0; i < labels_shown; ++i) shown[order[i]] = true;
  return shown;
}

}  // namespace detail

/// The files, their labels, their schemes and their overlaps; then one line that counts the findings.
inline std::string summarise(const Check& check) {
  using detail::counted, detail::percent;
  std::string s;
  for (const SplitSummary& split : check.splits) {
    s += split.name + ": " + counted(split.sentences, "sentence", "sentences") + ", " +
         counted(split.tokens, "token", "tokens") + ", " + counted(split.entities, "entity", "entities") + ", " +
         counted(split.documents, "document", "documents") + "\n";
    s += "  tokens per sentence: min " + std::to_string(split.shortest) + ", median " + std::to_string(split.median) +
         ", 99 % " + std::to_string(split.p99) + ", max " + std::to_string(split.longest) + "\n";
    s += "  layout: " + split.layout + "\n";
    if (const std::string met = describe(split.met); !met.empty()) s += "  met: " + met + "\n";
    s += "  scheme: " + describe_all(split.scheme, split.name).substr(split.name.size() + 2) + "\n";
  }
  if (check.splits.size() > 1 || check.taken != check.scheme.taken)
    s += "read as " + std::string(scheme_name(check.taken)) + "\n";
  if (!check.labels.empty()) s += "mentions of each label, by file\n";
  const std::vector<bool> shown = detail::shown_labels(check);
  for (std::size_t k = 0; k < check.labels.size(); ++k) {
    if (!shown[k]) continue;
    s += "  " + (check.labels[k].empty() ? "(no name)" : excerpt(check.labels[k])) + ":";
    for (const SplitSummary& split : check.splits) s += " " + std::to_string(split.mentions[k]);
    s += "\n";
  }
  if (check.labels.size() > detail::labels_shown)
    s += "  and " + counted(check.labels.size() - detail::labels_shown, "rarer label", "rarer labels") + "\n";
  for (const SplitSummary& split : check.splits)
    if (split.short_repeated > 0)
      s += split.name + ": " + counted(split.short_repeated, "sentence", "sentences") + " of fewer than " +
           std::to_string(check.repeat_tokens) + " tokens " + (split.short_repeated == 1 ? "repeats" : "repeat") +
           " an earlier one, not listed\n";
  for (const Overlap& o : check.overlaps) {
    const SplitSummary& b = check.splits[o.b];
    s += b.name + " shares with " + check.splits[o.a].name + ": " + counted(o.sentences, "sentence", "sentences") +
         " of " + std::to_string(check.repeat_tokens) + " tokens or more; " + std::to_string(o.entities) + " of " +
         counted(o.of, "entity", "different entities") + " (" + percent(o.entities, o.of) + "), " +
         std::to_string(o.mentions_seen) + " of " + counted(b.entities, "mention", "mentions") + " (" +
         percent(o.mentions_seen, b.entities) + ")\n";
    if (o.short_sentences > 0)
      s += b.name + " shares with " + check.splits[o.a].name + ": " +
           counted(o.short_sentences, "sentence", "sentences") + " of fewer than " +
           std::to_string(check.repeat_tokens) + " tokens, not listed\n";
  }
  std::string found;
  for (std::size_t k = 0; k < kinds; ++k)
    if (check.counts[k] > 0) {
      found.append(found.empty() ? "" : ", ").append(std::to_string(check.counts[k])).append(" ");
      found.append(kind_name(static_cast<Kind>(k), check.counts[k] > 1));
    }
  return s + (found.empty() ? "nothing to report" : found) + "\n";
}

/// The list and the summary, as `check` prints them.
inline std::string describe(const Check& check, std::size_t most = all_of_a_kind) {
  return list_findings(check, most) + summarise(check);
}

}  // namespace entrain::text
