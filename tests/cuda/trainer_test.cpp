// tests > [cuda]
#include "tests/cuda/cases/trainer.hpp"
#include "entrain/cpu.hpp"
#include "tests/cuda/check.hpp"

using namespace entrain;
using precision::Fp32;
using test::check_on_gpu;

TEST_CASE("a trainer of hashed words on the GPU: losses, norms, values and tags") {
  check_on_gpu<test::TrainerCase<optim::AdamW>, Fp32>(1e-4, {1, 9});
  check_on_gpu<test::TrainerCase<optim::Deferred<optim::Averaged<optim::AdamW>>>, Fp32>(1e-4, {9});
}

TEST_CASE("a trainer of hashed words and chains on the GPU") {
  check_on_gpu<test::TrainerCase<optim::AdamW, head::Crf<8, text::Bio>>, Fp32>(1e-4, {5});
}
