// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of corpora.hpp.
#pragma once
#include <cstdlib>
#include <string>

#include "entrain/app/input/corpora.hpp"
#include "entrain/core/error.hpp"

namespace entrain::app {

ENTRAIN_INLINE void resolve(Files& files, const std::string& examples) {
  const bool named = !files.train.empty() || !files.dev.empty() || !files.test.empty();
  std::string folder = files.data, ending = ".conll";
  bool has_train = true;
  if (!files.corpus.empty()) {
    const NamedCorpus* found = nullptr;
    std::string names;
    for (const NamedCorpus& c : corpora) {
      if (c.name == files.corpus) found = &c;
      names.append(names.empty() ? "" : ", ").append(c.name);
    }
    if (!found) throw Error("entrain.app.2", "--corpus", "corpus '" + files.corpus + "'", "one of " + names);
    const char* const root = std::getenv("ENTRAIN_DATA");
    if (folder.empty() && (root == nullptr || *root == '\0'))
      throw Error("entrain.app.3", "--corpus " + files.corpus, "ENTRAIN_DATA is not set",
                  "the folder that holds " + files.corpus + "/", "set it, or name files with --train, --dev, --test");
    folder = (folder.empty() ? std::string(root) : folder) + "/" + files.corpus;
    ending = found->ending;
    has_train = found->has_train;
  } else if (folder.empty() && !named) {
    folder = examples;
    files.examples = !folder.empty();
  }
  if (folder.empty()) return;
  const auto fill = [&](std::string& path, const char* split) {
    if (path.empty()) path = folder + "/" + split + ending;
  };
  if (has_train) fill(files.train, "train");
  fill(files.dev, "dev");
  fill(files.test, "test");
}

}  // namespace entrain::app
