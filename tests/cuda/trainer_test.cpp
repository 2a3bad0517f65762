// tests > [cuda]
#include "tests/cuda/cases/trainer.hpp"

#include "entrain/cpu.hpp"
#include "tests/cuda/check.hpp"

using namespace entrain;
using precision::Bf16Mixed;
using precision::Fp32;
using test::check_on_gpu;
using Averaged = optim::Deferred<optim::Averaged<optim::AdamW>>;

TEST_CASE("a trainer of hashed words on the GPU: losses, norms, values and tags") {
  check_on_gpu<test::TrainerCase<optim::AdamW>, Fp32>(1e-4, {1, 9});
  check_on_gpu<test::TrainerCase<Averaged>, Fp32>(1e-4, {9});
}
TEST_CASE("a trainer of hashed words on the GPU in bf16") {
  check_on_gpu<test::TrainerCase<optim::AdamW>, Bf16Mixed>(2e-2, {1, 9});
  check_on_gpu<test::TrainerCase<Averaged>, Bf16Mixed>(2e-2, {9});
}
