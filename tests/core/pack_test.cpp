// tests > [core]
#include "entrain/core/pack.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "entrain/core/random.hpp"

using namespace entrain;

TEST_CASE_TEMPLATE("pack: lanes are added by halves, whatever the compiler", T, float, double) {
  using P = Pack<T>;
  Random random(3);
  for (int turn = 0; turn < 200; ++turn) {
    T in[P::size], lane[P::size];
    for (int i = 0; i < P::size; ++i) lane[i] = in[i] = static_cast<T>(random.word()) / (turn % 2 ? T(3) : T(-7));
    for (int half = P::size / 2; half > 0; half /= 2)
      for (int i = 0; i < half; ++i) lane[i] += lane[i + half];
    CHECK(P::load(in).sum() == lane[0]);
  }
}

TEST_CASE_TEMPLATE("pack: the largest lane is found wherever it is", T, float, double) {
  using P = Pack<T>;
  for (int at = 0; at < P::size; ++at) {
    T in[P::size];
    for (int i = 0; i < P::size; ++i) in[i] = i == at ? T(-1) : T(-2 - i);
    CHECK(P::load(in).largest() == -1);
    in[at] = std::numeric_limits<T>::infinity();
    CHECK(P::load(in).largest() == in[at]);
  }
}

TEST_CASE_TEMPLATE("pack: a choice, a maximum and a minimum lane by lane", T, float, double) {
  using P = Pack<T>;
  T a[P::size], b[P::size], chosen[P::size], high[P::size], low[P::size];
  for (int i = 0; i < P::size; ++i) a[i] = T(i), b[i] = T(3 - i);
  const P pa = P::load(a), pb = P::load(b);
  select(pa < P(T(2)), pa, pb).store(chosen);
  max(pa, pb).store(high);
  min(pa, pb).store(low);
  for (int i = 0; i < P::size; ++i) {
    CHECK(chosen[i] == (i < 2 ? a[i] : b[i]));
    CHECK(high[i] == std::max(a[i], b[i]));
    CHECK(low[i] == std::min(a[i], b[i]));
  }
}
