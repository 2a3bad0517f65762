// text > batch > embed > encode > head > optim > [checkpoint]
//
// Definitions of safetensors.hpp.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/checkpoint/json.hpp"  // parse_header, dump_header
#include "entrain/checkpoint/quote.hpp"
#include "entrain/checkpoint/safetensors.hpp"
#include "entrain/core/error.hpp"

namespace entrain::checkpoint {
namespace detail {
ENTRAIN_INLINE InOrder in_order(std::span<const TensorView> tensors, std::string_view where, const Metadata& metadata) {
  std::vector<const TensorView*> order;
  for (const auto& t : tensors) order.push_back(&t);
  std::sort(order.begin(), order.end(), [](const TensorView* a, const TensorView* b) {
    return a->dtype != b->dtype ? a->dtype > b->dtype : a->name < b->name;
  });
  Header header{.entries = {}, .metadata = {{"format", "pt"}}};  // the loaders of Hugging Face require it
  header.metadata.insert(header.metadata.end(), metadata.begin(), metadata.end());
  std::uint64_t at = 0;
  for (const TensorView* t : order) {
    const auto need = bytes_of(t->dtype, t->shape);
    if (!need || *need != t->bytes.size())
      throw Error("entrain.checkpoint.19", where,
                  "tensor " + in_quotes(t->name) + " has " + std::to_string(t->bytes.size()) + " bytes",
                  std::string(name_of(t->dtype)) + " " + text_of(t->shape));
    header.entries.push_back({std::string(t->name), t->dtype, t->shape, at, at + *need});
    at += *need;
  }
  std::string text = dump_header(header, where);
  text.append((8 - text.size() % 8) % 8, ' ');
  return {std::move(text), std::move(order)};
}
}  // namespace detail

ENTRAIN_INLINE Safetensors::Safetensors(Bytes file, std::string where)
    : where_(std::move(where)), file_(std::move(file)) {
  const auto bytes = std::as_const(file_).span();
  if (bytes.size() < 8)
    throw Error("entrain.checkpoint.10", where_, std::to_string(bytes.size()) + " bytes",
                "at least 8, the length of a safetensors header",
                "the file is truncated, or is not a safetensors file");
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  if (length > HeaderLimits::bytes)
    throw Error("entrain.checkpoint.11", where_, "a header of " + std::to_string(length) + " bytes",
                "at most " + std::to_string(HeaderLimits::bytes), "this is not a safetensors file");
  if (length > bytes.size() - 8)
    throw Error("entrain.checkpoint.12", where_,
                "a header of " + std::to_string(length) + " bytes in a file of " + std::to_string(bytes.size()),
                "a header inside the file", "the file is truncated: copy it again");
  const std::string_view text = file_.text().substr(8, static_cast<std::size_t>(length));
  if (!text.starts_with('{'))
    throw Error("entrain.checkpoint.12", where_,
                text.empty() ? "an empty header" : "a header that starts with " + detail::in_quotes(text.substr(0, 1)),
                "'{'", "this is not a safetensors file");

  Header header = parse_header(text, where_);
  const auto data = bytes.subspan(8 + static_cast<std::size_t>(length));
  check_layout(header, data.size(), where_);
  metadata_ = std::move(header.metadata);
  names_.reserve(header.entries.size());  // no later growth: the views point into it
  tensors_.reserve(header.entries.size());
  for (Entry& e : header.entries) {
    names_.push_back(std::move(e.name));
    tensors_.push_back({names_.back(), e.dtype, std::move(e.shape),
                        data.subspan(static_cast<std::size_t>(e.begin), static_cast<std::size_t>(e.end - e.begin))});
  }
  for (std::uint32_t i = 0; i < names_.size(); ++i) by_name_.push_back(i);
  std::sort(by_name_.begin(), by_name_.end(), [&](auto a, auto b) { return names_[a] < names_[b]; });
}

ENTRAIN_INLINE const TensorView* Safetensors::find(std::string_view name) const {
  const auto it = std::lower_bound(by_name_.begin(), by_name_.end(), name,
                                   [&](auto i, std::string_view wanted) { return names_[i] < wanted; });
  return it != by_name_.end() && names_[*it] == name ? &tensors_[*it] : nullptr;
}

ENTRAIN_INLINE const TensorView& Safetensors::at(std::string_view name, Dtype dtype,
                                                 const std::vector<std::int64_t>& shape) const {
  const TensorView* t = find(name);
  if (!t)
    throw Error("entrain.checkpoint.26", where_, "no tensor " + detail::in_quotes(name), {},
                "it has " + some_names() + ": check that it belongs to this model");
  if (t->dtype != dtype || t->shape != shape)
    throw Error("entrain.checkpoint.27", where_,
                "tensor " + detail::in_quotes(name) + " is " + std::string(name_of(t->dtype)) + " " + text_of(t->shape),
                std::string(name_of(dtype)) + " " + text_of(shape), "load it into the model that it was saved from");
  return *t;
}

ENTRAIN_INLINE std::string Safetensors::some_names() const {
  std::string s = std::to_string(names_.size()) + " tensors";
  for (std::size_t i = 0; i < std::min<std::size_t>(3, names_.size()); ++i)
    s.append(i ? ", " : " (").append(detail::in_quotes(names_[by_name_[i]]));
  return names_.empty() ? s : s + (names_.size() > 3 ? ", ...)" : ")");
}

}  // namespace entrain::checkpoint
