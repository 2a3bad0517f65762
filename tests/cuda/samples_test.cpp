// tests > [cuda]
#include "tests/cuda/cases/samples.hpp"

#include "entrain/cpu.hpp"
#include "entrain/cpu_classifier.hpp"
#include "tests/cuda/check.hpp"

using namespace entrain;
using precision::Fp32;
using test::check_on_gpu;
using test::SamplesCase;

TEST_CASE("a trainer of samples that are ids on the GPU") {
  check_on_gpu<SamplesCase<test::SamplesOfIds, optim::Adam>, Fp32>(1e-4, {2, 9, 70});
  check_on_gpu<SamplesCase<test::SamplesOfIds, optim::LazyUpdate<optim::Adam>>, Fp32>(1e-4, {9});
}
TEST_CASE("a trainer of samples that are rows of numbers on the GPU") {
  check_on_gpu<SamplesCase<test::SamplesOfFloats, optim::Adam>, Fp32>(1e-4, {2, 9, 70});
}
