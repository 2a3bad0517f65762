// text > batch > embed > encode > head > optim > [checkpoint]
//
// The header of a safetensors file as plain values: the tensors, their number types, their positions. json.hpp converts
// it to text and back; this file checks layouts.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/checkpoint/dtype.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::checkpoint {

struct Entry {
  std::string name;
  Dtype dtype = Dtype::f32;
  std::vector<std::int64_t> shape;   // empty: one number
  std::uint64_t begin = 0, end = 0;  // bytes, counted from the end of the header
};

/// Names and texts.
using Metadata = std::vector<std::pair<std::string, std::string>>;

struct Header {
  std::vector<Entry> entries;
  Metadata metadata;
};

/// Limits that keep a hostile header from using more memory than its file; real models are far below.
struct HeaderLimits {
  static constexpr std::uint64_t bytes = 100'000'000;  // the format's own
  static constexpr std::size_t entries = 131'072;      // tensors, and as many metadata keys
  static constexpr std::size_t dimensions = 32;
  static constexpr std::size_t word = 4 << 20;  // bytes of one name, text or number
};

/// Bytes of a tensor; nothing if the product does not fit 63 bits or a dimension is negative.
ENTRAIN_INLINE std::optional<std::uint64_t> bytes_of(Dtype dtype, const std::vector<std::int64_t>& shape);

/// `[2,3]`
ENTRAIN_INLINE std::string text_of(const std::vector<std::int64_t>& shape);

/// Sorts the entries by the order of their bytes and refuses every layout that does not fill `data_bytes` exactly.
///
/// throws    entrain.checkpoint.20 ... 25, one for each kind of wrong layout
ENTRAIN_INLINE void check_layout(Header& header, std::uint64_t data_bytes, std::string_view where);

}  // namespace entrain::checkpoint

#if !defined(ENTRAIN_COMPILED)
#include "entrain/checkpoint/header.ipp"
#endif
