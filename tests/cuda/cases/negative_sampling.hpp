// tests > cuda > [cases]
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "entrain/kernel/negative_sampling/contract.hpp"

namespace entrain::test {

/// n positions in sentences of nine words, with a window of 3; words have several rows, if `bags`. Rows that no slot
/// writes are not compared.
template <kernel::Context context, int C, bool bags> struct NegativeSamplingCase {
  static void run(auto& stage, int n) {
    using S = std::remove_reference_t<decltype(stage)>;
    using A = typename S::A;
    using Groups = kernel::PositionGroups;
    constexpr int words = 29, rows = 40, window = 3, sentence = 9;
    const auto size = [](int x) { return static_cast<std::size_t>(x); };
    std::vector<std::int32_t> tokens = stage.whole_numbers(size(n + 2 * window), words), begin, end;
    std::fill_n(tokens.begin(), window, -1);
    const auto around = stage.whole_numbers(size(n), window);
    for (int p = 0; p < n; ++p) {
      const int first = p / sentence * sentence + window, last = std::min(first + sentence, n + window);
      const bool alone = p % 13 == 5;
      begin.push_back(alone ? p + window : std::max(first, p + window - 1 - around[size(p)]));
      end.push_back(alone ? p + window + 1 : std::min(last, p + window + 2 + around[size(p)]));
    }
    const int count = (n + Groups::positions_each - 1) / Groups::positions_each;
    std::vector<std::int32_t> starts{0}, bag_rows;
    for (int w = 0; w < words; ++w) {
      for (int r = 0; r <= w % 4; ++r) bag_rows.push_back(r == 0 ? w : words + (w + r) % (rows - words));
      starts.push_back(static_cast<std::int32_t>(bag_rows.size()));
    }
    Groups groups{stage.put(tokens),
                  stage.put(begin),
                  stage.put(end),
                  stage.put(stage.whole_numbers(size(count * Groups::negatives_each), words)),
                  n,
                  window,
                  5.f};
    if (bags) groups.bags = stage.put(starts), groups.bag_rows = stage.put(bag_rows);
    const int slots = groups.inputs();
    const Rows<const A, C> in(stage.template random<A>(size(rows * C)), rows);
    const Rows<const A, C> out(stage.template random<A>(size(words * C)), words);
    // Zeros, so that rows of slots without a token compare as equal.
    const Rows<A, C> dx(stage.put(std::vector<A>(size(count * slots * C))), count * slots);
    const Rows<A, C> dy(stage.put(std::vector<A>(size(count * Groups::outputs * C))), count * Groups::outputs);
    double* const loss = stage.template poison<double>(size(count));
    kernel::negative_sampling<context>(stage.dev, groups, in, out, dx, dy, loss);
    stage.result("loss", loss, size(count));
    stage.result("dx", dx.data, dx.size());
    stage.result("dy", dy.data, dy.size());

    // Rows of a table by the slots of dy, in the order in which they come.
    std::vector<std::int32_t> ids{7, 3, 12}, begins{0, 2, 2, 5}, items{4, 0, 1, 3, 2};
    if (count == 0) return;
    const std::vector<float> factor{-0.5f, 3.f, 0.25f};
    const Rows<A, C> table(stage.template random<A>(size(words * C)), words);
    kernel::add_to_rows(stage.dev, CsrIndex{stage.put(ids), stage.put(begins), stage.put(items), 3, 5},
                        stage.put(factor), Rows<const A, C>(stage.template random<A>(size(5 * C)), 5), table);
    stage.result("table", table.data, table.size());
  }
};

}  // namespace entrain::test
