// tests > [kernel]
//
// Negative sampling of groups of positions: the loss against its formula, the gradients against finite differences, and
// the update of rows.
#include "entrain/kernel/negative_sampling/cpu.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "entrain/core/random.hpp"
#include "tests/kernel/framed.hpp"

using namespace entrain;
using test::Framed;
using test::framed_noise;

namespace {

using kernel::Context;
using kernel::PositionGroups;
constexpr int K = PositionGroups::negatives_each;

/// A text of few words, so that words occur twice in a window and samples are words of positions.
struct Text {
  static constexpr int words = 11, rows = 17;
  std::vector<std::int32_t> bags{0}, bag_rows;  // a word, and up to three of rows 11 ... 16, which words share
  std::vector<std::int32_t> tokens, begin, end, negatives;
  PositionGroups groups;

  Text(int positions, int window, bool has_bags, std::uint64_t seed) {
    Random random(seed);
    for (int w = 0; w < words; ++w) {
      bag_rows.push_back(w);
      for (int n = w % 4; n > 0; --n) bag_rows.push_back(words + (w + n) % (rows - words));
      bags.push_back(static_cast<std::int32_t>(bag_rows.size()));
    }
    tokens.assign(static_cast<std::size_t>(positions + 2 * window), -1);
    const int sentence = 7;
    for (int t = 0; t < positions + window; ++t)  // the text begins at its first position and goes past its last
      tokens[static_cast<std::size_t>(t + window)] = static_cast<std::int32_t>(random.below(words));
    for (int p = 0; p < positions; ++p) {
      const int first = p / sentence * sentence + window, last = std::min(first + sentence, positions + 2 * window);
      const int around = 1 + static_cast<int>(random.below(static_cast<std::uint32_t>(window)));
      begin.push_back(p == 3 ? 0 : std::max(first, p + window - around));
      end.push_back(p == 3 ? 0 : std::min(last, p + window + around + 1));
    }
    const int count = (positions + PositionGroups::positions_each - 1) / PositionGroups::positions_each;
    for (int i = 0; i < count * K; ++i) negatives.push_back(static_cast<std::int32_t>(random.below(words)));
    groups = {tokens.data(), begin.data(), end.data(), negatives.data(), positions, window, 5.f};
    if (has_bags) groups.bags = bags.data(), groups.bag_rows = bag_rows.data();
  }
};

/// The loss, by its formula. by_words: a position with a mean counts once for each of its words.
template <int C>
double loss_of(Context context, const PositionGroups& g, const double* in, const double* out, bool by_words = false) {
  double loss = 0;
  const auto row = [](const double* table, std::int32_t r) { return table + static_cast<std::ptrdiff_t>(r) * C; };
  const auto softplus = [](double s) { return std::log1p(std::exp(s)); };
  const auto input = [&](std::int32_t word) {
    if (g.bags == nullptr) return std::vector<double>(row(in, word), row(in, word) + C);
    std::vector<double> sum(C);
    for (int r = g.bags[word]; r < g.bags[word + 1]; ++r)
      for (std::size_t c = 0; c < C; ++c)
        sum[c] += row(in, g.bag_rows[r])[c] / std::sqrt(static_cast<double>(g.bags[word + 1] - g.bags[word]));
    return sum;
  };
  for (int p = 0; p < g.positions; ++p) {
    const std::int32_t own = g.tokens[p + g.window];
    std::vector<std::vector<double>> inputs;
    for (int i = g.begin[p]; i < g.end[p]; ++i)
      if (i != p + g.window) inputs.push_back(input(g.tokens[i]));
    const double times = by_words && context == Context::mean ? static_cast<double>(inputs.size()) : 1;
    if (context == Context::mean && !inputs.empty()) {
      std::vector<double> mean(C);
      for (const auto& x : inputs)
        for (std::size_t c = 0; c < C; ++c) mean[c] += x[c] / static_cast<double>(inputs.size());
      inputs.assign(1, mean);
    }
    for (const auto& x : inputs) {
      const auto score = [&](std::int32_t word) {
        double s = 0;
        for (std::size_t c = 0; c < C; ++c) s += x[c] * row(out, word)[c];
        return s;
      };
      loss += times * softplus(-score(own));
      for (int k = 0; k < K; ++k) {
        const std::int32_t sample = g.negatives[p / PositionGroups::positions_each * K + k];
        if (sample != own) loss += times * static_cast<double>(g.negative) / K * softplus(score(sample));
      }
    }
  }
  return loss;
}

template <Context context, class T, int C>
void against_differences(int positions, int window, double tolerance, bool bags = false) {
  CAPTURE(positions);
  CAPTURE(C);
  const device::Cpu<> dev(2);
  const Text text(positions, window, bags, 3);
  const PositionGroups& g = text.groups;
  constexpr auto numbers = static_cast<std::size_t>(Text::rows * C);
  Framed<T> in = framed_noise<T>(numbers, 1), out = framed_noise<T>(numbers, 2);
  const auto slots_x = static_cast<std::size_t>(g.groups() * g.inputs());
  const auto slots_y = static_cast<std::size_t>(g.groups() * PositionGroups::outputs);
  Framed<T> dx(slots_x * C), dy(slots_y * C);
  std::vector<double> losses(static_cast<std::size_t>(g.groups()));
  kernel::negative_sampling<context>(dev, g, Rows<const T, C>(in.data(), Text::rows),
                                     Rows<const T, C>(out.data(), Text::words),
                                     Rows<T, C>(dx.data(), static_cast<int>(slots_x)),
                                     Rows<T, C>(dy.data(), static_cast<int>(slots_y)), losses.data());
  std::vector<double> x(numbers), y(numbers);
  for (std::size_t i = 0; i < numbers; ++i) x[i] = static_cast<double>(in[i]), y[i] = static_cast<double>(out[i]);
  double loss = 0;
  for (const double one : losses) loss += one;
  CHECK(loss == doctest::Approx(loss_of<C>(context, g, x.data(), y.data())).epsilon(tolerance));

  // Gradients of tables: rows of slots, added up.
  std::vector<double> gx(numbers), gy(numbers);
  const auto index = [](std::int32_t i) { return static_cast<std::size_t>(i); };
  for (int group = 0; group < g.groups(); ++group) {
    const int first = group * PositionGroups::positions_each;
    const int count = std::min(PositionGroups::positions_each, positions - first);
    for (int i = 0; i < count + 2 * window; ++i)
      if (const std::int32_t word = g.tokens[first + i]; word >= 0)
        for (int r = text.bags[index(word)]; r < (bags ? text.bags[index(word) + 1] : text.bags[index(word)] + 1); ++r)
          for (int c = 0; c < C; ++c)
            gx[index(text.bag_rows[index(r)] * C + c)] +=
                static_cast<double>(dx[index((group * g.inputs() + i) * C + c)]);
    for (int o = 0; o < PositionGroups::outputs; ++o) {
      const int B = PositionGroups::positions_each, p = first + o;
      if (o < B && (o >= count || g.end[p] - g.begin[p] < 2)) continue;
      const std::int32_t word = o < B ? g.tokens[p + window] : g.negatives[group * K + o - B];
      for (int c = 0; c < C; ++c)
        gy[static_cast<std::size_t>(word * C + c)] +=
            static_cast<double>(dy[static_cast<std::size_t>((group * PositionGroups::outputs + o) * C + c)]);
    }
  }
  const auto off = [&](std::vector<double>& table, const std::vector<double>& gradient, bool by_words) {
    double most = 0;
    constexpr double step = 1e-5;
    for (std::size_t i = 0; i < numbers; i += SANITIZED ? 37 : 1) {
      const double before = table[i];
      table[i] = before + step;
      const double up = loss_of<C>(context, g, x.data(), y.data(), by_words);
      table[i] = before - step;
      const double down = loss_of<C>(context, g, x.data(), y.data(), by_words);
      table[i] = before;
      most = std::max(most, std::abs((up - down) / (2 * step) - gradient[i]));
    }
    return most;
  };
  CHECK(off(x, gx, true) < tolerance);
  CHECK(off(y, gy, false) < tolerance);
}

}  // namespace

TEST_CASE("negative sampling: loss and gradients equal the formula and its differences") {
  against_differences<Context::each, double, 5>(16, 2, 1e-6);
  against_differences<Context::each, double, 16>(37, 3, 1e-6);
  against_differences<Context::each, double, 100>(20, 5, 1e-6);
  against_differences<Context::mean, double, 5>(16, 2, 1e-6);
  against_differences<Context::mean, double, 16>(37, 3, 1e-6);
  against_differences<Context::each, double, 19>(37, 3, 1e-6, true);
  against_differences<Context::mean, double, 16>(37, 3, 1e-6, true);
  against_differences<Context::each, float, 19>(33, 2, 1e-3);
  against_differences<Context::mean, float, 19>(33, 2, 1e-3);
}

TEST_CASE("negative sampling: rows of a table get the sum of their slots, by a factor") {
  constexpr int C = 19, R = 6, slots = 9;
  const device::Cpu<> dev(2);
  const std::vector<std::int32_t> ids{4, 1, 5}, starts{0, 2, 3, 7}, items{8, 0, 3, 1, 2, 4, 5};
  const std::vector<float> factor{-0.5f, 2.f, 0.25f};
  auto table = framed_noise<double>(R * C, 1);
  const auto before = framed_noise<double>(R * C, 1), d = framed_noise<double>(slots * C, 2);
  kernel::add_to_rows(dev, CsrIndex{ids.data(), starts.data(), items.data(), 3, 7}, factor.data(),
                      Rows<const double, C>(d.data(), slots), Rows<double, C>(table.data(), R));
  CHECK(test::off(table, [&](std::size_t i) {
          double value = before[i];
          for (std::size_t s = 0; s < 3; ++s)
            if (ids[s] == static_cast<std::int32_t>(i / C))
              for (int n = starts[s]; n < starts[s + 1]; ++n)
                value += static_cast<double>(factor[s]) *
                         d[static_cast<std::size_t>(items[static_cast<std::size_t>(n)] * C) + i % C];
          return value;
        }) < 1e-12);
}
