// core > [device], precision > tensor > kernel > layer
//
// The members that a trainer requires of a device, as cpu.hpp and cuda.cuh have them. It checks them first.
#pragma once
#include <concepts>
#include <string_view>

namespace entrain::device {

template <class D>
concept IsDevice = requires {
  { D::name } -> std::convertible_to<std::string_view>;
  { D::in_host_memory } -> std::convertible_to<bool>;
};

/// For static_assert: g++ lists the requirements of a concept line by line, but not those of a variable.
template <class D> inline constexpr bool is_device = IsDevice<D>;

}  // namespace entrain::device
