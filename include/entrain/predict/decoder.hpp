// text > batch > embed > encode > head > optim > checkpoint > train > [predict]
//
// A trained net without the state that training needs: its values, shared by all callers, and a workspace for one
// caller at a time. If the device's memory is not the host's, each workspace has the values there.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "entrain/batch/pack/packer.hpp"
#include "entrain/batch/transfer/download.hpp"
#include "entrain/batch/transfer/upload.hpp"
#include "entrain/device/plan.hpp"
#include "entrain/device/step.hpp"
#include "entrain/kernel/gemm/contract.hpp"
#include "entrain/kernel/map/contract.hpp"
#include "entrain/precision/policies.hpp"
#include "entrain/task/old_scheme.hpp"
#include "entrain/task/stored_labels.hpp"
#include "entrain/tensor/flat.hpp"
#include "entrain/train/data/features.hpp"
#include "entrain/train/folder/load.hpp"
#include "entrain/train/loop/decodes_batches.hpp"

namespace entrain::predict {

/// A model folder in memory. It never changes after it was read.
template <class ModelType, Precision P, class D> struct Net {
  static_assert(kernel::Multiplies<D>::value);
  using Model = ModelType;
  using Number = typename P::Master;
  using Labels = typename Model::Task::Labels;

  checkpoint::Config config;
  std::vector<std::string> notes;  // messages for the user
  Labels labels;
  typename Model::Features features;
  std::conditional_t<D::in_host_memory, typename D::template Buffer<Number>, std::vector<Number>> values;

  /// throws    what train::open and train::features_of throw
  explicit Net(const std::string& folder) : Net(train::open<Model, Number>(folder), folder) {}

 private:
  // The tokenizer is read second: a folder of another model is refused because of its model, not because of a missing
  // file.
  [[gnu::cold]] Net(train::Stored&& stored, const std::string& folder)
      : config(std::move(stored.config)),
        notes(std::move(stored.notes)),
        labels(task::read_labels<typename Model::Task>(config, train::config_path(folder))),
        features(train::features_of<typename Model::Features>(stored.texts, folder, notes)) {
    const Layout layout = layout_of<Model>(labels.count());
    values = decltype(values)(layout.size);
    train::copy_values(stored, train::composition_of<Model, Number>(), layout,
                       reinterpret_cast<std::byte*>(values.data()));
    if constexpr (kernel::arranges<D>)
      for (const Span& s : layout.spans)
        if (s.factor) D::Gemm::arrange(values.data() + s.offset, s.rows, s.cols);
  }
};

/// Decodes batches with a net. Not for two threads at once; make one for each thread.
template <class ModelType, Precision P, class D> class Decoder
    : public task::OldScheme<typename ModelType::Task>,
      public train::DecodesBatches<Decoder<ModelType, P, D>, ModelType, P, D> {
 public:
  using Model = ModelType;
  using Features = typename Model::Features;
  using Task = typename Model::Task;
  using Predicted = typename Task::Prediction::Number;
  using Device = D;

  /// rows: the largest batch that is expected; see reserve
  Decoder(const Net<Model, P, D>& net, int rows, int threads = 1) : net_(&net), dev_(D::with(threads)) {
    if constexpr (!D::in_host_memory) upload(net.values);
    reserve(rows);
  }

  /// Memory for batches of up to `rows` rows. It is allocated once; more is allocated only when a longer sentence
  /// comes.
  ///
  /// throws    entrain.train.50: the machine has too little memory
  void reserve(int rows) {
    if (rows <= rows_) return;
    const std::size_t bytes = needed({rows, rows, labels().count()});
    if constexpr (D::in_host_memory) train::refuse_no_room(bytes, rows);
    memory_ = Bytes(bytes);
    arena_ = {memory_.data(), memory_.size()};
    decoded_ = batch::Download<D, typename Task::Prediction>(rows, labels().count());
    upload_ = batch::Upload<D, Features>(rows);
    rows_ = rows;
  }

  const D& device() const { return dev_; }
  const typename Task::Labels& labels() const { return net_->labels; }
  int rows() const { return rows_; }
  std::size_t bytes() const { return memory_.size(); }

 private:
  friend train::DecodesBatches<Decoder, ModelType, P, D>;
  using Number = typename P::Master;
  using Weight = typename P::Weight;
  template <class T> using Buffer = typename D::template Buffer<T>;
  using Bytes = Buffer<std::byte>;

  static constexpr bool narrows = !std::is_same_v<Weight, Number>;

  /// Copies the values to the device, in the types in which layers read them.
  void upload(const std::vector<Number>& values) {
    const auto there = [&](const std::vector<Number>& numbers) {
      Buffer<Number> buffer(numbers.size());
      dev_.upload(buffer.data(), numbers.data(), numbers.size());
      return buffer;
    };
    master_ = there(values);
    if constexpr (narrows) {
      weights_ = Buffer<Weight>(values.size());
      kernel::convert(dev_, master_.data(), weights_.data(), values.size());
      dev_.finish();  // the conversion must end before the values are freed, except those that layers read
      master_ = there(gather_master<Model, Weight>(values.data(), labels().count()));
    }
  }
  Values<Weight> values() const {
    if constexpr (D::in_host_memory) {
      return {net_->values.data(), net_->values.data()};
    } else if constexpr (narrows) {
      return {weights_.data(), master_.data(), true};
    } else {
      return {master_.data(), master_.data()};
    }
  }

  auto decoding_weights() const { return bind<Model>(values(), labels().count()); }

  /// The bytes that decoding needs: the composition's own code, run on a device that only counts.
  [[gnu::cold]] static std::size_t needed(Shape shape) {
    const device::Plan plan;
    Arena arena;
    const Counters counters;
    const auto words = Features::planned(shape.rows);
    const Step<device::Plan> at{plan, shape, {}, false, Write::assign, arena, &counters};
    Model::template Impl<P, device::Plan>::decode(at, bind<Model>(Values<Weight>{}, shape.labels), words, nullptr);
    return arena.peak;
  }

  const Net<Model, P, D>* net_;
  D dev_;
  int rows_ = 0;
  Bytes memory_;
  Arena arena_;
  Counters counters_;  // decoding needs none of its values
  batch::Upload<D, Features> upload_{0};
  Buffer<Number> master_;  // this and the next: only if the device's memory is not the host's
  Buffer<Weight> weights_;
  batch::Download<D, typename Task::Prediction> decoded_;
  std::vector<Predicted> of_long_;  // of a sentence that was decoded in parts
};

}  // namespace entrain::predict
