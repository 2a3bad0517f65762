// text > batch > embed > encode > head > optim > [checkpoint]
//
// Tensors from several safetensors files, as one set. Read safetensors.hpp first.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/checkpoint/safetensors.hpp"

namespace entrain::checkpoint {

class Weights {
 public:
  /// where: the file, or the index of the files, for messages. files: at least one
  Weights(std::string where, std::vector<Safetensors> files) : where_(std::move(where)), files_(std::move(files)) {}

  const std::string& where() const { return where_; }
  const std::vector<Safetensors>& files() const { return files_; }

  const TensorView* find(std::string_view name) const { return holder(name).find(name); }
  /// See Safetensors::at.
  const TensorView& at(std::string_view name, Dtype dtype, const std::vector<std::int64_t>& shape) const {
    return holder(name).at(name, dtype, shape);
  }
  /// The file that has a tensor of that name; the first if none has it.
  const Safetensors& holder(std::string_view name) const {
    for (const Safetensors& file : files_)
      if (file.find(name) != nullptr) return file;
    return files_.front();
  }

 private:
  std::string where_;
  std::vector<Safetensors> files_;
};

}  // namespace entrain::checkpoint
