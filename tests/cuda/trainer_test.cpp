// tests > [cuda]
#include "tests/cuda/cases/trainer.hpp"

#include "entrain/cpu.hpp"
#include "entrain/cpu_classifier.hpp"
#include "entrain/cpu_transformer.hpp"
#include "tests/cuda/check.hpp"

using namespace entrain;
using precision::Fp32;
using test::check_on_gpu;
using test::LightTagger;
using test::SmallTransformer;
using test::TrainerCase;
using Averaged = optim::LazyUpdate<optim::Averaged<optim::AdamW>>;

TEST_CASE("a trainer of hashed words on the GPU: losses, norms, values and predictions") {
  check_on_gpu<TrainerCase<LightTagger, optim::AdamW>, Fp32>(1e-4, {1, 9});
  check_on_gpu<TrainerCase<LightTagger, Averaged>, Fp32>(1e-4, {9});
}
TEST_CASE("a trainer of words with vectors on the GPU") {
  check_on_gpu<TrainerCase<test::VectorTagger, optim::AdamW>, Fp32>(1e-4, {1, 9});
  check_on_gpu<TrainerCase<test::VectorTagger, Averaged>, Fp32>(1e-4, {9});
}
TEST_CASE("a trainer of a transformer on the GPU") {
  // Not AdamW: the key's bias moves nothing, so all that its rule would follow is rounding.
  check_on_gpu<TrainerCase<SmallTransformer, optim::Sgd>, Fp32>(1e-5, {1, 9});
  check_on_gpu<TrainerCase<test::OfGeluTanh, optim::Sgd>, Fp32>(1e-5, {1, 9});
}
TEST_CASE("a trainer of ModernBERT on the GPU, with graphs and without, and whenever values change") {
  using Case = TrainerCase<test::ModernTransformer, Averaged>;
  check_on_gpu<Case, Fp32>(1e-4, {1, 9});
  const auto as_it_is = test::on_gpu<Case, Fp32>(9, 1);
  test::check_same(as_it_is, test::on_gpu<test::Eagerly<Case>, Fp32>(9, 1));
  test::check_same(as_it_is, test::on_gpu<test::AtOnce<Case>, Fp32>(9, 1));
}

TEST_CASE("a trainer of hashed words and chains on the GPU") {
  check_on_gpu<TrainerCase<test::LightChain, optim::AdamW>, Fp32>(1e-4, {5});
}

TEST_CASE("a trainer of classes of texts on the GPU: losses, norms, values and probabilities") {
  check_on_gpu<TrainerCase<test::ClassOfMean, optim::AdamW>, Fp32>(1e-4, {3, 9});
  check_on_gpu<TrainerCase<test::ClassesOfMaximum, Averaged>, Fp32>(1e-4, {9, 40});
  check_on_gpu<TrainerCase<test::TransformerClassifier, optim::Sgd>, Fp32>(1e-5, {3, 9});
  using Case = TrainerCase<test::ClassesOfMaximum, Averaged>;
  test::check_same(test::on_gpu<Case, Fp32>(9, 1), test::on_gpu<test::Eagerly<Case>, Fp32>(9, 1));
}

TEST_CASE(
    "a trainer on the GPU gives the same bits with graphs and without, with one queue or two, and whenever values "
    "change") {
  using Case = TrainerCase<LightTagger, Averaged>;
  for (const int sentences : {9, 40}) {
    const auto as_it_is = test::on_gpu<Case, Fp32>(sentences, 1);
    test::check_same(as_it_is, test::on_gpu<test::Eagerly<Case>, Fp32>(sentences, 1));
    test::check_same(as_it_is, test::on_gpu<test::InOneQueue<Case>, Fp32>(sentences, 1));
    test::check_same(as_it_is, test::on_gpu<test::AtOnce<Case>, Fp32>(sentences, 1));
  }
  using Deep = TrainerCase<test::DeepTransformer,
                           Averaged>;  // a stack of blocks, whose values change during the next forward pass
  const auto as_it_is = test::on_gpu<Deep, Fp32>(9, 1);
  test::check_same(as_it_is, test::on_gpu<test::Eagerly<Deep>, Fp32>(9, 1));
  test::check_same(as_it_is, test::on_gpu<test::AtOnce<Deep>, Fp32>(9, 1));
  using Small = TrainerCase<SmallTransformer, Averaged>;
  test::check_same(test::on_gpu<Small, Fp32>(9, 1), test::on_gpu<test::AtOnce<Small>, Fp32>(9, 1));
}

TEST_CASE("a trainer on the GPU gives the same bits twice") {
  test::check_same_bits_on_gpu<TrainerCase<LightTagger, Averaged>, Fp32>(9);
  test::check_same_bits_on_gpu<TrainerCase<test::LightChain, optim::AdamW>, Fp32>(9);
  test::check_same_bits_on_gpu<TrainerCase<SmallTransformer, optim::Sgd>, Fp32>(9);
  test::check_same_bits_on_gpu<TrainerCase<test::OfGeluTanh, optim::Sgd>, Fp32>(9);
  test::check_same_bits_on_gpu<TrainerCase<test::ClassOfMean, optim::AdamW>, Fp32>(9);
}
