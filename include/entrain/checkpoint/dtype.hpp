// text > batch > embed > encode > head > optim > [checkpoint]
//
// The number types that a safetensors file can hold.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace entrain::checkpoint {

/// In the order of the format, narrow types first; files keep wide tensors first, so that each stays aligned.
enum class Dtype : std::uint8_t {
  boolean,
  u8,
  i8,
  f8_e5m2,
  f8_e4m3,
  i16,
  u16,
  f16,
  bf16,
  i32,
  u32,
  f32,
  f64,
  i64,
  u64
};

namespace detail {
struct DtypeFacts {
  std::string_view name;
  std::size_t bytes;
};
inline constexpr std::array<DtypeFacts, 15> dtypes{{{"BOOL", 1},
                                                    {"U8", 1},
                                                    {"I8", 1},
                                                    {"F8_E5M2", 1},
                                                    {"F8_E4M3", 1},
                                                    {"I16", 2},
                                                    {"U16", 2},
                                                    {"F16", 2},
                                                    {"BF16", 2},
                                                    {"I32", 4},
                                                    {"U32", 4},
                                                    {"F32", 4},
                                                    {"F64", 8},
                                                    {"I64", 8},
                                                    {"U64", 8}}};
}  // namespace detail

constexpr std::string_view name_of(Dtype d) { return detail::dtypes[static_cast<std::size_t>(d)].name; }
constexpr std::size_t bytes_of(Dtype d) { return detail::dtypes[static_cast<std::size_t>(d)].bytes; }

constexpr std::optional<Dtype> dtype_named(std::string_view name) {
  for (std::size_t i = 0; i < detail::dtypes.size(); ++i)
    if (detail::dtypes[i].name == name) return static_cast<Dtype>(i);
  return std::nullopt;
}

/// The Dtype of a C++ type. Storage types that are classes (bf16, half) specialise it.
template <class T> struct DtypeOf;
template <> struct DtypeOf<bool> { static constexpr Dtype value = Dtype::boolean; };
template <> struct DtypeOf<std::uint8_t> { static constexpr Dtype value = Dtype::u8; };
template <> struct DtypeOf<std::int8_t> { static constexpr Dtype value = Dtype::i8; };
template <> struct DtypeOf<std::int16_t> { static constexpr Dtype value = Dtype::i16; };
template <> struct DtypeOf<std::uint16_t> { static constexpr Dtype value = Dtype::u16; };
template <> struct DtypeOf<std::int32_t> { static constexpr Dtype value = Dtype::i32; };
template <> struct DtypeOf<std::uint32_t> { static constexpr Dtype value = Dtype::u32; };
template <> struct DtypeOf<float> { static constexpr Dtype value = Dtype::f32; };
template <> struct DtypeOf<double> { static constexpr Dtype value = Dtype::f64; };
template <> struct DtypeOf<std::int64_t> { static constexpr Dtype value = Dtype::i64; };
template <> struct DtypeOf<std::uint64_t> { static constexpr Dtype value = Dtype::u64; };

}  // namespace entrain::checkpoint
