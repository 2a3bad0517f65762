// tests > [kernel]
//
// The registers of AMX. The instructions run where the compiler's flags allow them; elsewhere their twin takes their
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

#include "entrain/kernel/gemm/amx.hpp"
#include "tests/kernel/gemm_checks.hpp"

using namespace entrain;
using kernel::detail::Pair;

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
  kernel::detail::AmxBlock<Registers>{}.multiply(a.data(), b.data(), 256 * deep, deep, c.data(), 40, how, nullptr, 32);
  return c;
}

}  // namespace

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
