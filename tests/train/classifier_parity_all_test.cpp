// tests > [train]
//
// Classifiers on pretrained encoders compared with transformers: what classifier_parity_test.cpp does not have.
#include "tests/train/classifier_parity.hpp"

namespace classifier_parity_all_test {
using namespace entrain;
using namespace test::parity;

TEST_CASE("classifier: any number of classes, on encoders of each family") {
  classifier_against_transformers<DistilBert<Many>, precision::Fp64>(distilbert, "many", 1e-10);
  classifier_against_transformers<Electra<Many>, precision::Fp64>(electra, "many", 1e-10);
  classifier_against_transformers<Roberta<Many>, precision::Fp64>(roberta, "many", 1e-10);
  classifier_against_transformers<XlmRoberta<Many>, precision::Fp64>(xlm_roberta, "many", 1e-10);
  classifier_against_transformers<ModernBert<Many>, precision::Fp64>(modern_bert, "many", 1e-10);
}
TEST_CASE("classifier: any number of classes, and another family, in fp32") {
  classifier_against_transformers<Bert<Many>, precision::Fp32>(bert, "many", 1e-5);
  classifier_against_transformers<DistilBert<One>, precision::Fp32>(distilbert, "one", 1e-5);
}

}  // namespace classifier_parity_all_test
