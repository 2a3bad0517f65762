// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of read_gold.hpp.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "entrain/app/convert/labelled_texts.hpp"
#include "entrain/app/input/format.hpp"
#include "entrain/app/input/read_gold.hpp"
#include "entrain/app/input/whole_file.hpp"
#include "entrain/core/error.hpp"
#include "entrain/text/corpus/in_words.hpp"
#include "entrain/text/corpus/unlabelled.hpp"
#include "entrain/text/files/file_list.hpp"

namespace entrain::app {

ENTRAIN_INLINE task::Tagged read_tagged(const std::string& path) {
  text::ConllFile file = read_whole(path, {});
  refuse_wordless(file);
  text::refuse_unlabelled(file.corpus.name, file.corpus.met);
  file.corpus.problems = std::move(file.problems.list);
  return task::tagged(std::move(file.corpus), {});
}

ENTRAIN_INLINE text::Corpus read_classified(const std::string& path, bool by_words) {
  const std::vector<std::string> files = text::file_list({path});
  const Reading reading;
  const Format format = format_of(files, reading);
  if (matter_of(format) != Matter::texts)
    throw Error("entrain.app.86", path, matter_name(matter_of(format)),
                "texts with a label each: CSV, TSV, or JSON Lines with \"text\" and \"label\"",
                "convert the file, or name its columns text and label");
  text::Corpus all;
  const auto read = [&](auto in_words) {
    detail::each_block_of_texts(files, format, reading, [&](const text::Texts& texts, const std::string&) {
      const text::Corpus block = in_words(texts);
      if (all.name.empty()) all.name = block.name;
      all.append(block);
    });
  };
  if (by_words)
    read(text::InWords<text::UnicodeWords>());
  else
    read(text::InWords<text::Whitespace>());
  if (all.sentences() == 0)
    throw Error("entrain.app.87", path, "no text with a word", "at least one",
                text::remedy_for_no_word(all.name, all.met, all.problems, all.problems.size()));
  return all;
}

}  // namespace entrain::app
