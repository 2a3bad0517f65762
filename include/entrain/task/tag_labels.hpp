// text > batch > [task] > head > optim > checkpoint
//
// The labels of tagging in config.json: a name for each tag, the entity types, and the scheme.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/text/tags/scheme.hpp"

namespace entrain::checkpoint {
struct Config;
}

namespace entrain::task {

/// The names of all tags of these entity types, in the order of text::Labels.
ENTRAIN_INLINE std::vector<std::string> label_names(text::SchemeId scheme, const std::vector<std::string>& types);

ENTRAIN_INLINE void write_tag_labels(text::SchemeId scheme, const std::vector<std::string>& types,
                                     checkpoint::Config& config);

/// The entity types of a config.json.
///
/// where     the file, for messages
/// throws    entrain.train.12: another scheme, or labels that are not those of the types
ENTRAIN_INLINE const std::vector<std::string>& read_tag_types(text::SchemeId scheme, const checkpoint::Config& config,
                                                              std::string_view where);

}  // namespace entrain::task

#if !defined(ENTRAIN_COMPILED)
#include "entrain/task/tag_labels.ipp"
#endif
