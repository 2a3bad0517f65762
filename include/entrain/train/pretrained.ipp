// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// Definitions of pretrained.hpp.
#pragma once
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/checkpoint/folder.hpp"
#include "entrain/checkpoint/quote.hpp"
#include "entrain/text/file.hpp"
#include "entrain/train/folder.hpp"
#include "entrain/train/pretrained.hpp"

namespace entrain::train {
ENTRAIN_PART std::vector<std::string> read_pretrained(const std::string& folder, const Layout& layout,
                                                      checkpoint::Dtype dtype, std::byte* values) {
  const std::string path = checkpoint::detail::in(folder, checkpoint::weights_name);
  const checkpoint::Safetensors file(checkpoint::read_file(path, std::numeric_limits<std::int64_t>::max()), path);
  constexpr std::string_view prefix = "bert.";
  const std::size_t one = checkpoint::bytes_of(dtype);
  std::vector<std::string> taken, notes;
  for (const Span& span : layout.spans) {
    if (span.name.starts_with("head.")) continue;
    std::string name = detail::hugging_face_name(span.name);
    if (const std::string bare = name.substr(prefix.size()); file.find(name) == nullptr && file.find(bare) != nullptr)
      name = bare;
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

ENTRAIN_PART Heritage read_heritage(const std::string& folder) {
  Heritage heritage;
  for (const char* name : {"tokenizer.json", "vocab.txt", "tokenizer_config.json", "special_tokens_map.json"})
    if (const std::string path = checkpoint::detail::in(folder, name); std::filesystem::exists(path))
      heritage.files.push_back({name, text::read_file(path)});
  const std::string path = checkpoint::detail::in(folder, checkpoint::config_name);
  heritage.config = checkpoint::parse_config(text::read_file(path), path).others;
  std::erase_if(heritage.config, [](const checkpoint::NamedText& o) { return o.name == "architectures"; });
  heritage.config.push_back({"architectures", "[\"BertForTokenClassification\"]"});
  return heritage;
}

}  // namespace entrain::train
