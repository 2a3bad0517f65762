// [text] > batch > embed > encode > head > optim > checkpoint
//
// The rules that repair files, by name, and the list of their changes. repair_conll.hpp applies them to CoNLL files,
// repair_json.hpp to JSON Lines.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/error.hpp"

namespace entrain::text {

/// bom               removes the byte order mark
/// crlf              CR LF becomes LF
/// blank-separators  a line of blanks between sentences becomes empty
/// malformed         removes a line without the right columns
/// empty-tokens      removes a line with a tag and no token
/// form              a label loses blanks at its ends and invisible characters, and becomes the most frequent of the
///                   labels that differ from it only by these or by the Unicode form (NFC, NFD); so does O. A label
///                   that is not UTF-8 stays
/// case              a label becomes its most frequent spelling, as PEr becomes PER
/// scheme            tags that break the scheme are read by the rules of conlleval, and written again
///
/// Two of them apply to JSON Lines, form and case.
enum class Rule : std::uint8_t { bom, crlf, blank_separators, malformed, empty_tokens, label_form, label_case, scheme };
inline constexpr std::array<std::string_view, 8> rule_names{
    "bom", "crlf", "blank-separators", "malformed", "empty-tokens", "form", "case", "scheme"};

/// The rules to apply. Lines are removed first, then form, then case, then scheme applies.
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
      throw Error("entrain.text.13", where, "rule '" + std::string(name) + "'", "one or more of " + names);
    }
    return rules;
  }
};

/// One change. `before` and `after` are as in the file; a removed line has the after `dropped`.
struct Change {
  std::uint32_t line = 0;
  Rule rule = Rule::bom;
  std::string before, after;
};

struct Repaired {
  std::string bytes;            // the new file
  std::vector<Change> changes;  // by line
};

/// `file:line: rule: before -> after`, one line a change.
inline std::string list_changes(std::string_view name, const Repaired& repaired) {
  std::string s;
  for (const Change& c : repaired.changes)
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
