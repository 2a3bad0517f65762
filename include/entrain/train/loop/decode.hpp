// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// Decodes batches: the predictions of a trained network, sentence by sentence.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "entrain/batch/pack/budget.hpp"
#include "entrain/batch/pack/packer.hpp"
#include "entrain/train/loop/decode_parts.hpp"

namespace entrain::train {

namespace detail {
template <class Decoder> inline constexpr bool takes_parts = [] {
  if constexpr (requires(Decoder & decoder) {
                  decoder.rows();
                  typename Decoder::Model;
                  typename Decoder::Device;
                }) {
    return decodes_in_parts<typename Decoder::Model, typename Decoder::Device>;
  } else {
    return false;
  }
}();

/// The predictions for sentence s from those of a batch, `of_batch`, which then begins after them. filled: where the
/// predictions are if the encoder does not read every word.
template <class Decoder> auto take_predictions(const Decoder& decoder,
                                               const batch::Encoded<typename Decoder::Features>& e, std::uint32_t s,
                                               std::span<const typename Decoder::Task::Prediction::Number>& of_batch,
                                               std::vector<typename Decoder::Task::Prediction::Number>& filled) {
  using Prediction = typename Decoder::Task::Prediction;
  const std::size_t n =
      Prediction::by_rows ? static_cast<std::size_t>(e.length(s)) : Prediction::each(decoder.labels().count());
  auto predictions = of_batch.first(n);
  of_batch = of_batch.subspan(n);
  if constexpr (Prediction::by_rows)
    if (!e.gaps.empty())
      if (const auto gaps = e.gaps.of(s); gaps.any()) {
        Decoder::Task::fill_gaps(gaps, predictions, filled);
        predictions = filled;
      }
  return predictions;
}
}  // namespace detail

/// Decodes batches one sentence after another:
///
///   for (Decoding decoding(decoder, e, batches, packer); decoding.next();)
///     use(decoding.sentence(), decoding.predictions());
///
/// As the task defines, there is one prediction for each word, including words that have no piece
/// (batch/encode/gaps.hpp), one for the sentence, or one for each label of the sentence.
/// The predictions of a batch are fetched after the next batch is sent, so that a device with a queue always has work.
/// A sentence of more rows than the decoder has memory for is read in parts, if the model and the device support it
/// (decode_parts.hpp).
///
/// Decoder   a Trainer or a predict::Decoder
template <class Decoder> class Decoding {
  using Number = typename Decoder::Task::Prediction::Number;
  using Features = typename Decoder::Features;

 public:
  /// All four must outlive the Decoding.
  Decoding(Decoder& decoder, const batch::Encoded<Features>& e, const batch::Budget& batches,
           batch::Packer<Features>& packer)
      : decoder_(decoder), e_(e), batches_(batches), packer_(packer) {
    decoder_.forget_decoded();  // after an error between a batch and its predictions
  }

  /// Moves to the next sentence, in the order of the batches; false after the last one.
  bool next() {
    while (in_batch_ == batch_.size())
      if (!next_batch()) return false;
    sentence_ = batch_[in_batch_++];
    predictions_ = detail::take_predictions(decoder_, e_, sentence_, of_batch_, filled_);
    return true;
  }
  std::uint32_t sentence() const { return sentence_; }
  /// Valid until the next call of next().
  std::span<const Number> predictions() const { return predictions_; }

 private:
  /// Sends batches until two are pending or the last one is sent, then fetches the predictions of the oldest.
  bool next_batch() {
    while (sent_ < batches_.size() && sent_ < fetched_ + 2) {
      if constexpr (detail::takes_parts<Decoder>)
        if (const std::uint32_t first = batches_[sent_].front();
            batches_[sent_].size() == 1 && e_.rows[first] > decoder_.rows()) {
          if (fetched_ < sent_) break;  // the parts discard what is pending
          fetch(decoder_.decode_in_parts(e_, first, packer_));
          sent_ = fetched_;
          return true;
        }
      decoder_.decode(packer_.pack(e_, batches_[sent_], decoder_.labels().count()));
      ++sent_;
    }
    if (fetched_ == sent_) return false;
    fetch(decoder_.decoded());
    return true;
  }
  void fetch(std::span<const Number> predictions) {
    of_batch_ = predictions;
    batch_ = batches_[fetched_++];
    in_batch_ = 0;
  }

  Decoder& decoder_;
  const batch::Encoded<Features>& e_;
  const batch::Budget& batches_;
  batch::Packer<Features>& packer_;

  std::size_t sent_ = 0, fetched_ = 0;    // batches
  std::span<const std::uint32_t> batch_;  // the sentences of the fetched batch
  std::size_t in_batch_ = 0;              // of them, those that were returned
  std::span<const Number> of_batch_;      // the predictions of the others
  std::uint32_t sentence_ = 0;
  std::span<const Number> predictions_;
  std::vector<Number> filled_;
};

/// Calls sink(sentence, predictions) for every sentence of the batches, in their order.
template <class Decoder, class Sink>
void decode_batches(Decoder& decoder, const batch::Encoded<typename Decoder::Features>& e, const batch::Budget& batches,
                    batch::Packer<typename Decoder::Features>& packer, Sink&& sink) {
  for (Decoding<Decoder> decoding(decoder, e, batches, packer); decoding.next();)
    sink(decoding.sentence(), decoding.predictions());
}

/// The same for every sentence of e, in the corpus's order, in batches as large as memory allows.
template <class Decoder, class Sink> void predict_all(Decoder& decoder,
                                                      const batch::Encoded<typename Decoder::Features>& e,
                                                      batch::Packer<typename Decoder::Features>& packer, Sink&& sink) {
  batch::Budget batches;
  batches.in_order(e.sentences());
  batches.plan(e.sentences(), decoder.rows(), e.rows);
  decode_batches(decoder, e, batches, packer, sink);
}

}  // namespace entrain::train
