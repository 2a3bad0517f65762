// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// `check`: runs text/check/check.hpp on files of tagged sentences, and text/check/repair_conll.hpp or
// text/check/repair_json.hpp on its findings. Other files: checks.hpp.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "entrain/app/check/checks.hpp"
#include "entrain/app/check/repaired_copies.hpp"
#include "entrain/app/console/console.hpp"
#include "entrain/app/files.hpp"
#include "entrain/app/input/format.hpp"
#include "entrain/app/input/split_by.hpp"
#include "entrain/app/input/tag_options.hpp"
#include "entrain/app/input/whole_file.hpp"
#include "entrain/app/output/output.hpp"
#include "entrain/text/check/check.hpp"
#include "entrain/text/check/check_words.hpp"
#include "entrain/text/check/repair_conll.hpp"
#include "entrain/text/check/repair_json.hpp"
#include "entrain/text/conll/conll.hpp"
#include "entrain/text/files/file_list.hpp"
#include "entrain/text/tags/one_scheme.hpp"

namespace entrain::app {
namespace detail {

/// Lists all problems: no line and no entity makes a reader throw.
inline Reading to_check(Reading reading) {
  reading.records.lenient = true;
  if (reading.records.misaligned == text::Misaligned::error) reading.records.misaligned = text::Misaligned::drop;
  reading.records.problem_cap = reading.conll.problem_cap;
  return reading;
}

/// Without --scheme, reads the entities and tags of all files in one scheme: that of the tags.
inline void in_one_scheme(std::vector<text::ConllFile>& files, const Reading& reading) {
  if (!reading.scheme.empty()) return;
  std::vector<text::Corpus*> all;
  for (text::ConllFile& file : files) all.push_back(&file.corpus);
  text::read_in_one_scheme(all);
}

/// The format of each path. All files must hold the same kind of data; their formats may differ.
///
/// throws    entrain.app.36: --fix with files that it cannot repair    .42: files that hold another kind of data
inline std::vector<Format> formats_to_check(const std::vector<std::string>& paths, const Settings& s,
                                            Console& console) {
  std::vector<Format> formats;
  for (const std::string& path : paths) {
    const Format format = format_of({path}, s.reading);
    if (!s.fix.empty()) refuse_unrepairable(path, format);
    if (const std::string how = how_format_was_found(path, format, s.reading); !how.empty())
      console.fact("format", how);
    formats.push_back(format);
    if (matter_of(format) != matter_of(formats[0]))
      throw Error(
          "entrain.app.42", text::name_of(path), matter_name(matter_of(format)) + " (" + format_name(format) + ")",
          matter_name(matter_of(formats[0])) + " (" + format_name(formats[0]) + "), as in " + text::name_of(paths[0]),
          "check them separately, or name their format with --input-format");
  }
  return formats;
}

}  // namespace detail

ENTRAIN_INLINE int check(const Settings& settings) {
  Settings s = settings;
  s.reading = split_by(std::move(s.reading), predict::Splitting(s.splitter, s.sentence_splitter, "check"));
  Console console(s.quiet);
  std::vector<text::ConllFile> files;
  std::vector<std::string> bytes;
  const std::vector<std::string> paths =
      text::file_list(s.inputs, s.of_classes ? text::Folders::kept : text::Folders::refused);
  const std::vector<Format> formats = detail::formats_to_check(paths, s, console);
  if (s.fix.empty() && s.fix_rules != Settings{}.fix_rules)
    console.warn("--fix-rules has no effect without --fix: nothing is repaired");
  warn_of_tag_options(s, matter_of(formats[0]), console);
  warn_of_splitter_options(s, matter_of(formats[0]), false, console);
  switch (matter_of(formats[0])) {
    case Matter::texts:
      return check_texts(paths, formats, s, console);
    case Matter::raw:
      return check_raw(paths, s);
    case Matter::numbers:
      return check_arrays(paths);
    case Matter::sentences:
      break;
  }
  for (const std::string& path : paths) {
    const bool columns = formats[bytes.size()] == Format::conll;
    bytes.push_back(columns ? text::read_file(path) : std::string());
    files.push_back(columns ? text::parse_conll(text::name_of(path), bytes.back(), s.reading.conll)
                            : read_whole(path, detail::to_check(s.reading)));
  }
  detail::in_one_scheme(files, s.reading);
  const RepairedCopies copies(s, paths, formats);
  text::CheckOptions options;
  if (!s.reading.scheme.empty()) options.scheme = text::scheme_by_name(s.reading.scheme);
  options.rare = s.rare;
  options.long_sentence = s.long_sentence;
  const text::Check found = text::check(files, options);
  Output out("-");
  out.write(text::describe(found, s.listed));
  bool not_utf8 = false;
  for (const text::ConllFile& file : files)
    not_utf8 |= file.corpus.met.invalid_tokens + file.corpus.met.lone_surrogates > 0;
  const bool refused = s.reading.strict && not_utf8;
  if (s.fix.empty()) return found.errors() > 0 || refused ? 1 : 0;

  copies.say_rules(console);
  const text::UsualLabels usual(found, copies.rules());
  std::vector<text::ConllFile> after;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const bool columns = formats[i] == Format::conll;
    const std::string& name = files[i].corpus.name;
    const text::Repaired repaired = columns ? text::repair_conll(name, bytes[i], found, copies.rules(), s.reading.conll)
                                            : text::repair_json(name, text::read_file(paths[i]), usual,
                                                                s.reading.records, files[i].layout.types_alone);
    copies.write(i, name, repaired, out, console);
    after.push_back(columns ? text::parse_conll(copies.path(i), repaired.bytes, s.reading.conll)
                            : read_whole(copies.path(i), detail::to_check(s.reading)));
  }
  detail::in_one_scheme(after, s.reading);
  return text::check(after, options).errors() > 0 || refused ? 1 : 0;
}

}  // namespace entrain::app
