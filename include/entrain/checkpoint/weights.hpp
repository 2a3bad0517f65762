// text > batch > embed > encode > head > optim > [checkpoint]
//
// The weights of a folder of Hugging Face's: one safetensors file, or several with an index. Read safetensors.hpp first.
#pragma once
#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/checkpoint/folder.hpp"
#include "entrain/checkpoint/safetensors.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_PART
#include "entrain/text/file.hpp"

namespace entrain::checkpoint {

/// Each tensor of model.safetensors.index.json and the file that holds it.
/// throws    what parse_config throws of JSON; entrain.checkpoint.62: no weight_map, or a name that is no file's
ENTRAIN_PART std::vector<std::pair<std::string, std::string>> parse_weight_map(std::string_view text,
                                                                               std::string_view where);

/// All tensors of a folder, whatever files they lie in.
class Weights {
 public:
  /// throws    what Safetensors and parse_weight_map throw
  ///           entrain.checkpoint.63: no safetensors, but weights of a kind that is not read
  ///           entrain.checkpoint.64: a file without a tensor that the index promises
  explicit Weights(const std::string& folder) {
    const std::string whole = detail::in(folder, weights_name), index = whole + ".index.json";
    if (!std::filesystem::exists(whole) && !std::filesystem::exists(index)) refuse_others(folder);
    if (std::filesystem::exists(whole) || !std::filesystem::exists(index)) {
      where_ = whole;
      files_.push_back(read_safetensors(whole));
      return;
    }
    where_ = index;
    const auto map = parse_weight_map(text::read_file(index), index);
    std::vector<std::string> names;
    for (const auto& [tensor, file] : map) names.push_back(file);
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    for (const std::string& name : names) files_.push_back(read_safetensors(detail::in(folder, name)));
    for (const auto& [tensor, file] : map) {
      const auto& holder = files_[static_cast<std::size_t>(std::lower_bound(names.begin(), names.end(), file) - names.begin())];
      if (holder.find(tensor) == nullptr)
        throw Error("entrain.checkpoint.64", holder.where(), "no tensor " + detail::in_quotes(tensor),
                    "what " + index + " says is there", "copy the folder again");
    }
  }

  /// The file, or the index: for messages.
  const std::string& where() const { return where_; }
  const std::vector<Safetensors>& files() const { return files_; }

  /// The tensor of that name and the file that holds it, or none.
  std::pair<const TensorView*, const Safetensors*> find(std::string_view name) const {
    for (const Safetensors& file : files_)
      if (const TensorView* t = file.find(name)) return {t, &file};
    return {nullptr, nullptr};
  }

 private:
  static void refuse_others(const std::string& folder) {
    for (const char* name : {"pytorch_model.bin", "pytorch_model.bin.index.json", "tf_model.h5", "flax_model.msgpack"})
      if (const std::string path = detail::in(folder, name); std::filesystem::exists(path))
        throw Error("entrain.checkpoint.63", path,
                    std::string_view(name).starts_with("pytorch") ? "a pickle, which may run any program when it is read"
                                                                  : "weights of another framework",
                    "model.safetensors",
                    "convert it where you trust it: python -c \"from transformers import AutoModel as M; "
                    "M.from_pretrained('" + folder + "').save_pretrained('" + folder + "')\"");
  }

  std::string where_;
  std::vector<Safetensors> files_;
};

}  // namespace entrain::checkpoint

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/checkpoint/json_bert.ipp"
#endif
