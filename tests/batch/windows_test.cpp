// tests > [batch]
//
// Windows over long sentences: every word kept once, no window too full, every kept word well inside.
#include "entrain/batch/encode/windows.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "entrain/core/random.hpp"

namespace windows_test {
using namespace entrain;
using batch::Window;

namespace {
std::vector<Window> cut(const std::vector<int>& pieces, int room, int overlap) {
  std::vector<Window> all;
  batch::windows(
      static_cast<int>(pieces.size()), room, overlap, [&](int i) { return pieces[static_cast<std::size_t>(i)]; },
      [&](const Window& w) { all.push_back(w); });
  return all;
}
}  // namespace

TEST_CASE("windows: a sentence that fits is one, an empty one too, a longer one overlaps") {
  CHECK(cut({}, 6, 2) == std::vector<Window>{{0, 0, 0, 0}});
  CHECK(cut({1, 2, 3}, 6, 2) == std::vector<Window>{{0, 3, 0, 3}});
  CHECK(cut({1, 1, 1, 1, 1, 1, 1}, 4, 2) == std::vector<Window>{{0, 4, 0, 3}, {2, 6, 3, 5}, {3, 7, 5, 7}});
  CHECK(cut({1, 1, 1, 1, 1, 1, 1, 1, 1}, 4, 2) ==
        std::vector<Window>{{0, 4, 0, 3}, {2, 6, 3, 5}, {4, 8, 5, 7}, {5, 9, 7, 9}});
  CHECK(cut({4, 4, 4}, 4, 2) == std::vector<Window>{{0, 1, 0, 1}, {1, 2, 1, 2}, {2, 3, 2, 3}});
}

TEST_CASE("windows: of random words, every one is kept once, and no window is too full or without a new word") {
  Random random(3);
  for (int round = 0; round < 500; ++round) {
    const int room = 3 + static_cast<int>(random.below(30)),
              overlap = static_cast<int>(random.below(static_cast<std::uint32_t>(room)));
    std::vector<int> pieces(random.below(60));
    for (int& p : pieces)
      p = 1 + static_cast<int>(random.below(static_cast<std::uint32_t>(random.below(4) == 0 ? room : 3)));
    const auto all = cut(pieces, room, overlap);
    int kept = 0, end = 0;
    for (const Window& w : all) {
      CHECK(w.keep_begin == kept);
      CHECK(w.begin <= w.keep_begin);
      CHECK(w.keep_end <= w.end);
      CHECK((w.end > end || pieces.empty()));
      kept = w.keep_end, end = w.end;
      int filled = 0;
      for (int i = w.begin; i < w.end; ++i) filled += pieces[static_cast<std::size_t>(i)];
      CHECK(filled <= room);
    }
    CHECK(kept == static_cast<int>(pieces.size()));
  }
}

}  // namespace windows_test
