// tests > [train]
//
// Sentences that are packed together do not know of each other; a sentence in several windows counts once.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "entrain/text/conll/conll.hpp"
#include "entrain/train/data/features.hpp"
#include "entrain/train/data/targets.hpp"
#include "entrain/train/folder/pretrained.hpp"
#include "entrain/train/loop/evaluate.hpp"
#include "tests/train/tiny_bert.hpp"

namespace packed_test {
using namespace entrain;
using namespace test;

namespace {

/// The golden sentences, one of a word, and one of a hundred words with entities on both sides of every border.
train::Tagged sentences() {
  text::Corpus corpus = text::read_conll(golden_bert + "/sentences.conll");
  for (int i = 0; i < 100; ++i)
    corpus.push(i % 3 == 0 ? "abc" : "d", i % 3 == 0 ? "B-PER" : i % 3 == 1 ? "I-PER" : "O", 99);
  corpus.end_sentence();
  return train::tagged(std::move(corpus), {});
}

/// Loss and gradients of micro-batches, in fp64; rows of tables that none touched are 0.
template <class Model> struct Gradients {
  using P = precision::Fp64;
  using D = device::Cpu<>;
  using Features = typename Model::Features;
  using Real = typename Model::template Impl<P, D>;

  double loss = 0;
  std::vector<double> numbers;

  Gradients(const train::Tagged& split, const std::vector<std::vector<std::uint32_t>>& batches) {
    const D dev(2);
    const text::Labels<text::Bio> labels(split.types.names());
    auto e = batch::encode<Features>(split.corpus, train::open_features<Features>(golden_bert));
    train::set_targets(e, split, labels, "conlleval");
    int rows = 0;
    for (const int n : e.rows) rows += n;
    const Layout layout = layout_of<Model>(labels.count());
    std::vector<double> values(layout.size);
    numbers.resize(layout.size);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.1 * std::sin(static_cast<double>(i));
    std::vector<std::uint32_t> stamps(layout.stamps);
    std::vector<std::byte> memory(train::cost_of<Model, P>({rows, rows, labels.count()}).arena + 64);
    batch::Packer<Features> packer(rows);
    Counters counters;
    for (const auto& order : batches) {
      const auto b = packer.pack_to_learn(e, order, labels.count());
      Arena arena{memory.data() + (64 - reinterpret_cast<std::uintptr_t>(memory.data()) % 64) % 64, memory.size() - 64};
      const Step<D> at{dev,   b.shape,  b.geometry, false, counters.micro_batch == 0 ? Write::assign : Write::add,
                       arena, &counters};
      const auto w = bind<Model, const double>(values.data(), labels.count());
      auto saved = Real::allocate_saved(arena, b.shape, b.words);
      double one = 0;
      Real::forward(at, w, b.words, b.targets, &one, saved);
      Real::backward(at, w, saved, b.words, b.targets,
                     bind<Model, double>(numbers.data(), labels.count(), stamps.data()));
      loss += one;
      ++counters.micro_batch;
    }
  }
};

template <class Model> void packed_is_the_sum() {
  const train::Tagged split = sentences();
  const std::size_t n = split.corpus.sentences();
  std::vector<std::vector<std::uint32_t>> together(1), alone;
  for (std::uint32_t s = 0; s < n; ++s) {
    together[0].push_back(s);
    alone.push_back({static_cast<std::uint32_t>(n - 1 - s)});
  }
  const Gradients<Model> packed(split, together), sum(split, alone);
  CHECK(packed.loss == doctest::Approx(sum.loss).epsilon(1e-13));
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < packed.numbers.size(); ++i) {
    difference += std::pow(packed.numbers[i] - sum.numbers[i], 2);
    norm += packed.numbers[i] * packed.numbers[i];
  }
  CHECK(norm > 0);
  CHECK(std::sqrt(difference / norm) < 1e-13);
}

template <int Positions> using Short =
    model::Tagger<embed::Bert<embed::EmbeddingConfig{.vocabulary = 21, .positions = Positions, .width = 16}>, BertStack,
                  BertHead>;

/// Targets of an epoch and gold entities of an evaluation, with windows of n positions.
template <int Positions> std::pair<int, std::uint64_t> counted() {
  using Trainer = train::Trainer<Short<Positions>, precision::Fp32, device::Cpu<>, optim::AdamW>;
  using Features = typename Trainer::Features;
  const train::Tagged split = sentences();
  const device::Cpu<> dev(1);
  const typename Trainer::Labels labels(split.types.names());
  auto e = batch::encode<Features>(split.corpus, train::open_features<Features>(golden_bert));
  train::set_targets(e, split, labels, "conlleval");
  Trainer trainer(dev, labels, e.longest(), 0);
  batch::Packer<Features> packer(e.longest());
  int targets = 0;
  for (std::uint32_t s = 0; s < e.sentences(); ++s)
    targets += packer.pack(e, std::vector<std::uint32_t>{s}, labels.count()).real_targets;
  return {targets, train::evaluate(trainer, e, split, packer).strict.micro().gold};
}

}  // namespace

TEST_CASE("packed: gradients of a batch are the sum over its sentences, one by one") {
  packed_is_the_sum<Bert>();
  packed_is_the_sum<DistilBert>();
  packed_is_the_sum<Short<12>>();
  using Every = embed::LabelAllTokens<Short<12>::Embedding>;
  packed_is_the_sum<model::Tagger<Every, BertStack, BertHead>>();
  packed_is_the_sum<model::Tagger<Every, BertStack, head::Crf<16, text::Bio>>>();
}

TEST_CASE("windows: targets and gold entities count the same whatever an encoder reads at once") {
  const auto whole = counted<400>();
  CHECK(whole.first == 18 + 100);
  CHECK(whole.second >= 34 + 4);
  CHECK(counted<40>() == whole);
  CHECK(counted<13>() == whole);
  CHECK(counted<8>() == whole);
}

}  // namespace packed_test
