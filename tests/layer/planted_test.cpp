// tests > [layer]
//
// tests/check_layer.hpp notices two mistakes of a layer: one that does not set the rows of what it saves, and one that
// writes the gradient of its input although nothing needs it.
#include <doctest/doctest.h>

#include "entrain/kernel/bias/cpu.hpp"
#include "entrain/kernel/gemm/cpu.hpp"
#include "entrain/kernel/map/cpu.hpp"
#include "entrain/layer/linear.hpp"
#include "tests/check_layer.hpp"

namespace planted_layers_test {
using namespace entrain;

/// A Linear that also saves its result. SetsRows, AsksFirst: without the mistakes.
template <bool SetsRows, bool AsksFirst> struct Kept {
  static constexpr int in = 6, out = 4, reach = 0;
  template <class T> using Weights = typename layer::Linear<in, out>::template Weights<T>;

  template <Precision P, class D, Needs G> struct Impl {
    using A = typename P::Activation;
    using Grad = typename P::Gradient;
    struct Saved {
      Rows<const A, in> x;
      Rows<A, out> h;
    };
    static Saved allocate_saved(Arena& arena, Shape shape) { return {{}, take_rows<A, out>(arena, shape.rows)}; }

    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, in> x,
                        Rows<A, out> y, Saved& saved) {
      if (SetsRows) saved.h.n = x.n;
      kernel::gemm_bias(at.dev, x, w.weight, w.bias, saved.h);
      kernel::copy(at.dev, Rows<const A, out>(saved.h), y);
      saved.x = x;
    }
    static void backward(const Step<D>& step, const Weights<const typename P::Weight>& w, const Saved& saved,
                         Rows<const Grad, out> dy, Rows<Grad, in> dx, Write how, const Weights<typename P::Sum>& g) {
      constexpr Needs writes{G.params, G.input || !AsksFirst};
      layer::linear_back<writes>(BackwardStep(step), dy, saved.x, w, dx, how, g);
    }
  };
};

TEST_CASE("the test of layers notices rows of saved values that were not set, and a gradient that nothing needs") {
  const device::Cpu<> dev(1);
  const test::Sentences sentences({3, 1, 4});
  const auto noticed = [&](const test::GradientReport& r) {
    return r.beyond || r.unwritten || !r.adds || !(r.worst < 1e-7);
  };
  CHECK(!noticed(test::check_gradients<Kept<true, true>>(dev, sentences)));
  CHECK(noticed(test::check_gradients<Kept<false, true>>(dev, sentences)));
  CHECK(test::leaves_input<Kept<true, true>>(dev, sentences));
  CHECK(!test::leaves_input<Kept<true, false>>(dev, sentences));
}

}  // namespace planted_layers_test
