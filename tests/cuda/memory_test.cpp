// tests > [cuda]
#include "tests/cuda/cases/memory.hpp"

#include "entrain/cpu.hpp"
#include "tests/cuda/check.hpp"

using namespace entrain;

namespace {

/// Within 2 MiB, the page in which a driver gives memory; some pages more may have stayed with the driver when the
/// trainer before gave its memory back. The host harness gives each piece just its bytes.
template <class Optimizer, class P> void check_memory_on_gpu() {
  constexpr double page = 2 << 20;
  for (const int rows : {1, 256, 20'000}) {
    const test::Results found = test::on_gpu<test::MemoryCase<Optimizer>, P>(rows, 1);
    const double taken = found[0].values[0], asked = found[1].values[0], total = found[2].values[0];
    CHECK_MESSAGE(taken >= asked - 4 * page, rows, " rows: ", taken, " taken, ", asked, " asked for");
    CHECK_MESSAGE(taken <= total + page, rows, " rows: ", taken, " taken, ", total, " planned");
  }
}

}  // namespace

TEST_CASE("the GPU's free memory shrinks by what a trainer planned") {
  check_memory_on_gpu<optim::AdamW, precision::Fp32>();
#if !defined(ENTRAIN_TEST_WITHOUT_BF16)
  check_memory_on_gpu<optim::LazyUpdate<optim::Averaged<optim::AdamW>>, precision::Bf16Mixed>();
#endif
}
