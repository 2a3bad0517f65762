// tests > [cuda]
#include "tests/cuda/cases/update.hpp"

#include "entrain/kernel/update/cpu.hpp"
#include "tests/cuda/check.hpp"

using namespace entrain;
using precision::Fp32;
using test::check_in_all_precisions;
using test::check_on_gpu;

TEST_CASE("optimizers on the GPU: rows that wait catch up") {
  check_in_all_precisions<test::CatchUpCase<optim::AdamW>>(1e-6, {0, 1, 2, 33, 127});
}
TEST_CASE("optimizers on the GPU: steps that queue") {
  check_in_all_precisions<test::StepsCase<optim::Sgd>>(2e-6, {1, 2, 20});
  check_in_all_precisions<test::StepsCase<optim::AdamW>>(2e-6, {3});
  check_on_gpu<test::StepsCase<optim::Sgd, 0, test::SomeParameters, true>, Fp32>(2e-6, {2});
  check_on_gpu<test::StepsCase<optim::Sgd, 0, test::ManyParameters>, Fp32>(2e-6, {2});
  check_in_all_precisions<test::StepsCase<optim::LazyUpdate<optim::Averaged<optim::AdamW>>>>(2e-6, {3});
}
TEST_CASE("optimizers on the GPU: of a gradient that is not finite one is told later, and nothing was changed") {
  check_on_gpu<test::StepsCase<optim::AdamW, 2>, Fp32>(2e-6, {1, 2, 3, 12});
}
TEST_CASE("optimizers on the GPU: the loss scale falls, grows, and skips steps as if they had never been") {
  check_on_gpu<test::ScaledStepsCase<optim::AdamW, test::QuickScale>, Fp32>(2e-6, {1, 2, 3, 6, 15, 17});
  check_in_all_precisions<test::ScaledStepsCase<optim::LazyUpdate<optim::Averaged<optim::AdamW>>, test::QuickScale>>(
      2e-6, {15, 18});
}
TEST_CASE("optimizers on the GPU: rows of more tables wait than catch up together") {
  check_on_gpu<
      test::ScaledStepsCase<optim::LazyUpdate<optim::Averaged<optim::AdamW>>, test::QuickScale, test::ManyTables>,
      Fp32>(2e-6, {6, 18});
}
TEST_CASE("optimizers on the GPU: a loss scale that cannot fall any more is an error") {
  check_on_gpu<test::ScaledStepsCase<optim::Sgd, test::LowScale>, Fp32>(2e-6, {6, 7, 12, 18});
}
TEST_CASE("optimizers on the GPU: a loss scale never becomes infinite") {
  check_on_gpu<test::LargestScaleCase, Fp32>(0, {0, 2, 3, 4, 7});
}
TEST_CASE("copies in 16 bits on the GPU are rounded as on the host") {
  check_on_gpu<test::NarrowCase<fp16>, Fp32>(0, {1});
#if !defined(ENTRAIN_TEST_WITHOUT_BF16)
  check_on_gpu<test::NarrowCase<bf16>, Fp32>(0, {1});
#endif
}
