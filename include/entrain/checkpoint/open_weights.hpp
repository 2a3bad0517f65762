// text > batch > embed > encode > head > optim > [checkpoint]
//
// The weights of a folder of Hugging Face's: one safetensors file, or several with an index.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/checkpoint/folder_files.hpp"
#include "entrain/checkpoint/weights.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_PART

namespace entrain::checkpoint {

/// Each tensor of model.safetensors.index.json and the file that holds it.
/// throws    what parse_config throws of JSON; entrain.checkpoint.62: no weight_map, or a name that is no file's
ENTRAIN_PART std::vector<std::pair<std::string, std::string>> parse_weight_map(std::string_view text,
                                                                               std::string_view where);

/// throws    what FolderFiles::read, Safetensors and parse_weight_map throw
///           entrain.checkpoint.63: no safetensors, but weights of a kind that is not read
///           entrain.checkpoint.64: a file without a tensor that the index promises
ENTRAIN_PART Weights open_weights(FolderFiles<>& files);

}  // namespace entrain::checkpoint

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/checkpoint/json_bert.ipp"
#include "entrain/checkpoint/open_weights.ipp"
#endif
