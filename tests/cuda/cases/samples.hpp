// tests > cuda > [cases]
//
// Trainers of samples that are numbers: ids, and rows of floats.
#pragma once
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "entrain/batch/encode/samples.hpp"
#include "entrain/embed/floats.hpp"
#include "entrain/embed/token.hpp"
#include "entrain/layer/identity.hpp"
#include "entrain/model/classifier.hpp"
#include "entrain/train/loop/trainer.hpp"

namespace entrain::test {

struct SamplesOfIds {
  using Task = task::Classification<task::Binary>;
  using Model = model::Classifier<embed::Token<50, 8>, layer::Identity<8>,
                                  head::Classify<8, Task, pool::Mean, layer::Identity<8>>>;
  static task::Classes classes() { return task::Classes({"yes"}); }
  static std::vector<batch::Sample<std::int32_t>> samples(int n) {
    std::vector<batch::Sample<std::int32_t>> all(static_cast<std::size_t>(n));
    for (int s = 0; s < n; ++s) {
      for (int k = 0; k < 1 + s % 4; ++k) all[static_cast<std::size_t>(s)].numbers.push_back((5 * s + 3 * k) % 50);
      all[static_cast<std::size_t>(s)].label = s % 3 == 0;
    }
    return all;
  }
};
struct SamplesOfFloats {
  using Task = task::Classification<task::One>;
  using Model = model::Classifier<embed::Floats<40>, layer::Identity<40>,
                                  head::Classify<40, Task, pool::First, layer::Identity<40>>>;
  static task::Classes classes() { return task::Classes({"a", "b", "c"}); }
  static std::vector<batch::Sample<float>> samples(int n) {
    std::vector<batch::Sample<float>> all(static_cast<std::size_t>(n));
    for (int s = 0; s < n; ++s) {
      for (int j = 0; j < 40; ++j)
        all[static_cast<std::size_t>(s)].numbers.push_back(static_cast<float>((3 * s + 5 * j) % 17 - 8) * 0.125f);
      all[static_cast<std::size_t>(s)].label = s % 3;
    }
    return all;
  }
};

/// n samples, six steps of two micro-batches.
template <class Net, class Optimizer> struct SamplesCase {
  static void run(auto& stage, int n) {
    using S = std::remove_reference_t<decltype(stage)>;
    using Trainer = train::Trainer<typename Net::Model, typename S::Policy, typename S::Device, Optimizer>;
    using Features = typename Trainer::Features;
    const auto e = batch::encode_samples<Features, typename Net::Task>(Net::samples(n), Net::classes());
    std::vector<std::uint32_t> order;
    int rows = 0;
    for (int s = 0; s < n; ++s) order.push_back(static_cast<std::uint32_t>((s * 11 + 3) % n));
    for (const std::int32_t of_sample : e.rows) rows += of_sample;
    Trainer trainer(stage.dev, Net::classes(), rows, 11);
    batch::Packer<Features> packer(rows);
    const int labels = trainer.labels().count();
    std::vector<double> losses, norms;
    const auto tell = [&](const optim::StepResult& r) {
      losses.push_back(r.loss);
      norms.push_back(r.grad_norm);
    };
    for (int step = 0; step < 6; ++step) {
      const std::span<const std::uint32_t> all(order);
      for (const auto part : {all.first(all.size() / 2), all.subspan(all.size() / 2)})
        trainer.accumulate(packer.pack(e, part, labels), 0);
      trainer.update({.weight_decay = 0}, 0.01, 1);
      trainer.results(tell);
    }
    trainer.results(tell, optim::Wait::for_all);
    std::vector<float> p(order.size() * static_cast<std::size_t>(labels));
    trainer.decode(packer.pack(e, order, labels), p.data());
    stage.results.push_back({"losses", losses});
    stage.results.push_back({"norms", norms});
    stage.results.push_back({"values", {trainer.values(), trainer.values() + trainer.layout().size}});
    stage.results.push_back({"probabilities", {p.begin(), p.end()}});
  }
};

}  // namespace entrain::test
