// core > device, precision > tensor > [kernel] > layer
#pragma once
#include <algorithm>

#include "entrain/core/pack.hpp"
#include "entrain/device/cpu.hpp"
#include "entrain/kernel/map/contract.hpp"

namespace entrain::kernel {

template <class G> struct Map<device::Cpu<G>> {
  template <class T, int C> static void copy(const device::Cpu<G>& dev, Rows<const T, C> x, Rows<T, C> y) {
    dev.rows(x.n, 256, [&](int first, int last) {
      std::copy_n(x.row_at(first), static_cast<std::size_t>(last - first) * C, y.row_at(first));
    });
  }
  template <class From, class To>
  static void convert(const device::Cpu<G>& dev, const From* x, To* y, std::size_t count) {
    constexpr std::size_t each = 4096;
    dev.rows(static_cast<int>((count + each - 1) / each), 16, [&](int first, int last) {
      const std::size_t end = std::min(count, static_cast<std::size_t>(last) * each);
      // mutant 212
      for (std::size_t i = static_cast<std::size_t>(first) * each; i < end; ++i) y[i] = static_cast<To>(x[i]);
    });
  }
  template <class T, int C> static void add(const device::Cpu<G>& dev, Rows<const T, C> x, Rows<T, C> y) {
    using P = Pack<T>;
    dev.rows(x.n, 256, [&](int first, int last) {
      const T* from = x.row_at(first);
      T* to = y.row_at(first);
      const std::ptrdiff_t size = static_cast<std::ptrdiff_t>(last - first) * C;
      std::ptrdiff_t i = 0;
      for (; i + P::size <= size; i += P::size) (P::load(to + i) + P::load(from + i)).store(to + i);  // mutant 175
      for (; i < size; ++i) to[i] += from[i];
    });
  }
};

}  // namespace entrain::kernel
