// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// Runs a composition: memory is allocated once, then it takes micro-batches and makes steps. No run-time value decides
// what a type could decide.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "entrain/batch/pack/packer.hpp"
#include "entrain/batch/transfer/download.hpp"
#include "entrain/batch/transfer/resident.hpp"
#include "entrain/batch/transfer/upload.hpp"
#include "entrain/device/reading.hpp"
#include "entrain/device/step.hpp"
#include "entrain/kernel/gemm/contract.hpp"  // Multiplies
#include "entrain/optim/async_optimizer.hpp"
#include "entrain/optim/lazy_row_updates.hpp"
#include "entrain/optim/update_schedule.hpp"
#include "entrain/precision/policies.hpp"
#include "entrain/task/old_scheme.hpp"
#include "entrain/tensor/flat.hpp"
#include "entrain/train/loop/contract.hpp"
#include "entrain/train/loop/decodes_batches.hpp"
#include "entrain/train/loop/memory_plan.hpp"
#include "entrain/train/loop/parameters.hpp"
#include "entrain/train/loop/plan.hpp"

namespace entrain::train {

/// Model       what is trained (model/)             P   the number types (precision/)
/// D           where it runs (device/)              Optimizer   how gradients update values (optim/)
/// Batches     how batches come there (batch/transfer/resident.hpp): the host packs and sends them, or a GPU makes them
/// from a
///             corpus that it holds
template <class Model, class P, class D, class Optimizer, class Batches = batch::Streamed> class Trainer {
  static_assert(trainer_contract<Model, P, D, Optimizer>());
};

/// For valid arguments: the template above names the fault of others.
template <IsModel ModelType, Precision P, device::IsDevice DeviceType, optim::IsOptimizer Optimizer, class BatchesType>
class Trainer<ModelType, P, DeviceType, Optimizer, BatchesType>
    : public task::OldScheme<typename ModelType::Task>,
      public DecodesBatches<Trainer<ModelType, P, DeviceType, Optimizer, BatchesType>, ModelType, P,
                            typename DeviceOf<DeviceType, P>::type> {
  using D = typename DeviceOf<DeviceType, P>::type;
  friend DecodesBatches<Trainer, ModelType, P, D>;

 public:
  static_assert(computes<D, P>,
                "entrain: this device cannot compute in this precision; device::Cpu computes in precision::Fp32 and "
                "precision::Fp64, device::Cuda in Fp32, Tf32, Bf16Mixed and Fp16Mixed. Products in bf16 on the "
                "CPU: precision::Fp32 on device::Cpu<kernel::FastBf16Gemm>, from entrain/cpu_transformer.hpp. A device "
                "of your own states it in 'computes'; see docs/extending/device.md.");
  static_assert(kernel::Multiplies<D>::value);
  static_assert(
      has_numbers<D, typename P::Activation>,
      "entrain: this GPU does not compute in bf16, which needs device::Sm80 or newer; use precision::Fp16Mixed "
      "or precision::Fp32.");
  // The class refuses a missing kernel, not its first call: g++ prints fewer lines before the sentence.
  static_assert(sizeof(typename ModelType::template Impl<P, D>) > 0);
  using Model = ModelType;
  using Policy = P;
  using Device = D;
  using Features = typename Model::Features;
  using Batches = BatchesType;
  using Task = typename Model::Task;
  using Labels = typename Task::Labels;
  using Predicted = typename Task::Prediction::Number;
  using Batch = batch::Batch<Features>;
  using Number = typename P::Master;
  using Weight = typename P::Weight;
  using Sum = typename P::Sum;
  using OptimizerType = Optimizer;
  using Schedule = typename optim::ScheduleOf<Optimizer>::type;
  static constexpr std::string_view precision = P::name, optimizer = Optimizer::name, schedule = Schedule::name;
  static constexpr bool averages = optim::averages<Optimizer>;

  /// The memory that a trainer would take; corpus: bytes of the corpus that it holds, as batch::corpus_bytes<Batches>.
  [[gnu::cold]] static MemoryPlan planned(int labels, int rows, std::size_t corpus = 0) {
    return train::memory_plan<Model, P, D, Optimizer, Batches>(layout_of<Model>(labels), labels, rows, corpus);
  }

  /// rows: the largest batch that will come. All memory of training and decoding is allocated here, except for a
  /// corpus.
  [[gnu::cold]] Trainer(const D& dev, Labels labels, int rows, std::uint64_t seed)
      : dev_(dev),
        labels_(std::move(labels)),
        layout_(layout_of<Model>(labels_.count())),
        plan_(train::memory_plan<Model, P, D, Optimizer, Batches>(layout_, labels_.count(), rows)),
        parameters_(layout_),
        lazy_updates_(layout_),
        optimizer_(dev, layout_),
        update_schedule_(dev, layout_),
        memory_(plan_.cost.arena),
        upload_(rows),
        corpus_(rows),
        class_weights_(static_cast<std::size_t>(labels_.count())),
        decoded_(rows, labels_.count()) {
    counters_.seed = seed;
    parameters_.initialise(dev, layout_, seed);
    arena_ = {memory_.data(), memory_.size()};
  }

  template <class Other>
  requires(!std::is_convertible_v<Other, Labels> && LabelsMeet<Other, Labels>::value)
      Trainer(const D&, Other, int, std::uint64_t)
  = delete;
  template <class Other>
  requires(DevicesMeet<Other, D>::value) Trainer(const Other&, Labels, int, std::uint64_t)
  = delete;
  template <class Temporary>
  requires(std::is_same_v<Temporary, D>&& DeviceOutlives<Temporary>::value)
      Trainer(Temporary&&, Labels, int, std::uint64_t)
  = delete;

  // training

  /// Sets the parameters of the head's loss (core/loss.hpp). class_weights: empty, or one a label; then batches are
  /// packed with them.
  ///
  /// throws    entrain.train.30: class_weights of another number
  void shape_loss(double label_smoothing_factor, double focal_gamma, std::span<const float> class_weights = {}) {
    one_a_label(class_weights);
    learn();
    dev_.upload(class_weights_.data(), class_weights.data(), class_weights.size());
    counters_.loss = {static_cast<float>(label_smoothing_factor), static_cast<float>(focal_gamma),
                      class_weights.empty() ? nullptr : class_weights_.data()};
  }

  /// Forward and backward of one micro-batch; gradients add until `update`. A device with a queue gets the work at the
  /// next call, so that a step's last micro-batch and its update are one piece of work.
  void accumulate(const Batch& packed, float dropout) requires(!Batches::resident) {
    accumulate(packed.target_weight, dropout, [&] { return upload_(dev_, packed, counters_); });
  }

  /// For batch::Resident: sets the training corpus. Its memory is allocated here, and is part of the plan.
  ///
  /// class_weights: as shape_loss            throws    entrain.batch.3: it does not fit on the device
  ///                                                   entrain.train.30: class_weights of another number
  [[gnu::cold]] void hold(const batch::Encoded<Features>& corpus,
                          std::span<const float> class_weights = {}) requires(Batches::resident) {
    one_a_label(class_weights);
    learn();
    corpus_.hold(dev_, corpus, class_weights);
    plan_ = planned(labels_.count(), plan_.rows, corpus_.bytes());
  }
  /// The same micro-batch as accumulate's with a packed one, from sentences of the corpus by their numbers.
  ///
  /// returns   its rows                       throws    entrain.batch.4 to .6, as batch::DeviceCorpus
  int accumulate(std::span<const std::uint32_t> sentences, float dropout,
                 const batch::WordDropout& unknown = {}) requires(Batches::resident) {
    const batch::Ordered order = corpus_.order(sentences, unknown);
    accumulate(order.target_weight, dropout, [&] { return corpus_.send(dev_, labels_.count(), counters_); });
    return order.rows;
  }

  /// One optimization step on the gradients since the last one: p <- rule(p, g), as optim::step writes it.
  ///
  /// throws    entrain.train.31: there was no micro-batch since the last step
  ///           what optim::step throws for numbers that are not finite. The step and its gradients are then dropped
  void update(const optim::Knobs& knobs, double learning_rate, double max_grad_norm) {
    if (counters_.micro_batch == 0)
      throw Error("entrain.train.31", "Trainer::update", "no micro-batch since the last update", "at least one",
                  "call accumulate before each update");
    const optim::Order order{knobs, learning_rate, counters_.step + 1, targets_ > 0 ? targets_ : 1, max_grad_norm};
    if (!waiting_.there) finish();
    const auto& sent = optimizer_.send(dev_, layout_, order);
    const auto work = [&] {
      if (waiting_.there) learn(waiting_.sent, waiting_.grads, update_schedule_.hooks(optimizer_, buffers(), sent));
      update_schedule_.step(dev_, layout_, optimizer_, lazy_updates_, buffers(), sent);
    };
    try {
      replay_(
          dev_, [&]() -> auto& { return key(sent); }, work);
    } catch (...) {
      drop_gradients();
      throw;
    }
    if (std::exchange(waiting_.there, false)) learned().queued(dev_);
    update_schedule_.queued(true);
    optimizer_.queued(dev_);
    ++counters_.step;
    counters_.micro_batch = 0;
    targets_ = 0;
  }

  /// The largest number of steps whose results the host may not have: it does not wait for a device with a queue.
  static constexpr std::uint32_t under_way =
      optim::OptimizerState<Optimizer, D, Number, typename P::Weight, typename P::Scale>::under_way;
  /// f(optim::StepResult) for each step that was not reported before, in order: those that are finished, or for_all.
  template <class F> void results(F&& f, optim::Wait wait = optim::Wait::for_none) {
    optimizer_.results(dev_, layout_, f, wait);
  }
  /// How many pieces of work are launched as graphs.
  std::size_t graphs() const { return replay_.graphs(); }
  /// How the device's time was spent since training began, except for work that is still queued. Decoding is not
  /// included.
  device::TimeSpent time_spent() {
    device::TimeSpent u = replay_.time_spent();
    u.copying = upload_.seconds() + corpus_.seconds();
    return u;
  }
  /// The result of the latest step, when it is finished. Earlier steps are not reported any more.
  optim::StepResult result() {
    optim::StepResult latest;
    results([&](const optim::StepResult& r) { latest = r; }, optim::Wait::for_all);
    return latest;
  }

  /// For a precision that scales its loss (precision/loss_scale.hpp), for saving a state: the next step's scale and the
  /// values that it depends on, after all requested steps are finished. And for restoring them, before the first step:
  /// skipped_steps are some of those that steps() counts.
  kernel::LossScale loss_scale() const requires(P::Scale::dynamic) { return optimizer_.scale(dev_); }
  void set_loss_scale(const kernel::LossScale& scale) requires(P::Scale::dynamic) { optimizer_.set_scale(dev_, scale); }

  // for saving and resuming (train/state/resume.hpp)

  /// f(name, buffer on the device) for all numbers of the resume state, between two steps.
  template <class F> void each_state(F&& f) {
    settle();
    parameters_.each_state(f);
  }
  /// Call this after each_state has filled them from a training of `steps` steps: training resumes from there.
  void go_on(std::uint32_t steps) {
    counters_.step = steps;
    lazy_updates_.go_on(dev_, steps);
    parameters_.go_on(dev_);
  }

  // what there is

  const D& device() const { return dev_; }
  const Labels& labels() const { return labels_; }
  const Layout& layout() const { return layout_; }
  const Cost& cost() const { return plan_.cost; }
  int rows() const { return plan_.rows; }
  std::uint32_t steps() const { return counters_.step; }
  std::uint64_t seed() const { return counters_.seed; }
  std::size_t parameters() const {
    std::size_t n = 0;
    for (const Span& s : layout_.spans) n += s.size();
    return n;
  }
  /// The allocated memory, by purpose.
  const MemoryPlan& memory_plan() const { return plan_; }
  /// Bytes of the device's memory that training requested.
  std::size_t planned_bytes() const { return plan_.asked(); }

  /// The values that evaluation uses and a checkpoint stores, laid out by layout(), in host memory. Stale rows are
  /// brought up to date first.
  const Number* best_values() {
    settle();
    return parameters_.best(dev_);
  }
  /// Values to start from, by layout(), as those of a checkpoint. A caller that writes them calls start_average() then.
  Number* values() {
    settle();
    return parameters_.values(dev_);
  }
  /// Call this after writing values(): training continues from them, and the moving average starts there.
  void start_average() { parameters_.start_average(dev_); }

 private:
  using Real = typename Model::template Impl<P, D>;
  using UploadedBatch = batch::UploadedBatch<Features>;
  /// A micro-batch that was sent.
  struct Waiting {
    UploadedBatch sent;
    Write grads = Write::assign;
    bool there = false;
  };
  using LazyRowUpdates = optim::LazyRowUpdates<Optimizer, D, Number, Weight, typename P::Scale>;
  using OptimizerState = optim::OptimizerState<Optimizer, D, Number, Weight, typename P::Scale>;
  using UpdateSchedule = optim::UpdateSchedule<OptimizerState, LazyRowUpdates, D>;
  template <class T> using Buffer = typename D::template Buffer<T>;

  /// The source of training batches.
  auto& learned() {
    if constexpr (Batches::resident) {
      return corpus_;
    } else {
      return upload_;
    }
  }
  void one_a_label(std::span<const float> class_weights) const {
    if (const auto count = class_weights.size(); count != 0 && count != static_cast<std::size_t>(labels_.count()))
      throw Error("entrain.train.30", "class_weights", std::to_string(count) + " numbers",
                  "none, or " + std::to_string(labels_.count()) + ": one per label", "name a weight for each label");
  }
  void accumulate(double target_weight, float dropout, auto&& send) {
    learn();
    counters_.dropout = dropout;
    counters_.loss_scale = optimizer_.loss_scale(dev_, target_weight);
    waiting_ = {send(), counters_.micro_batch == 0 ? Write::assign : Write::add, true};
    if constexpr (D::in_host_memory) learn();
    ++counters_.micro_batch;
    targets_ += target_weight;
  }
  /// The next micro-batch assigns gradients, also of table rows that were written in this step.
  [[gnu::cold]] void drop_gradients() {
    counters_.micro_batch = 0;
    targets_ = 0;
    if constexpr (D::in_host_memory) std::fill_n(parameters_.stamps(), layout_.stamps, std::uint32_t{0});
  }
  /// The averaged values, if the optimizer keeps them.
  auto decoding_weights() {
    settle();
    return bind<Model>(parameters_.best_weights(dev_, layout_, counters_.step), labels_.count());
  }
  void settle() {
    learn();
    finish();
    replay_.pause();
    lazy_updates_.settle(dev_, layout_, buffers(), counters_.step);
  }
  /// Applies the previous step's updates to values where no forward pass will follow.
  void finish() { update_schedule_.finish(dev_, layout_, optimizer_, lazy_updates_, buffers()); }
  /// Runs the waiting micro-batch, without an update.
  void learn() {
    if (!std::exchange(waiting_.there, false)) return;
    replay_(
        dev_, [&]() -> auto& { return key(); }, [&] { learn(waiting_.sent, waiting_.grads); });
    learned().queued(dev_);
    update_schedule_.queued(false);
  }
  void learn(const UploadedBatch& sent, Write grads, device::BackwardHooks<D>* hooks = nullptr) {
    const Batch& b = sent.batch;
    device::ForwardUpdates<D>* const updates =
        update_schedule_.begin(dev_, layout_, optimizer_, lazy_updates_, buffers());
    if constexpr (Batches::resident) corpus_.make(dev_, sent);
    lazy_updates_.read(dev_, layout_, buffers(), sent.counters, [&](auto&& f) { Model::each_table(b.words, f); });
    update_schedule_.read(layout_, optimizer_, lazy_updates_, buffers());
    arena_.used = 0;
    const Step<D> at{dev_, b.shape, b.geometry, true, grads, arena_, sent.counters, 0, {updates, hooks}};
    const auto w = bind<Model>(parameters_.weights(dev_, layout_), labels_.count());
    auto saved = Real::allocate_saved(arena_, b.shape, b.words);
    Real::forward(at, w, b.words, b.targets, loss_.data(), saved);
    update_schedule_.end();
    Real::backward(at, w, saved, b.words, b.targets,
                   bind<Model, Sum>(parameters_.gradients(), labels_.count(), parameters_.stamps()));
    optimizer_.add_loss(dev_, loss_.data(), grads);
  }
  /// Everything that determines the kernels of the waiting work, and their arguments: the micro-batch, and an order if
  /// there is one.
  const std::vector<std::size_t>& key(const auto&... order) {
    if constexpr (!D::in_host_memory) {
      key_ = learned().key();
      key_.push_back(waiting_.there);
      key_.push_back(static_cast<std::size_t>(waiting_.grads));
      key_.push_back(update_schedule_.waits());
      (key_.push_back(reinterpret_cast<std::size_t>(order.told)), ...);
    }
    return key_;
  }
  auto buffers() { return parameters_.buffers(lazy_updates_.done()); }

  const D& dev_;
  Labels labels_;
  Layout layout_;
  MemoryPlan plan_;
  Parameters<Optimizer, P, D> parameters_;
  LazyRowUpdates lazy_updates_;
  OptimizerState optimizer_;
  UpdateSchedule update_schedule_;
  Buffer<std::byte> memory_;
  Arena arena_;
  Counters counters_;
  batch::Upload<D, Features> upload_;
  typename Batches::template Corpus<D, Features> corpus_;
  Waiting waiting_;
  typename D::Replay replay_;
  std::vector<std::size_t> key_;
  Buffer<float> class_weights_;
  Buffer<Sum> loss_{1};
  batch::Download<D, typename Task::Prediction> decoded_;
  std::vector<Predicted> of_long_;  // predictions for a sentence that was decoded in parts
  double targets_ = 0;
};

}  // namespace entrain::train
