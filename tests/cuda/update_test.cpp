// tests > [cuda]
#include "tests/cuda/cases/update.hpp"

#include "entrain/kernel/update/cpu.hpp"
#include "tests/cuda/check.hpp"

using namespace entrain;
using precision::Fp32;
using test::check_on_gpu;

TEST_CASE("optimizers on the GPU: rows that wait catch up") {
  check_on_gpu<test::CatchUpCase<optim::AdamW>, Fp32>(1e-6, {0, 1, 2, 33, 127, 515});
}
TEST_CASE("optimizers on the GPU: steps that queue") {
  check_on_gpu<test::StepsCase<optim::Sgd>, Fp32>(2e-6, {1, 2, 20});
  check_on_gpu<test::StepsCase<optim::AdamW>, Fp32>(2e-6, {3});
  check_on_gpu<test::StepsCase<optim::Sgd, 0, test::ManyParameters>, Fp32>(2e-6, {2});
  check_on_gpu<test::StepsCase<optim::Deferred<optim::Averaged<optim::AdamW>>>, Fp32>(2e-6, {3});
}
TEST_CASE("optimizers on the GPU: of a gradient that is not finite one is told later, and nothing was changed") {
  check_on_gpu<test::StepsCase<optim::AdamW, 2>, Fp32>(2e-6, {1, 2, 3, 12});
}
