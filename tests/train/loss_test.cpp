// tests > [train]
//
// Weights of classes reach the loss, its gradients and what both are divided by.
#include <doctest/doctest.h>

#include "entrain/head/softmax.hpp"
#include "entrain/kernel/softmax/cpu.hpp"
#include "entrain/train/loop/fit.hpp"
#include "tests/train/tiny.hpp"

namespace loss_test {
using namespace entrain;
using namespace test;

namespace {
template <class Loss> using Softmax =
    model::Tagger<embed::MultiHash<8, Words, 2>, encode::MaxoutWindow<8, 1, 1, 2>, head::Softmax<8, text::Bioes, Loss>>;
template <class Loss> using Tagger = train::Trainer<Softmax<Loss>, precision::Fp32, device::Cpu<>, optim::AdamW>;

/// The values after a few steps.
template <class Loss = loss::CrossEntropy>
std::vector<float> trained(std::vector<float> class_weights, double smoothing = 0, double gamma = 0) {
  static const device::Cpu<> dev(2);
  const train::Tagged split = people(8);
  const Labels labels(split.types.names());
  const auto e = encoded(split, labels);
  Tagger<Loss> trainer(dev, labels, 64, 3);
  train::Options options;
  options.max_steps = 5, options.token_budget = 20, options.dropout = 0, options.word_dropout = 0;
  options.gradient_accumulation_steps = 2, options.calibrate = false;
  options.class_weights = std::move(class_weights);
  options.label_smoothing_factor = smoothing, options.focal_gamma = gamma;
  const auto nothing = [](auto&&...) {};
  train::fit(
      trainer, e, options, nothing, [] { return -1.0; }, nothing);
  return values_of(trainer);
}
}  // namespace

TEST_CASE("loss: the same weight for every class changes no bit, other weights do") {
  const auto plain = trained({});
  CHECK(plain == trained(std::vector<float>(9, 1)));
  CHECK(plain == trained(std::vector<float>(9, 4)));  // numbers and what they are divided by grow alike
  std::vector<float> weights(9, 1);
  weights[0] = 0.25f;
  CHECK(plain != trained(weights));
}

TEST_CASE("loss: smoothed by nothing and focal with gamma 0 are cross-entropy") {
  const auto plain = trained({});
  CHECK(plain == trained<loss::Smoothed>({}));
  CHECK(plain != trained<loss::Smoothed>({}, 0.1));
  const auto focal = trained<loss::Focal>({});
  double worst = 0;
  for (std::size_t i = 0; i < plain.size(); ++i)
    worst = std::max(worst, std::abs(static_cast<double>(focal[i]) - static_cast<double>(plain[i])));
  CHECK(worst < 1e-6);
  CHECK(plain != trained<loss::Focal>({}, 0, 2));
}

TEST_CASE("loss: a batch is divided by what its rows weigh") {
  const train::Tagged split = people(2);
  const Labels labels(split.types.names());
  const auto e = encoded(split, labels);
  batch::Packer<Words> packer(64);
  const std::vector<std::uint32_t> both{0, 1};
  std::vector<float> weights(static_cast<std::size_t>(labels.count()), 0.5f);
  weights[0] = 2;  // O: met, in and the full stop
  CHECK(packer.pack(e, both, labels.count()).target_weight == 12);
  CHECK(packer.pack(e, both, labels.count(), {}, weights).target_weight == 15);
}

}  // namespace loss_test
