// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Corpora by name: where the folder ENTRAIN_DATA keeps which file. docs/benchmarks.md says how to fill it.
#pragma once
#include <array>
#include <cstdlib>
#include <string>
#include <string_view>

#include "entrain/app/settings.hpp"
#include "entrain/core/error.hpp"

namespace entrain::app {

struct NamedCorpus {
  std::string_view name, ending;
  bool has_train = true;
};
inline constexpr std::array<NamedCorpus, 6> corpora{{{"wnut17", ".conll"},
                                                     {"btc", ".conll"},
                                                     {"ncbi-disease", ".tsv"},
                                                     {"uner-danish", ".iob2"},
                                                     {"uner-portuguese", ".iob2"},
                                                     {"uner-english", ".iob2", false}}};

/// Paths of the three splits. A split that there is not stays empty. `examples`: the folder that stands for no name.
///
/// throws    entrain.app.2 for a name that no corpus has, entrain.app.3 when ENTRAIN_DATA is needed and not set
inline Files resolve(Files files, const std::string& examples) {
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
  }
  if (folder.empty()) return files;
  const auto fill = [&](std::string& path, const char* split) {
    if (path.empty()) path = folder + "/" + split + ending;
  };
  if (has_train) fill(files.train, "train");
  fill(files.dev, "dev");
  fill(files.test, "test");
  return files;
}

}  // namespace entrain::app
