// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Corpora by name: where the folder ENTRAIN_DATA keeps which file. docs/benchmarks.md says how to fill it.
#pragma once
#include <array>
#include <string>
#include <string_view>

#include "entrain/app/settings.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_PART

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

/// Fills in the paths of the three splits. A split that there is not stays empty. `examples`: the folder that stands
/// for no name.
///
/// throws    entrain.app.2 for a name that no corpus has, entrain.app.3 when ENTRAIN_DATA is needed and not set
ENTRAIN_PART void resolve(Files& files, const std::string& examples);

}  // namespace entrain::app

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/app/corpora.ipp"
#endif
