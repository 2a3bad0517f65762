// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// What a Trainer and a predict::Decoder have in common: they decode batches, one at a time, with a net's weights.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>

#include "entrain/batch/pack/packer.hpp"
#include "entrain/batch/transfer/download.hpp"
#include "entrain/device/step.hpp"
#include "entrain/precision/policies.hpp"
#include "entrain/train/loop/decode_parts.hpp"

namespace entrain::train {

/// The base of Self, which has labels(), rows(), the members dev_, arena_, counters_, upload_, decoded_ and of_long_,
/// and decoding_weights(): the weights, bound to the model.
template <class Self, class Model, Precision P, class D> class DecodesBatches {
  using Features = typename Model::Features;
  using Batch = batch::Batch<Features>;
  using Predicted = typename Model::Task::Prediction::Number;

 public:
  /// Predicts what the head's task predicts. A device with a queue receives the work, and the caller may then drop
  /// `packed`. decoded() waits for the oldest batch whose predictions were not fetched, and returns them. At most two
  /// such batches may be pending (batch::Download).
  void decode(const Batch& packed) {
    Self& of = self();
    const auto w = of.decoding_weights();
    const auto [b, counters] = of.upload_(of.dev_, packed, of.counters_);
    of.arena_.used = 0;
    const Step<D> at{of.dev_, b.shape, b.geometry, false, Write::assign, of.arena_, counters};
    Model::template Impl<P, D>::decode(at, w, b.words, of.decoded_.there(b.shape));
    of.upload_.queued(of.dev_);
    of.decoded_.found(of.dev_, packed.shape);
  }
  std::span<const Predicted> decoded() { return self().decoded_.next(); }
  /// Discards the predictions of batches that were decoded and not fetched.
  void forget_decoded() { self().decoded_.forget(); }
  /// Both calls for a single batch.
  void decode(const Batch& packed, Predicted* to) {
    forget_decoded();
    decode(packed);
    const auto found = decoded();
    std::copy(found.begin(), found.end(), to);
  }

  /// The predictions of a sentence of more than rows() rows, valid until the next call. Discards predictions that were
  /// decoded and not fetched.
  std::span<const Predicted> decode_in_parts(const batch::Encoded<Features>& e, std::size_t s,
                                             batch::Packer<Features>& packer) {
    Self& of = self();
    forget_decoded();
    train::decode_in_parts<Model, P>(of.dev_, of.decoding_weights(), of.labels().count(), of.arena_, of.counters_,
                                     of.rows(), e, s, packer, of.of_long_);
    return of.of_long_;
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};

}  // namespace entrain::train
