// tests > [train]
//
// Encoders by name: they are the nets that their papers describe, to the last parameter, and what wraps them changes
// what training keeps, never what they are.
#include <doctest/doctest.h>

#include <string>
#include <type_traits>

#include "entrain/cpu.hpp"
#include "entrain/cpu_transformer.hpp"
#include "entrain/model/bert.hpp"
#include "entrain/train/folder/describe.hpp"
#include "entrain/train/folder/pretrained.hpp"
#include "entrain/train/loop/plan.hpp"

namespace encoders_test {
using namespace entrain;

namespace {

template <class E> using Tagger = model::FineTuned<E, head::Softmax, text::Bio>;
template <int C, text::TagScheme S> using Focal = head::Softmax<C, S, loss::Focal>;
template <class E> using Chained = model::FineTuned<E, head::Crf, text::Bioes>;

/// Parameters without the head.
template <class E> std::size_t parameters() {
  std::size_t n = 0;
  for (const Span& s : layout_of<Tagger<E>>(9).spans)
    if (!s.name.starts_with("head.")) n += s.size();
  return n;
}
template <class E> std::size_t saved(int rows) {
  return train::cost_of<Tagger<E>, precision::Fp32>({rows, rows, 9}).saved;
}

}  // namespace

TEST_CASE("encoders: as many parameters as the folders of their names have, poolers left out") {
  CHECK(parameters<model::BertBase>() == 109'482'240 - 590'592);
  CHECK(parameters<model::BertBaseCased>() == 108'310'272 - 590'592);
  CHECK(parameters<model::BertLarge>() == 335'141'888 - 1'049'600);
  CHECK(parameters<model::BertLargeCased>() == 333'579'264 - 1'049'600);
  CHECK(parameters<model::MiniLmL6>() == 22'713'216 - 147'840);
  CHECK(parameters<model::MiniLmL12>() == 33'360'000 - 147'840);
  CHECK(parameters<model::DistilBert>() == 66'362'880);
  CHECK(parameters<model::DistilBertCased>() == 65'190'912);
  CHECK(parameters<model::ElectraSmall>() == 13'483'008);
  CHECK(parameters<model::ElectraBase>() == 108'891'648);
  CHECK(parameters<model::ElectraLarge>() == 334'092'288);
  CHECK(parameters<model::RobertaBase>() == 124'645'632 - 590'592);
  CHECK(parameters<model::RobertaLarge>() == 355'359'744 - 1'049'600);
  CHECK(parameters<model::DistilRoberta>() == 82'118'400 - 590'592);
  CHECK(parameters<model::XlmRobertaBase>() == 278'043'648 - 590'592);
  CHECK(parameters<model::XlmRobertaLarge>() == 559'890'432 - 1'049'600);
  CHECK(parameters<model::MultilingualMiniLmL12>() == 117'653'760 - 147'840);
  CHECK(parameters<model::ModernBertBase>() == 149'014'272);
  CHECK(parameters<model::ModernBertLarge>() == 394'781'696);
}

TEST_CASE("encoders: config.json asks for them") {
  checkpoint::BertConfig config;
  CHECK(train::config_of<Tagger<model::BertBase>>() == config);
  CHECK(train::config_of<Chained<model::BertBase>>() == config);
  config.num_hidden_layers = 6, config.type_vocab_size = 0;
  config.family = &family::of<family::DistilBert>;
  CHECK(train::config_of<Tagger<model::DistilBert>>() == config);
}

TEST_CASE_TEMPLATE("encoders: frozen or recomputed they are the same folder", E, model::MiniLmL6,
                   model::ModernBertBase) {
  const std::string words = train::describe<Tagger<E>>();
  const bool modern = std::is_same_v<E, model::ModernBertBase>;
  CHECK(words.ends_with(modern ? "After<Sequence<DenseWithoutBias<768, 768, gelu>, NormWithoutBias<768, 1e-05>, "
                                 "Dropout<768>>, Softmax<768, Bio>>>"
                               : "Dropped<Softmax<384, Bio>>>"));
  CHECK(train::describe<model::FineTuned<E, Focal, text::Bio>>() == words);
  CHECK(train::describe<Tagger<model::FrozenEmbedding<E>>>() == words);
  CHECK(train::describe<Tagger<model::FrozenFirst<4, E>>>() == words);
  CHECK(train::describe<Tagger<model::FrozenEncoder<E>>>() == words);
  CHECK(train::describe<Tagger<model::Recomputed<E>>>() == words);
  CHECK(train::describe<Tagger<model::FrozenEmbedding<model::LabelAllTokens<E>>>>() == words);
  CHECK(train::describe<Tagger<model::Recomputed<model::FrozenFirst<4, E>>>>() == words);
}

TEST_CASE("encoders: each knob takes less memory") {
  using E = model::MiniLmL6;
  const std::size_t open = saved<E>(1000);
  CHECK(saved<model::FrozenFirst<4, E>>(1000) * 5 < open * 2);
  CHECK(saved<model::FrozenEncoder<E>>(1000) * 20 < open);
  CHECK(saved<model::Recomputed<E>>(1000) * 5 < open);
  CHECK(saved<model::Recomputed<model::FrozenFirst<4, E>>>(1000) * 10 < open);
}
TEST_CASE("encoders: and so it is with blocks that have a norm after them") {
  using E = model::ModernBertBase;
  CHECK(saved<model::Recomputed<model::FrozenFirst<15, E>>>(1000) * 10 < saved<E>(1000));
}

}  // namespace encoders_test
