// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// Batches through a net that is not learning, their tags sentence by sentence.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "entrain/batch/budget.hpp"
#include "entrain/batch/packer.hpp"
#include "entrain/text/labels.hpp"

namespace entrain::train {

/// Calls sink(sentence, tags) for every sentence of the batches, in their order. A batch's tags are asked for when the
/// next one is on its way, so that a device with a queue always has work.
///
/// Decoder   a Trainer or a predict::Decoder
template <class Decoder, class Sink>
void decode_batches(Decoder& decoder, const batch::Encoded<typename Decoder::Features>& e, const batch::Budget& batches,
                    batch::Packer<typename Decoder::Features>& packer, Sink&& sink) {
  const auto tell = [&](std::size_t batch) {
    const std::span<const std::int32_t> tags = decoder.decoded();
    std::size_t row = 0;
    for (const std::uint32_t s : batches[batch]) {
      const auto n = static_cast<std::size_t>(e.length(s));
      sink(s, std::span<const text::Tag>(tags.subspan(row, n)));
      row += n;
    }
  };
  decoder.forget_decoded();  // an error may have come between a batch and its tags
  for (std::size_t b = 0; b < batches.size(); ++b) {
    decoder.decode(packer.pack(e, batches[b], decoder.labels().count()));
    if (b > 0) tell(b - 1);
  }
  if (batches.size() > 0) tell(batches.size() - 1);
}

/// The same for every sentence of e, in the corpus's order, in batches as large as there is room for.
template <class Decoder, class Sink> void predict_all(Decoder& decoder,
                                                      const batch::Encoded<typename Decoder::Features>& e,
                                                      batch::Packer<typename Decoder::Features>& packer, Sink&& sink) {
  batch::Budget batches;
  batches.in_order(e.sentences());
  batches.plan(e.sentences(), decoder.rows(), e.rows);
  decode_batches(decoder, e, batches, packer, sink);
}

}  // namespace entrain::train
