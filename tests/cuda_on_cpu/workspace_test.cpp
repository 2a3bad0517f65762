// tests > [cuda_on_cpu]
//
// How work is cut where sums stand side by side in the workspace: all of it once, and the sums have room.
#include <doctest/doctest.h>

#include "entrain/cuda.cuh"

using entrain::kernel::detail::items_of_piece;
using entrain::kernel::detail::PairStretches;

TEST_CASE("stretches of pairs: every row is in one, none is empty, and their sums have room") {
  constexpr std::size_t room = 1000 * sizeof(double);
  for (const std::size_t sums : {0, 1, 7, 8, 9, 100, 333, 334, 500, 501, 1000, 1001})
    for (const int n : {0, 1, 63, 64, 65, 127, 128, 129, 191, 192, 193, 8191, 8192, 8193, 10000, 100000}) {
      CAPTURE(sums);
      CAPTURE(n);
      const auto [rows, count] = PairStretches::of<double>(n, sums, room);
      CHECK(count * rows >= n);
      CHECK((n == 0 ? count == 0 : (count - 1) * rows < n));
      CHECK((count <= 1 || static_cast<std::size_t>(count) * sums * sizeof(double) <= room));
      CHECK(count <= PairStretches::most);
      // As short as they may be: one row less would be too short, or too many of them.
      const int shorter = rows - 1, most = PairStretches::of<double>(1 << 24, sums, room).count;
      CHECK((shorter < PairStretches::fewest_rows || (n + shorter - 1) / shorter > most));
    }
  CHECK(PairStretches::of<double>(1 << 24, 8, room).count == 125);
  CHECK(PairStretches::of<double>(1 << 24, 7, room).count == 128);   // and no more, whatever room there is
  CHECK(PairStretches::of<double>(1 << 24, 1001, room).count == 1);  // adds to the gradient itself
}

TEST_CASE("pieces of segments: 64 items, or twice as many until two sums of each have room") {
  const auto items = [](std::size_t all, std::size_t channels) {
    return items_of_piece<float>(all, channels, std::size_t(32) << 20);
  };
  CHECK(items(1 << 20, 96) == 64);
  CHECK(items(1 << 20, 1024) == 512);
  CHECK(items(0, 1024) == 64);
  CHECK(items_of_piece<float>(127, 1, 16) == 64);  // two pieces, two sums of each, to the byte
  CHECK(items_of_piece<float>(128, 1, 16) == 128);
  CHECK(items_of_piece<double>(127, 1, 16) == 128);
}
