// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// What a training may replace in its --output, and the command that resumes a stopped training.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "entrain/app/options/settings.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::app {

/// Refuses to discard the state of a stopped training, or a model of another composition, unless --overwrite is given.
///
/// throws    entrain.app.82: a state      .83: a model of another composition, or a config.json that cannot be read
///           .84: --resume and --overwrite
ENTRAIN_INLINE void refuse_to_discard(const Settings& settings, const std::string& composition);

/// Refuses to replace a model of the same composition that was trained on other data, unless --overwrite is given.
///
/// name      of the training file
/// content   the value of content_key in config.json. Two models of one file have different sums if the file was read
///           in different blocks; then the numbers of sentences and words decide.
/// throws    entrain.app.83
ENTRAIN_INLINE void refuse_other_data(const Settings& settings, const std::string& name, const std::string& content);

inline constexpr std::string_view content_key = "train_content";

/// A shell command that resumes the training of this command line: with --resume and without --overwrite.
ENTRAIN_INLINE std::string resuming_command(const std::vector<std::string>& line);

/// What a training starts from, as its state names it: the sum of all that --init or --pretrained loads, or none.
ENTRAIN_INLINE std::string identity_of_start(const std::string& folder);
/// The same for a file of word vectors.
ENTRAIN_INLINE std::string identity_of_vectors(const std::string& file);

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/train/overwriting.ipp"
#endif
