// tests > [train]
//
// Taggers on pretrained encoders compared with transformers, in the precisions that bert_parity_test.cpp does not have.
#include "entrain/kernel/gemm/amx.hpp"
#include "entrain/kernel/gemm/bf16.hpp"
#include "tests/train/bert_parity.hpp"

namespace bert_parity_all_test {
using namespace entrain;
using test::parity::tagger_against_transformers;

TEST_CASE("bert: near transformers where products are rounded to bf16, by AMX") {
  tagger_against_transformers<test::Bert, precision::Fp32, device::Cpu<kernel::AmxGemm>>(test::golden_bert, 0.02, 0.01);
}
TEST_CASE("families: logits, loss, gradients and twelve steps equal those of transformers, in fp32") {
  tagger_against_transformers<test::DistilBert, precision::Fp32>(test::golden_distilbert, 1e-5, 1e-5);
  tagger_against_transformers<test::Electra, precision::Fp32>(test::golden_electra, 1e-5, 1e-5);
  tagger_against_transformers<test::ElectraSmall, precision::Fp32>(test::golden_electra_small, 1e-5, 1e-5);
  tagger_against_transformers<test::Roberta, precision::Fp32>(test::golden_roberta, 1e-5, 1e-5);
  tagger_against_transformers<test::XlmRoberta, precision::Fp32>(test::golden_xlm_roberta, 1e-5, 1e-5);
  tagger_against_transformers<test::ModernBert, precision::Fp32>(test::golden_modern_bert, 1e-5, 1e-5);
}
TEST_CASE("modern_bert: and near them where products are rounded to bf16") {
  tagger_against_transformers<test::ModernBert, precision::Fp32, device::Cpu<kernel::Bf16Gemm>>(
      test::golden_modern_bert, 0.05, 0.01);
}

}  // namespace bert_parity_all_test
