// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// A model's parameters in device memory, in each type in which a reader needs them, and the optimizer's state for them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "entrain/kernel/gemm/contract.hpp"
#include "entrain/kernel/map/contract.hpp"
#include "entrain/optim/step.hpp"
#include "entrain/precision/policies.hpp"
#include "entrain/tensor/flat.hpp"
#include "entrain/train/loop/initial.hpp"

namespace entrain::train {

/// All buffers are flat, by one layout. Values are P::Master; layers read P::Weight, which is the same memory if the
/// type is the same. Gradients are P::Sum.
template <class Optimizer, Precision P, class D> class Parameters {
 public:
  using Number = typename P::Master;
  using Weight = typename P::Weight;
  using Sum = typename P::Sum;
  static_assert(std::is_same_v<MasterOf<Weight>, Number> && std::is_same_v<Sum, Number>,
                "entrain: a precision's Sum and Master must be the same type: float for 16-bit weights, otherwise the "
                "weights' type.");

  /// Allocates memory only; `initialise` fills it.
  explicit Parameters(const Layout& layout)
      : size_(layout.size),
        values_(layout.size),
        weights_(narrows ? layout.size : 0),
        best_weights_(narrows && averages ? layout.size : 0),
        copies_(copies ? layout.factors * sizeof(Number) : 0),
        gradients_(layout.gradients),
        stamps_(layout.stamps) {
    for (int m = 0; m < Optimizer::moments; ++m)
      moments_[m] = Buffer<Number>(m < Optimizer::moments - averages ? layout.gradients : layout.size);
  }
  void initialise(const D& dev, const Layout& layout, std::uint64_t seed) {
    Number* const first = values(dev);
    for (const Span& s : layout.spans) train::initialise(s, first + s.offset, seed);
    start_average(dev);
  }

  /// The weights that layers read in training, [layout.size]. After go_on, copies are made here; after a step,
  /// the optimizer has made them.
  Values<Weight> weights(const D& dev, const Layout& layout) {
    if constexpr (narrows) {
      return {weights_.data(), values_.data()};
    } else if constexpr (copies) {
      if (std::exchange(stale_copies_, false)) make_copies(dev, layout);
      return {values_.data(), values_.data(), false, copies_.data()};
    } else {
      return {values_.data(), values_.data()};
    }
  }
  /// The weights that layers read in evaluation, after `step` steps: an average is converted to the narrower type once
  /// after each step.
  Values<Weight> best_weights(const D& dev, const Layout& layout, std::uint32_t step) {
    if constexpr (!averages) {
      return weights(dev, layout);
    } else if constexpr (narrows) {
      if (std::exchange(narrowed_, step) != step) kernel::convert(dev, best().data(), best_weights_.data(), size_);
      return {best_weights_.data(), best().data()};
    } else {
      return {best().data(), best().data()};
    }
  }
  Sum* gradients() { return gradients_.data(); }
  std::uint32_t* stamps() { return stamps_.data(); }
  /// For optim::step. done: as optim::LazyRowUpdates
  optim::BuffersOf<Optimizer, Number, Weight> buffers(std::uint32_t* done) {
    optim::BuffersOf<Optimizer, Number, Weight> b{values_.data(), gradients_.data(), stamps_.data(), {},
                                                  done,           weights_.data(),   copies_.data()};
    for (int m = 0; m < Optimizer::moments; ++m) b.moment[m] = moments_[m].data();
    return b;
  }

  /// In host memory, until the next call; a caller that writes values() calls start_average() then.
  Number* values(const D& dev) { return on_host(dev, values_); }
  const Number* best(const D& dev) { return on_host(dev, best()); }
  /// Call this after writing values(): training continues from them, and a moving average starts there.
  void start_average(const D& dev) {
    if constexpr (!D::in_host_memory) dev.upload(values_.data(), host_.data(), size_);
    if constexpr (averages) dev.copy(best().data(), values_.data(), size_);
    go_on(dev);
  }

  /// f(name, buffer on the device) for each buffer of the resume state; call go_on() after writing them.
  template <class F> void each_state(F&& f) {
    f("values", values_);
    for (int m = 0; m < Optimizer::moments; ++m) f("moment." + std::to_string(m), moments_[m]);
  }
  void go_on(const D& dev) {
    if constexpr (narrows) kernel::convert(dev, values_.data(), weights_.data(), size_);
    narrowed_ = never;
    stale_copies_ = true;
  }

 private:
  static constexpr bool narrows = !std::is_same_v<Weight, Number>, averages = optim::averages<Optimizer>,
                        copies = kernel::copies_weights<D, Number>;
  static constexpr std::uint32_t never = ~std::uint32_t(0);
  template <class T> using Buffer = typename D::template Buffer<T>;

  [[gnu::cold]] void make_copies(const D& dev, const Layout& layout) {
    for (const Span& s : layout.spans) {
      if (!s.factor) continue;
      const typename kernel::Gemm<D>::Copy copy(s.rows, s.cols);
      std::byte* const to = copies_.data() + s.factor_offset * sizeof(Number);
      if (copy.is_made())
        dev.parallel(copy.parts(), [&](int part, int) { copy.make(part, values_.data() + s.offset, to); });
    }
  }
  Buffer<Number>& best() {
    if constexpr (averages) {
      return moments_[Optimizer::moments - 1];
    } else {
      return values_;
    }
  }
  Number* on_host(const D& dev, Buffer<Number>& numbers) {
    if constexpr (D::in_host_memory) {
      return numbers.data();
    } else {
      host_.resize(size_);
      dev.download(host_.data(), numbers.data(), size_);
      return host_.data();
    }
  }

  std::size_t size_;
  Buffer<Number> values_;
  Buffer<Weight> weights_, best_weights_;  // if layers read another type than Number
  Buffer<std::byte> copies_;               // of weights, which the device's products read (kernel/gemm/weight_copy.hpp)
  bool stale_copies_ = true;
  Buffer<Sum> gradients_;
  Buffer<std::uint32_t> stamps_;
  Buffer<Number> moments_[Optimizer::moments];
  std::vector<Number> host_;        // if the device's memory is not the host's
  std::uint32_t narrowed_ = never;  // the step of best_weights_
};

}  // namespace entrain::train
