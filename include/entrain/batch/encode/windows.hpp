// text > [batch] > embed > encode > head > optim > checkpoint
//
// A sentence longer than the encoder's positions is read through overlapping windows, never cut off: every word keeps
// its label, and is taken from the window that shows more context around it.
#pragma once
#include <algorithm>

namespace entrain::batch {

/// Words [begin, end) are read together; of those, [keep_begin, keep_end) are taken from this window.
struct Window {
  int begin, end, keep_begin, keep_end;
  friend bool operator==(const Window&, const Window&) = default;
};

/// Pieces that two windows of a sentence share, at most.
constexpr int overlap_of(int room) { return room / 4; }

/// Calls each(Window) from left to right. The kept ranges cover every word once. A sentence that fits is one window.
///
/// pieces(i)  of word i, 1 ... room                   room     pieces that a window holds
/// overlap    pieces that two windows share, at most; less where words are long
template <class Pieces, class Each> void windows(int words, int room, int overlap, Pieces&& pieces, Each&& each) {
  Window w{0, 0, 0, 0};
  for (int filled = 0; w.end < words && filled + pieces(w.end) <= room;) filled += pieces(w.end++);
  while (w.end < words) {
    // The next window begins with the last words of this one.
    int begin = w.end, shared = 0;
    while (begin - 1 > w.begin && shared + pieces(begin - 1) <= overlap) shared += pieces(--begin);
    while (shared + pieces(w.end) > room) shared -= pieces(begin++);  // a long word needs their space
    Window next{begin, w.end, 0, 0};
    int in_next = shared;
    while (next.end < words && in_next + pieces(next.end) <= room) in_next += pieces(next.end++);
    if (next.end == words)  // the last window: free space shows more context to the left
      while (next.begin - 1 > w.begin && in_next + pieces(next.begin - 1) <= room) in_next += pieces(--next.begin);
    w.keep_end = next.keep_begin = (next.begin + w.end + 1) / 2;
    each(w);
    w = next;
  }
  w.keep_end = words;
  each(w);
}

}  // namespace entrain::batch
