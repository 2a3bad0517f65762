// core > device, precision > tensor > [kernel] > layer
//
// A thread has a number, through all the rules that it gets. Sums of squares are cut by size alone, so that their bits
// do not depend on the card.
#pragma once
#include <cstddef>
#include <cstdint>

#include "entrain/device/block.cuh"
#include "entrain/device/cuda.cuh"
#include "entrain/device/launch.cuh"
#include "entrain/kernel/update/contract.hpp"

namespace entrain::kernel {
namespace detail {

inline constexpr int update_threads = 256, square_parts = 128;

/// parts[block] = the squares of a stretch
template <class T> __global__ void __launch_bounds__(update_threads)
    sum_squares(const T* g, std::uint64_t size, Touched touched, double* parts) {
  const std::uint64_t each = (size + square_parts - 1) / square_parts, first = blockIdx.x * each;
  const std::uint64_t last = first + each < size ? first + each : size;
  double sum = 0;
  for (std::uint64_t i = first + threadIdx.x; i < last; i += update_threads) {
    if (touched.stamp != nullptr && touched.stamp[i / touched.cols] != touched.now) continue;
    sum += static_cast<double>(g[i]) * static_cast<double>(g[i]);
  }
  sum = device::block_sum<update_threads>(sum);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}
template <class Sum> __global__ void __launch_bounds__(update_threads) sum_of_parts(const Sum* parts, Sum* total) {
  const Sum sum = device::block_sum<update_threads>(threadIdx.x < square_parts ? parts[threadIdx.x] : Sum(0));
  if (threadIdx.x == 0) *total = sum;
}

/// One number through `steps` rules, that of step `from` first. One function for rows that wait and rows that do not,
/// so that both are rounded alike.
template <class Rule, class T, int Moments>
__device__ __noinline__ void walk(const Rule* rules, std::uint32_t memory, std::uint32_t from, std::uint32_t steps,
                                  const Stretch<T, Moments>& s, std::uint64_t at, T gradient) {
  T value = s.value[at];
  T moment[Moments > 0 ? Moments : 1];
  for (int m = 0; m < Moments; ++m) moment[m] = s.moment[m][at];
  for (std::uint32_t k = 0; k < steps; ++k) rules[(from + k) % memory](value, moment, gradient);
  s.value[at] = value;
  for (int m = 0; m < Moments; ++m) s.moment[m][at] = moment[m];
}

template <class Rule, class T, int Moments> __global__ void __launch_bounds__(update_threads)
    update_numbers(Rule rule, Stretch<T, Moments> s, std::uint64_t size, T scale, Touched touched) {
  const std::uint64_t at = static_cast<std::uint64_t>(blockIdx.x) * update_threads + threadIdx.x;
  if (at >= size) return;
  bool written = true;
  if (touched.stamp != nullptr) {
    const std::uint64_t row = at / touched.cols;
    written = touched.stamp[row] == touched.now;
    if (!written && touched.done != nullptr) return;
    if (touched.done != nullptr && at % touched.cols == 0) touched.done[row] = touched.now;
  }
  walk(&rule, 1, 0, 1, s, at, written ? s.gradient[at] * scale : T(0));
}

template <class Rule, class T, int Moments> __global__ void __launch_bounds__(update_threads)
    catch_up_rows(Rules<Rule> rules, Stretch<T, Moments> s, std::uint64_t cols, const std::uint32_t* done, RowList rows,
                  std::uint32_t upto) {
  const std::uint64_t i = static_cast<std::uint64_t>(blockIdx.x) * update_threads + threadIdx.x;
  if (i >= static_cast<std::uint64_t>(rows.count) * cols) return;
  const auto listed = static_cast<int>(i / cols);
  const auto row = static_cast<std::uint64_t>(rows.ids != nullptr ? rows.ids[listed] : rows.first + listed);
  if (done[row] >= upto) return;
  walk(rules.rule, rules.memory, done[row] + 1, upto - done[row], s, row * cols + i % cols, T(0));
}
template <class Mark> __global__ void __launch_bounds__(update_threads)
    mark_caught_up(Mark* done, RowList rows, std::uint32_t upto) {
  const auto i = static_cast<int>(blockIdx.x * update_threads + threadIdx.x);
  if (i >= rows.count) return;
  Mark& mark = done[rows.ids != nullptr ? rows.ids[i] : rows.first + i];
  mark = mark > upto ? mark : upto;
}

}  // namespace detail

template <class Target> struct Update<device::Cuda<Target>> {
  using D = device::Cuda<Target>;

  template <class T> static double square_sum(const D& dev, const T* g, std::size_t size, Touched touched) {
    double* const parts = reinterpret_cast<double*>(dev.workspace());
    const device::Grid sums{dim3(detail::square_parts), dim3(detail::update_threads),
                            sizeof(device::BlockSum<detail::update_threads>)};
    device::launch(dev.stream(), sums, detail::sum_squares<T>, g, size, touched, parts);
    device::launch(dev.stream(), {dim3(1), sums.threads, sums.shared}, detail::sum_of_parts<double>, parts,
                   parts + detail::square_parts);
    double total = 0;
    dev.download(&total, parts + detail::square_parts, 1);
    return total;
  }
  template <class Rule, class T, int Moments>
  static void run(const D& dev, const Rule& rule, Stretch<T, Moments> s, T scale, Touched touched) {
    device::launch(dev.stream(), grid(s.size), detail::update_numbers<Rule, T, Moments>, rule, s, s.size, scale,
                   touched);
  }
  template <class Rule, class T, int Moments>
  static void catch_up(const D& dev, Rules<Rule> rules, Stretch<T, Moments> s, std::size_t cols, std::uint32_t* done,
                       RowList rows, std::uint32_t upto) {
    const auto count = static_cast<std::size_t>(rows.count);
    device::launch(dev.stream(), grid(count * cols), detail::catch_up_rows<Rule, T, Moments>, rules, s, cols, done,
                   rows, upto);
    device::launch(dev.stream(), grid(count), detail::mark_caught_up<std::uint32_t>, done, rows, upto);
  }

 private:
  static device::Grid grid(std::size_t numbers) {
    return {dim3(static_cast<unsigned>((numbers + detail::update_threads - 1) / detail::update_threads)),
            dim3(detail::update_threads)};
  }
};

}  // namespace entrain::kernel
