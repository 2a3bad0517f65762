// tests > [train]: very small nets, and a corpus that they learn.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "entrain/cpu.hpp"
#include "entrain/train/data/data.hpp"
#include "entrain/train/data/targets.hpp"

namespace test {
namespace batch = entrain::batch;
namespace device = entrain::device;
namespace embed = entrain::embed;
namespace encode = entrain::encode;
namespace head = entrain::head;
namespace model = entrain::model;
namespace optim = entrain::optim;
namespace precision = entrain::precision;
namespace text = entrain::text;
namespace train = entrain::train;

using Words = batch::HashedWords<2, 60, 20, 20, 20>;
using Tiny = model::Tagger<embed::MultiHash<8, Words, 2>, encode::MaxoutWindow<8, 1, 1, 2>, head::Crf<8, text::Bioes>>;
template <class Optimizer> using TrainerOf = train::Trainer<Tiny, precision::Fp32, device::Cpu<>, Optimizer>;
using Trainer = TrainerOf<optim::AdamW>;
using Labels = Trainer::Labels;

/// `Ada met Bo in Oslo .`, always with other people and places.
inline train::Tagged people(int sentences, int first = 0) {
  const std::vector<std::string> names{"Ada", "Bo", "Chen", "Dara", "Emre"}, places{"Oslo", "Lima", "Kyoto", "Accra"};
  text::Corpus corpus;
  corpus.name = "people";
  std::uint32_t line = 0;
  for (int i = first; i < first + sentences; ++i) {
    const auto k = static_cast<std::size_t>(i);
    corpus.push(names[k % 5], "B-PER", ++line);
    corpus.push("met", "O", ++line);
    corpus.push(names[(k + k / 5 + 1) % 5], "B-PER", ++line);
    corpus.push("in", "O", ++line);
    corpus.push(places[k % 4], "B-LOC", ++line);
    corpus.push(".", "O", ++line);
    corpus.end_sentence();
  }
  return train::tagged(std::move(corpus), {});
}

/// A split in numbers, with the targets of these labels.
inline batch::Encoded<Words> encoded(const train::Tagged& split, const Labels& labels) {
  auto e = batch::encode<Words>(split.corpus);
  train::set_targets(e, split, labels, "conlleval");
  return e;
}

template <class T> std::vector<float> values_of(T& trainer) {
  return {trainer.values(), trainer.values() + trainer.layout().size};
}

}  // namespace test
