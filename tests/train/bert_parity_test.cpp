// tests > [train]
//
// Taggers on pretrained encoders compared with transformers: each family in fp64, BERT also in other precisions;
// bert_parity_all_test.cpp has the others.
#include "tests/train/bert_parity.hpp"
#include "entrain/kernel/gemm/bf16.hpp"

namespace bert_parity_test {
using namespace entrain;
using test::parity::tagger_against_transformers;

TEST_CASE("bert: logits, loss, gradients and twelve steps of AdamW equal those of transformers, in fp64") {
  tagger_against_transformers<test::Bert, precision::Fp64>(test::golden_bert, 1e-10, 1e-10);
}
TEST_CASE("bert: and in fp32") {
  tagger_against_transformers<test::Bert, precision::Fp32>(test::golden_bert, 1e-5, 1e-5);
}
TEST_CASE("bert: and near them where products are rounded to bf16") {
  tagger_against_transformers<test::Bert, precision::Fp32, device::Cpu<kernel::Bf16Gemm>>(test::golden_bert, 0.02,
                                                                                          0.01);
}
TEST_CASE("distilbert: the same, under its own names and without segments") {
  tagger_against_transformers<test::DistilBert, precision::Fp64>(test::golden_distilbert, 1e-10, 1e-10);
}
TEST_CASE("electra: the same, under its own prefix") {
  tagger_against_transformers<test::Electra, precision::Fp64>(test::golden_electra, 1e-10, 1e-10);
}
TEST_CASE("electra: the same, with tables that are narrower than the blocks") {
  tagger_against_transformers<test::ElectraSmall, precision::Fp64>(test::golden_electra_small, 1e-10, 1e-10);
}
TEST_CASE("roberta: the same, with pieces of byte-level BPE and positions from 2") {
  tagger_against_transformers<test::Roberta, precision::Fp64>(test::golden_roberta, 1e-10, 1e-10);
}
TEST_CASE("xlm-roberta: the same, with pieces of a unigram model") {
  tagger_against_transformers<test::XlmRoberta, precision::Fp64>(test::golden_xlm_roberta, 1e-10, 1e-10);
}
TEST_CASE("modern_bert: the same, with rotary positions, windows, gates and no biases") {
  tagger_against_transformers<test::ModernBert, precision::Fp64>(test::golden_modern_bert, 1e-10, 1e-10);
}

}  // namespace bert_parity_test
