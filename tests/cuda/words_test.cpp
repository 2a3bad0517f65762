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
using test::check_in_all_precisions;

TEST_CASE("windows on the GPU") {
  check_in_all_precisions<test::WindowCase<1, 96, false>>(1e-6);
  check_in_all_precisions<test::WindowCase<3, 6, true>>(1e-6);
}

TEST_CASE("maxout on the GPU") {
  check_in_all_precisions<test::MaxoutCase<2, 96>>(1e-6);
  check_in_all_precisions<test::MaxoutCase<3, 7>>(1e-6);
}

TEST_CASE("biases on the GPU") {
  check_in_all_precisions<test::ByLabelBiasCase<9, false>>(1e-6);
  check_in_all_precisions<test::ByLabelBiasCase<33, true>>(1e-6);
  check_in_all_precisions<test::ByLabelBiasCase<264, false>>(1e-6);
}

TEST_CASE("dropout on the GPU: the same numbers fall out") {
  check_in_all_precisions<test::DropoutCase<96, false>>(1e-6);
  check_in_all_precisions<test::DropoutCase<13, true>>(1e-6);
}

TEST_CASE("rows picked and put back on the GPU") {
  check_in_all_precisions<test::GatherCase<96>>(1e-6);
  check_in_all_precisions<test::GatherCase<7>>(1e-6);
  check_in_all_precisions<test::MapCase<96>>(1e-6);
  check_in_all_precisions<test::MapCase<7>>(1e-6);
}

TEST_CASE("tables of hashes on the GPU") {
  check_in_all_precisions<test::HashEmbedCase<4, 96>>(1e-6);
  check_in_all_precisions<test::HashEmbedCase<1, 6>>(1e-6);
}

TEST_CASE("sums over long segments on the GPU") {
  check_in_all_precisions<test::SegmentsCase<8>>(1e-6, {0, 1, 2, 64, 65, 66, 130, 515, 1300});
  check_in_all_precisions<test::SegmentsCase<7>>(1e-6, {0, 1, 64, 65, 515, 1300});
}
