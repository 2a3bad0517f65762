// [text] > batch > embed > encode > head > optim > checkpoint
//
// Repairs a CoNLL file by named rules. All bytes that no rule covers stay unchanged, other columns and comments
// included; every change is listed. check.hpp finds the faults; this file repairs those that need no guess.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/text/check/check_result.hpp"
#include "entrain/text/check/repair_rules.hpp"
#include "entrain/text/conll/conll.hpp"
#include "entrain/text/conll/conll_cells.hpp"  // is_type_alone
#include "entrain/text/tags/label_form.hpp"
#include "entrain/text/tags/repair.hpp"
#include "entrain/text/tags/usual_labels.hpp"

namespace entrain::text {

namespace detail {

/// The tags of a file after the rules, with every change.
class RepairedTags {
 public:
  RepairedTags(const ConllFile& file, const Check& check, const Rules& rules)
      : tags(file.corpus.size()),
        dropped(file.corpus.size()),
        corpus_(file.corpus),
        blanks_part_columns_(file.layout.separator == Separator::blanks),
        types_alone_(file.layout.types_alone) {
    const Corpus& corpus = corpus_;
    for (std::size_t i = 0; i < corpus.size(); ++i) tags[i] = corpus.tag_name(i);
    if (rules.has(Rule::empty_tokens))
      for (std::size_t i = 0; i < corpus.size(); ++i) dropped[i] = corpus.token(i).empty();
    const UsualLabels usual(check, rules);
    if (rules.has(Rule::label_form)) {
      strip();
      spell(Rule::label_form, [&](const std::string& label) { return usual.formed(label); });
    }
    if (rules.has(Rule::label_case))
      spell(Rule::label_case, [&](const std::string& label) { return usual.cased(label); });
    // types alone are IO, which no tag breaks, without space for a letter
    if (rules.has(Rule::scheme) && !file.layout.types_alone)
      with_scheme(check.taken, [&](auto scheme) { repair_all<decltype(scheme)>(); });
  }

  std::vector<std::string> tags;  // of all tokens of the file
  std::vector<bool> dropped;
  std::map<std::uint32_t, std::vector<Change>> changes;  // changes of tags, by line

 private:
  void change(std::size_t i, Rule rule, std::string after) {
    changes[corpus_.line[i]].push_back({corpus_.line[i], rule, tags[i], after});
    tags[i] = std::move(after);
  }

  /// A label stays unchanged if the new one would be read otherwise. With a blank instead of U+00A0, a label is two
  /// columns if blanks separate columns. Among types without a prefix, a label of one letter is refused.
  bool fits(std::string_view label) const {
    if (types_alone_ && label != "O" && !is_type_alone(label)) return false;
    return !blanks_part_columns_ || label.find_first_of(" \t") == label.npos;
  }

  /// Strips strings that are tags except for blanks and invisible characters, as `O `.
  void strip() {
    for (std::size_t i = 0; i < corpus_.size(); ++i) {
      if (dropped[i] || corpus_.tag[i] < 0 || split_tag(tags[i])) continue;
      if (std::string seen = without_unseen(tags[i]); seen != tags[i] && split_tag(seen) && fits(seen))
        change(i, Rule::label_form, std::move(seen));
    }
  }

  /// usual(label): the spelling to use.
  template <class Usual> void spell(Rule rule, Usual&& usual) {
    std::string of, to;  // most labels equal the one before
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

/// Copies a file line by line and applies the changes of the rules.
class ConllRepairer {
 public:
  ConllRepairer(const ConllFile& file, const RepairedTags& tags, const Rules& rules)
      : file_(file), tags_(tags), rules_(rules) {}

  Repaired run(std::string_view bytes) && {
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
    // A token may begin with the mark's bytes: as the first bytes of the file, they must not be taken for its mark.
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
  const RepairedTags& tags_;
  const Rules& rules_;
  Repaired result_;
  std::uint32_t line_ = 0;
  std::size_t token_ = 0, problem_ = 0;
  Columns columns_;
  TableRow row_;
};

}  // namespace detail

/// Repairs one file. `check` is the check of all splits together: it gives the scheme and the spellings of labels.
///
/// bytes     the file, as returned by read_file
/// throws    the errors of parse_conll
inline Repaired repair_conll(std::string_view name, std::string_view bytes, const Check& check, const Rules& rules,
                             ConllOptions options = {}) {
  options.problem_cap = bytes.size();
  const ConllFile file = parse_conll(name, bytes, options);
  const detail::RepairedTags tags(file, check, rules);
  return detail::ConllRepairer(file, tags, rules).run(bytes);
}

}  // namespace entrain::text
