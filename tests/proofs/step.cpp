// tests > [proofs]
//
// The training step of the light model, kept apart from everything around it, so that its machine code can be walked
// from here (inlined into the loop, it would have no beginning). And twice what must be found: a layer that asks a
// virtual function, and a layer that switches on the device at run time.
#include "entrain/cpu.hpp"

namespace planted {
using namespace entrain;

// Run-time decisions as other libraries make them. noipa: the compiler may not look inside.
struct Scale {
  virtual ~Scale() = default;
  virtual float of(int row) const = 0;
};
struct Half : Scale {
  float of(int row) const override { return row < 0 ? 0 : 0.5f; }
};
enum class Kind { cpu, cuda, rocm, metal, vulkan, plan };

[[gnu::noipa]] const Scale& scale() {
  static const Half half;
  return half;
}
[[gnu::noipa]] Kind kind() { return Kind::cpu; }
template <int> [[gnu::noipa]] void run_on(float*) {}

struct Asks {
  static void decide(float* x) { *x *= scale().of(1); }
};
struct Switches {
  static void decide(float* x) {
    switch (kind()) {
      case Kind::cpu:
        return run_on<0>(x);
      case Kind::cuda:
        return run_on<1>(x);
      case Kind::rocm:
        return run_on<2>(x);
      case Kind::metal:
        return run_on<3>(x);
      case Kind::vulkan:
        return run_on<4>(x);
      case Kind::plan:
        return run_on<5>(x);
    }
  }
};

/// y = x, and a decision in between.
template <int C, class Decision> struct Decides {
  static constexpr int in = C, out = C;
  template <class T> struct Weights {
    static void each(auto&&, auto&) {}
  };
  template <Precision P, class D, Needs G> struct Impl {
    using A = typename P::Activation;
    struct Saved {};
    static Saved allocate_saved(Arena&, Shape) { return {}; }
    static void forward(const Step<D>& at, const Weights<const typename P::Weight>&, Rows<const A, C> x, Rows<A, C> y,
                        Saved&) {
      kernel::copy(at.dev, x, y);
      if constexpr (!std::is_same_v<D, device::Plan>) Decision::decide(y.row_at(0));
    }
    static void backward(const Step<D>& at, const Weights<const typename P::Weight>&, const Saved&, Rows<const A, C> dy,
                         Rows<A, C> dx, Write, const Weights<typename P::Sum>&) {
      kernel::copy(at.dev, dy, dx);
    }
  };
};

template <class Decision> using Trainer =
    train::Trainer<model::Tagger<embed::MultiHash<16, batch::HashedWords<1, 50>, 2>, Decides<16, Decision>,
                                 head::Softmax<16, text::Bio>>,
                   precision::Fp32, device::Cpu<>, optim::Sgd>;
}  // namespace planted

namespace light {
using namespace entrain;
using Trainer =
    train::Trainer<model::Tagger<embed::MultiHash<96>, encode::MaxoutWindow<96, 4>, head::Crf<96, text::Bioes>>,
                   precision::Fp32, device::Cpu<>, optim::AdamW>;
}  // namespace light

template <class Trainer> using BatchOf = typename Trainer::Batch;

// The beginnings, by name.
extern "C" {
void proof_accumulate(light::Trainer& t, const BatchOf<light::Trainer>& b) { t.accumulate(b, 0.1f); }
void proof_update(light::Trainer& t, const entrain::optim::Knobs& knobs) { t.update(knobs, 1e-3, 1); }
void proof_virtual(planted::Trainer<planted::Asks>& t, const BatchOf<planted::Trainer<planted::Asks>>& b) {
  t.accumulate(b, 0);
}
void proof_switch(planted::Trainer<planted::Switches>& t, const BatchOf<planted::Trainer<planted::Switches>>& b) {
  t.accumulate(b, 0);
}
}

int main() { return entrain::device::Cpu<>(2).threads() == 2 ? 0 : 1; }  // the workers are part of the step
