// text > batch > embed > encode > head > optim > [checkpoint]
//
// Definitions of header.hpp.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/checkpoint/dtype.hpp"
#include "entrain/checkpoint/header.hpp"
#include "entrain/checkpoint/quote.hpp"
#include "entrain/core/error.hpp"

namespace entrain::checkpoint {

ENTRAIN_INLINE std::optional<std::uint64_t> bytes_of(Dtype dtype, const std::vector<std::int64_t>& shape) {
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  std::uint64_t product = bytes_of(dtype);
  bool zero = false;  // a zero makes the tensor empty, but does not excuse the other dimensions
  for (const std::int64_t n : shape) {
    if (n < 0) return std::nullopt;
    if (n == 0) {
      zero = true;
      continue;
    }
    if (product > most / static_cast<std::uint64_t>(n)) return std::nullopt;
    product *= static_cast<std::uint64_t>(n);
  }
  return zero ? 0 : product;
}

ENTRAIN_INLINE std::string text_of(const std::vector<std::int64_t>& shape) {
  std::string s = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) s.append(i ? "," : "").append(std::to_string(shape[i]));
  return s + "]";
}

ENTRAIN_INLINE void check_layout(Header& header, std::uint64_t data_bytes, std::string_view where) {
  using detail::in_quotes;
  for (const Entry& e : header.entries) {
    const auto need = bytes_of(e.dtype, e.shape);
    if (!need)
      throw Error("entrain.checkpoint.20", where, "tensor " + in_quotes(e.name) + " has shape " + text_of(e.shape),
                  "dimensions whose product fits 63 bits", "the file is damaged");
    if (e.begin > e.end)
      throw Error("entrain.checkpoint.21", where,
                  "tensor " + in_quotes(e.name) + " begins at " + std::to_string(e.begin) + " and ends at " +
                      std::to_string(e.end),
                  "begin <= end", "the file is damaged");
    if (e.end - e.begin != *need)
      throw Error("entrain.checkpoint.22", where,
                  "tensor " + in_quotes(e.name) + " has " + std::to_string(e.end - e.begin) + " bytes",
                  std::to_string(*need) + ", which is " + std::string(name_of(e.dtype)) + " " + text_of(e.shape),
                  "the file is damaged");
  }
  std::sort(header.entries.begin(), header.entries.end(), [](const Entry& a, const Entry& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end != b.end ? a.end < b.end : a.name < b.name;
  });
  std::uint64_t covered = 0;
  for (const Entry& e : header.entries) {
    if (e.begin < covered)
      throw Error(
          "entrain.checkpoint.23", where,
          "tensor " + in_quotes(e.name) + " begins at byte " + std::to_string(e.begin) + ", inside the previous one",
          "byte " + std::to_string(covered), "the file is damaged");
    if (e.begin > covered)
      throw Error("entrain.checkpoint.24", where,
                  "a gap of " + std::to_string(e.begin - covered) + " bytes before tensor " + in_quotes(e.name),
                  "contiguous tensors from byte 0", "the file is damaged");
    covered = e.end;
  }
  if (covered != data_bytes)
    throw Error("entrain.checkpoint.25", where,
                std::to_string(data_bytes) + " bytes of data, but the tensors end at byte " + std::to_string(covered),
                "the same", covered > data_bytes ? "the file is truncated: copy it again" : "the file is damaged");
}

}  // namespace entrain::checkpoint
