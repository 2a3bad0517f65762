// entrain: this task has no type Labels with 'int count() const', the number of labels that its head
// entrain: this task has no 'static constexpr std::string_view name'
// entrain: this task predicts a number for each row and has no 'static void fill_gaps(
// entrain: this task has no Targets, the values that the loss reads: PerRow<const N> or
// entrain: this task has no type Gold, the annotations that a reader yields for the sentences of a corpus
// host only
#include "entrain/cpu.hpp"
#include "tests/refusals/own_task.hpp"
#if !defined(WRONG)
#define WRONG 0
#endif
using namespace entrain;
constexpr TaskMisses misses[]{TaskMisses::nothing,   TaskMisses::labels,  TaskMisses::name,
                              TaskMisses::fill_gaps, TaskMisses::targets, TaskMisses::gold};
struct Head {
  static constexpr std::string_view loss_name = "squared_error";
  static constexpr int in = 8;
  using Task = OwnTask<misses[WRONG]>;
  template <class T> struct Weights {
    static void each(auto&&, auto&) {}
  };
  template <Precision P, class D, Needs G> struct Impl {
    using Values = Weights<const typename P::Weight>;
    using X = Rows<const typename P::Activation, in>;
    struct Saved {};
    static Saved allocate_saved(Arena&, Shape) { return {}; }
    static void forward(const Step<D>&, const Values&, X, Task::Targets, typename P::Sum*, Saved&) {}
    static void backward(const Step<D>&, const Values&, const Saved&, Task::Targets, Rows<typename P::Gradient, in>,
                         const Weights<typename P::Sum>&) {}
    static void decode(const Step<D>&, const Values&, X, Task::Prediction) {}
  };
};
using Window = encode::MaxoutWindow<8, 1, 1, 2>;
using Encoder = layer::Sequence<Window, layer::Dropout<8>>;
using Net = model::Tagger<embed::MultiHash<8, batch::AffixWords, 2>, Encoder, Head>;
using Trainer = train::Trainer<Net, precision::Fp32, device::Cpu<>, optim::AdamW>;
void learn(Trainer& trainer) { trainer.values(); }
