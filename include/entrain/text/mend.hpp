// [text] > batch > embed > encode > head > optim > checkpoint
//
// Mending a CoNLL file by named rules. Every byte that no rule speaks of stays as it was, other columns and comments
// included; every change is listed. check.hpp finds the faults, this file mends what can be mended without guessing.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/text/check_result.hpp"
#include "entrain/text/conll.hpp"
#include "entrain/text/conll_cells.hpp"  // is_type_alone
#include "entrain/text/label_form.hpp"
#include "entrain/text/repair.hpp"
#include "entrain/text/unicode.hpp"  // lower
#include "entrain/text/utf8.hpp"

namespace entrain::text {

/// bom               the byte order mark goes
/// crlf              CR LF becomes LF
/// blank-separators  a line of blanks between sentences becomes empty
/// malformed         a line without the right columns goes
/// empty-tokens      a line with a tag and no token goes
/// form              a label loses blanks at its ends and invisible characters, and becomes the most frequent one of
///                   those that differ from it by these or by the Unicode form (NFC, NFD) only; so does O. A label that
///                   is not UTF-8 stays
/// case              a label becomes its most frequent spelling, as PEr becomes PER
/// scheme            tags that break the scheme are read as conlleval reads them, and written anew
enum class Rule : std::uint8_t { bom, crlf, blank_separators, malformed, empty_tokens, label_form, label_case, scheme };
inline constexpr std::array<std::string_view, 8> rule_names{
    "bom", "crlf", "blank-separators", "malformed", "empty-tokens", "form", "case", "scheme"};

/// The rules to apply. Lines go first, then form, then case, then scheme.
struct Rules {
  std::array<bool, rule_names.size()> on{};
  bool has(Rule rule) const noexcept { return on[static_cast<std::size_t>(rule)]; }

  /// From a list as in "scheme,case", or "all".
  /// throws    entrain.text.13; where: the option that holds the list
  static Rules named(std::string_view list, std::string_view where = "--fix-rules") {
    Rules rules;
    for (std::size_t at = 0; at <= list.size();) {
      const std::size_t end = std::min(list.find(',', at), list.size());
      const std::string_view name = list.substr(at, end - at);
      at = end + 1;
      bool known = name == "all";
      for (std::size_t k = 0; k < rule_names.size(); ++k)
        if (name == "all" || name == rule_names[k]) rules.on[k] = known = true;
      if (known) continue;
      std::string names = "all";
      for (const std::string_view one : rule_names) names.append(", ").append(one);
      throw Error("entrain.text.13", where, "rule '" + std::string(name) + "'", "some of " + names);
    }
    return rules;
  }
};

/// One change. `before` and `after` are as they stood in the file; a line that goes has the after `dropped`.
struct Change {
  std::uint32_t line = 0;
  Rule rule = Rule::bom;
  std::string before, after;
};

struct Mended {
  std::string bytes;            // the new file
  std::vector<Change> changes;  // by line
};

namespace detail {

/// The most frequent spelling of each label that has several. seen(label): as it would be but for what a rule changes;
/// key(label): the same for all spellings.
template <class Seen, class Key>
std::map<std::string, std::string> usual_spellings(const Check& check, Seen&& seen, Key&& key_of) {
  std::map<std::string, std::uint64_t> all;  // of each spelling, its mentions
  std::vector<std::string> order;
  for (std::size_t k = 0; k < check.labels.size(); ++k) {
    std::uint64_t mentions = 0;
    for (const SplitSummary& split : check.splits) mentions += split.mentions[k];
    const std::string label = seen(check.labels[k]);
    if (all.find(label) == all.end()) order.push_back(label);
    all[label] += mentions;
  }
  std::map<std::string, std::pair<std::uint64_t, std::string>> best;
  for (const std::string& label : order) {
    const std::uint64_t mentions = all[label];
    const auto [entry, added] = best.emplace(key_of(label), std::pair(mentions, label));
    if (!added && mentions > entry->second.first) entry->second = {mentions, label};
  }
  std::map<std::string, std::string> spelling;
  for (auto& [key, value] : best) spelling.emplace(key, std::move(value.second));
  return spelling;
}

/// The tags of a file as the rules leave them, with every change on the way.
class MendedTags {
 public:
  MendedTags(const ConllFile& file, const Check& check, const Rules& rules)
      : tags(file.corpus.size()),
        dropped(file.corpus.size()),
        corpus_(file.corpus),
        blanks_part_columns_(file.layout.separator == Separator::blanks),
        types_alone_(file.layout.types_alone) {
    const Corpus& corpus = corpus_;
    for (std::size_t i = 0; i < corpus.size(); ++i) tags[i] = corpus.tag_name(i);
    if (rules.has(Rule::empty_tokens))
      for (std::size_t i = 0; i < corpus.size(); ++i) dropped[i] = corpus.token(i).empty();
    const auto form = [](const std::string& label) { return fold_label(label, {.letter_case = false}); };
    std::map<std::string, std::string> forms;  // and then a label is the most frequent one of its form
    if (rules.has(Rule::label_form)) forms = usual_spellings(check, without_unseen, form);
    const auto as_formed = [&](const std::string& label) {
      const auto at = forms.find(form(label));
      return at == forms.end() ? label : at->second;
    };
    if (rules.has(Rule::label_form)) {
      strip();
      spell(Rule::label_form, as_formed);
    }
    if (rules.has(Rule::label_case)) {
      const auto small = [](const std::string& label) { return is_valid_utf8(label) ? lower(label) : label; };
      const auto cases = usual_spellings(check, as_formed, small);
      spell(Rule::label_case, [&](const std::string& label) {
        const auto at = cases.find(small(label));
        return at == cases.end() ? label : at->second;
      });
    }
    if (rules.has(Rule::scheme) && !file.layout.types_alone)  // IO, which no tag breaks, and without room for a letter
      with_scheme(check.taken, [&](auto scheme) { repair_all<decltype(scheme)>(); });
  }

  std::vector<std::string> tags;  // of every token of the file
  std::vector<bool> dropped;
  std::map<std::uint32_t, std::vector<Change>> changes;  // of tags, by line

 private:
  void change(std::size_t i, Rule rule, std::string after) {
    changes[corpus_.line[i]].push_back({corpus_.line[i], rule, tags[i], after});
    tags[i] = std::move(after);
  }

  /// A label stays as it was where the new one would be read otherwise: with a blank in the place of U+00A0 it is two
  /// columns where blanks separate them, and of types without a letter one is refused that has one letter only.
  bool fits(std::string_view label) const {
    if (types_alone_ && label != "O" && !is_type_alone(label)) return false;
    return !blanks_part_columns_ || label.find_first_of(" \t") == label.npos;
  }

  /// Strings that are tags but for blanks and invisible characters, as `O ` is.
  void strip() {
    for (std::size_t i = 0; i < corpus_.size(); ++i) {
      if (dropped[i] || corpus_.tag[i] < 0 || split_tag(tags[i])) continue;
      if (std::string seen = without_unseen(tags[i]); seen != tags[i] && split_tag(seen) && fits(seen))
        change(i, Rule::label_form, std::move(seen));
    }
  }

  /// usual(label): as it is to be spelled.
  template <class Usual> void spell(Rule rule, Usual&& usual) {
    std::string of, to;  // most labels are as the one before
    for (std::size_t i = 0; i < corpus_.size(); ++i) {
      const auto raw = split_tag(tags[i]);
      if (dropped[i] || !raw || raw->part == 'O') continue;
      if (raw->type != of) of = raw->type, to = usual(of);
      if (to != of && fits(to)) change(i, rule, types_alone_ && to == "O" ? to : join_tag(raw->part, to));
    }
  }

  template <TagScheme S> void repair_all() {
    Types types;
    std::vector<std::size_t> place;
    std::vector<Mark> marks;
    std::vector<Tag> out;
    for (std::size_t s = 0; s < corpus_.sentences(); ++s) {
      place.clear(), marks.clear();
      for (std::size_t i = corpus_.sentence[s]; i < corpus_.sentence[s + 1]; ++i)
        if (!dropped[i] && corpus_.tag[i] >= 0) place.push_back(i), marks.push_back(read_mark(tags[i], types));
      out.resize(marks.size());
      repair::apply<S, repair::Conlleval>(std::span<const Mark>(marks), out, [&](std::size_t k, Tag tag) {
        const auto letter = [&] { return S::letters[static_cast<std::size_t>(tag_part<S>(tag))]; };
        change(place[k], Rule::scheme, tag == 0 ? "O" : join_tag(letter(), types.name(tag_type<S>(tag))));
      });
    }
  }

  const Corpus& corpus_;
  bool blanks_part_columns_, types_alone_;
};

/// Copies a file line by line, with the changes of the rules.
class Mender {
 public:
  Mender(const ConllFile& file, const MendedTags& tags, const Rules& rules) : file_(file), tags_(tags), rules_(rules) {}

  Mended run(std::string_view bytes) && {
    result_.bytes.reserve(bytes.size());
    const bool has_mark = file_.corpus.met.bom > 0, mark_goes = rules_.has(Rule::bom);
    if (has_mark) {
      if (mark_goes)
        result_.changes.push_back({1, Rule::bom, "U+FEFF", "dropped"});
      else
        result_.bytes += bytes.substr(0, 3);
      bytes.remove_prefix(3);
    }
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t from = at;
      const std::string_view line = next_line(bytes, at);
      ++line_;
      copy(line, bytes.substr(from + line.size(), at - from - line.size()));
    }
    // A token may begin with the mark's bytes: where it comes to stand first, it must not be taken for the file's.
    if (!(has_mark && !mark_goes) && result_.bytes.starts_with("\xEF\xBB\xBF")) result_.bytes.insert(0, 1, '\n');
    return std::move(result_);
  }

 private:
  void copy(std::string_view line, std::string_view end) {
    const Corpus& c = file_.corpus;
    const auto& problems = file_.problems.list;
    if (problem_ < problems.size() && problems[problem_].line == line_) {
      ++problem_;
      if (rules_.has(Rule::malformed)) return note(Rule::malformed, visible(line), "dropped");
      result_.bytes += line;
    } else if (token_ < c.size() && c.line[token_] == line_) {
      const std::size_t i = token_++;
      if (const auto changes = tags_.changes.find(line_); changes != tags_.changes.end())
        for (const Change& one : changes->second) result_.changes.push_back(one);
      if (tags_.dropped[i]) return note(Rule::empty_tokens, visible(line), "dropped");
      copy_token(line, i);
    } else if (!line.empty() && all_blank(line) && rules_.has(Rule::blank_separators)) {
      note(Rule::blank_separators, visible(line), visible(""));
    } else {
      result_.bytes += line;
    }
    copy_end(end);
  }

  void copy_token(std::string_view line, std::size_t i) {
    if (file_.corpus.tag[i] < 0 || tags_.tags[i] == file_.corpus.tag_name(i)) {
      result_.bytes += line;
      return;
    }
    read_row(line, file_.layout, false, columns_, row_);
    std::string_view tag = tags_.tags[i];
    if (file_.layout.types_alone && tag.starts_with("I-")) tag.remove_prefix(2);
    const auto begin = static_cast<std::size_t>(row_.tag.data() - line.data());
    result_.bytes.append(line.substr(0, begin)).append(tag).append(line.substr(begin + row_.tag.size()));
  }

  void copy_end(std::string_view end) {
    if (const auto carriage = end.rfind('\r'); carriage != std::string_view::npos && rules_.has(Rule::crlf)) {
      end.remove_prefix(carriage + 1);
      note(Rule::crlf, end.empty() ? "CR" : "CR LF", end.empty() ? "nothing" : "LF");
    }
    result_.bytes += end;
  }

  void note(Rule rule, std::string before, std::string after) {
    result_.changes.push_back({line_, rule, std::move(before), std::move(after)});
  }

  const ConllFile& file_;
  const MendedTags& tags_;
  const Rules& rules_;
  Mended result_;
  std::uint32_t line_ = 0;
  std::size_t token_ = 0, problem_ = 0;
  Columns columns_;
  TableRow row_;
};

}  // namespace detail

/// Mends one file. `check` is the check of all splits together: its scheme and its spellings of labels are taken.
///
/// bytes     the file, as read_file gives it
/// throws    what parse_conll throws
inline Mended mend(std::string_view name, std::string_view bytes, const Check& check, const Rules& rules,
                   ConllOptions options = {}) {
  options.problem_cap = bytes.size();
  const ConllFile file = parse_conll(name, bytes, options);
  const detail::MendedTags tags(file, check, rules);
  return detail::Mender(file, tags, rules).run(bytes);
}

/// `file:line: rule: before -> after`, one line a change.
inline std::string list_changes(std::string_view name, const Mended& mended) {
  std::string s;
  for (const Change& c : mended.changes)
    s.append(name)
        .append(":")
        .append(std::to_string(c.line))
        .append(": ")
        .append(rule_names[static_cast<std::size_t>(c.rule)])
        .append(": ")
        .append(c.before)
        .append(" -> ")
        .append(c.after)
        .append("\n");
  return s;
}

}  // namespace entrain::text
