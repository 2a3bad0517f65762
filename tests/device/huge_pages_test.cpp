// tests > [device]
#include "entrain/device/huge_pages.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

#include "entrain/device/cpu.hpp"

using namespace entrain;

namespace {

constexpr std::size_t page = std::size_t(1) << 21;

/// Whether the system was asked for huge pages at this address: the flag `hg` of its mapping in /proc/self/smaps.
bool is_advised(const void* at) {
  std::ifstream maps("/proc/self/smaps");
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  bool here = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t first = 0, last = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &first, &last) == 2) here = first <= address && address < last;
    if (here && line.rfind("VmFlags:", 0) == 0) return line.find(" hg") != std::string::npos;
  }
  return false;
}

/// Whether this system takes the advice and says so.
bool has_huge_pages() {
#if defined(__linux__)
  void* const at = mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const bool has = at != MAP_FAILED && madvise(at, page, MADV_HUGEPAGE) == 0 && is_advised(at);
  if (at != MAP_FAILED) munmap(at, page);
  return has;
#else
  return false;
#endif
}

}  // namespace

TEST_CASE("huge_pages: the memory is aligned, and each of its bytes can be written") {
  for (const std::size_t bytes : {std::size_t(0), std::size_t(1), page - 1, page, page + 1, 3 * page - 64}) {
    const device::Pages pages = device::huge_pages(bytes);
    REQUIRE(pages != nullptr);
    CHECK(reinterpret_cast<std::uintptr_t>(pages.get()) % (bytes < page ? 64 : page) == 0);
    std::memset(pages.get(), 7, bytes);
    if (bytes > 0) CHECK(pages.get()[bytes - 1] == std::byte(7));
  }
}

TEST_CASE("huge_pages: the system is asked for each whole page of 2 MiB, and for no part of one") {
  if (!has_huge_pages()) {
    MESSAGE("not run here: the system has no huge pages, or does not say which memory may use them");
    return;
  }
  const device::Pages pages = device::huge_pages(2 * page + page / 2), part = device::huge_pages(page - 1);
  CHECK(is_advised(pages.get()));
  CHECK(is_advised(pages.get() + 2 * page - 1));
  CHECK_FALSE(is_advised(pages.get() + 2 * page));
  CHECK_FALSE(is_advised(part.get()));
  CHECK(is_advised(device::Cpu<>(1).workspace(0)));
  device::Cpu<>::Buffer<float> numbers(page);
  CHECK(is_advised(numbers.data() + page / 2));
}
