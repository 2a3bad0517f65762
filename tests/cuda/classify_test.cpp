// tests > [cuda]
#include "tests/cuda/cases/classify.hpp"

#include "entrain/kernel/pool/cpu.hpp"
#include "entrain/kernel/sigmoid/cpu.hpp"
#include "entrain/kernel/softmax/cpu.hpp"
#include "tests/cuda/check.hpp"

using namespace entrain;
using test::check_in_all_precisions;

TEST_CASE("pooling of sentences on the GPU, and its adjoint") {
  check_in_all_precisions<test::PoolCase<pool::Mean, 96>>(1e-5);
  check_in_all_precisions<test::PoolCase<pool::Max, 200>>(1e-5);
  check_in_all_precisions<test::PoolCase<pool::First, 37>>(1e-5);
}

TEST_CASE("binary cross-entropy on the GPU, smoothed, focal, weighted") {
  check_in_all_precisions<test::SigmoidCase<loss::CrossEntropy, 9, false>>(1e-5);
  check_in_all_precisions<test::SigmoidCase<loss::Smoothed, 33, true>>(1e-5);
  check_in_all_precisions<test::SigmoidCase<loss::Focal, 128, true>>(1e-5);
}

TEST_CASE("probabilities of labels on the GPU") {
  check_in_all_precisions<test::SoftmaxRowsCase<9>>(1e-5);
  check_in_all_precisions<test::SoftmaxRowsCase<77>>(1e-5);
}
