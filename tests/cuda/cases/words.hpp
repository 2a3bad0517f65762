// tests > cuda > [cases]
//
// The ops of the light tagger that need no product.
#pragma once
#include <algorithm>
#include <cstring>
#include <vector>

#include "entrain/kernel/bias/contract.hpp"
#include "entrain/kernel/dropout/contract.hpp"
#include "entrain/kernel/gather/contract.hpp"
#include "entrain/kernel/hash_embed/contract.hpp"
#include "entrain/kernel/map/contract.hpp"
#include "entrain/kernel/maxout/contract.hpp"
#include "entrain/kernel/window/contract.hpp"

namespace entrain::test {

template <int R, int C, bool Add> struct WindowCase {
  static void run(auto& stage, int n) {
    using S = std::remove_reference_t<decltype(stage)>;
    using A = typename S::A;
    constexpr int wide = (2 * R + 1) * C;
    const Write how = Add ? Write::add : Write::assign;
    const auto at = stage.step(n);
    const auto N = static_cast<std::size_t>(n);
    const Rows<const A, C> x(stage.template random<A>(N * C), n);
    const Rows<const A, wide> dy(stage.template random<A>(N * wide), n);
    const Rows<A, wide> y(stage.template poison<A>(N * wide), n);
    const Rows<A, C> dx(stage.template before<A>(how, N * C), n);
    kernel::window<R>(at, x, y);
    kernel::window_back<R>(at, dy, dx, how);
    stage.result("y", y.data, y.size());
    stage.result("dx", dx.data, dx.size());
  }
};

template <int K, int C> struct MaxoutCase {
  static void run(auto& stage, int n) {
    using S = std::remove_reference_t<decltype(stage)>;
    using A = typename S::A;
    using W = typename S::W;
    const auto N = static_cast<std::size_t>(n);
    const Rows<const A, K * C> pre(stage.template random<A>(N * K * C), n);
    const Rows<const A, C> dy(stage.template random<A>(N * C), n);
    const Weight<const W, 1, K * C> bias{stage.template random<W>(K * C)};
    const Rows<A, C> y(stage.template poison<A>(N * C), n);
    const Rows<std::uint8_t, C> which(stage.put(std::vector<std::uint8_t>(N * C, 99)), n);
    const Rows<A, K * C> dpre(stage.template poison<A>(N * K * C), n);
    kernel::maxout<K>(stage.dev, pre, bias, y, which);
    kernel::maxout_back<K>(stage.dev, dy, Rows<const std::uint8_t, C>(which), dpre);
    stage.result("y", y.data, y.size());
    stage.result("which", which.data, which.size());
    stage.result("dpre", dpre.data, dpre.size());
  }
};

/// K labels: a width that is known at run time only, in rows that are padded.
template <int K, bool Add> struct ByLabelBiasCase {
  static void run(auto& stage, int n) {
    using S = std::remove_reference_t<decltype(stage)>;
    using A = typename S::A;
    using W = typename S::W;
    using Sum = typename S::Sum;
    const Write how = Add ? Write::add : Write::assign;
    const auto numbers = static_cast<std::size_t>(n) * static_cast<std::size_t>(LabelMatrix<A>::padded(K));
    const LabelMatrix<A> y(stage.template random<A>(numbers), n, K);
    const LabelMatrix<const A> dy(stage.template random<A>(numbers), n, K);
    const Weight<Sum, 1, dynamic_labels> g{stage.template before<Sum>(how, K), K};
    kernel::add_bias(stage.dev, Weight<const W, 1, dynamic_labels>{stage.template random<W>(K), K}, y);
    kernel::sum_rows(stage.dev, dy, g, how);
    stage.result("y", y.data, numbers);
    stage.result("g", g.data, K);
  }
};

template <int C, bool Add> struct DropoutCase {
  static void run(auto& stage, int n) {
    using A = typename std::remove_reference_t<decltype(stage)>::A;
    const Write how = Add ? Write::add : Write::assign;
    const auto at = stage.step(n);
    const auto N = static_cast<std::size_t>(n);
    const Rows<const A, C> x(stage.template random<A>(N * C, 3), n);
    const Rows<A, C> y(stage.template before<A>(how, N * C), n);
    kernel::dropout(at, x, y, how);
    stage.result("y", y.data, y.size());
  }
};

/// Rows picked from 50, and both adjoints.
template <int C> struct GatherCase {
  static void run(auto& stage, int n) {
    using A = typename std::remove_reference_t<decltype(stage)>::A;
    constexpr int distinct = 50;
    const auto N = static_cast<std::size_t>(n);
    const auto index = stage.whole_numbers(N, distinct);
    auto once = stage.whole_numbers(distinct, n + 1);  // a row, or none
    for (auto& row : once) row = row == n ? -1 : row;
    const Rows<const A, C> x(stage.template random<A>(std::size_t(distinct) * C), distinct),
        dy(stage.template random<A>(N * C), n);
    const Rows<A, C> y(stage.template poison<A>(N * C), n),
        sums(stage.template random<A>(std::size_t(distinct) * C), distinct),
        spread(stage.template poison<A>(std::size_t(distinct) * C), distinct);
    kernel::gather(stage.dev, x, stage.put(index), y);
    kernel::scatter_add(stage.dev, dy, stage.segments(index, distinct), sums);
    kernel::gather_back(stage.dev, dy, stage.put(once), spread);
    stage.result("y", y.data, y.size());
    stage.result("sums", sums.data, sums.size());
    stage.result("spread", spread.data, spread.size());
  }
};

template <int C> struct MapCase {
  static void run(auto& stage, int n) {
    using A = typename std::remove_reference_t<decltype(stage)>::A;
    const auto N = static_cast<std::size_t>(n);
    const Rows<const A, C> x(stage.template random<A>(N * C), n), more(stage.template random<A>(N * C), n);
    const Rows<A, C> y(stage.template poison<A>(N * C), n);
    kernel::copy(stage.dev, x, y);
    kernel::add(stage.dev, more, y);
    stage.result("y", y.data, y.size());
  }
};

/// A stripe of C of a row of 2 C; the second call of the adjoint lands on the rows that the first one wrote.
template <int H, int C> struct HashEmbedCase {
  static void run(auto& stage, int n) {
    using S = std::remove_reference_t<decltype(stage)>;
    using A = typename S::A;
    using W = typename S::W;
    using Sum = typename S::Sum;
    constexpr int R = 40;
    const auto N = static_cast<std::size_t>(n);
    const auto at = stage.step(n);
    const auto keys = stage.whole_numbers(N * H, R);
    const Table<const W, R, C> table{stage.template random<W>(std::size_t(R) * C)};
    const Rows<A, 2 * C> y(stage.template random<A>(N * 2 * C), n);
    const Rows<const A, 2 * C> dy(stage.template random<A>(N * 2 * C), n);
    const Table<Sum, R, C> g{stage.template random<Sum>(std::size_t(R) * C),
                             stage.put(std::vector<std::uint32_t>(R, 5))};
    const CsrIndex segments = stage.segments(keys, R);
    kernel::hash_embed<H>(stage.dev, table, stage.put(keys), H, C, y);
    kernel::hash_embed_back<H>(at, dy, 0, segments, g);
    kernel::hash_embed_back<H>(at, dy, C, segments, g);
    stage.result("y", y.data, y.size());
    stage.result("g", g.data, std::size_t(R) * C);
    stage.result("stamps", g.stamp, R);
  }
};

/// Sums over segments of lengths around whole pieces, side by side and far apart, in two micro-batches of a step; and
/// that a segment's sum does not depend on the others.
template <int C> struct SegmentsCase {
  static std::vector<std::int32_t> ids(int n, int from) {
    constexpr int lengths[] = {1, 64, 65, 63, 1, 128, 129, 200, 5, 64, 190};
    std::vector<std::int32_t> id_of(static_cast<std::size_t>(n));
    int row = 0;
    for (int id = from; row < n; ++id)
      for (int k = 0; k < lengths[id % 11] && row < n; ++k, ++row)
        id_of[static_cast<std::size_t>(row) * 7919 % id_of.size()] = id * 2;
    return id_of;
  }
  static void run(auto& stage, int n) {
    using S = std::remove_reference_t<decltype(stage)>;
    using A = typename S::A;
    using W = typename S::W;
    using Sum = typename S::Sum;
    constexpr int R = 60, wide = 2 * C, apart = C / 2 + 1;
    const auto N = static_cast<std::size_t>(n), numbers = std::size_t(R) * C;
    const auto at = stage.step(n);
    const auto first = ids(n, 0), second = ids(n, 3);
    const CsrIndex of_first = stage.segments(first, R), of_second = stage.segments(second, R);
    const Rows<const A, C> dx(stage.template random<A>(N * C), n);
    const Rows<const A, wide> dy(stage.template random<A>(N * wide), n);
    const Rows<A, wide> y(stage.template random<A>(N * wide), n);
    const Rows<A, C> sums(stage.template random<A>(numbers), R), alone(stage.template random<A>(numbers), R);
    const Table<const W, R, C> table{stage.template random<W>(numbers)};
    const Table<Sum, R, C> g{stage.template random<Sum>(numbers), stage.put(std::vector<std::uint32_t>(R, 5))};
    kernel::scatter_add(stage.dev, dx, of_first, sums);
    kernel::scatter_add(stage.dev, dx, CsrIndex{}, sums);
    kernel::hash_embed<1>(stage.dev, table, stage.put(first), 1, apart - 1, y);
    kernel::hash_embed<1>(stage.dev, table, stage.put(second), 1, apart, y);
    kernel::hash_embed_back<1>(at, dy, 0, of_first, g);
    kernel::hash_embed_back<1>(at, dy, apart, of_second, g);
    stage.result("sums", sums.data, numbers);
    stage.result("y", y.data, y.size());
    stage.result("g", g.data, numbers);
    stage.result("stamps", g.stamp, R);
    if (n == 0) return;
    // The last segment by itself: the same bits.
    const std::int32_t id = *std::max_element(first.begin(), first.end());
    std::vector<std::int32_t> items;
    for (std::size_t i = 0; i < N; ++i)
      if (first[i] == id) items.push_back(static_cast<std::int32_t>(i));
    const std::vector<std::int32_t> starts{0, static_cast<std::int32_t>(items.size())};
    const CsrIndex one{stage.put(std::vector<std::int32_t>{id}), stage.put(starts), stage.put(items), 1};
    kernel::scatter_add(stage.dev, dx, one, alone);
    std::vector<A> a(C), b(C);
    stage.dev.download(a.data(), sums.row_at(id), C);
    stage.dev.download(b.data(), alone.row_at(id), C);
    stage.results.push_back({"same bits", {std::memcmp(a.data(), b.data(), C * sizeof(A)) == 0 ? 1.0 : 0.0}});
  }
};

}  // namespace entrain::test
