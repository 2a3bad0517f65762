// tests > [embed]
#include "entrain/embed/multi_hash.hpp"

#include <doctest/doctest.h>

#include <type_traits>

#include "entrain/embed/with_vectors.hpp"
#include "entrain/kernel/bias/cpu.hpp"
#include "entrain/kernel/dropout/cpu.hpp"
#include "entrain/kernel/gather/cpu.hpp"
#include "entrain/kernel/gemm/cpu.hpp"
#include "entrain/kernel/hash_embed/cpu.hpp"
#include "entrain/kernel/layer_norm/cpu.hpp"
#include "entrain/kernel/map/cpu.hpp"
#include "entrain/kernel/maxout/cpu.hpp"
#include "entrain/train/folder/describe.hpp"
#include "tests/gradient.hpp"

using namespace entrain;

namespace {
using Words = batch::HashedWords<3, 40, 7>;
using Plain = embed::MultiHash<6, Words, 2>;
using WithTrained = embed::WithVectors<Plain, embed::TrainedVectors<11, 5>>;
using WithStatic = embed::WithVectors<Plain, embed::StaticVectors<11, 5>>;
using Cpu = device::Cpu<>;
template <class Net> using Real = Impl<Net, precision::Fp64, Cpu, Needs{true, false}>;

/// Words drawn from a small vocabulary, so that some repeat; word 0 twice in a row.
template <class Features> struct Drawn {
  std::vector<typename Features::Word> vocabulary;
  std::vector<std::int32_t> rows;
  explicit Drawn(int n) {
    Random random(5);
    for (int v = 0; v < 9; ++v) {
      typename Features::Word w;
      for (std::size_t k = 0; k < w.size(); ++k)
        w[k] = static_cast<std::int32_t>(random.below(k < 3 ? 40 : k < 6 ? 7 : 11));
      vocabulary.push_back(w);
    }
    for (int i = 0; i < n; ++i) rows.push_back(i < 2 ? 0 : static_cast<std::int32_t>(random.below(9)));
  }
  /// A corpus keeps its words in a column.
  typename Features::Vocabulary column() const {
    typename Features::Vocabulary words;
    for (const auto& w : vocabulary) words.push_back(w);
    return words;
  }
};
}  // namespace

TEST_CASE_TEMPLATE("MultiHash: gradients match differences; untouched rows are neither written nor stamped; leaves add",
                   Net, Plain, WithTrained, WithStatic) {
  using OfNet = typename Net::Features;
  for (int n : {0, 1, 2, 129}) {
    for (int threads : {1, 3}) {
      const Cpu dev(threads);
      const Drawn<OfNet> drawn(n);
      typename OfNet::Buffer buffer;
      const auto words = buffer.pack({}, drawn.rows, {}, drawn.column());
      const Layout layout = layout_of<Net>(0);
      CHECK(layout.stamps == 47 + (std::is_same_v<Net, WithTrained> ? 11 : 0));
      auto params = test::noise(layout.size, 1);
      const auto r = test::noise(static_cast<std::size_t>(n) * 6, 3);
      std::vector<double> y(r.size()), grads(layout.gradients, 1e300);
      std::vector<std::uint32_t> stamps(layout.stamps, 0);
      Counters counters{.seed = 42, .step = 3, .dropout = 0.25f};
      test::OwnedArena memory(1 << 20);
      const Shape shape{n, 1, 0};
      const auto run = [&](bool back, Write how) {
        memory.arena.used = 0;
        const Step<Cpu> at{dev, shape, {}, true, how, memory.arena, &counters};
        const auto w = bind<Net, const double>(params.data(), 0);
        auto saved = Real<Net>::allocate_saved(memory.arena, shape);
        Real<Net>::forward(at, w, words, {y.data(), n}, saved);
        if (back)
          Real<Net>::backward(at, w, saved, words, {r.data(), n}, bind<Net, double>(grads.data(), 0, stamps.data()));
        double loss = 0;
        for (std::size_t i = 0; i < y.size(); ++i) loss += y[i] * r[i];
        return loss;
      };
      run(true, Write::assign);
      for (const Span& s : layout.spans) {
        if (s.frozen) continue;
        for (int row = 0; row < s.rows; ++row) {
          const std::size_t first = s.offset + static_cast<std::size_t>(row) * static_cast<std::size_t>(s.cols);
          const bool touched = !s.sparse || stamps[s.stamp_offset + static_cast<std::size_t>(row)] == 4;
          if (s.sparse) CHECK((stamps[s.stamp_offset + static_cast<std::size_t>(row)] == 0) == !touched);
          for (std::size_t i = first; i < first + static_cast<std::size_t>(s.cols); i += touched ? 3 : 1) {
            const std::size_t g = i - s.offset + s.gradient_offset;
            CHECK((grads[g] == 1e300) == !touched);
            const double keep = params[i];
            params[i] = keep + 1e-5;
            const double up = run(false, Write::assign);
            params[i] = keep - 1e-5;
            const double down = run(false, Write::assign);
            params[i] = keep;
            const double gradient = touched ? grads[g] : 0;
            CHECK(std::abs((up - down) / 2e-5 - gradient) < 1e-7 * (1 + std::abs(gradient)));
          }
        }
      }
      const auto once = grads;
      run(true, Write::add);  // a second micro-batch of the same step
      for (std::size_t i = 0; i < grads.size(); ++i)
        if (once[i] != 1e300) CHECK(grads[i] == doctest::Approx(2 * once[i]));
      counters.step = 4;  // the next step assigns again, though nothing was zeroed
      run(true, Write::assign);
      for (const Span& s : layout.spans)
        if (s.sparse && n > 0 && s.cols == 6)
          CHECK(stamps[s.stamp_offset + static_cast<std::size_t>(words.touched[s.rows == 7].ids[0])] == 5);
    }
  }
}

TEST_CASE_TEMPLATE("MultiHash: a word's vector is the sum of its rows, whatever the batch around it", Net, Plain,
                   WithTrained) {
  using OfNet = typename Net::Features;
  const Cpu dev(1);
  const Drawn<OfNet> drawn(50);
  const Layout layout = layout_of<Net>(0);
  const auto params = test::noise(layout.size, 1);
  const auto w = bind<Net, const double>(params.data(), 0);
  const auto embed = [&](const std::vector<std::int32_t>& rows) {
    typename OfNet::Buffer buffer;
    const auto words = buffer.pack({}, rows, {}, drawn.column());
    const int n = static_cast<int>(rows.size());
    std::vector<double> y(rows.size() * 6);
    test::OwnedArena memory(1 << 20);
    Counters counters;
    const Step<Cpu> at{dev, {n, 1, 0}, {}, false, Write::assign, memory.arena, &counters};
    auto saved = Real<Net>::allocate_saved(memory.arena, {n, 1, 0});
    Real<Net>::forward(at, w, words, {y.data(), n}, saved);
    return y;
  };
  const auto all = embed(drawn.rows);
  for (std::size_t i = 0; i < drawn.rows.size(); i += 7) {
    const auto alone = embed({drawn.rows[i]});
    for (std::size_t c = 0; c < 6; ++c) CHECK(alone[c] == doctest::Approx(all[i * 6 + c]).epsilon(1e-12));
  }
}

TEST_CASE("WithVectors: one table in model folders, frozen or trained, next to the tables of hashes") {
  const Layout frozen = layout_of<WithStatic>(0), trained = layout_of<WithTrained>(0), plain = layout_of<Plain>(0);
  REQUIRE(frozen.spans.size() == trained.spans.size());
  REQUIRE(frozen.spans.size() == plain.spans.size() + 1);
  CHECK(frozen.size == trained.size);
  CHECK(frozen.gradients + 64 == trained.gradients);  // 11 rows of 5, and the alignment
  for (std::size_t i = 0; i < frozen.spans.size(); ++i) {
    const Span &a = frozen.spans[i], &b = trained.spans[i];
    CHECK(a.name == b.name);
    CHECK(a.offset == b.offset);
    CHECK((a.name == "vectors.weight") == a.frozen);
    CHECK(!b.frozen);
  }
  CHECK(train::describe<WithTrained>() == train::describe<WithStatic>());
  CHECK(train::describe<WithStatic>() == "WithVectors<MultiHash<6, HashedWords<3, 40, 7>, 2>, StaticVectors<11, 5>>");
}
