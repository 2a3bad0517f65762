// tests > [cuda]
#include "tests/cuda/cases/softmax.hpp"

#include "entrain/kernel/softmax/cpu.hpp"
#include "tests/cuda/check.hpp"

using namespace entrain;
using test::check_in_all_precisions;

TEST_CASE("cross-entropy on the GPU, smoothed, focal, weighted") {
  check_in_all_precisions<test::SoftmaxCase<loss::CrossEntropy, 9, false>>(1e-5);
  check_in_all_precisions<test::SoftmaxCase<loss::CrossEntropy, 64, false>>(1e-5);  // no room after a row
  check_in_all_precisions<test::SoftmaxCase<loss::Smoothed, 33, false>>(1e-5);
  check_in_all_precisions<test::SoftmaxCase<loss::Focal, 70, true>>(1e-5);
}

TEST_CASE("cross-entropy on the GPU in fp16: its slopes are scaled, its loss is not") {
  test::check_on_gpu<test::SoftmaxCase<loss::CrossEntropy, 9, false, 64>, precision::Fp16Mixed>({0x1p-12, 1e-5});
}

TEST_CASE("cross-entropy on the GPU: a score that is no number shows in the loss") {
  check_in_all_precisions<test::NoNumberCase>(0);
}

TEST_CASE("the best label on the GPU: of equal ones the smallest, whatever numbers are none") {
  check_in_all_precisions<test::ArgmaxCase>(0);
}
