// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of whole_file.hpp.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "entrain/app/input/format.hpp"
#include "entrain/app/input/text_source.hpp"
#include "entrain/app/input/whole_file.hpp"
#include "entrain/batch/pipeline/stage.hpp"
#include "entrain/core/error.hpp"
#include "entrain/text/corpus/unlabelled.hpp"
#include "entrain/text/files/file_list.hpp"
#include "entrain/text/tags/one_scheme.hpp"
#include "entrain/text/tags/types_alone.hpp"

namespace entrain::app {
namespace detail {

/// For files in columns, each with a layout of its own.
inline text::ConllFile read_columns(const std::vector<std::string>& files, const Reading& reading) {
  text::ConllFile all = text::inspect_conll(files[0], reading.conll);
  for (std::size_t i = 1; i < files.size(); ++i) {
    text::ConllFile one = text::inspect_conll(files[i], reading.conll);
    all.corpus.append(one.corpus);
    all.problems.total += one.problems.total;
    for (text::Problem& p : one.problems.list) {
      p.file = one.corpus.name;
      all.problems.list.push_back(std::move(p));
    }
    if (all.layout.doubt.empty() && !one.layout.doubt.empty())
      all.layout.doubt = one.corpus.name + ": " + one.layout.doubt;
    if (one.layout.words != all.layout.words) all.layout.words += "; " + one.corpus.name + ": " + one.layout.words;
  }
  return all;
}

/// For files with one record per line.
inline text::ConllFile read_records(const std::vector<std::string>& files, Format format, const Reading& reading) {
  text::ConllFile all;
  batch::InTurn source(TextSource(files, reading));
  source.start(0, {});
  for (text::Corpus block; source.next(block);) {
    if (all.corpus.name.empty()) all.corpus.name = block.name;
    all.corpus.append(block);
  }
  all.layout.words = format == Format::jsonl ? "JSON lines" : "texts with annotations, one per line";
  all.layout.types_alone = text::read_types_alone(all.corpus);
  if (all.layout.types_alone) all.layout.words += "; types without a prefix, read as IO";
  if (!reading.records.annotations_as)
    if (const auto scheme = text::read_in_one_scheme({&all.corpus}))
      all.layout.words +=
          "; entities are read as " + std::string(text::scheme_name(*scheme)) + " tags, as other files have tags";
  all.problems.total = all.corpus.met.problems();
  all.problems.annotations = all.corpus.met.bad_annotations();
  all.problems.list = std::move(all.corpus.problems);
  all.corpus.problems.clear();
  text::forget_unlabelled(all.problems.list, all.corpus.met);
  if (all.problems.total == 0) refuse_wordless(all);
  return all;
}

}  // namespace detail

ENTRAIN_INLINE text::ConllFile read_whole(const std::string& path, const Reading& reading) {
  const std::vector<std::string> files = text::file_list({path});
  const Format format = tagged_format_of(files, reading);  // before standard input is read
  return format == Format::conll ? detail::read_columns(files, reading) : detail::read_records(files, format, reading);
}

ENTRAIN_INLINE void refuse_wordless(const text::ConllFile& file) {
  const text::Corpus& c = file.corpus;
  if (c.size() > 0) return;
  if (file.layout.columns > 0) text::refuse_tokenless(file);
  throw Error("entrain.text.9", c.name, "no word" + text::in_lines(c.met), "texts with entities, or words with tags",
              text::remedy_for_no_word(c.name, c.met, file.problems.list, file.problems.total));
}

}  // namespace entrain::app
