// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// The predictions of a trained network with several additions to the scores of labels. The encoder reads every sentence
// once, so that calibration takes the time of one evaluation. Read decode.hpp first.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "entrain/batch/pack/budget.hpp"
#include "entrain/batch/pack/packer.hpp"
#include "entrain/core/contract.hpp"
#include "entrain/train/loop/decode.hpp"
#include "entrain/train/loop/score_shifts.hpp"

namespace entrain::train {

/// Whether a decoder can do so: the scores of its head are in the host's memory, and its head chooses from them.
template <class Decoder> inline constexpr bool predicts_shifted =
    Decoder::Device::in_host_memory&& scores_apart<typename Decoder::Model::Head>;

/// Calls sink(k, sentence, predictions) for every sentence of e and each shift of `by`, in batches as large as memory
/// allows, as predict_all.
template <class Decoder, class Sink>
void predict_shifted(Decoder& decoder, const batch::Encoded<typename Decoder::Features>& e,
                     batch::Packer<typename Decoder::Features>& packer, const ScoreShifts& by, Sink&& sink) {
  static_assert(predicts_shifted<Decoder>);
  using Number = typename Decoder::Task::Prediction::Number;
  batch::Budget batches;
  batches.in_order(e.sentences());
  batches.plan(e.sentences(), decoder.rows(), e.rows);
  std::vector<Number> filled;
  for (std::size_t b = 0; b < batches.size(); ++b) {
    const std::span<const std::uint32_t> sentences = batches[b];
    const auto each_sentence = [&](std::size_t k, std::span<const Number> of_batch) {
      for (const std::uint32_t s : sentences) sink(k, s, detail::take_predictions(decoder, e, s, of_batch, filled));
    };
    if constexpr (detail::takes_parts<Decoder>)
      if (sentences.size() == 1 && e.rows[sentences.front()] > decoder.rows()) {
        decoder.decode_shifted_in_parts(e, sentences.front(), packer, by, each_sentence);
        continue;
      }
    decoder.decode_shifted(packer.pack(e, sentences, decoder.labels().count()), by, each_sentence);
  }
}

}  // namespace entrain::train
