// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of checks.hpp.
#pragma once
#include <cstddef>

#include "entrain/app/check/checks.hpp"
#include "entrain/app/check/repaired_copies.hpp"
#include "entrain/app/convert/labelled_texts.hpp"
#include "entrain/app/output/output.hpp"
#include "entrain/batch/numpy/check_npy.hpp"
#include "entrain/text/check/check_raw.hpp"
#include "entrain/text/check/check_texts.hpp"
#include "entrain/text/check/repair_json.hpp"
#include "entrain/text/files/file.hpp"
#include "entrain/text/raw/raw_text.hpp"

namespace entrain::app {
namespace detail {

template <class Checker> int say_what_was_found(Checker& checker) {
  Output out("-");
  out.write(checker.describe());
  return checker.errors() > 0 ? 1 : 0;
}

}  // namespace detail

ENTRAIN_INLINE int check_texts(const std::vector<std::string>& paths, const std::vector<Format>& formats,
                               const Settings& s, Console& console) {
  Reading reading = s.reading;
  reading.csv.lenient = true;  // lists all problems
  const RepairedCopies copies(s, paths, formats);
  const auto checked = [&](auto&& path) {
    text::TextsChecker checker(
        {.rare = s.rare, .long_text = s.long_sentence, .listed = s.listed, .labels = reading.csv.labels});
    for (std::size_t f = 0; f < paths.size(); ++f) {
      checker.file(text::name_of(path(f)));
      detail::each_block_of_texts({path(f)}, formats[f], reading,
                                  [&](const text::Texts& texts, const std::string& layout) {
                                    checker.layout(layout);
                                    if (formats[f] == Format::folder) checker.member(texts.name);
                                    checker.add(texts);
                                  });
    }
    return checker;
  };
  auto checker = checked([&](std::size_t f) -> const std::string& { return paths[f]; });
  if (s.fix.empty()) return detail::say_what_was_found(checker);
  Output out("-");
  out.write(checker.describe());
  copies.say_rules(console);
  const text::UsualLabels usual(checker.labels(), checker.texts_of_labels(), copies.rules());
  for (std::size_t f = 0; f < paths.size(); ++f) {
    const std::string name = text::name_of(paths[f]);
    const text::LabelledKeys keys(reading.csv);
    copies.write(f, name, text::repair_labelled_json(name, text::read_file(paths[f]), usual, keys), out, console);
  }
  auto after = checked([&](std::size_t f) -> const std::string& { return copies.path(f); });
  after.describe();
  return after.errors() > 0 ? 1 : 0;
}

ENTRAIN_INLINE int check_raw(const std::vector<std::string>& paths, const Settings& s) {
  text::RawChecker checker({.long_sentence = s.long_sentence, .listed = s.listed});
  for (const std::string& path : paths) {
    checker.file(text::name_of(path), s.reading.text_unit == text::TextUnit::line ? "line" : "paragraph");
    text::RawText<> source({path}, s.reading.text_unit);
    source.start(0, {});
    auto work = source.work();
    text::RawText<>::Raw raw;
    text::Corpus corpus;
    while (source.read(raw)) {
      work(raw, corpus);
      checker.add(raw.block.bytes, raw.block.line, corpus);
    }
  }
  return detail::say_what_was_found(checker);
}

ENTRAIN_INLINE int check_arrays(const std::vector<std::string>& paths) {
  batch::ArrayChecker checker;
  for (const std::string& path : paths) checker.file(path);
  return detail::say_what_was_found(checker);
}

}  // namespace entrain::app
