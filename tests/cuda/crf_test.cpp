// tests > [cuda]
#include "tests/cuda/cases/crf.hpp"

#include "entrain/kernel/crf/cpu.hpp"
#include "entrain/kernel/gemm/cpu.hpp"
#include "tests/cuda/check.hpp"

using namespace entrain;
using precision::Fp32;
using test::check_on_gpu, test::on_gpu, test::Far;
using text::Bio, text::Bioes;

TEST_CASE("a chain on the GPU: loss and gradients") {
  check_on_gpu<test::CrfCase<Bioes, 6, false>, Fp32>(1e-5);
  check_on_gpu<test::CrfCase<Bioes, 6, false>, Fp32>(1e-5, {34});
  check_on_gpu<test::CrfCase<Bio, 37, true>, Fp32>(1e-5, {0, 1, 2, 33, 129});
  check_on_gpu<test::CrfCase<Bio, 1, false>, Fp32>(1e-5, {33, 1700});  // more sentences than are added up in one turn
  check_on_gpu<test::CrfCase<Bioes, 261, false>, Fp32>(1e-5, {31});
}

TEST_CASE("a chain on the GPU: gradients are those of the scaled loss, the loss is not") {
  check_on_gpu<test::CrfCase<Bioes, 6, false, Far::nothing, 8>, Fp32>(1e-5, {0, 33, 129});
  check_on_gpu<test::CrfCase<Bio, 40, false, Far::transitions, 8>, Fp32>(1e-5, {67});
}

TEST_CASE("a chain on the GPU: what underflows is summed in logarithms") {
  check_on_gpu<test::CrfCase<Bioes, 5, true, Far::transitions>, Fp32>(1e-5, {1, 31, 129});
  check_on_gpu<test::CrfCase<Bio, 40, false, Far::transitions>, Fp32>(1e-5, {67});
  check_on_gpu<test::CrfCase<Bioes, 5, false, Far::last>, Fp32>(1e-5, {31, 129});
  check_on_gpu<test::CrfCase<Bioes, 70, false, Far::scores>, Fp32>(1e-5, {129});
}

TEST_CASE("a chain on the GPU: numbers that are none show in the loss") {
  check_on_gpu<test::CrfNoNumberCase<Bioes, 5>, Fp32>(0, {31});
}

TEST_CASE("a chain on the GPU: the same bits again") {
  using Case = test::CrfCase<Bio, 37, true>;
  const auto once = on_gpu<Case, Fp32>(129, 3), again = on_gpu<Case, Fp32>(129, 3);
  for (std::size_t i = 0; i < once.size(); ++i) CHECK_MESSAGE(once[i].values == again[i].values, once[i].name);
}

TEST_CASE("the best path on the GPU: of equal ones the smallest tags, whatever numbers are none") {
  check_on_gpu<test::CrfDecodeCase<Bio, 5, true>, Fp32>(0);
  check_on_gpu<test::CrfDecodeCase<Bioes, 70, true>, Fp32>(0, {31, 129});
}

TEST_CASE_TEMPLATE("the best path on the GPU is the CPU's, in fp32 too", Case, test::CrfDecodeCase<Bioes, 37, false>,
                   test::CrfDecodeCase<Bioes, 261, false>) {
  const device::Cpu<> oracle;
  test::Stage<device::Cpu<>, Fp32, float> stage(oracle, 4);
  Case::run(stage, 67);
  CHECK(on_gpu<Case, Fp32>(67, 4).front().values == stage.results.front().values);
}
