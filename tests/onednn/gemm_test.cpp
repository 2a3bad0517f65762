// tests > [kernel]
//
// The tests of kernel/gemm_checks.hpp on oneDNN, and a training step whose device multiplies with it.
#include "entrain/kernel/gemm/onednn.hpp"

#include <doctest/doctest.h>

#include "entrain/kernel/bias/cpu.hpp"
#include "entrain/layer/linear.hpp"
#include "tests/kernel/gemm_checks.hpp"

using namespace entrain;

TEST_CASE("oneDNN: the three products against loops, awkward sizes") { test::check_products<kernel::OneDnnGemm>(); }

TEST_CASE("oneDNN: same bits for any number of threads") { test::check_threads<kernel::OneDnnGemm>(); }

TEST_CASE("oneDNN: a layer on device::Cpu<kernel::OneDnnGemm>") {
  const device::Cpu<kernel::OneDnnGemm> dev(2);
  const auto report = test::check_gradients<layer::Linear<24, 40>>(dev, test::Sentences({3, 1, 127}));
  CHECK_MESSAGE(report.worst < 1e-7, report.text);
}
