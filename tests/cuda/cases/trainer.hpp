// tests > cuda > [cases]
//
// A whole trainer of hashed words: forward, backward, the step, and decoding.
#pragma once
#include <string>
#include <vector>

#include "entrain/embed/multi_hash.hpp"
#include "entrain/encode/window.hpp"
#include "entrain/head/softmax.hpp"
#include "entrain/model/tagger.hpp"
#include "entrain/train/data.hpp"
#include "entrain/train/targets.hpp"
#include "entrain/train/trainer.hpp"

namespace entrain::test {

/// n sentences, four steps of two micro-batches, with dropout.
template <class Optimizer, class Head = head::Softmax<8, text::Bio>> struct TrainerCase {
  using Words = batch::HashedWords<2, 60, 20, 20, 20>;
  using Tagger = model::Tagger<embed::MultiHash<8, Words, 2>, encode::MaxoutWindow<8, 1, 2, 2>, Head>;

  static text::Corpus corpus(int sentences) {
    const std::vector<std::string> names{"Ada", "Bo", "Chen", "Dara", "Emre"}, places{"Oslo", "Lima", "Kyoto", "Accra"};
    text::Corpus corpus;
    std::uint32_t line = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(sentences); ++k) {
      corpus.push(names[k % 5], "B-PER", ++line);
      if (k % 3 != 0) corpus.push("met", "O", ++line);
      if (k % 3 != 0) corpus.push(names[(k + k / 5 + 1) % 5], "B-PER", ++line);
      if (k % 4 == 1) corpus.push("in", "O", ++line);
      if (k % 4 == 1) corpus.push(places[k % 4], "B-LOC", ++line);
      corpus.end_sentence();
    }
    return corpus;
  }

  static void run(auto& stage, int n) {
    using S = std::remove_reference_t<decltype(stage)>;
    using Trainer = train::Trainer<Tagger, typename S::Policy, typename S::Device, Optimizer>;
    const train::Tagged split = train::tagged(corpus(n), {});
    const typename Trainer::Labels labels({"LOC", "PER"});
    auto encoded = batch::encode<Words>(split.corpus);
    train::set_targets(encoded, split, labels, "conlleval");
    std::vector<std::uint32_t> order;
    for (int s = 0; s < n; ++s) order.push_back(static_cast<std::uint32_t>((s * 7 + 3) % n));
    const auto half = static_cast<std::size_t>(n) / 2;
    const auto whole = static_cast<int>(encoded.word.size());

    Trainer trainer(stage.dev, labels, whole, 11);
    batch::Packer<Words> packer(whole);
    std::vector<double> losses, norms;
    for (int step = 0; step < 4; ++step) {
      for (const auto part : {std::span<const std::uint32_t>(order).subspan(0, half),
                              std::span<const std::uint32_t>(order).subspan(half)})
        losses.push_back(static_cast<double>(trainer.accumulate(packer.pack(encoded, part, labels.count()), 0.2f)));
      norms.push_back(trainer.update({}, 0.01, 1));
    }
    std::vector<std::int32_t> tags(static_cast<std::size_t>(whole));
    trainer.decode(packer.pack(encoded, order, labels.count()), tags.data());
    stage.results.push_back({"losses", losses});
    stage.results.push_back({"norms", norms});
    stage.results.push_back({"values", {trainer.values(), trainer.values() + trainer.layout().size}});
    stage.results.push_back({"best values", {trainer.best_values(), trainer.best_values() + trainer.layout().size}});
    stage.results.push_back({"tags", {tags.begin(), tags.end()}});
  }
};

}  // namespace entrain::test
