// tests > cuda > [cases]
//
// Chains over sentences of every kind: whole, partial, without targets, forbidden, impossible to complete, of one
// token, empty; and rows after the last sentence. What the scheme forbids is poison, and so is all memory.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "entrain/device/plan.hpp"
#include "entrain/kernel/crf/contract.hpp"

namespace entrain::test {

/// The batch of a case, in exactly the memory that was planned for it.
template <class Scheme, class S> struct CrfBatch {
  using A = typename S::A;
  using W = typename S::W;
  using Rule = text::Allowed<Scheme>;
  static constexpr float poison = std::numeric_limits<float>::quiet_NaN();
  static constexpr float forbidden(std::size_t i) { return i % 2 == 0 ? poison : 1e30f; }

  S& stage;
  int rows, labels;
  std::vector<std::int32_t> cu_seqlens{0};
  Arena arena;

  CrfBatch(S& stage_, int rows_, int labels_) : stage(stage_), rows(rows_), labels(labels_) {
    // In the largest batch there are more sentences than threads that add them up.
    const auto turns = rows > 500 ? std::vector<std::int32_t>{1, 0, 3, 2} : std::vector{5, 1, 0, 12, 2, 31, 3};
    const int tail = rows % 5;
    for (std::size_t i = 0; cu_seqlens.back() < rows - tail; ++i)
      cu_seqlens.push_back(std::min(cu_seqlens.back() + turns[i % turns.size()], rows - tail));
    if (rows == 2) cu_seqlens = {0, 0, 0};  // sentences, but none of a token
    if (rows == 34) {                       // a pair alone among the sixteen rows whose pairs are summed at once
      cu_seqlens = {0, 17};
      while (cu_seqlens.back() < rows) cu_seqlens.push_back(cu_seqlens.back() + 1);
    }
    Arena empty;
    const device::Plan plan;
    const Step<device::Plan> at{plan, shape(), {}, true, Write::assign, empty};
    const auto saved = kernel::CrfSaved<A>::take(empty, shape());
    kernel::crf_forward<Scheme>(at, LabelMatrix<const A>(nullptr, rows, labels), kernel::Chain<const W>{}, nullptr,
                                saved, static_cast<A*>(nullptr));
    arena = {reinterpret_cast<std::byte*>(stage.put(std::vector<std::uint8_t>(empty.peak, stage.stale))), empty.peak};
    if constexpr (!S::Device::in_host_memory) {
      const std::vector<std::byte> any(S::Device::workspace_bytes, std::byte(stage.stale));
      stage.dev.upload(stage.dev.workspace(), any.data(), any.size());
    }
  }
  int sentences() const { return static_cast<int>(cu_seqlens.size()) - 1; }
  Shape shape() const { return {rows, sentences(), labels}; }
  auto step(Write how) {
    Counters counters;
    counters.loss_scale = stage.loss_scale;
    return Step<typename S::Device>{
        stage.dev, shape(), {stage.put(cu_seqlens)}, true, how, arena, stage.put(std::vector<Counters>{counters})};
  }

  /// A number of 1/64ths between -span and span; `f` may change it.
  template <class F> std::vector<A> numbers(std::size_t count, int span, F&& f) {
    std::vector<A> numbers;
    const auto drawn = stage.whole_numbers(count, 128 * span + 1);
    for (std::size_t i = 0; i < count; ++i)
      numbers.push_back(static_cast<A>(f(i, static_cast<float>(drawn[i] - 64 * span) / 64)));
    return numbers;
  }
  template <class F> LabelMatrix<const A> scores(int span, F&& f) {
    const auto stride = static_cast<std::size_t>(LabelMatrix<A>::padded(labels));
    return {stage.put(numbers(stride * static_cast<std::size_t>(rows), span,
                              [&](std::size_t i, float x) {
                                const auto k = static_cast<int>(i % stride);
                                return k < labels ? f(static_cast<int>(i / stride), k, x) : poison;
                              })),
            rows, labels};
  }
  template <class F> kernel::Chain<const W> chain(int span, F&& f) {
    const auto k = static_cast<std::size_t>(labels);
    const auto transitions = numbers(k * k, span, [&](std::size_t i, float x) {
      const auto a = static_cast<std::int32_t>(i / k), b = static_cast<std::int32_t>(i % k);
      return Rule::follows(a, b) ? f(a, b, x) : forbidden(i);
    });
    const auto start = numbers(
        k, span, [&](std::size_t i, float x) { return Rule::starts(static_cast<std::int32_t>(i)) ? x : forbidden(i); });
    const auto end = numbers(
        k, span, [&](std::size_t i, float x) { return Rule::ends(static_cast<std::int32_t>(i)) ? x : forbidden(i); });
    return {{stage.put(transitions), labels}, {stage.put(start), labels}, {stage.put(end), labels}};
  }

  /// Targets of six kinds by turns: entities of one to four tokens; some of their tokens
  /// without; none; one that the scheme forbids; any numbers; two that maybe no path joins.
  std::vector<std::int32_t> targets() {
    const int types = (labels - 1) / Scheme::parts;
    const std::int32_t open = types * Scheme::parts + 1 < labels ? labels - 1 : 1;  // of a type that may have no end
    const auto drawn = stage.whole_numbers(static_cast<std::size_t>(rows) * 2 + 1, 1 << 20);
    std::vector<std::int32_t> targets(static_cast<std::size_t>(rows),
                                      0);  // after the last sentence: no kernel reads them
    for (int s = 0; s < sentences(); ++s) {
      const int first = cu_seqlens[static_cast<std::size_t>(s)], last = cu_seqlens[static_cast<std::size_t>(s) + 1];
      for (int row = first; row < last;) {
        const auto i = static_cast<std::size_t>(row) * 2;
        const int size = std::min(1 + drawn[i] % 4, last - row), type = drawn[i + 1] % (types + 1) - 1;
        for (int t = 0; t < size; ++t)
          targets[static_cast<std::size_t>(row + t)] =
              type < 0 ? 0 : text::make_tag<Scheme>(type, Scheme::part(t == 0, t + 1 == size, true));
        row += size;
      }
      for (int row = first; row < last; ++row) {
        auto& target = targets[static_cast<std::size_t>(row)];
        const std::int32_t none = row % 2 == 0 ? -100 : labels;
        const std::int32_t of_kind[] = {target,
                                        (row + s / 6) % 3 != 0 || last - first == 1 ? target : none,
                                        none,
                                        row == first ? 2 : target,  // I first
                                        drawn[static_cast<std::size_t>(row)] % labels,
                                        row == first     ? open
                                        : row + 1 < last ? none
                                                         : 0};
        target = of_kind[s % 6];
      }
    }
    return targets;
  }
};

/// Scores so far apart that products of probabilities underflow; last: the last tag's transitions from all others.
enum class Far { nothing, scores, transitions, last };

/// Loss and gradients, the latter landing on what was there where Add says so, then only those that are wanted. Scale:
/// the loss's, which a CPU does not have: there its gradients are multiplied.
template <class Scheme, int K, bool Add, Far far = Far::nothing, int Scale = 1> struct CrfCase {
  static void run(auto& stage, int n) {
    using S = std::remove_reference_t<decltype(stage)>;
    using A = typename S::A;
    using Sum = typename S::Sum;
    static_assert(Scale == 1 || !Add);
    constexpr std::size_t k = K;
    const auto scaled = [&] {
      if constexpr (S::Device::in_host_memory)
        for (double& x : stage.results.back().values) x *= Scale;
    };
    if (Scale != 1) stage.loss_scale = stage.put(std::vector<float>{float(Scale)});
    CrfBatch<Scheme, S> batch(stage, n, K);
    const Write how = Add ? Write::add : Write::assign;
    const auto at = batch.step(how);
    const auto sentences = static_cast<std::size_t>(batch.sentences());
    const auto count = static_cast<std::size_t>(n) * static_cast<std::size_t>(LabelMatrix<A>::padded(K));
    const auto scores = batch.scores(4, [](int row, int tag, float x) {
      return far != Far::scores ? x : (row * 7 + tag) % 5 == 0 ? x - 50 : x + 150;
    });
    const auto chain = batch.chain(2, [](int a, int b, float x) {
      // What lane 0 of a warp sees is among the lowest, or never.
      const bool low = b % 32 == 0 ? K < 32 : b % 4 == 3;
      return far == Far::last ? (a == K - 1 ? x + 150 : x) : far != Far::transitions ? x : low ? x - 20 : x + 100;
    });
    const std::int32_t* const targets = stage.put(batch.targets());
    const kernel::CrfSaved<A> saved{
        {stage.template poison<A>(count), n, K},
        reinterpret_cast<kernel::Targets*>(stage.put(std::vector<std::int32_t>(sentences, -7))),
        stage.put(std::vector<std::int32_t>(1, -7))};
    Sum* const loss = stage.template poison<Sum>(1);
    kernel::crf_forward<Scheme>(at, scores, chain, targets, saved, loss);
    stage.result("loss", loss, 1);
    stage.result("kinds", reinterpret_cast<const std::int32_t*>(saved.kind), sentences);
    stage.result("broken", saved.broken, 1);

    const LabelMatrix<A> d(stage.template poison<A>(count), n, K);
    const kernel::Chain<Sum> g{{stage.template before<Sum>(how, k * k), K},
                               {stage.template before<Sum>(how, k), K},
                               {stage.template before<Sum>(how, k), K}};
    kernel::crf_backward<Scheme>(at, scores, chain, targets, saved, d, g);
    stage.result_of_wide("slopes", d), scaled();
    stage.result("transitions", g.transitions.data, k * k), scaled();
    stage.result("start", g.start.data, k), scaled();
    stage.result("end", g.end.data, k), scaled();

    const LabelMatrix<A> alone(stage.template poison<A>(count), n, K);
    kernel::Chain<Sum> some;
    if (Add) some.end = g.end;
    kernel::crf_forward<Scheme>(at, scores, chain, targets, saved, loss);
    kernel::crf_backward<Scheme>(at, scores, chain, targets, saved, alone, some);
    stage.result_of_wide("slopes alone", alone), scaled();
    stage.result("end again", g.end.data, k), scaled();
  }
};

/// A score that is no number, or infinite: the loss is no number.
template <class Scheme, int K> struct CrfNoNumberCase {
  static void run(auto& stage, int n) {
    using S = std::remove_reference_t<decltype(stage)>;
    using A = typename S::A;
    using Sum = typename S::Sum;
    for (const float bad : {CrfBatch<Scheme, S>::poison, std::numeric_limits<float>::infinity()}) {
      CrfBatch<Scheme, S> batch(stage, n, K);
      const auto at = batch.step(Write::assign);
      const auto saved = kernel::CrfSaved<A>::take(batch.arena, batch.shape());
      Sum* const loss = stage.template poison<Sum>(1);
      const std::pair<int, int> places[] = {{2, 0}, {2, 1}, {n, 0}};  // of tags alone, 0 is the target's; n: nowhere
      for (const std::pair<int, int>& at_tag : places) {
        const auto scores =
            batch.scores(4, [&](int row, int tag, float x) { return std::pair(row, tag) == at_tag ? bad : x; });
        kernel::crf_forward<Scheme>(at, scores, batch.chain(2, [](int, int, float x) { return x; }),
                                    stage.put(std::vector<std::int32_t>(static_cast<std::size_t>(n), 0)), saved, loss);
        stage.result("whether the loss is a number", loss, 1);
        double& found = stage.results.back().values.front();
        found = std::isfinite(found) ? 1 : 0;
      }
    }
  }
};

/// The best paths. Ties: whole numbers, so that many paths are as good as each other in any precision; some scores are
/// no numbers, or infinite, and some rows have nothing else.
template <class Scheme, int K, bool Ties> struct CrfDecodeCase {
  static void run(auto& stage, int n) {
    using S = std::remove_reference_t<decltype(stage)>;
    CrfBatch<Scheme, S> batch(stage, n, K);
    const auto at = batch.step(Write::assign);
    const float none = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    const auto scores = batch.scores(2, [&](int row, int tag, float x) {
      if (!Ties) return x / 3;
      if ((row * 5 + tag) % 11 == 0 || row % 41 == 40) return none;
      if (row % 29 == 28 && tag < 3) return tag == 0 ? infinity : -infinity;
      return std::floor(x);
    });
    const auto chain = batch.chain(2, [](int, int, float x) { return Ties ? std::floor(x) : x / 3; });
    std::int32_t* const tags = stage.put(std::vector<std::int32_t>(static_cast<std::size_t>(n), -7));
    kernel::crf_decode<Scheme>(at, scores, chain, tags);
    stage.result("tags", tags, static_cast<std::size_t>(n));
  }
};

}  // namespace entrain::test
