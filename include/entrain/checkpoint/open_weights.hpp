// text > batch > embed > encode > head > optim > [checkpoint]
//
// The weights of a Hugging Face folder: one safetensors file, or several with an index.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/checkpoint/folder_files.hpp"
#include "entrain/checkpoint/weights.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::checkpoint {

/// Each tensor of model.safetensors.index.json and the file that holds it.
/// throws    the errors of parse_config for JSON; entrain.checkpoint.62: no weight_map, or a value that is not a file
///           name
ENTRAIN_INLINE std::vector<std::pair<std::string, std::string>> parse_weight_map(std::string_view text,
                                                                                 std::string_view where);

/// throws    the errors of FolderFiles::read, Safetensors and parse_weight_map
///           entrain.checkpoint.63: no safetensors, but weights in a format that entrain does not read
///           entrain.checkpoint.64: a file without a tensor that the index lists for it
ENTRAIN_INLINE Weights open_weights(FolderFiles<>& files);

}  // namespace entrain::checkpoint

#if !defined(ENTRAIN_COMPILED)
#include "entrain/checkpoint/json_bert.ipp"
#include "entrain/checkpoint/open_weights.ipp"
#endif
