// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// Definitions of pretrained.hpp.
#pragma once
#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/checkpoint/folder.hpp"
#include "entrain/checkpoint/quote.hpp"
#include "entrain/train/pretrained.hpp"

namespace entrain::train {
namespace detail {

/// `encoder.layer.0.X` for encode.0.X, `embeddings.X` for embed.X; nothing for what a pretrained encoder does not have.
inline std::string pretrained_name(const std::string& ours) {
  for (const auto& [here, there] :
       {std::pair<std::string_view, std::string_view>{"embed.", "embeddings."}, {"encode.", "encoder.layer."}})
    if (ours.starts_with(here)) return std::string(there) + ours.substr(here.size());
  return {};
}

}  // namespace detail

ENTRAIN_PART std::vector<std::string> read_pretrained(const std::string& folder, const Layout& layout,
                                                      checkpoint::Dtype dtype, std::byte* values) {
  const std::string path = checkpoint::detail::in(folder, checkpoint::weights_name);
  const checkpoint::Safetensors file(checkpoint::read_file(path, std::numeric_limits<std::int64_t>::max()), path);
  const std::size_t one = checkpoint::bytes_of(dtype);
  std::vector<std::string> taken, notes;
  for (const Span& span : layout.spans) {
    std::string name = detail::pretrained_name(span.name);
    if (name.empty()) continue;
    if (file.find(name) == nullptr && file.find("bert." + name) != nullptr) name = "bert." + name;
    std::vector<std::int64_t> shape{span.rows, span.cols};
    if (span.rows == 1) shape.erase(shape.begin());
    const auto bytes = file.at(name, dtype, shape).bytes;
    std::memcpy(values + span.offset * one, bytes.data(), bytes.size());
    taken.push_back(std::move(name));
  }
  std::sort(taken.begin(), taken.end());
  for (const auto& tensor : file.tensors()) {
    if (std::binary_search(taken.begin(), taken.end(), tensor.name)) continue;
    const std::string_view name = tensor.name;
    if (name.find("pooler.") == name.npos && name.find("position_ids") == name.npos &&
        !name.starts_with("classifier.") && !name.starts_with("cls."))
      throw Error("entrain.train.20", path,
                  "a tensor " + checkpoint::detail::in_quotes(tensor.name) + " that this composition does not have",
                  "the tensors of a BERT with this composition's number of layers",
                  "use the composition that belongs to the folder");
    notes.push_back(path + ": " + checkpoint::detail::in_quotes(tensor.name) + " is not for tagging and was not read");
  }
  return notes;
}

}  // namespace entrain::train
