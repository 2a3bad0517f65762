// core > device, precision > tensor > [kernel] > layer
//
// Transitions in the order in which products read them: panels of two packs of results, each panel contiguous. Several
// sentences are multiplied at once, so that a panel is read from memory once for all of them.
#pragma once
#include <algorithm>

#include "entrain/kernel/crf/contract.hpp"
#include "entrain/kernel/softmax/wide_pack.hpp"

namespace entrain::kernel::detail {

/// out[j] = sum_i in[i] e^transition: probabilities.
struct SumProduct {
  template <class T> static Pack<T> zero() { return Pack<T>(T(0)); }
  template <class T> static Pack<T> weight(Pack<T> transition) { return math::exp(transition); }
  template <class T> static Pack<T> join(Pack<T> sum, Pack<T> in, Pack<T> w) { return sum + in * w; }
};
/// out[j] = max_i in[i] + transition: the best path. A candidate that is NaN never wins.
struct MaxPlus {
  template <class T> static Pack<T> zero() { return Pack<T>(-infinity<T>); }
  template <class T> static Pack<T> weight(Pack<T> transition) { return transition; }
  template <class T> static Pack<T> join(Pack<T> best, Pack<T> in, Pack<T> w) {
    const auto candidate = (in + w).v;
    return candidate > best.v ? candidate : best.v;
  }
};

/// The direction in which transitions are read: `along` from tag to next tag, `against` from next tag to tag.
enum class Direction { along, against };

/// The matrix transitions[a, b] - top, with `zero` where Scheme forbids b after a; top is the largest allowed number.
template <class T, class Scheme, class Algebra, Direction direction> struct Panels {
  static constexpr int width = 2 * Pack<T>::size;
  static_assert(CrfRoom<T>::pad % width == 0);

  const T* transitions = nullptr;  // [K, K]
  T* data = nullptr;               // [ceil(K / width)][K][width]
  int labels = 0;
  T top = 0;
  T lowest = 0;  // the smallest allowed transition - top

  template <class D>
  static Panels make(const D& dev, Weight<const T, dynamic_labels, dynamic_labels> w, const CrfRoom<T>& room) {
    Panels p{w.data, room.panels, w.labels, 0, 0};
    const int k = w.labels;
    T* const largest = room.bounds;
    T* const smallest = room.bounds + room.stride;
    dev.rows(k, 64, [&](int first, int last) {
      for (int a = first; a < last; ++a) {
        largest[a] = -infinity<T>;
        smallest[a] = infinity<T>;
        for (int b = 0; b < k; ++b)
          if (text::Allowed<Scheme>::follows(a, b)) {
            largest[a] = std::max(largest[a], p.transition(a, b));
            smallest[a] = std::min(smallest[a], p.transition(a, b));
          }
      }
    });
    p.top = *std::max_element(largest, largest + k);
    p.lowest = *std::min_element(smallest, smallest + k) - p.top;
    dev.parallel((k + width - 1) / width, [&](int panel, int) { p.fill(panel); });
    return p;
  }

  T transition(int a, int b) const { return transitions[static_cast<std::ptrdiff_t>(a) * labels + b]; }
  T number_after(int a, int b) const {
    return text::Allowed<Scheme>::follows(a, b) ? transition(a, b) - top : -infinity<T>;
  }
  /// The transition from `in` to `out`, which are tag and next tag or the other way round.
  T number(int in, int out) const {
    return direction == Direction::along ? number_after(in, out) : number_after(out, in);
  }

  /// e^number from tag a to the tags [b, b + size of a pack), 0 after the last one.
  Pack<T> weights_after(int a, int b) const {
    alignas(64) T numbers[Pack<T>::size];
    for (int lane = 0; lane < Pack<T>::size; ++lane)
      numbers[lane] = b + lane < labels ? number_after(a, b + lane) : -infinity<T>;
    return math::exp(Pack<T>::load(numbers));
  }

  /// out[l] = in[l] times the matrix, for each lane l; lanes are `stride` apart. It also computes up to three lanes
  /// after the last one; their results are not used.
  void multiply(int lanes, const T* in, T* out, int stride) const {
    for (int j = 0; j < labels; j += width) {
      const T* panel = data + static_cast<std::ptrdiff_t>(j) * labels;
      int l = 0;
      for (; l + 1 < lanes; l += 4) four(panel, in + l * stride, out + l * stride + j, stride);  // mutant 119
      if (l < lanes) one(panel, in + l * stride, out + l * stride + j);
    }
  }

  /// log sum_i e^(x[i] + number(i, out)): the result of multiply, without underflow.
  T exact(const T* x, int out) const {
    T largest = -infinity<T>, sum = 0;
    for (int i = 0; i < labels; ++i)
      if (x[i] > -infinity<T>) largest = std::max(largest, x[i] + number(i, out));
    if (!(largest > -infinity<T>)) return largest;
    for (int i = 0; i < labels; ++i)
      if (x[i] > -infinity<T>) sum += math::exp(x[i] + number(i, out) - largest);
    return largest + math::log(sum);
  }

 private:
  void fill(int panel) const {
    T* const to = data + static_cast<std::ptrdiff_t>(panel) * labels * width;
    for (int in = 0; in < labels; ++in) {
      alignas(64) T row[width];  // mutant 120
      for (int lane = 0; lane < width; ++lane) {
        const int out = panel * width + lane;
        row[lane] = out < labels ? number(in, out) : -infinity<T>;
      }
      for (int half = 0; half < width; half += Pack<T>::size)
        Algebra::weight(Pack<T>::load(row + half)).store(to + static_cast<std::ptrdiff_t>(in) * width + half);
    }
  }

  /// Two packs of results of one lane. Named variables below, not arrays of these: at -O2 only those stay in registers.
  struct Sums {
    Pack<T> left = Algebra::template zero<T>(), right = left;
    void join(T x, Pack<T> a, Pack<T> b) {
      // mutant 121
      const Pack<T> all(x - typename Pack<T>::Vector{});  // x - 0 is free; compilers keep x + 0, as it changes -0
      left = Algebra::join(left, all, a);
      right = Algebra::join(right, all, b);
    }
    void store(T* out) const {
      left.store(out);
      right.store(out + Pack<T>::size);
    }
  };
  void one(const T* panel, const T* in, T* out) const {
    Sums sums;
    for (int i = 0; i < labels; ++i, panel += width)
      sums.join(in[i], Pack<T>::load(panel), Pack<T>::load(panel + Pack<T>::size));
    sums.store(out);
  }
  void four(const T* panel, const T* in0, T* out, int stride) const {
    const T* const in1 = in0 + stride;
    const T* const in2 = in1 + stride;
    const T* const in3 = in2 + stride;
    Sums sums0, sums1, sums2, sums3;
    for (int i = 0; i < labels; ++i, panel += width) {
      const Pack<T> a = Pack<T>::load(panel), b = Pack<T>::load(panel + Pack<T>::size);
      sums0.join(in0[i], a, b);
      sums1.join(in1[i], a, b);
      sums2.join(in2[i], a, b);
      sums3.join(in3[i], a, b);
    }
    sums0.store(out);
    sums1.store(out + stride);
    sums2.store(out + 2 * stride);
    sums3.store(out + 3 * stride);
  }
};

}  // namespace entrain::kernel::detail
