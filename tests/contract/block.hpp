// tests > [contract]
//
// A tiny post-norm feed-forward block with fused verbs, a linear layer, and a head over run-time labels: the parts that
// the light model alone would not exercise.
#pragma once
#include "entrain/device/step.hpp"
#include "entrain/precision/policies.hpp"
#include "tests/contract/verbs.hpp"

namespace entrain::rehearsal {

template <int I, int O> struct Linear {
  static constexpr int in = I, out = O;
  template <class T> struct Weights {
    Weight<T, O, I> weight;
    Weight<T, 1, O> bias;
    static void each(auto&& f, auto& w) {
      f("weight", w.weight, init::glorot_uniform);
      f("bias", w.bias, init::zeros);
    }
  };
  template <Precision P, class D, Needs G> struct Impl {
    using A = typename P::Activation;
    struct Saved {
      Rows<const A, I> x;
    };
    static Saved allocate_saved(Arena&, Shape) { return {}; }
    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, I> x, Rows<A, O> y,
                        Saved& saved) {
      gemm(at.dev, x, w.weight, y);
      if constexpr (!planning<D>)
        for (int n = 0; n < y.n; ++n)
          for (int o = 0; o < O; ++o) land(y(n, o), static_cast<Wider<A>>(w.bias.data[o]), Write::add);
      saved.x = x;
    }
    static void backward(const Step<D>& at, const Weights<const typename P::Weight>& w, const Saved& saved,
                         Rows<const A, O> dy, Rows<A, I> dx, Write how, const Weights<typename P::Sum>& g) {
      if constexpr (G.params) {
        gemm_dw(at.dev, dy, saved.x, g.weight, at.grads);
        sum_rows(at.dev, dy, g.bias, at.grads);
      }
      if constexpr (G.input) gemm_dx(at.dev, dy, w.weight, dx, how);
    }
  };
};

/// y = norm(x + dropout(W2 gelu(W1 x + b1) + b2)): the block hands the last bias to the norm verb.
template <int C, int H> struct FeedForwardNorm {
  static constexpr int in = C, out = C;
  static constexpr double p = 0.1;
  template <class T> struct Weights {
    Weight<T, H, C> w1;
    Weight<T, 1, H> b1;
    Weight<T, C, H> w2;
    Weight<T, 1, C> b2, gain, shift;
    static void each(auto&& f, auto& w) {
      f("intermediate.dense.weight", w.w1, init::glorot_uniform);
      f("intermediate.dense.bias", w.b1, init::zeros);
      f("output.dense.weight", w.w2, init::glorot_uniform);
      f("output.dense.bias", w.b2, init::zeros);
      f("output.LayerNorm.weight", w.gain, init::ones);
      f("output.LayerNorm.bias", w.shift, init::zeros);
    }
  };
  template <Precision P, class D, Needs G> struct Impl {
    using A = typename P::Activation;
    struct Saved {
      Rows<const A, C> x;
      Rows<A, H> pre, h;
      Rows<A, C> sum;
      Rows<Wider<A>, 2> stat;
    };
    static Saved allocate_saved(Arena& arena, Shape shape) {
      return {{},
              take_rows<A, H>(arena, shape.rows),
              take_rows<A, H>(arena, shape.rows),
              take_rows<A, C>(arena, shape.rows),
              take_rows<Wider<A>, 2>(arena, shape.rows)};
    }
    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, C> x, Rows<A, C> y,
                        Saved& saved) {
      const Scratch give_back{at.scratch};
      const auto f = take_rows<A, C>(at.scratch, at.shape.rows);
      gemm_bias_act(at.dev, x, w.w1, w.b1, saved.pre, saved.h);
      gemm(at.dev, Rows<const A, H>(saved.h), w.w2, f);
      bias_dropout_add_norm(at, Rows<const A, C>(f), w.b2, p, x, w.gain, w.shift, saved.sum, saved.stat, y);
      saved.x = x;
    }
    static void backward(const Step<D>& at, const Weights<const typename P::Weight>& w, const Saved& saved,
                         Rows<const A, C> dy, Rows<A, C> dx, Write how, const Weights<typename P::Sum>& g) {
      const Scratch give_back{at.scratch};
      const auto df = take_rows<A, C>(at.scratch, at.shape.rows);
      const auto dpre = take_rows<A, H>(at.scratch, at.shape.rows);
      const auto dsum = how == Write::assign && G.input ? dx : take_rows<A, C>(at.scratch, at.shape.rows);
      const Rows<const A, C> sum = saved.sum;
      const Rows<const Wider<A>, 2> stat = saved.stat;
      bias_dropout_add_norm_back(at, dy, sum, stat, w.gain, p, dsum, df);
      gemm_dact(at.dev, Rows<const A, C>(df), w.w2, Rows<const A, H>(saved.pre), dpre);
      if constexpr (G.params) {
        norm_gain_back(at.dev, dy, sum, stat, g.gain, at.grads);
        sum_rows(at.dev, dy, g.shift, at.grads);
        sum_rows(at.dev, Rows<const A, C>(df), g.b2, at.grads);
        sum_rows(at.dev, Rows<const A, H>(dpre), g.b1, at.grads);
        gemm_dw(at.dev, Rows<const A, C>(df), Rows<const A, H>(saved.h), g.w2, at.grads);
        gemm_dw(at.dev, Rows<const A, H>(dpre), saved.x, g.w1, at.grads);
      }
      if constexpr (G.input) {
        gemm_dx(at.dev, Rows<const A, H>(dpre), w.w1, dsum, Write::add);
        if (how == Write::add) add(at.dev, Rows<const A, C>(dsum), dx);
      }
    }
  };
};

/// Softmax over run-time labels: loss = -sum_n log softmax(W x + b)[target_n].
template <int C> struct LabelHead {
  static constexpr int in = C;
  template <class T> struct Weights {
    Weight<T, dynamic_labels, C> weight;
    Weight<T, 1, dynamic_labels> bias;
    static void each(auto&& f, auto& w) {
      f("classifier.weight", w.weight, init::glorot_uniform);
      f("classifier.bias", w.bias, init::zeros);
    }
  };
  template <Precision P, class D, Needs G> struct Impl {
    using A = typename P::Activation;
    using Sum = typename P::Sum;
    struct Saved {
      Rows<const A, C> x;
      LabelMatrix<A> probability;
    };
    static Saved allocate_saved(Arena& arena, Shape shape) {
      return {{}, take_label_matrix<A>(arena, shape.rows, shape.labels)};
    }
    static Sum forward(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, C> x,
                       [[maybe_unused]] const std::int32_t* target, Saved& saved) {
      saved.x = x;
      Sum loss = 0;
      if constexpr (planning<D>) {
        at.dev.count(2. * x.n * C * at.shape.labels, sizeof(A) * 1. * x.n * (C + at.shape.labels));
      } else {
        for (int n = 0; n < x.n; ++n) {
          Sum total = 0;
          for (int k = 0; k < at.shape.labels; ++k) {
            auto score = static_cast<Wider<A>>(w.bias.data[k]);
            for (int c = 0; c < C; ++c)
              score += static_cast<Wider<A>>(x(n, c)) * static_cast<Wider<A>>(w.weight.data[k * C + c]);
            const auto e = static_cast<Sum>(std::exp(static_cast<double>(score)));
            saved.probability(n, k) = static_cast<A>(e);
            total += e;
          }
          for (int k = 0; k < at.shape.labels; ++k)
            saved.probability(n, k) = static_cast<A>(static_cast<Sum>(saved.probability(n, k)) / total);
          loss -= std::log(static_cast<Sum>(saved.probability(n, target[n])));
        }
      }
      return loss;
    }
    static void backward(const Step<D>& at, const Weights<const typename P::Weight>& w, const Saved& saved,
                         const std::int32_t* target, Rows<A, C> dx, const Weights<Sum>& g) {
      if constexpr (planning<D>) {
        at.dev.count(4. * dx.n * C * at.shape.labels, sizeof(A) * 1. * dx.n * (2 * C + at.shape.labels));
      } else {
        const auto slope = [&](int n, int k) {
          return static_cast<Sum>(saved.probability(n, k)) - static_cast<Sum>(k == target[n] ? 1 : 0);
        };
        for (int k = 0; k < at.shape.labels; ++k) {
          Sum bias = 0;
          for (int n = 0; n < dx.n; ++n) bias += slope(n, k);
          land(g.bias.data[k], bias, at.grads);
          for (int c = 0; c < C; ++c) {
            Sum sum = 0;
            for (int n = 0; n < dx.n; ++n) sum += slope(n, k) * static_cast<Sum>(saved.x(n, c));
            land(g.weight.data[k * C + c], sum, at.grads);
          }
        }
        if constexpr (G.input)
          for (int n = 0; n < dx.n; ++n)
            for (int c = 0; c < C; ++c) {
              Sum sum = 0;
              for (int k = 0; k < at.shape.labels; ++k) sum += slope(n, k) * static_cast<Sum>(w.weight.data[k * C + c]);
              dx(n, c) = static_cast<A>(sum);
            }
      }
    }
  };
};

}  // namespace entrain::rehearsal
