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
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/checkpoint/atomic_file.hpp"
#include "entrain/checkpoint/header.hpp"
#include "entrain/checkpoint/read_file.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::checkpoint {

static_assert(std::endian::native == std::endian::little, "entrain: safetensors files hold little-endian numbers.");

/// A tensor in memory that another object owns.
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

namespace detail {
struct InOrder {
  std::string header;
  std::vector<const TensorView*> tensors;
};
ENTRAIN_INLINE InOrder in_order(std::span<const TensorView> tensors, std::string_view where, const Metadata& metadata);
}  // namespace detail

/// Sends a file piece by piece to `sink(std::span<const std::byte>)`. The same tensors, in any order, give the same
/// bytes, which are the bytes that the format's own library writes. Wide number types come first, so that each tensor
/// is aligned to its type.
///
/// metadata  texts of the header, after the one that is always present
/// throws    entrain.checkpoint.19: a tensor whose bytes are not shape x dtype
///           entrain.checkpoint.14, 18: names twice, or not UTF-8
template <class Sink> void stream_safetensors(std::span<const TensorView> tensors, std::string_view where, Sink&& sink,
                                              const Metadata& metadata = {}) {
  const detail::InOrder file = detail::in_order(tensors, where, metadata);
  const std::uint64_t length = file.header.size();
  sink(std::as_bytes(std::span(&length, 1)));
  sink(std::as_bytes(std::span(file.header)));
  for (const TensorView* t : file.tensors) sink(t->bytes);
}

template <class System = Posix>
void write_safetensors(const std::string& path, std::span<const TensorView> tensors, System system = {}) {
  AtomicFile<System> file(path, system);
  stream_safetensors(tensors, path, [&](std::span<const std::byte> piece) { file.write(piece); });
  file.commit();
}

// ---------------------------------------------------------------- reading

/// A file in memory, checked, and its tensors as views into it, in the order of their bytes. Views are valid as long as
/// this object lives, also after it was moved.
class Safetensors {
 public:
  /// throws    entrain.checkpoint.10: shorter than 8 bytes      .11: a header beyond the format's limit
  ///           .12: a header beyond the end, or not an object   .13 ... 17: see parse_header
  ///           .20 ... 25: see check_layout
  Safetensors(Bytes file, std::string where);
  Safetensors(Safetensors&&) = default;
  Safetensors& operator=(Safetensors&&) = default;

  const std::string& where() const { return where_; }
  std::span<const TensorView> tensors() const { return tensors_; }
  const Metadata& metadata() const { return metadata_; }

  const TensorView* find(std::string_view name) const;

  /// The tensor with that name, number type and shape.
  /// throws    entrain.checkpoint.26: no such tensor        .27: another number type or shape
  const TensorView& at(std::string_view name, Dtype dtype, const std::vector<std::int64_t>& shape) const;

 private:
  std::string some_names() const;

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

#if !defined(ENTRAIN_COMPILED)
#include "entrain/checkpoint/safetensors.ipp"
#endif
