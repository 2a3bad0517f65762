// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// `check`: text/check.hpp on files, and text/mend.hpp on what it found.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "entrain/app/files.hpp"
#include "entrain/app/output.hpp"
#include "entrain/app/talk.hpp"
#include "entrain/text/check.hpp"
#include "entrain/text/check_words.hpp"
#include "entrain/text/conll.hpp"
#include "entrain/text/mend.hpp"

namespace entrain::app {

ENTRAIN_PART int check(const Settings& s) {
  Talk talk(s.quiet);
  std::vector<text::ConllFile> files;
  std::vector<std::string> bytes;
  for (const std::string& path : s.inputs) {
    bytes.push_back(text::read_file(path));
    files.push_back(text::parse_conll(text::name_of(path), bytes.back(), s.reading.conll));
  }
  text::CheckOptions options;
  if (!s.reading.scheme.empty()) options.scheme = text::scheme_by_name(s.reading.scheme);
  options.rare = s.rare;
  options.long_sentence = s.long_sentence;
  const text::Check found = text::check(files, options);
  Output out("-");
  out.write(text::describe(found));
  if (s.fix.empty()) return found.errors() > 0 ? 1 : 0;

  const text::Rules rules = text::Rules::named(s.fix_rules);
  prepare_folder(s.fix);
  std::vector<text::ConllFile> after;
  for (std::size_t i = 0; i < s.inputs.size(); ++i) {
    const auto mended = text::mend(files[i].corpus.name, bytes[i], found, rules, s.reading.conll);
    out.write(text::list_changes(files[i].corpus.name, mended));
    const std::filesystem::path name =
        s.inputs[i] == "-" ? std::filesystem::path("stdin.conll") : std::filesystem::path(s.inputs[i]).filename();
    const std::string to = (std::filesystem::path(s.fix) / name).string();
    checkpoint::write_file(to, mended.bytes);
    talk.fact("mended", to + ": " + std::to_string(mended.changes.size()) + " changes");
    after.push_back(text::parse_conll(to, mended.bytes, s.reading.conll));
  }
  return text::check(after, options).errors() > 0 ? 1 : 0;
}

}  // namespace entrain::app
