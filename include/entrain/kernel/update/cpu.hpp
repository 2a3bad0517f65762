// core > device, precision > tensor > [kernel] > layer
#pragma once
#include <algorithm>
#include <array>
#include <cstring>

#include "entrain/core/pack.hpp"
#include "entrain/device/cpu.hpp"
#include "entrain/kernel/update/contract.hpp"

namespace entrain::kernel {

template <class G> struct Update<device::Cpu<G>> {
  using D = device::Cpu<G>;
  static constexpr int parts = 64;  // partial sums, for any number of threads

  template <class T> static double square_sum(const D& dev, const T* g, std::size_t size, Touched touched) {
    std::array<double, parts> part{};
    const bool table = touched.stamp != nullptr;
    const std::size_t units = table ? static_cast<std::size_t>(touched.rows) : size;
    const std::size_t width = table ? touched.cols : 1;
    const std::size_t each = (units + parts - 1) / parts;  // mutant 191
    dev.parallel(parts, [&](int index, int) {
      const std::size_t first = std::min(units, static_cast<std::size_t>(index) * each);
      const std::size_t last = std::min(units, first + each);
      double sum = 0;
      if (table) {
        for (std::size_t r = first; r < last; ++r)
          if (touched.stamp[r] == touched.now) sum += squares(g + r * width, width);
      } else {
        sum = squares(g + first, last - first);
      }
      part[static_cast<std::size_t>(index)] = sum;
    });
    for (int half = parts / 2; half > 0; half /= 2)
      for (int i = 0; i < half; ++i) part[static_cast<std::size_t>(i)] += part[static_cast<std::size_t>(i + half)];
    return part[0];
  }

  template <class Rule, class T, int Moments>
  static void run(const D& dev, const Rule& rule, ParameterRange<T, Moments> s, T scale, Touched touched) {
    const Rules<Rule> now{&rule, 1};
    if (touched.stamp == nullptr) {
      constexpr std::size_t block = 8192;
      dev.parallel(static_cast<int>((s.size + block - 1) / block), [&](int index, int) {  // mutant 192
        const std::size_t first = static_cast<std::size_t>(index) * block;
        walk(now, 0, 1, s, &scale, first, std::min(s.size, first + block));  // mutant 193
      });
    } else {
      constexpr int block = 64;
      dev.rows(touched.rows, block, [&](int first, int last) {
        for (int r = first; r < last; ++r) {
          const bool written = touched.stamp[r] == touched.now;
          if (!written && touched.done != nullptr) continue;
          if (touched.done != nullptr) touched.done[r] = touched.now;
          const std::size_t at = static_cast<std::size_t>(r) * touched.cols;
          walk(now, 0, 1, s, written ? &scale : nullptr, at, at + touched.cols);
        }
      });
    }
  }

  /// Makes each part of the copy while the part's numbers are in the cache.
  template <class Rule, class T, int Moments, class Copy> static void run(const D& dev, const Rule& rule,
                                                                          ParameterRange<T, Moments> s, T scale,
                                                                          const Copy& copy, std::byte* to) {
    if (!copy.is_made()) return run(dev, rule, s, scale, Touched{});
    const std::size_t part = s.size / static_cast<std::size_t>(copy.parts());
    dev.parallel(copy.parts(), [&](int index, int) {
      const std::size_t first = static_cast<std::size_t>(index) * part;
      walk(Rules<Rule>{&rule, 1}, 0, 1, s, &scale, first, first + part);
      copy.make(index, s.value, to);
    });
  }

  template <class Rule, class Rows, class T, int Moments>
  static void catch_up(const D& dev, Rules<Rule> rules, const WaitingRows<Rows, T, Moments>* tables, int count,
                       std::uint32_t upto) {
    constexpr int block = 16;
    for (int k = 0; k < count; ++k) {
      const auto& [table, width, done, list] = tables[k];
      const RowList rows = list.at(upto);
      dev.rows(rows.count, block, [&, cols = static_cast<std::size_t>(width)](int first, int last) {
        for (int i = first; i < last; ++i) {
          const int r = rows[i];
          if (done[r] >= upto) continue;
          const std::size_t at = static_cast<std::size_t>(r) * cols;
          walk(rules, done[r] + 1, upto - done[r], table, static_cast<const T*>(nullptr), at, at + cols);
          done[r] = upto;
        }
      });
    }
  }

 private:
  template <class T> static double squares(const T* g, std::size_t n) {
    using P = Pack<double>;
    typedef T Few __attribute__((vector_size(P::size * sizeof(T))));
    P sum[2] = {P(0.0), P(0.0)};
    std::size_t i = 0;
    for (; i + 2 * P::size <= n; i += 2 * P::size)  // mutant 194
      for (int k = 0; k < 2; ++k) {
        Few few;
        std::memcpy(&few, g + i + static_cast<std::size_t>(k) * P::size, sizeof few);
        const P wide(__builtin_convertvector(few, typename P::Vector));
        sum[k] += wide * wide;
      }
    double rest = 0;
    for (; i < n; ++i) rest += static_cast<double>(g[i]) * static_cast<double>(g[i]);
    return (sum[0] + sum[1]).sum() + rest;
  }

  /// Applies `steps` rules to numbers [first, last), beginning with the rule of step `from`; with gradient * *scale, or
  /// without a scale with gradient 0. Stale and current rows share one function, because a compiler may round a formula
  /// in a different way (fused or not) in a second copy of it.
  template <class Rule, class T, int Moments>
  [[gnu::noinline]] static void walk(Rules<Rule> rules, std::uint32_t from, std::uint32_t steps,
                                     const ParameterRange<T, Moments>& s, const T* scale, std::size_t first,
                                     std::size_t last) {
    using P = Pack<T>;
    for (std::size_t i = first; i < last; i += P::size) {                           // mutant 195
      const int lanes = last - i < P::size ? static_cast<int>(last - i) : P::size;  // mutant 196
      P value = P::load(s.value + i, lanes);
      P moment[Moments > 0 ? Moments : 1];
      for (int m = 0; m < Moments; ++m) moment[m] = P::load(s.moment[m] + i, lanes);
      const P gradient = scale != nullptr ? P::load(s.gradient + i, lanes) * P(*scale) : P(T(0));
      for (std::uint32_t k = 0; k < steps; ++k) rules.rule[(from + k) % rules.memory](value, moment, gradient);
      value.store(s.value + i, lanes);
      for (int m = 0; m < Moments; ++m) moment[m].store(s.moment[m] + i, lanes);
    }
  }
};

}  // namespace entrain::kernel
