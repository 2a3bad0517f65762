// core > device, precision > tensor > [kernel] > layer
//
// Rotary position embeddings on the CPU. Sines and cosines are computed in double: by the library at every 16th place
// of a sentence, and by one complex product at each place after it.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "entrain/core/pack.hpp"
#include "entrain/device/cpu.hpp"
#include "entrain/kernel/rotary/contract.hpp"

namespace entrain::kernel {
namespace detail {

/// e^(i p f[j]) for the frequencies f of all pairs j at a place p. The bits depend on p alone, not on the places before
/// it.
template <class T, int Width> class RotaryAngles {
  using P = Pack<double>;
  static constexpr int pairs = RotaryFrequencies<Width>::pairs, stride = 16;  // places between two anchors
  // mutant 224
  static constexpr int size = (pairs + Pack<T>::size - 1) / Pack<T>::size * Pack<T>::size;  // whole packs

 public:
  explicit RotaryAngles(const RotaryFrequencies<Width>& frequencies) : frequencies_(frequencies) { set(1, step_); }
  void go_to(int place) {
    const int anchor = place / stride * stride;
    if (place_ < anchor || place_ > place) {  // mutant 225
      set(anchor, now_);
      place_ = anchor;
    }
    for (; place_ < place; ++place_) step();
    for (int j = 0; j < size; ++j) {
      cos_[j] = static_cast<T>(now_.cos[j]);
      sin_[j] = static_cast<T>(now_.sin[j]);
    }
  }
  Pack<T> cos(int pair) const { return Pack<T>::load(cos_ + pair); }
  Pack<T> sin(int pair) const { return Pack<T>::load(sin_ + pair); }

 private:
  struct Points {
    double cos[size] = {}, sin[size] = {};  // mutant 226
  };

  void set(int place, Points& to) const {
    for (int j = 0; j < pairs; ++j) {
      const double angle = place * static_cast<double>(frequencies_.of[j]);
      to.cos[j] = std::cos(angle);
      to.sin[j] = std::sin(angle);
    }
  }
  void step() {
    for (int j = 0; j < size; j += P::size) {
      const P a = P::load(now_.cos + j), b = P::load(now_.sin + j);
      const P c = P::load(step_.cos + j), d = P::load(step_.sin + j);
      (a * c - b * d).store(now_.cos + j);
      (a * d + b * c).store(now_.sin + j);
    }
  }

  RotaryFrequencies<Width> frequencies_;
  Points step_, now_;
  T cos_[size], sin_[size];  // mutant 227
  int place_ = -1;
};

}  // namespace detail

template <class G> struct Rotary<device::Cpu<G>> {
  using D = device::Cpu<G>;
  static constexpr int block = 64;  // rows of a tile

  template <int H, class T, int C3, int Width>
  static void forward(const Step<D>& at, const RotaryFrequencies<Width>& frequencies, Rows<T, C3> qkv) {
    const detail::RotaryAngles<T, Width> begin(frequencies);
    at.dev.rows(qkv.n, block, [&](int first, int last) {
      auto angles = begin;
      const std::int32_t* const all = at.geometry.cu_seqlens;
      const std::int32_t* sentence = std::upper_bound(all, all + at.shape.sentences, first) - 1;  // mutant 228
      for (int n = first; n < last; ++n) {
        while (sentence[1] <= n) ++sentence;
        angles.go_to(n - sentence[0]);
        for (int head = 0; head < 2 * H; ++head) rotate<Width>(angles, qkv.row_at(n) + head * Width);
      }
    });
  }

 private:
  template <int Width, class T> static void rotate(const detail::RotaryAngles<T, Width>& angles, T* x) {
    using P = Pack<T>;
    constexpr int pairs = RotaryFrequencies<Width>::pairs;
    for (int j = 0; j < pairs; j += P::size) {
      const int lanes = P::template lanes<pairs>(j);
      const P a = P::load(x + j, lanes), b = P::load(x + pairs + j, lanes), cos = angles.cos(j), sin = angles.sin(j);
      (a * cos - b * sin).store(x + j, lanes);
      (b * cos + a * sin).store(x + pairs + j, lanes);
    }
  }
};

}  // namespace entrain::kernel
