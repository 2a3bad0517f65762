// tests > [cuda]
#include "tests/cuda/cases/update.hpp"

#include "entrain/kernel/update/cpu.hpp"
#include "tests/cuda/check.hpp"

using namespace entrain;
using precision::Fp32;
using test::check_on_gpu;

TEST_CASE("optimizers on the GPU: rows that were touched, and rows that wait") {
  check_on_gpu<test::UpdateCase<optim::Sgd, false>, Fp32>(1e-6);
  check_on_gpu<test::UpdateCase<optim::AdamW, false>, Fp32>(1e-6);
  check_on_gpu<test::UpdateCase<optim::AdamW, true>, Fp32>(1e-6);
}
