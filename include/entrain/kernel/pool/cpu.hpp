// core > device, precision > tensor > [kernel] > layer
#pragma once
#include <algorithm>
#include <type_traits>

#include "entrain/core/pack.hpp"
#include "entrain/device/cpu.hpp"
#include "entrain/kernel/pool/contract.hpp"

namespace entrain::kernel {

template <class G> struct Pool<device::Cpu<G>> {
  using D = device::Cpu<G>;
  static constexpr int block = 8;  // sentences of a tile

  template <class By, class T, int C>
  static void forward(const Step<D>& at, Rows<const T, C> x, Rows<T, C> y, std::int32_t* from) {
    each_sentence(at, [&](int s, int begin, int end) {
      T* const to = y.row_at(s);
      if (begin == end) {
        std::fill_n(to, C, T(0));
        if constexpr (By::remembers_rows) std::fill_n(from + std::ptrdiff_t(s) * C, C, -1);
      } else if constexpr (std::is_same_v<By, pool::First>) {
        std::copy_n(x.row_at(begin), C, to);
      } else if constexpr (std::is_same_v<By, pool::Mean>) {
        mean(x, begin, end, to);
      } else {
        max(x, begin, end, to, from + std::ptrdiff_t(s) * C);
      }
    });
  }

  template <class By, class T, int C>
  static void backward(const Step<D>& at, Rows<const T, C> dy, const std::int32_t* from, Rows<T, C> dx) {
    each_sentence(at, [&](int s, int begin, int end) {
      const T* const d = dy.row_at(s);
      if constexpr (std::is_same_v<By, pool::Mean>) {
        if (begin == end) return;
        T* const first = dx.row_at(begin);
        const T share = T(1) / static_cast<T>(end - begin);
        for (int c = 0; c < C; ++c) first[c] = d[c] * share;
        for (int n = begin + 1; n < end; ++n) std::copy_n(first, C, dx.row_at(n));
      } else {
        for (int n = begin; n < end; ++n) std::fill_n(dx.row_at(n), C, T(0));
        if (begin == end) return;
        if constexpr (std::is_same_v<By, pool::First>) {
          std::copy_n(d, C, dx.row_at(begin));
        } else {
          for (int c = 0; c < C; ++c) dx(from[std::ptrdiff_t(s) * C + c], c) = d[c];
        }
      }
    });
  }

 private:
  static void each_sentence(const Step<D>& at, auto&& f) {
    const std::int32_t* const cu_seqlens = at.geometry.cu_seqlens;
    at.dev.rows(at.shape.sentences, block, [&](int first, int last) {
      for (int s = first; s < last; ++s) f(s, cu_seqlens[s], cu_seqlens[s + 1]);
    });
  }
  template <class T, int C> static void mean(Rows<const T, C> x, int begin, int end, T* to) {
    using P = Pack<T>;
    const P share(T(1) / static_cast<T>(end - begin));
    for (int c = 0; c < C; c += P::size) {
      const int lanes = P::template lanes<C>(c);
      P sum(T(0));
      for (int n = begin; n < end; ++n) sum += P::load(x.row_at(n) + c, lanes);
      (sum * share).store(to + c, lanes);
    }
  }
  template <class T, int C> static void max(Rows<const T, C> x, int begin, int end, T* to, std::int32_t* from) {
    std::copy_n(x.row_at(begin), C, to);
    std::fill_n(from, C, begin);
    for (int n = begin + 1; n < end; ++n)
      for (int c = 0; c < C; ++c)
        if (const T value = x(n, c); value > to[c] || value != value) {
          to[c] = value;
          from[c] = n;
        }
  }
};

}  // namespace entrain::kernel
