// tests > [cuda]
#include "tests/cuda/cases/softmax.hpp"

#include "entrain/kernel/softmax/cpu.hpp"
#include "tests/cuda/check.hpp"

using namespace entrain;
using precision::Fp32;
using test::check_on_gpu;

TEST_CASE("cross-entropy on the GPU, smoothed, focal, weighted") {
  check_on_gpu<test::SoftmaxCase<loss::CrossEntropy, 9, false>, Fp32>(1e-5);
  check_on_gpu<test::SoftmaxCase<loss::CrossEntropy, 64, false>, Fp32>(1e-5);  // no room behind a row
  check_on_gpu<test::SoftmaxCase<loss::Smoothed, 33, false>, Fp32>(1e-5);
  check_on_gpu<test::SoftmaxCase<loss::Focal, 70, true>, Fp32>(1e-5);
}

TEST_CASE("cross-entropy on the GPU in fp16: its slopes are scaled, its loss is not") {
  check_on_gpu<test::SoftmaxCase<loss::CrossEntropy, 9, false, 64>, precision::Fp16Mixed>(5e-4);
}

TEST_CASE("cross-entropy on the GPU: a score that is no number shows in the loss") {
  check_on_gpu<test::NoNumberCase, Fp32>(0);
}

TEST_CASE("the best label on the GPU: of equal ones the smallest, whatever numbers are none") {
  check_on_gpu<test::ArgmaxCase, Fp32>(0);
}
