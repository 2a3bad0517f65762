// bench: a kernel's time compared with the limits of the card. Each repeat times a copy, a big product and the kernel
// in turn, so that changes of the card affect all alike. A row of figures is a line of JSON.
#pragma once
#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "bench/gpu/operands.cuh"
#include "bench/gpu/stopwatch.cuh"
#include "entrain/kernel/gemm/cuda.cuh"

namespace bench {

inline double median(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  return x.size() % 2 == 1 ? x[x.size() / 2] : (x[x.size() / 2 - 1] + x[x.size() / 2]) / 2;
}

/// The bytes that a call must move and the operations that it must compute at least, by a formula of its shapes:
/// without help of caches, each byte read once.
struct Work {
  std::string kernel, shape;
  double bytes = 0, flops = 0;
};

class Rooflines {
 public:
  static constexpr int repeats = 5;
  static constexpr double attainable = 790e12;  // dense bf16 products of an H100 or H200, operations a second

  /// left_out: number of rows at the beginning that are not measured. only: rows whose name lacks it are not measured
  explicit Rooflines(const Gpu& dev, int left_out = 0, std::string only = {})
      : dev(dev), left_out_(left_out), only_(std::move(only)), watch_(dev), operands_(dev) {
    const auto count = static_cast<std::size_t>(side) * side;
    x_ = {operands_.random<entrain::bf16>(count), side};
    y_ = {operands_.zeros<entrain::bf16>(count), side};
    w_ = {operands_.random<entrain::bf16>(count)};
    product();
    dev.finish();
  }

  /// settle() is called after each repeat, while the watch does not run. most: calls in a repeat
  template <class F, class Settle> void row(const Work& work, F&& f, Settle&& settle, int most = 200) {
    if (left_out_-- > 0 || (work.kernel + ", " + work.shape).find(only_) == std::string::npos) return;
    for (int i = 0; i < 2; ++i) f();
    settle();
    const double once = watch_.ms(1, f);
    settle();
    const int times = tiny ? 1 : std::clamp(static_cast<int>(5 / std::max(once, 1e-3)), std::min(3, most), most);
    std::vector<double> us, of_copy, of_peak, of_product;
    for (int i = 0; i < (tiny ? 1 : repeats); ++i) {
      const double copied = 2.0 * Stopwatch::copied / watch_.ms(tiny ? 1 : 4, [&] { watch_.copy(); });  // a millisecond
      const double multiplied = work.flops > 0 ? 2.0 * side * side * side / watch_.ms(1, [&] { product(); }) : 1.0;
      const double ms = watch_.ms(times, f);
      settle();
      us.push_back(1e3 * ms);
      of_copy.push_back(work.bytes / ms / copied);
      of_product.push_back(work.flops / ms / multiplied);
      of_peak.push_back(1e3 * work.flops / ms / attainable);
    }
    const double mid = median(us);
    std::printf(
        "{\"kernel\": \"%s\", \"shape\": \"%s\", \"us\": %.3f, \"us_least\": %.3f, \"us_most\": %.3f, \"repeats\": "
        "%zu, "
        "\"calls\": %d, \"bytes\": %.0f, \"flops\": %.0f, \"gb_per_second\": %.1f, \"share_of_copy\": %.4f",
        work.kernel.c_str(), work.shape.c_str(), mid, *std::min_element(us.begin(), us.end()),
        *std::max_element(us.begin(), us.end()), us.size(), times, work.bytes, work.flops, work.bytes / mid / 1e3,
        median(of_copy));
    if (work.flops > 0)
      std::printf(", \"tflop_per_second\": %.2f, \"share_of_790_tflop\": %.4f, \"share_of_big_product\": %.4f",
                  work.flops / mid / 1e6, median(of_peak), median(of_product));
    std::printf("}\n");
    std::fflush(stdout);
  }
  template <class F> void row(const Work& work, F&& f) {
    row(work, f, [] {});
  }

  const Gpu& dev;
  Stopwatch& watch() { return watch_; }
  static constexpr int side = tiny ? 16 : 8192;
  /// The product that shares refer to: square, in bf16.
  void product() { entrain::kernel::gemm(dev, x_, w_, y_); }

 private:
  using Square = entrain::Rows<entrain::bf16, side>;
  int left_out_;
  std::string only_;
  Stopwatch watch_;
  Operands operands_;
  Square x_, y_;
  entrain::Weight<const entrain::bf16, side, side> w_;
};

inline std::string by(int rows, int columns) { return std::to_string(rows) + "x" + std::to_string(columns); }

}  // namespace bench
