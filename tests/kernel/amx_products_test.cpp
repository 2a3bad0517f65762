// tests > [kernel]
//
// Products with AMX. The instructions run where the compiler's flags allow them; elsewhere their twin takes their
// place, and "not run here" is printed once.
#include <doctest/doctest.h>

#include "entrain/core/config.hpp"  // ENTRAIN_MATRIX_TILES

#if ENTRAIN_MATRIX_TILES
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "entrain/kernel/activation/cpu.hpp"
#include "entrain/kernel/bias/cpu.hpp"
#include "entrain/kernel/gemm/amx.hpp"
#include "entrain/layer/linear.hpp"
#include "tests/kernel/gemm_checks.hpp"

using namespace entrain;
using kernel::detail::Pair;
using kernel::detail::Side;
using kernel::detail::SumAxis;

namespace {

std::vector<Pair> random_pairs(std::size_t n, std::uint64_t seed) {
  const auto numbers = test::gemm_noise<float>(2 * n, seed);
  std::vector<Pair> pairs(n);
  for (std::size_t i = 0; i < n; ++i)
    pairs[i] = Pair{std::uint32_t{bf16(numbers[2 * i + 1]).bits} << 16 | bf16(numbers[2 * i]).bits};
  return pairs;
}

template <class Registers>
std::vector<float> block(const std::vector<Pair>& a, const std::vector<Pair>& b, int deep, Write how) {
  std::vector<float> c = test::gemm_noise<float>(32 * 40, 3);
  Registers registers;
  kernel::detail::tile_block(registers, a.data(), b.data(), 256 * deep, deep, c.data(), 40, how);
  return c;
}

template <SumAxis Stored, Side At> void check_packing() {
  const auto numbers = test::gemm_noise<float>(64 * 64, 1);
  for (const int lines : {1, 2, 15, 16})
    for (const int deep : {1, 2, 15, 16, 17, 31, 32}) {
      std::vector<Pair> found(256, Pair{7}), wanted(256, Pair{9});
      kernel::detail::pack_tile<Stored, At>(numbers.data(), 64, lines, deep, found.data());
      kernel::detail::pack_tile_by_numbers<Stored, At>(numbers.data(), 64, lines, deep, wanted.data());
      CHECK_MESSAGE(found == wanted, lines, " lines, ", deep, " deep");
      for (int line = 0; line < lines; ++line)
        for (int k = 0; k < deep; ++k) {
          const auto pair = static_cast<std::uint32_t>(
              found[static_cast<std::size_t>(At == Side::left ? line * 16 + k / 2 : k / 2 * 16 + line)]);
          const auto bits = static_cast<std::uint16_t>(k % 2 == 0 ? pair : pair >> 16);
          CHECK(bits ==
                bf16(numbers[static_cast<std::size_t>(Stored == SumAxis::along ? line * 64 + k : k * 64 + line)]).bits);
        }
    }
}

/// What a product does at the end of each block is, to the bit, the ops that it is made of.
template <int I, int O> void check_ends(const device::Cpu<kernel::AmxGemm>& dev, int n) {
  const auto inside = static_cast<std::size_t>(n) * O;
  const auto x = test::gemm_noise<float>(static_cast<std::size_t>(n) * I, 1), w = test::gemm_noise<float>(I * O, 2),
             b = test::gemm_noise<float>(O, 3);
  const Rows<const float, I> in(x.data(), n);
  const MatmulWeight<const float, O, I> inner{w.data()};
  const MatmulWeight<const float, I, O> outer{w.data()};
  const Weight<const float, 1, O> bias{b.data()};
  std::vector<float> plain(inside), slope(inside), y(inside), dx(inside), sum(inside), kept(inside), found(inside),
      back(inside);
  const auto rows = [&](std::vector<float>& of) { return Rows<float, O>(of.data(), n); };
  kernel::gemm(dev, in, inner, rows(plain));
  kernel::add_bias(dev, bias, rows(plain));
  kernel::gemm_bias(dev, in, inner, bias, rows(sum));
  kernel::gemm(dev, in, inner, rows(slope));
  kernel::bias_act<act::Gelu>(dev, bias, rows(slope), rows(y));
  kernel::gemm_bias_act<act::Gelu>(dev, in, inner, bias, rows(kept), rows(found));
  kernel::gemm_dx(dev, in, outer, rows(dx), Write::assign);
  kernel::act_back(dev, Rows<const float, O>(rows(dx)), Rows<const float, O>(rows(slope)), rows(dx));
  kernel::gemm_dact<act::Gelu>(dev, in, outer, Rows<const float, O>(rows(kept)), rows(back));
  CHECK(sum == plain);
  CHECK(kept == slope);
  CHECK(found == y);
  CHECK(back == dx);
}

}  // namespace

TEST_CASE("AMX products: the three against loops, awkward sizes") {
  test::check_products<kernel::AmxGemm, bf16>();
  const device::Cpu<kernel::AmxGemm> dev(2);
  for (const int n : {31, 32, 33, 1536, 1537})  // a row of blocks; a range of the sum and one number more
    test::check_gemm<40, 5, float, bf16>(dev, n, 1e-6);
  test::check_gemm<1537, 33, float, bf16>(dev, 3, 1e-6);
  test::check_gemm<1536, 1100, float, bf16>(dev, SANITIZED ? 1 : 33, 1e-6);  // columns that are packed in three parts
}

TEST_CASE("AMX products: bias and activation function at the end of each block, once") {
  const device::Cpu<kernel::AmxGemm> dev(2);
  for (const int n : {0, 1, 31, 32, 33, 127, 129}) {
    check_ends<24, 40>(dev, n);  // blocks that exceed the result on both sides
    check_ends<32, 96>(dev, n);
  }
  check_ends<1537, 33>(dev, 33);                    // two ranges of the sum
  check_ends<1536, 1100>(dev, SANITIZED ? 1 : 33);  // columns that are packed in parts
}

TEST_CASE("AMX products: same bits for any number of threads") { test::check_threads<kernel::AmxGemm>(); }

TEST_CASE("AMX products: the instructions and their twin give the same bits") {
#if ENTRAIN_MATRIX_TILES
  kernel::detail::allow_tiles();
#else
  std::printf("AMX instructions: not run here; this program was not compiled for them\n");
#endif
  const auto a = random_pairs(2 * 3 * 256, 1), b = random_pairs(2 * 3 * 256, 2);
  for (const int deep : {1, 3})
    for (const Write how : {Write::assign, Write::add}) {
      const auto found = block<kernel::detail::Tiles>(a, b, deep, how);
      const auto wanted = block<kernel::detail::TilesTwin>(a, b, deep, how);
      CHECK(std::memcmp(found.data(), wanted.data(), 4 * wanted.size()) == 0);
    }
}

TEST_CASE("AMX products: a thread's registers keep their sums while other threads use theirs") {
  kernel::detail::allow_tiles();
  const auto a = random_pairs(2 * 256, 1), b = random_pairs(2 * 256, 2);
  const auto wanted = block<kernel::detail::TilesTwin>(a, b, 1, Write::assign);
  std::vector<int> wrong(8);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < wrong.size(); ++t)  // more than there are cores: the system takes turns with them
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) {
        std::vector<float> sums(wanted.size());
        kernel::detail::Tiles registers;
        registers.template load<0>(a.data(), 16);
        registers.template load<1>(b.data(), 16);
        registers.template zero<2>();
        std::this_thread::yield();
        registers.template multiply<2, 0, 1>();
        std::this_thread::yield();
        registers.template store<2>(sums.data(), 40);
        for (std::size_t r = 0; r < 16; ++r)
          wrong[t] += std::memcmp(sums.data() + r * 40, wanted.data() + r * 40, 64) != 0;
      }
    });
  for (auto& thread : threads) thread.join();
  for (const int w : wrong) CHECK(w == 0);
}

TEST_CASE("AMX products: each kind of operand is packed as its registers read it") {
  check_packing<SumAxis::along, Side::left>();
  check_packing<SumAxis::along, Side::right>();
  check_packing<SumAxis::down, Side::left>();
  check_packing<SumAxis::down, Side::right>();
}

TEST_CASE("AMX products: to the nearest, ties to even; what is no number stays none") {
  test::check_rounding<kernel::AmxGemm>();
}

TEST_CASE("AMX products: fp64 is not rounded, and a layer has its gradients") {
  const device::Cpu<kernel::AmxGemm> dev(2);
  const auto report = test::check_gradients<layer::Linear<24, 40>>(dev, test::Sentences({3, 1, 127}));
  CHECK_MESSAGE(report.worst < 1e-7, report.text);
}

TEST_CASE("AMX products: the workspace holds the shared operand, a row of blocks and a block") {
  CHECK(kernel::AmxGemm::workspace(4) == kernel::AmxGemm::shared_bytes + 2 * 32 * 1536 + 4 * 32 * 32);
  CHECK(kernel::AmxPanelGemm::workspace(8) <= device::Cpu<kernel::AmxPanelGemm>::workspace_bytes);
  CHECK(kernel::AmxGemm::workspace(8) <= device::Cpu<kernel::AmxGemm>::workspace_bytes);
}

#if ENTRAIN_MATRIX_TILES
TEST_CASE("AMX products: a system that does not allow the registers is named in one line") {
  static constexpr const char* no_filter = "the filter was not installed";
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {  // the system's filter refuses one call, for this process and from now on
    sock_filter steps[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                           BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_arch_prctl, 0, 1),
                           BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EOPNOTSUPP),
                           BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    const sock_fprog filter{std::size(steps), steps};
    std::string said = no_filter;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0) {
      said = "no error";
      try {
        const device::Cpu<kernel::AmxGemm> dev(1);
      } catch (const Error& e) {
        said = e.what();
      }
    }
    _exit(write(ends[1], said.data(), said.size()) == static_cast<ssize_t>(said.size()) ? 0 : 1);
  }
  close(ends[1]);
  char said[400];
  const ssize_t n = read(ends[0], said, sizeof said);
  close(ends[0]);
  int status = 1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  const std::string line(said, static_cast<std::size_t>(n > 0 ? n : 0));
  if (line == no_filter) {  // a kernel without filters
    std::printf("AMX refused by the system: not run here; %s\n", no_filter);
    return;
  }
  const std::string found =
                        "entrain.device.9: products in bf16: the system does not allow AMX (Operation not supported)",
                    expected = ", expected a CPU with AMX, and Linux 5.16 or newer",
                    remedy = "; compile for this machine, or with -mno-amx-tile, or train in fp32";
  CHECK(line == found + expected + remedy);
}
#endif
