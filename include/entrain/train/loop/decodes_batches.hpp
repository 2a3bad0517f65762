// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// What a Trainer and a predict::Decoder have in common: they decode batches, one at a time, with a net's weights.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "entrain/batch/pack/packer.hpp"
#include "entrain/batch/transfer/download.hpp"
#include "entrain/device/step.hpp"
#include "entrain/precision/policies.hpp"
#include "entrain/train/loop/decode_parts.hpp"
#include "entrain/train/loop/score_shifts.hpp"

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

  /// f(k, predictions) for each shift of `by`: the predictions for the batch, or for a sentence of more than rows()
  /// rows, after the shift is added to the scores of labels. The encoder reads once. Discards predictions that were
  /// decoded and not fetched.
  template <class F> void decode_shifted(const Batch& packed, const ScoreShifts& by, F&& f) {
    Self& of = self();
    forget_decoded();
    const auto w = of.decoding_weights();
    of.arena_.used = 0;
    const Step<D> at{of.dev_, packed.shape, packed.geometry, false, Write::assign, of.arena_, &of.counters_};
    const int rows = packed.shape.rows, labels = packed.shape.labels;
    typename D::template Buffer<Sum> numbers(LabelMatrix<Sum>::count(rows, labels));
    const LabelMatrix<Sum> scores(numbers.data(), rows, labels);
    Model::template Impl<P, D>::score(at, w, packed.words, scores);
    choose_shifted(at, w, LabelMatrix<const Sum>(scores), by, f);
  }
  template <class F> void decode_shifted_in_parts(const batch::Encoded<Features>& e, std::size_t s,
                                                  batch::Packer<Features>& packer, const ScoreShifts& by, F&& f) {
    Self& of = self();
    forget_decoded();
    const auto w = of.decoding_weights();
    score_in_parts<Model, P>(
        of.dev_, w, of.labels().count(), of.arena_, of.counters_, of.rows(), e, s, packer,
        [&](const Step<D>& at, LabelMatrix<const Sum> scores) { choose_shifted(at, w, scores, by, f); });
  }

 private:
  using Sum = typename P::Sum;

  void choose_shifted(const Step<D>& at, const auto& w, LabelMatrix<const Sum> scores, const ScoreShifts& by,
                      auto&& f) {
    std::vector<Predicted>& out = self().of_long_;
    out.resize(Model::Task::Prediction::count(at.shape));
    typename D::template Buffer<Sum> numbers(LabelMatrix<Sum>::count(at.shape.rows, at.shape.labels));
    const LabelMatrix<Sum> shifted(numbers.data(), at.shape.rows, at.shape.labels);
    for (std::size_t k = 0; k < by.shifts.size(); ++k) {
      for (int row = 0; row < at.shape.rows; ++row)
        for (int label = 0; label < at.shape.labels; ++label)
          shifted.row_at(row)[label] =
              scores.row_at(row)[label] + static_cast<Sum>(by.shifts[k] * by.of_label[static_cast<std::size_t>(label)]);
      Model::template Impl<P, D>::choose(at, w, LabelMatrix<const Sum>(shifted), out.data());
      f(k, std::span<const Predicted>(out));
    }
  }
  Self& self() { return static_cast<Self&>(*this); }
};

}  // namespace entrain::train
