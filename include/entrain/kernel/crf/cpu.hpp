// core > device, precision > tensor > [kernel] > layer
//
// The chain on the CPU: groups of sentences in parallel (lattice.hpp), the longest first; expected transitions as
// one product over all tokens.
#pragma once
#include "entrain/device/cpu.hpp"
#include "entrain/kernel/crf/lattice.hpp"
#include "entrain/kernel/crf/longest_first.hpp"
#include "entrain/kernel/crf/viterbi.hpp"
#include "entrain/kernel/gemm/contract.hpp"

namespace entrain::kernel {

template <class G> struct Crf<device::Cpu<G>> {
  using D = device::Cpu<G>;
  template <class T> using Room = CrfRoom<T>;
  using Direction = detail::Direction;

  template <class Scheme, class T, class Sum>
  static void forward(const Step<D>& at, LabelMatrix<const T> scores, const Chain<const T>& chain,
                      const std::int32_t* targets, const CrfSaved<T>& saved, const Room<T>& room, Sum* loss) {
    const std::int32_t* const cu = at.geometry.cu_seqlens;
    const int sentences = at.shape.sentences;
    double *const log_z = room.log_z, *const log_gold = room.log_gold;
    at.dev.rows(sentences, 16, [&](int first, int last) {
      for (int s = first; s < last; ++s) {
        saved.kind[s] = kind<Scheme>(cu[s], cu[s + 1], targets, scores.c);
        log_z[s] = log_gold[s] = 0;
        if (saved.kind[s] == Targets::whole) log_gold[s] = score(cu[s], cu[s + 1], scores, chain, targets);
      }
    });
    edges<Scheme>(chain, room);
    const auto panels =
        detail::Panels<T, Scheme, detail::SumProduct, Direction::along>::make(at.dev, chain.transitions, room);
    const auto walk = [&](const std::int32_t* only, LabelMatrix<T> alpha, double* sums, int count) {
      const auto path = walker(panels, scores, only, room);
      groups(at, room, count, [&](const detail::Group& group, T* lanes) { path.forward(group, lanes, alpha, sums); });
    };
    walk(nullptr, saved.alpha, log_z, order(at, room, [&](int s) { return walks(saved.kind[s]); }));
    if (const int partial = order(at, room, [&](int s) { return walks_twice(saved.kind[s]); }); partial > 0)
      walk(targets, room.rows, log_gold, partial);

    *saved.broken = 0;
    for (int s = 0; s < sentences; ++s) {
      if (saved.kind[s] == Targets::partial && log_gold[s] == -detail::infinity<double>) {
        saved.kind[s] = Targets::broken;
        log_z[s] = log_gold[s] = 0;
      }
      *saved.broken += saved.kind[s] == Targets::broken;
      log_z[s] -= log_gold[s];
    }
    *loss = static_cast<Sum>(detail::tree_sum(log_z, sentences));
  }

  template <class Scheme, class T> static void backward(const Step<D>& at, LabelMatrix<const T> scores,
                                                        const Chain<const T>& chain, const std::int32_t* targets,
                                                        const CrfSaved<T>& saved, const Room<T>& room, LabelMatrix<T> d,
                                                        const Chain<T>& g) {
    using Along = detail::Panels<T, Scheme, detail::SumProduct, Direction::along>;
    using Against = detail::Panels<T, Scheme, detail::SumProduct, Direction::against>;
    const std::int32_t* const cu = at.geometry.cu_seqlens;
    edges<Scheme>(chain, room);
    clear(at, saved, room, d, walks);
    const auto walk = [&](const std::int32_t* only, int sign, int count, Write how) {
      const auto panels = Against::make(at.dev, chain.transitions, room);
      const auto path = walker(panels, scores, only, room);
      groups(at, room, count, [&](const detail::Group& group, T* lanes) {
        path.backward(group, lanes, saved.alpha, sign, d, room.rows, room.flags);
      });
      if (g.transitions.wanted()) pairs(at, saved.alpha, sign, panels, room, g.transitions, how);
    };
    walk(nullptr, 1, order(at, room, [&](int s) { return walks(saved.kind[s]); }), at.grads);
    if (const int partial = order(at, room, [&](int s) { return walks_twice(saved.kind[s]); }); partial > 0) {
      const auto path = walker(Along::make(at.dev, chain.transitions, room), scores, targets, room);
      clear(at, saved, room, LabelMatrix<T>{}, walks_twice);
      groups(at, room, partial,
             [&](const detail::Group& group, T* lanes) { path.forward(group, lanes, saved.alpha, room.log_z); });
      walk(targets, -1, partial, Write::add);
    }
    for (int s = 0; s < at.shape.sentences; ++s) {
      if (saved.kind[s] != Targets::whole) continue;
      for (int row = cu[s]; row < cu[s + 1]; ++row) {
        d(row, targets[row]) -= 1;
        if (row > cu[s] && g.transitions.wanted())
          g.transitions.data[static_cast<std::ptrdiff_t>(targets[row - 1]) * scores.c + targets[row]] -= 1;
      }
    }
    if (g.start.wanted()) sum_edges(at, d, g.start, [&](int s) { return cu[s]; });
    if (g.end.wanted()) sum_edges(at, d, g.end, [&](int s) { return cu[s + 1] - 1; });
  }

  template <class Scheme, class T> static void decode(const Step<D>& at, LabelMatrix<const T> scores,
                                                      const Chain<const T>& chain, const Room<T>& room,
                                                      std::int32_t* tags) {
    edges<Scheme>(chain, room);
    std::fill_n(tags, scores.n, 0);
    const auto panels =
        detail::Panels<T, Scheme, detail::MaxPlus, Direction::along>::make(at.dev, chain.transitions, room);
    const detail::Viterbi<T, decltype(panels)> best{panels, scores, room.edges, room.edges + room.stride, room.stride};
    groups(at, room, order(at, room, [](int) { return true; }), [&](const detail::Group& group, T* lanes) {
      best.forward(group, lanes, room.rows);
      for (int l = 0; l < group.size; ++l)
        best.trace(group.first[static_cast<std::size_t>(l)], group.length[static_cast<std::size_t>(l)], room.rows,
                   tags);
    });
  }

 private:
  template <class Scheme> static Targets kind(int first, int last, const std::int32_t* targets, int labels) {
    using Rule = text::Allowed<Scheme>;
    int seen = 0;
    bool allowed = true;
    for (int row = first; row < last; ++row) {
      if (!has_target(targets[row], labels)) continue;
      ++seen;
      allowed = allowed && (row > first || Rule::starts(targets[row])) && (row + 1 < last || Rule::ends(targets[row]));
      if (row > first && has_target(targets[row - 1], labels))
        allowed = allowed && Rule::follows(targets[row - 1], targets[row]);
    }
    if (seen == 0) return Targets::none;
    if (!allowed) return Targets::broken;
    return seen == last - first ? Targets::whole : Targets::partial;
  }
  template <class T> static double score(int first, int last, LabelMatrix<const T> scores, const Chain<const T>& chain,
                                         const std::int32_t* targets) {
    double sum =
        static_cast<double>(chain.start.data[targets[first]]) + static_cast<double>(chain.end.data[targets[last - 1]]);
    for (int row = first; row < last; ++row) {
      sum += static_cast<double>(scores(row, targets[row]));
      if (row > first)
        sum += static_cast<double>(
            chain.transitions.data[static_cast<std::ptrdiff_t>(targets[row - 1]) * scores.c + targets[row]]);
    }
    return sum;
  }

  /// Start and end where the scheme allows them, -infinity elsewhere.
  template <class Scheme, class T> static void edges(const Chain<const T>& chain, const Room<T>& room) {
    std::fill_n(room.edges, 2 * room.stride, -detail::infinity<T>);
    for (int k = 0; k < chain.transitions.labels; ++k) {
      if (text::Allowed<Scheme>::starts(k)) room.edges[k] = chain.start.data[k];
      if (text::Allowed<Scheme>::ends(k)) room.edges[room.stride + k] = chain.end.data[k];
    }
  }
  template <class T, class Panels>
  static detail::Walk<T, Panels> walker(const Panels& panels, LabelMatrix<const T> scores, const std::int32_t* only,
                                        const Room<T>& room) {
    return {panels, scores, only, room.edges, room.edges + room.stride, room.stride};
  }

  /// The sentences to walk: first all that have a loss, then again those whose targets leave a choice. Each
  /// lambda has a distinct type; a function would be called through a pointer.
  static constexpr auto walks = [](Targets kind) { return kind == Targets::whole || kind == Targets::partial; };
  static constexpr auto walks_twice = [](Targets kind) { return kind == Targets::partial; };

  /// room.order = the sentences for which `wanted` is true, the longest first; returns their number.
  template <class T, class Wanted> static int order(const Step<D>& at, const Room<T>& room, Wanted wanted) {
    const std::int32_t* const cu = at.geometry.cu_seqlens;
    int count = 0;
    for (int s = 0; s < at.shape.sentences; ++s)
      if (cu[s + 1] > cu[s] && wanted(s)) room.order[count++] = s;
    detail::longest_first(room.order, count, cu);
    return count;
  }
  template <class T, class F> static void groups(const Step<D>& at, const Room<T>& room, int count, F&& f) {
    constexpr int most = Room<T>::group;
    at.dev.parallel((count + most - 1) / most, [&](int tile, int) {  // mutant 83
      f(detail::Group(at.geometry.cu_seqlens, room.order + tile * most, count - tile * most),
        room.lanes + static_cast<std::ptrdiff_t>(tile) * 3 * most * room.stride);
    });
  }

  /// Zeros in the rows of sentences that are not walked, and after the last sentence. d without data is not written.
  template <class T, class Wanted>
  static void clear(const Step<D>& at, const CrfSaved<T>& saved, const Room<T>& room, LabelMatrix<T> d, Wanted wanted) {
    const std::int32_t* const cu = at.geometry.cu_seqlens;
    const int sentences = at.shape.sentences;
    const auto wipe = [](LabelMatrix<T> rows, int first, int last) {
      if (rows.data != nullptr) std::fill(rows.row_at(first), rows.row_at(last), T(0));
    };
    const auto zero = [&](int first, int last) {
      wipe(d, first, last);
      wipe(saved.alpha, first, last);
      wipe(room.rows, first, last);
      std::fill(room.flags + first, room.flags + last, 0);  // mutant 84
    };
    at.dev.rows(sentences, 16, [&](int first, int last) {
      for (int s = first; s < last; ++s)
        if (!wanted(saved.kind[s])) zero(cu[s], cu[s + 1]);
    });
    zero(cu[sentences], saved.alpha.n);
  }

  /// g[a,b] (+)= sum over neighbours of left[a] right[b] e^(transition[a,b] - top)
  template <class T, class Panels> static void pairs(const Step<D>& at, LabelMatrix<T> left, int sign,
                                                     const Panels& panels, const Room<T>& room,
                                                     Weight<T, dynamic_labels, dynamic_labels> g, Write how) {
    const int k = panels.labels;
    const LabelMatrix<T> right = room.rows;
    if (std::find(room.flags, room.flags + left.n, 1) != room.flags + left.n) {  // mutant 85
      at.dev.rows(k, 8, [&](int first, int last) {
        for (int a = first; a < last; ++a) {
          T* const to = g.data + static_cast<std::ptrdiff_t>(a) * k;
          if (how == Write::assign) std::fill_n(to, k, T(0));
          for (int row = 1; row < left.n; ++row)
            if (room.flags[row] != 0)
              for (int b = 0; b < k; ++b)
                to[b] += static_cast<T>(sign) * math::exp(left(row - 1, a) + panels.number(b, a) + right(row, b));
        }
      });
      for (int row = 1; row < left.n; ++row)
        if (room.flags[row] != 0) {
          std::fill_n(left.row_at(row - 1), left.stride, T(0));
          std::fill_n(right.row_at(row), right.stride, T(0));
        }
      how = Write::add;
    }
    LabelMatrix<const T> before(left), after(right);  // row n of `after` is the neighbour of row n of `before`
    before.n = after.n = std::max(left.n - 1, 0);
    if (after.n > 0) after.data = right.row_at(1);
    const Weight<T, dynamic_labels, dynamic_labels> product{room.panels, k};  // overwrites the panels
    gemm_dw(at.dev, before, after, product, Write::assign);
    at.dev.rows(k, 16, [&](int first, int last) {
      for (int a = first; a < last; ++a)
        for (int b = 0; b < k; b += Pack<T>::size) {  // mutant 86
          const auto i = static_cast<std::ptrdiff_t>(a) * k + b;
          const int count = std::min(k - b, Pack<T>::size);
          Pack<T> sum = Pack<T>::load(product.data + i, count) * panels.weights_after(a, b);
          if (how == Write::add) sum += Pack<T>::load(g.data + i, count);
          sum.store(g.data + i, count);
        }
    });
  }

  /// g[k] (+)= sum over sentences of d[row(s), k]
  template <class T, class Row>
  static void sum_edges(const Step<D>& at, LabelMatrix<T> d, Weight<T, 1, dynamic_labels> g, Row row) {
    const std::int32_t* const cu = at.geometry.cu_seqlens;
    at.dev.rows(d.c, 64, [&](int first, int last) {
      if (at.grads == Write::assign) std::fill(g.data + first, g.data + last, T(0));
      for (int s = 0; s < at.shape.sentences; ++s)
        if (cu[s + 1] > cu[s])
          for (int k = first; k < last; ++k) g.data[k] += d(row(s), k);
    });
  }
};

}  // namespace entrain::kernel
