// tests > [cuda_on_cpu]
//
// How a chain's rows are cut where expected transitions are summed: every row once, and the sums have room.
#include <doctest/doctest.h>

#include "entrain/cuda.cuh"

using entrain::kernel::detail::PairStretches;

TEST_CASE("stretches of pairs: every row is in one, none is empty, and their sums have room") {
  constexpr std::size_t room = 1000;
  for (const std::size_t bytes : {0, 1, 7, 8, 9, 100, 333, 334, 500, 501, 1000, 1001})
    for (const int n : {0, 1, 63, 64, 65, 127, 128, 129, 191, 192, 193, 8191, 8192, 8193, 10000, 100000}) {
      CAPTURE(bytes);
      CAPTURE(n);
      const auto [rows, count] = PairStretches::of(n, bytes, room);
      CHECK(count * rows >= n);
      CHECK((n == 0 ? count == 0 : (count - 1) * rows < n));
      CHECK((count <= 1 || static_cast<std::size_t>(count) * bytes <= room));
      CHECK(count <= PairStretches::most);
      // As short as they may be: one row less would be too short, or too many of them.
      const int shorter = rows - 1, most = PairStretches::of(1 << 24, bytes, room).count;
      CHECK((shorter < PairStretches::fewest_rows || (n + shorter - 1) / shorter > most));
    }
  CHECK(PairStretches::of(1 << 24, 8, room).count == 125);
  CHECK(PairStretches::of(1 << 24, 7, room).count == 128);   // and no more, whatever room there is
  CHECK(PairStretches::of(1 << 24, 1001, room).count == 1);  // adds to the gradient itself
}
