// tests > cuda > [cases]
//
// What a trainer of some megabytes takes of the GPU's memory, as the GPU tells it.
#pragma once
#include <type_traits>

#include "entrain/embed/multi_hash.hpp"
#include "entrain/encode/window.hpp"
#include "entrain/head/softmax.hpp"
#include "entrain/model/tagger.hpp"
#include "entrain/train/loop/trainer.hpp"

namespace entrain::test {

/// Bytes: taken, asked for by the plan, and in total, for batches of n rows.
template <class Optimizer> struct MemoryCase {
  using Model = model::Tagger<embed::MultiHash<96, batch::SpacyWords, 2>, encode::MaxoutWindow<96, 1, 2, 2>,
                              head::Softmax<96, text::Bio>>;

  static void run(auto& stage, int n) {
    using S = std::remove_reference_t<decltype(stage)>;
    using Trainer = train::Trainer<Model, typename S::Policy, typename S::Device, Optimizer>;
    const typename Trainer::Labels labels({"LOC", "PER"});
    { const Trainer first(stage.dev, labels, 1, 1); }  // kernels are loaded into the same memory
    const std::size_t before = stage.dev.memory().free;
    const Trainer trainer(stage.dev, labels, n, 1);
    const auto number = [&](std::string name, std::size_t bytes) {
      stage.results.push_back({std::move(name), {static_cast<double>(bytes)}});
    };
    number("taken", before > stage.dev.memory().free ? before - stage.dev.memory().free : 0);
    number("asked", trainer.planned_bytes());
    number("total", trainer.memory_plan().total());
  }
};

}  // namespace entrain::test
