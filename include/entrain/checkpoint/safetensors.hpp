// text > batch > embed > encode > head > optim > [checkpoint]
//
// The safetensors format: named tensors in one file that every framework reads.
//
//   8 bytes          length L of the header, little-endian
//   L bytes          JSON: {"__metadata__": {...}, name: {"dtype", "shape", "data_offsets": [begin, end]}, ...}, then
//   spaces the rest         the numbers, tensor after tensor without holes
//
// source    https://github.com/huggingface/safetensors, section Format
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/checkpoint/atomic_file.hpp"
#include "entrain/checkpoint/header.hpp"
#include "entrain/checkpoint/json.hpp"  // parse_header, dump_header
#include "entrain/checkpoint/read_file.hpp"

namespace entrain::checkpoint {

static_assert(std::endian::native == std::endian::little, "entrain: safetensors files hold little-endian numbers.");

/// A tensor that lies in somebody else's memory.
struct TensorView {
  std::string_view name;
  Dtype dtype = Dtype::f32;
  std::vector<std::int64_t> shape;
  std::span<const std::byte> bytes;
};

/// view_of<float>("head.bias", {9}, bias): the numbers of a span under a name.
template <class T>
TensorView view_of(std::string_view name, std::vector<std::int64_t> shape, std::span<const T> numbers) {
  return {name, DtypeOf<T>::value, std::move(shape), std::as_bytes(numbers)};
}

// ---------------------------------------------------------------- writing

/// Sends a file piece by piece to `sink(std::span<const std::byte>)`. Same tensors, in any order: same bytes, and the
/// bytes that the format's own library writes. Wide number types stand in front, so that each tensor is aligned to its
/// type.
///
/// metadata  texts of the header, behind the one that is always there
/// throws    entrain.checkpoint.19: a tensor whose bytes are not shape x dtype
///           entrain.checkpoint.14, 18: names twice, or not UTF-8
template <class Sink> void stream_safetensors(std::span<const TensorView> tensors, std::string_view where, Sink&& sink,
                                              const Metadata& metadata = {}) {
  std::vector<const TensorView*> order;
  for (const auto& t : tensors) order.push_back(&t);
  std::sort(order.begin(), order.end(), [](const TensorView* a, const TensorView* b) {
    return a->dtype != b->dtype ? a->dtype > b->dtype : a->name < b->name;
  });
  Header header{.entries = {}, .metadata = {{"format", "pt"}}};  // the loaders of Hugging Face insist on it
  header.metadata.insert(header.metadata.end(), metadata.begin(), metadata.end());
  std::uint64_t at = 0;
  for (const TensorView* t : order) {
    const auto need = bytes_of(t->dtype, t->shape);
    if (!need || *need != t->bytes.size())
      throw Error("entrain.checkpoint.19", where,
                  "tensor " + detail::in_quotes(t->name) + " has " + std::to_string(t->bytes.size()) + " bytes",
                  std::string(name_of(t->dtype)) + " " + text_of(t->shape));
    header.entries.push_back({std::string(t->name), t->dtype, t->shape, at, at + *need});
    at += *need;
  }
  std::string text = dump_header(header, where);
  text.append((8 - text.size() % 8) % 8, ' ');
  const std::uint64_t length = text.size();
  sink(std::as_bytes(std::span(&length, 1)));
  sink(std::as_bytes(std::span(text)));
  for (const TensorView* t : order) sink(t->bytes);
}

template <class System = Posix>
void write_safetensors(const std::string& path, std::span<const TensorView> tensors, System system = {}) {
  AtomicFile<System> file(path, system);
  stream_safetensors(tensors, path, [&](std::span<const std::byte> piece) { file.write(piece); });
  file.commit();
}

// ---------------------------------------------------------------- reading

/// A file in memory, checked, and its tensors as views into it, in the order of their bytes. Views are good for as long
/// as this object lives, also after it has moved.
class Safetensors {
 public:
  /// throws    entrain.checkpoint.10: shorter than 8 bytes      .11: a header beyond the format's limit
  ///           .12: a header beyond the end, or not an object   .13 ... 17: see parse_header
  ///           .20 ... 25: see check_layout
  Safetensors(Bytes file, std::string where) : where_(std::move(where)), file_(std::move(file)) {
    const auto bytes = std::as_const(file_).span();
    if (bytes.size() < 8)
      throw Error("entrain.checkpoint.10", where_, std::to_string(bytes.size()) + " bytes",
                  "at least 8, the length of a safetensors header", "the file was cut, or is another kind of file");
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), 8);
    if (length > HeaderLimits::bytes)
      throw Error("entrain.checkpoint.11", where_, "a header of " + std::to_string(length) + " bytes",
                  "at most " + std::to_string(HeaderLimits::bytes), "this is not a safetensors file");
    if (length > bytes.size() - 8)
      throw Error("entrain.checkpoint.12", where_,
                  "a header of " + std::to_string(length) + " bytes in a file of " + std::to_string(bytes.size()),
                  "a header inside the file", "the file was cut: copy it again");
    const std::string_view text = file_.text().substr(8, static_cast<std::size_t>(length));
    if (!text.starts_with('{'))
      throw Error(
          "entrain.checkpoint.12", where_,
          text.empty() ? "an empty header" : "a header that starts with " + detail::in_quotes(text.substr(0, 1)), "'{'",
          "this is not a safetensors file");

    Header header = parse_header(text, where_);
    const auto data = bytes.subspan(8 + static_cast<std::size_t>(length));
    check_layout(header, data.size(), where_);
    metadata_ = std::move(header.metadata);
    names_.reserve(header.entries.size());  // never grows later: the views point into it
    tensors_.reserve(header.entries.size());
    for (Entry& e : header.entries) {
      names_.push_back(std::move(e.name));
      tensors_.push_back({names_.back(), e.dtype, std::move(e.shape),
                          data.subspan(static_cast<std::size_t>(e.begin), static_cast<std::size_t>(e.end - e.begin))});
    }
    for (std::uint32_t i = 0; i < names_.size(); ++i) by_name_.push_back(i);
    std::sort(by_name_.begin(), by_name_.end(), [&](auto a, auto b) { return names_[a] < names_[b]; });
  }
  Safetensors(Safetensors&&) = default;
  Safetensors& operator=(Safetensors&&) = default;

  const std::string& where() const { return where_; }
  std::span<const TensorView> tensors() const { return tensors_; }
  const Metadata& metadata() const { return metadata_; }

  const TensorView* find(std::string_view name) const {
    const auto it = std::lower_bound(by_name_.begin(), by_name_.end(), name,
                                     [&](auto i, std::string_view wanted) { return names_[i] < wanted; });
    return it != by_name_.end() && names_[*it] == name ? &tensors_[*it] : nullptr;
  }

  /// The tensor of that name, number type and shape.
  /// throws    entrain.checkpoint.26: no such tensor        .27: another number type or shape
  const TensorView& at(std::string_view name, Dtype dtype, const std::vector<std::int64_t>& shape) const {
    const TensorView* t = find(name);
    if (!t)
      throw Error("entrain.checkpoint.26", where_, "no tensor " + detail::in_quotes(name), {},
                  "it holds " + some_names() + ": another model?");
    if (t->dtype != dtype || t->shape != shape)
      throw Error(
          "entrain.checkpoint.27", where_,
          "tensor " + detail::in_quotes(name) + " is " + std::string(name_of(t->dtype)) + " " + text_of(t->shape),
          std::string(name_of(dtype)) + " " + text_of(shape), "load it into the model that it was saved from");
    return *t;
  }

 private:
  std::string some_names() const {
    std::string s = std::to_string(names_.size()) + " tensors";
    for (std::size_t i = 0; i < std::min<std::size_t>(3, names_.size()); ++i)
      s.append(i ? ", " : " (").append(detail::in_quotes(names_[by_name_[i]]));
    return names_.empty() ? s : s + (names_.size() > 3 ? ", ...)" : ")");
  }

  std::string where_;
  Bytes file_;
  std::vector<std::string> names_;
  std::vector<TensorView> tensors_;
  std::vector<std::uint32_t> by_name_;
  Metadata metadata_;
};

/// Memory: the file, and its names and shapes.
template <class System = Posix> Safetensors read_safetensors(const std::string& path, System system = {}) {
  return Safetensors(read_file(path, std::numeric_limits<std::int64_t>::max(), system), path);
}

}  // namespace entrain::checkpoint
