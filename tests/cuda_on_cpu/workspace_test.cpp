// tests > [cuda_on_cpu]
//
// How work is cut where sums are next to each other in the workspace: all of it once, and the sums have room.
#include <doctest/doctest.h>

#include <algorithm>

#include "entrain/cuda.cuh"
#include "entrain/cuda_transformer.cuh"

namespace workspace_test {
using namespace entrain::kernel::detail;

TEST_CASE("ranges: every row is in one, none is empty or short, and there are few") {
  for (const int most : {1, 2, 3, 10, 125, 256})
    for (const int fewest : {1, 8, 64})
      for (const int n : {0, 1, 7, 8, 9, 63, 64, 65, 127, 128, 129, 191, 192, 193, 8191, 8192, 8193, 10000, 100000}) {
        CAPTURE(most);
        CAPTURE(fewest);
        CAPTURE(n);
        const auto [rows, count] = RowRanges::of(n, fewest, most);
        CHECK(rows >= fewest);
        CHECK(count * rows >= n);
        CHECK((n == 0 ? count == 0 : (count - 1) * rows < n));
        CHECK(count <= most);
        CHECK((rows == fewest || (n + rows - 2) / (rows - 1) > most));  // as short as they may be
      }
}

TEST_CASE("a norm's ranges: memory for a batch is enough for every smaller one") {
  using Of = entrain::kernel::NormRanges;
  int most = 0;
  for (int n = 0; n <= 5000; ++n) {
    most = std::max(most, RowRanges::of(n, Of::fewest_rows, Of::most).count);
    CHECK(Of::at_most(n) == most);
  }
  CHECK(most == 528);
}

TEST_CASE("a chain's pairs: the sums of all ranges have room") {
  const auto count = [](std::size_t sums) { return pair_ranges<double>(1 << 24, sums, 1000 * sizeof(double)).count; };
  CHECK(count(0) == 128);
  CHECK(count(7) == 128);  // and no more, whatever room there is
  CHECK(count(8) == 125);
  CHECK(count(333) == 3);
  CHECK(count(334) == 2);
  CHECK(count(1001) == 1);  // adds to the gradient itself
  CHECK(pair_ranges<float>(128, 7, 1000).count == 2);
  CHECK(pair_ranges<float>(128, 7, 1000).rows == 64);
}

TEST_CASE(
    "pieces of segments: 64 items, or twice as many until there are fewer pieces, and two sums of each have room") {
  const auto items = [](std::size_t all, std::size_t channels) {
    return items_of_piece<float>(all, channels, std::size_t(32) << 20);
  };
  CHECK(items(0, 1024) == 64);
  CHECK(items(4096, 96) == 64);
  CHECK(items(4097, 96) == 128);
  CHECK(items(65536, 96) == 256);
  CHECK(items(65536, 8192) == 256);
  CHECK(items(65536, 32768) == 1024);
  CHECK(items_of_piece<float>(127, 1, 16) == 64);  // two pieces, two sums of each, to the byte
  CHECK(items_of_piece<float>(128, 1, 16) == 128);
  CHECK(items_of_piece<double>(127, 1, 16) == 128);
}

}  // namespace workspace_test
