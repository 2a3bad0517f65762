// tests > [train]
//
// Training a part of a net: what is frozen stays, the rest learns what it would have learned, and nothing is set aside
// for what no layer needs.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "entrain/embed/frozen.hpp"
#include "entrain/layer/frozen.hpp"
#include "entrain/layer/frozen_first.hpp"
#include "entrain/layer/recompute.hpp"
#include "entrain/text/conll/conll.hpp"
#include "entrain/train/data/features.hpp"
#include "entrain/train/folder/describe.hpp"
#include "tests/train/tiny.hpp"
#include "tests/train/tiny_bert.hpp"

namespace frozen_test {
using namespace entrain;
using namespace test;

namespace {

using Embed = BertTables;
using Stack = BertStack;
using Head = BertHead;
using HeadOnly = model::Tagger<embed::Frozen<Embed>, layer::Frozen<Stack>, Head>;
using LastBlock = model::Tagger<embed::Frozen<Embed>, layer::FrozenFirst<1, Stack>, Head>;
using NoTables = model::Tagger<embed::Frozen<Embed>, Stack, Head>;
using Tables = model::Tagger<Embed, layer::FrozenFirst<1, Stack>, Head>;

struct Run {
  Layout layout;
  std::vector<double> losses;
  std::vector<float> values, best;
};

template <class Model, class Optimizer = optim::AdamW>
Run run(int steps, const optim::Knobs& knobs = {.weight_decay = 0}) {
  using Trainer = train::Trainer<Model, precision::Fp32, device::Cpu<>, Optimizer>;
  using Features = typename Model::Features;
  const device::Cpu<> dev(2);
  static const train::Tagged split = train::tagged(text::read_conll(golden_bert + "/sentences.conll"), {});
  const typename Trainer::Labels labels(split.types.names());
  auto e = batch::encode<Features>(split.corpus, train::open_features<Features>(golden_bert));
  train::set_targets(e, split, labels, "conlleval");
  Trainer trainer(dev, labels, 200, 7);
  batch::Packer<Features> packer(200);
  Run r{trainer.layout(), {}, {}, {}};
  std::vector<std::uint32_t> all(e.sentences());
  for (std::uint32_t s = 0; s < e.sentences(); ++s) all[s] = s;
  for (int step = 0; step < steps; ++step) {
    trainer.accumulate(packer.pack(e, all, labels.count()), 0);
    trainer.update(knobs, 1e-2, 0);
    r.losses.push_back(trainer.result().loss);
  }
  r.best.assign(trainer.best_values(), trainer.best_values() + r.layout.size);
  r.values.assign(trainer.values(), trainer.values() + r.layout.size);
  return r;
}

/// Whether a span's values are the same bits in both.
bool same(const Run& a, const Run& b, std::size_t span) {
  const Span &s = a.layout.spans[span], &t = b.layout.spans[span];
  return s.name == t.name && s.size() == t.size() &&
         std::equal(&a.values[s.offset], &a.values[s.offset] + s.size(), &b.values[t.offset]);
}

}  // namespace

TEST_CASE("frozen: a head alone learns what it learns on an encoder whose rate is nothing") {
  const Run start = run<Bert>(0), frozen = run<HeadOnly>(12);
  const Run slow = run<Bert>(12, {.weight_decay = 0, .layerwise_lr_decay = 0});
  CHECK(frozen.losses == slow.losses);
  CHECK(frozen.losses.back() < frozen.losses.front());
  for (std::size_t s = 0; s < start.layout.spans.size(); ++s) {
    CHECK(frozen.layout.spans[s].frozen == !start.layout.spans[s].name.starts_with("head."));
    CHECK(same(frozen, start, s) == frozen.layout.spans[s].frozen);
    CHECK(same(frozen, slow, s));
  }
}

TEST_CASE_TEMPLATE("frozen: one step moves what is not frozen, by the same bits", Model, LastBlock, NoTables, Tables) {
  const Run start = run<Bert>(0), open = run<Bert>(1), part = run<Model>(1);
  int frozen = 0;
  for (std::size_t s = 0; s < start.layout.spans.size(); ++s) {
    CAPTURE(start.layout.spans[s].name);
    frozen += part.layout.spans[s].frozen;
    CHECK(same(part, part.layout.spans[s].frozen ? start : open, s));
  }
  CHECK(frozen >= 5);
}

TEST_CASE("frozen: tables that do not learn do not wait, and an average is of the whole net") {
  const Run now = run<LastBlock>(20), waiting = run<LastBlock, optim::LazyUpdate<optim::AdamW>>(20);
  CHECK(now.values == waiting.values);
  const Run averaged = run<LastBlock, optim::Averaged<optim::AdamW>>(20);
  CHECK(averaged.values == now.values);
  for (const Span& s : averaged.layout.spans)
    CHECK(std::equal(&averaged.best[s.offset], &averaged.best[s.offset] + s.size(), &now.values[s.offset]) == s.frozen);
}

TEST_CASE("frozen: no gradients, no moments, no activations that nothing needs") {
  const auto trainer = []<class Model>(Model) {
    static const device::Cpu<> dev(1);
    return train::Trainer<Model, precision::Fp32, device::Cpu<>, optim::AdamW>(dev, text::Labels<text::Bio>({"PER"}),
                                                                               1000, 0);
  };
  const auto open = trainer(Bert{});
  const auto part = trainer(LastBlock{});
  const auto head = trainer(HeadOnly{});
  CHECK(part.layout().stamps == 0);
  CHECK(part.cost().saved * 3 < 2 * open.cost().saved);
  CHECK(head.cost().saved * 5 < open.cost().saved);
  CHECK(head.layout().gradients == 64);  // weight [3,16] and bias [1,3], each from a line of its own
  const std::size_t most = part.layout().size - part.layout().gradients;
  CHECK(open.planned_bytes() - open.cost().arena ==
        part.planned_bytes() - part.cost().arena + most * 3 * sizeof(float) + open.layout().stamps * 4);
}

TEST_CASE("frozen: the folder is that of the whole net") {
  const std::string whole = train::describe<Bert>();
  CHECK(train::describe<HeadOnly>() == whole);
  CHECK(train::describe<LastBlock>() == whole);
  CHECK(train::describe<model::Tagger<Embed, layer::Recompute<Stack>, Head>>() == whole);
  CHECK(train::config_of<LastBlock>() == train::config_of<Bert>());
}

}  // namespace frozen_test
