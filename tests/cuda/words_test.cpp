// tests > [cuda]
#include "tests/cuda/cases/words.hpp"

#include "entrain/kernel/bias/cpu.hpp"
#include "entrain/kernel/dropout/cpu.hpp"
#include "entrain/kernel/gather/cpu.hpp"
#include "entrain/kernel/hash_embed/cpu.hpp"
#include "entrain/kernel/map/cpu.hpp"
#include "entrain/kernel/maxout/cpu.hpp"
#include "entrain/kernel/window/cpu.hpp"
#include "tests/cuda/check.hpp"

using namespace entrain;
using precision::Fp32;
using test::check_on_gpu;

TEST_CASE("windows on the GPU") {
  check_on_gpu<test::WindowCase<1, 96, false>, Fp32>(1e-6);
  check_on_gpu<test::WindowCase<3, 6, true>, Fp32>(1e-6);
}

TEST_CASE("maxout on the GPU") {
  check_on_gpu<test::MaxoutCase<2, 96>, Fp32>(1e-6);
  check_on_gpu<test::MaxoutCase<3, 7>, Fp32>(1e-6);
}

TEST_CASE("biases on the GPU") {
  check_on_gpu<test::BiasCase<9, false>, Fp32>(1e-6);
  check_on_gpu<test::BiasCase<33, true>, Fp32>(1e-6);
  check_on_gpu<test::BiasCase<264, false>, Fp32>(1e-6);
}

TEST_CASE("dropout on the GPU: the same numbers fall out") {
  check_on_gpu<test::DropoutCase<96, false>, Fp32>(1e-6);
  check_on_gpu<test::DropoutCase<13, true>, Fp32>(1e-6);
}

TEST_CASE("rows picked and put back on the GPU") {
  check_on_gpu<test::GatherCase<96>, Fp32>(1e-6);
  check_on_gpu<test::GatherCase<7>, Fp32>(1e-6);
  check_on_gpu<test::MapCase<96>, Fp32>(1e-6);
  check_on_gpu<test::MapCase<7>, Fp32>(1e-6);
}

TEST_CASE("tables of hashes on the GPU") {
  check_on_gpu<test::HashEmbedCase<4, 96>, Fp32>(1e-6);
  check_on_gpu<test::HashEmbedCase<1, 6>, Fp32>(1e-6);
}

TEST_CASE("sums over long segments on the GPU") {
  check_on_gpu<test::SegmentsCase<8>, Fp32>(1e-6, {0, 1, 2, 64, 65, 66, 130, 515, 1300});
  check_on_gpu<test::SegmentsCase<7>, Fp32>(1e-6, {0, 1, 64, 65, 515, 1300});
}
