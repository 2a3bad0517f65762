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
}  // namespace detail

/// Calls sink(sentence, predictions) for every sentence of the batches, in their order. As the task defines, there is
/// one prediction for each word, including words that have no piece (batch/encode/gaps.hpp), one for the sentence, or
/// one for each label of the sentence.
/// The predictions of a batch are fetched after the next batch is sent, so that a device with a queue always has work.
/// A sentence of more rows than the decoder has memory for is read in parts, if the model and the device support it
/// (decode_parts.hpp).
///
/// Decoder   a Trainer or a predict::Decoder
template <class Decoder, class Sink>
void decode_batches(Decoder& decoder, const batch::Encoded<typename Decoder::Features>& e, const batch::Budget& batches,
                    batch::Packer<typename Decoder::Features>& packer, Sink&& sink) {
  using Task = typename Decoder::Task;
  using Prediction = typename Task::Prediction;
  using Number = typename Prediction::Number;
  std::size_t told = 0;  // batches whose predictions were given
  std::vector<Number> filled;
  const auto give = [&](std::uint32_t s, std::span<const Number> read) {
    if constexpr (Prediction::by_rows)
      if (!e.gaps.empty()) {
        if (const auto gaps = e.gaps.of(s); gaps.any()) {
          Task::fill_gaps(gaps, read, filled);
          sink(s, std::span<const Number>(filled));
          return;
        }
      }
    sink(s, read);
  };
  const auto tell = [&](std::size_t batch) {
    const std::span<const Number> predictions = decoder.decoded();
    told = batch + 1;
    std::size_t at = 0;
    for (const std::uint32_t s : batches[batch]) {
      const std::size_t n =
          Prediction::by_rows ? static_cast<std::size_t>(e.length(s)) : Prediction::each(decoder.labels().count());
      give(s, predictions.subspan(at, n));
      at += n;
    }
  };
  decoder.forget_decoded();  // after an error between a batch and its predictions
  for (std::size_t b = 0; b < batches.size(); ++b) {
    if constexpr (detail::takes_parts<Decoder>)
      if (const std::uint32_t first = batches[b].front(); batches[b].size() == 1 && e.rows[first] > decoder.rows()) {
        if (told < b) tell(b - 1);
        give(first, decoder.decode_in_parts(e, first, packer));
        told = b + 1;
        continue;
      }
    decoder.decode(packer.pack(e, batches[b], decoder.labels().count()));
    if (told < b) tell(b - 1);
  }
  if (told < batches.size()) tell(batches.size() - 1);
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
