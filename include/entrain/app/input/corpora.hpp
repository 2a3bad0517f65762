// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Corpora by name: the files of each corpus in the folder ENTRAIN_DATA. docs/benchmarks.md tells how to fill it.
#pragma once
#include <array>
#include <string>
#include <string_view>

#include "entrain/app/options/settings.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

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

/// Fills in the paths of the three splits. The path of a missing split stays empty. `examples`: the folder to use when
/// no corpus is named.
///
/// throws    entrain.app.2 for an unknown corpus name, entrain.app.3 if ENTRAIN_DATA is needed and not set
ENTRAIN_INLINE void resolve(Files& files, const std::string& examples);

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/input/corpora.ipp"
#endif
