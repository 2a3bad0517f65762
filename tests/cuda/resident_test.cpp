// tests > [cuda]
#include "tests/cuda/cases/resident.hpp"

#include "entrain/cpu.hpp"
#include "entrain/cpu_transformer.hpp"
#include "tests/cuda/check.hpp"

using namespace entrain;
using precision::Fp32;
using test::check_on_gpu;

namespace {

/// What both halves of a case say.
void check_halves(const test::Results& both) {
  const auto half = static_cast<std::ptrdiff_t>(both.size() / 2);
  test::check_same({both.begin(), both.begin() + half}, {both.begin() + half, both.end()});
}

}  // namespace

TEST_CASE("ids sorted on the GPU are the packer's segments") {
  check_on_gpu<test::SortedCase<50>, Fp32>(0, {1, 2, 31, 64, 129, 515, 4000});
  check_on_gpu<test::SortedCase<30522>, Fp32>(0, {1, 2, 129, 515});
  check_on_gpu<test::SortedCase<1>, Fp32>(0, {1, 2, 129});
}

TEST_CASE("batches of pieces made on the GPU are the packer's") {
  check_on_gpu<test::MadeCase<test::PiecesAlone>, Fp32>(0, {0, 1, 2, 5, 9});
  check_on_gpu<test::MadeCase<test::LabelAllTokensAlone>, Fp32>(0, {0, 2, 9});
}

TEST_CASE("batches of hashed words made on the GPU are the packer's, in the order of first sight") {
  check_on_gpu<test::MadeCase<test::WordsAlone<0, 2, 60, 20, 20, 20>>, Fp32>(0, {0, 1, 2, 9});
  check_on_gpu<test::MadeCase<test::WordsAlone<40, 4, 5, 1000, 2, 31, 64, 33>>, Fp32>(0, {0, 5});
  check_on_gpu<test::MadeCase<test::WordsAlone<40, 1, 7>>, Fp32>(0, {0, 9});
  // Memory to the last byte: what is asked for fills whole lines.
  check_on_gpu<test::MadeCase<test::WordsAlone<0, 2, 60, 20, 20, 20>, 65>, Fp32>(0, {0});
}

TEST_CASE("batches with a class for each sentence made on the GPU are the packer's") {
  check_on_gpu<test::MadeCase<test::ClassPerSentence<test::PiecesAlone>>, Fp32>(0, {0, 5});
  check_on_gpu<test::MadeCase<test::ClassPerSentence<test::WordsAlone<40, 2, 60, 20, 20, 20>>>, Fp32>(0, {0, 9});
}

TEST_CASE("a transformer learns the same bits from batches of the host and of the GPU") {
  using Waits = optim::LazyUpdate<optim::AdamW>;
  check_on_gpu<test::BothWaysCase<test::SmallTransformer, optim::Sgd>, Fp32>(1e-5, {1, 9});
  for (const int sentences : {9, 30}) {
    check_halves(test::on_gpu<test::BothWaysCase<test::SmallTransformer, optim::Sgd>, Fp32>(sentences, 1));
    check_halves(test::on_gpu<test::Eagerly<test::BothWaysCase<test::SmallTransformer, Waits>>, Fp32>(sentences, 1));
  }
  check_halves(test::on_gpu<test::FitBothWaysCase<test::SmallTransformer, Waits>, Fp32>(25, 1));
}

TEST_CASE("a tagger of hashed words learns the same bits from batches of the host and of the GPU") {
  using Waits = optim::LazyUpdate<optim::AdamW>;
  for (const int sentences : {1, 9, 40})
    check_halves(test::on_gpu<test::BothWaysCase<test::LightTagger, optim::AdamW>, Fp32>(sentences, 1));
  check_halves(test::on_gpu<test::Eagerly<test::FitBothWaysCase<test::LightTagger, Waits>>, Fp32>(25, 1));
}
