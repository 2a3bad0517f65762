// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of repaired_copies.hpp.
#pragma once
#include <algorithm>
#include <array>
#include <filesystem>

#include "entrain/app/check/repaired_copies.hpp"
#include "entrain/app/console/format_number.hpp"
#include "entrain/app/output/system_with_signals.hpp"
#include "entrain/checkpoint/atomic_file.hpp"
#include "entrain/core/error.hpp"
#include "entrain/text/files/file.hpp"
#include "entrain/text/files/file_list.hpp"  // can_be_read_once

namespace entrain::app {
namespace detail {

/// The paths of the copies that --fix writes.
///
/// throws    entrain.app.15 if one would be written over another or over its original
inline std::vector<std::string> copies(const std::string& folder, const std::vector<std::string>& paths) {
  namespace fs = std::filesystem;
  std::vector<std::string> names;
  for (const std::string& path : paths) {
    const fs::path name = path == "-" ? fs::path("stdin.conll") : fs::path(path).filename();
    const std::string to = (fs::path(folder) / name).string();
    std::error_code ignored;
    if (fs::equivalent(path, to, ignored))
      throw Error("entrain.app.15", "--fix", "a copy named " + to + ", which is the original", {},
                  "name another folder");
    for (const std::string& other : paths)
      if (fs::equivalent(other, to, ignored))
        throw Error("entrain.app.15", "--fix", "a copy of " + path + " named " + to + ", which is read as " + other, {},
                    "name another folder");
    if (std::find(names.begin(), names.end(), to) != names.end())
      throw Error("entrain.app.15", "--fix", "two copies named " + to, {}, "repair them one by one");
    names.push_back(to);
  }
  return names;
}

inline constexpr std::array rules_for_json{text::Rule::label_form, text::Rule::label_case};

inline bool is_for_json(std::size_t rule) {
  return std::find(rules_for_json.begin(), rules_for_json.end(), static_cast<text::Rule>(rule)) != rules_for_json.end();
}

}  // namespace detail

ENTRAIN_INLINE void refuse_unrepairable(const std::string& path, Format format) {
  const std::string what = path + " (" + format_name(format) + ")";
  if (format == Format::text || format == Format::npy)
    throw Error("entrain.app.36", "--fix", what + ", which has no labels", "CoNLL files or JSON Lines with labels");
  if (format == Format::annotated || format == Format::csv || format == Format::tsv || format == Format::folder)
    throw Error("entrain.app.36", "--fix", what, "CoNLL files or JSON Lines",
                "make JSON Lines of it: convert " + path + " --format jsonl");
  if (format != Format::conll && text::can_be_read_once(path))
    throw Error("entrain.app.36", "--fix",
                text::name_of(path) + " (" + format_name(format) + "), which can be read only once",
                "JSON Lines in a file", "save it in one");
}

ENTRAIN_INLINE RepairedCopies::RepairedCopies(const Settings& s, const std::vector<std::string>& paths,
                                              const std::vector<Format>& formats) {
  if (s.fix.empty()) return;
  signals_ = s.signals;
  rules_ = text::Rules::named(s.fix_rules);
  const auto json = std::find_if(formats.begin(), formats.end(), [](Format f) { return f != Format::conll; });
  if (json != formats.end()) {
    const bool all = std::find(rules_.on.begin(), rules_.on.end(), false) == rules_.on.end();
    some_left_out_ = all;
    for (std::size_t rule = 0; rule < rules_.on.size() && !all; ++rule)
      if (rules_.on[rule] && !detail::is_for_json(rule))
        throw Error("entrain.app.36", "--fix-rules",
                    "rule '" + std::string(text::rule_names[rule]) + "', which is for CoNLL files, and " +
                        paths[static_cast<std::size_t>(json - formats.begin())] + " (" + format_name(*json) + ")",
                    "form, case or all for JSON Lines");
  }
  to_ = detail::copies(s.fix, paths);
  prepare_folder(s.fix);
}

ENTRAIN_INLINE void RepairedCopies::say_rules(Console& console) const {
  if (some_left_out_) console.fact("rules", "form and case of JSON Lines; the others are for CoNLL files");
}

ENTRAIN_INLINE void RepairedCopies::write(std::size_t i, const std::string& name, const text::Repaired& repaired,
                                          Output& out, Console& console) const {
  out.write(text::list_changes(name, repaired));
  checkpoint::write_file(to_[i], repaired.bytes, SystemWithSignals<checkpoint::Posix>(signals_));
  console.fact("repaired", to_[i] + ": " + counted(repaired.changes.size(), "change", "changes"));
}

}  // namespace entrain::app
