// text > batch > embed > encode > head > optim > [checkpoint]
//
// Definitions of open_weights.hpp.
#pragma once
#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "entrain/checkpoint/folder_files.hpp"
#include "entrain/checkpoint/open_weights.hpp"

namespace entrain::checkpoint {
namespace detail {

[[noreturn]] inline void refuse_other_weights(const std::string& path, const std::string& folder) {
  throw Error(
      "entrain.checkpoint.63", path,
      path.find("pytorch_model") != path.npos ? "a pickle, which can run arbitrary code when it is read"
                                              : "weights of another framework",
      "model.safetensors",
      "convert it in a trusted environment: python -c \"from transformers import AutoModel as M; M.from_pretrained('" +
          folder + "').save_pretrained('" + folder + "')\"");
}

}  // namespace detail

ENTRAIN_INLINE Weights open_weights(FolderFiles<>& from) {
  const std::string& folder = from.folder();
  const std::string name(weights_name), index_name = name + ".index.json";
  const std::string whole = from.path_of(name), index = from.path_of(index_name);
  const bool has_whole = from.has(name), has_index = from.has(index_name);
  if (!has_whole && !has_index)
    for (const char* other : {"pytorch_model.bin", "pytorch_model.bin.index.json", "tf_model.h5", "flax_model.msgpack"})
      if (const std::string path = detail::in(folder, other); std::filesystem::exists(path))
        detail::refuse_other_weights(path, folder);
  std::vector<Safetensors> files;
  if (has_whole || !has_index) {
    files.emplace_back(from.read(name), whole);
    return {whole, std::move(files)};
  }
  const auto map = parse_weight_map(from.read_text(index_name).text, index);
  std::vector<std::string> names;
  for (const auto& [tensor, file] : map) names.push_back(file);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (const std::string& one : names) files.emplace_back(from.read(one), from.path_of(one));
  for (const auto& [tensor, file] : map) {
    const auto at = static_cast<std::size_t>(std::lower_bound(names.begin(), names.end(), file) - names.begin());
    if (files[at].find(tensor) == nullptr)
      throw Error("entrain.checkpoint.64", files[at].where(), "no tensor " + detail::in_quotes(tensor),
                  "a tensor that " + index + " lists", "copy the folder again");
  }
  return {index, std::move(files)};
}

}  // namespace entrain::checkpoint
