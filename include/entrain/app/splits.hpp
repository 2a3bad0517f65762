// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// The files of a corpus, read and looked at: what a person should hear about them before a model is trained on them.
#pragma once
#include <string>
#include <vector>

#include "entrain/app/settings.hpp"
#include "entrain/app/talk.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_PART
#include "entrain/score/scores.hpp"
#include "entrain/train/data.hpp"

namespace entrain::app {

/// Reads a tagged file and says how it was read: columns, scheme, sizes. `split`: what to call it.
ENTRAIN_PART train::Tagged read_split(const std::string& split, const std::string& path, const Reading& reading,
                                      Talk& talk);

/// Warns of what training cannot learn and evaluation counts as missed: no entity, one type only, types that are not
/// among `known`, those of the model.
ENTRAIN_PART void warn_about(const train::Tagged& split, const std::vector<std::string>& known,
                             const std::string& repair, Talk& talk);

/// The longest sentence, in words; a warning if it is longer than `batch_tokens`.
ENTRAIN_PART int longest_sentence(const train::Tagged& split, int batch_tokens, Talk& talk);

/// The scores of a dictionary of `train`'s entities (see baseline.hpp) on `test`.
ENTRAIN_PART score::Scores dictionary_scores(const train::Tagged& train, const train::Tagged& test,
                                             const std::string& repair);

}  // namespace entrain::app

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/app/splits.ipp"
#endif
