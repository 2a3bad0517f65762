// text > batch > embed > [encode] > head > optim > checkpoint
//
// ModernBERT's block: norm and residual around rotary attention, then around a gated feed-forward layer, all without
// biases. In: vectors [N,C] and cu_seqlens. Out: vectors [N,C], not normalised. Read pre_norm.hpp first.
#pragma once
#include <string>

#include "entrain/device/backward_step.hpp"
#include "entrain/encode/block.hpp"
#include "entrain/encode/gated_feed_forward.hpp"
#include "entrain/encode/rotary_attention.hpp"
#include "entrain/kernel/dropout/contract.hpp"
#include "entrain/kernel/layer_norm/contract.hpp"
#include "entrain/kernel/map/contract.hpp"

namespace entrain::encode {

/// y = x + dropout(part(norm(x))),   norm without a shift. The attention of block 0 has no norm: what it reads is the
/// embedding's result, which is normalised. Dropout follows attention only: GatedFeedForward has its own.
///
/// shapes    x, y [N,C]; the norm's gain [C]
/// saves     what the part saves, the normalised vectors [N,C] and their statistics [N,2]; x is a view
/// source    Xiong et al. 2020, arXiv:2002.04745, figure 1 (b); names of transformers' ModernBertEncoderLayer
template <ModernBertConfig W, class Part> struct NormFirst {
  static constexpr int in = W.width, out = W.width, C = W.width;
  static constexpr bool names_attention = true;  // as transformers names it: no name of the block is before these
  static std::string describe() { return "NormFirst<" + Part::describe() + ">"; }

  template <class T> struct Weights {
    Weight<MasterOf<T>, 1, C> gain;
    typename Part::template Weights<T> part;
    constexpr void at_block([[maybe_unused]] int i) {
      if constexpr (Part::first_without_norm) part.at_block(i);
    }
    constexpr bool has_norm() const {
      if constexpr (Part::first_without_norm) return part.block > 0;
      return true;
    }
    static void each(auto&& f, auto& w) {
      if (w.has_norm()) {
        f(Part::norm_before, w.gain, init::ones);
      } else {
        f.unused(w.gain);
      }
      Part::template Weights<T>::each(f, w.part);  // at the same level, as transformers names them
    }
  };

  template <Precision P, class D, Needs G> struct Impl {
    using A = typename P::Activation;
    using Grad = typename P::Gradient;
    using Sum = typename P::Sum;
    using Inner = entrain::Impl<Part, P, D, Needs{G.params, G.params || G.input}>;
    struct Saved {
      Rows<const A, C> x;
      Rows<A, C> normal;
      Rows<Sum, 2> stat;
      typename Inner::Saved part;
    };
    static Saved allocate_saved(Arena& arena, Shape shape) {
      return {{},
              take_rows<A, C>(arena, shape.rows),
              take_rows<Sum, 2>(arena, shape.rows),
              Inner::allocate_saved(arena, shape)};
    }
    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, C> x, Rows<A, C> y,
                        Saved& saved) {
      saved.normal.n = saved.stat.n = x.n;  // allocated for the most rows, used for this batch's
      saved.x = x;
      Rows<const A, C> read = x;
      if (w.has_norm()) {
        kernel::layer_norm(at.dev, x, w.gain, Weight<const Sum, 1, C>(), W.eps, saved.stat, saved.normal);
        read = saved.normal;
      }
      Inner::forward(at.at(0), w.part, read, y, saved.part);
      if (Part::drops_result && at.training) kernel::dropout(at.at(1), Rows<const A, C>(y), y, Write::assign);
      kernel::add(at.dev, x, y);
    }
    static void backward(const Step<D>& step, const Weights<const typename P::Weight>& w, const Saved& saved,
                         Rows<const Grad, C> dy, Rows<Grad, C> dx, Write how, const Weights<Sum>& g) {
      const BackwardStep at(step);
      const auto d = take_rows<Grad, C>(at.scratch, Part::drops_result ? at.shape.rows : 0);
      const auto dnormal = take_rows<Grad, C>(at.scratch, at.shape.rows);
      auto df = dy;
      if (Part::drops_result && at.training) {
        kernel::dropout(at.at(1), dy, d, Write::assign);
        df = d;
      }
      if (!w.has_norm()) {
        if constexpr (G.input) {
          Inner::backward(at.at(0), w.part, saved.part, df, dx, how, g.part);
          kernel::add(at.dev, dy, dx);
        } else {
          Inner::backward(at.at(0), w.part, saved.part, df, dnormal, Write::assign, g.part);
        }
        return;
      }
      Inner::backward(at.at(0), w.part, saved.part, df, dnormal, Write::assign, g.part);
      const Rows<const Grad, C> slope = dnormal;
      const Rows<const Sum, 2> stat = saved.stat;
      if constexpr (G.params)
        at.side([&](const D& dev) {
          kernel::layer_norm_params(dev, slope, saved.x, stat, g.gain, Weight<Sum, 1, C>(), at.grads);
        });
      if constexpr (G.input) {
        kernel::layer_norm_back(at.dev, slope, saved.x, stat, w.gain, dx, how);
        kernel::add(at.dev, dy, dx);
      }
    }
  };
};

/// A block of a stack; its place there decides whether its attention is global or local. A block that is in no stack is
/// block 0: global, without a norm before its attention.
///
/// shapes    x, y [N,W.width], cu_seqlens [sentences + 1]
/// source    Warner et al. 2024, "ModernBERT", arXiv:2412.13663, section 2.1
template <ModernBertConfig W, class Act = act::Gelu> struct ModernBertBlock {
  using Parts =
      Block<NormFirst<W, RotaryAttention<W>>, NormFirst<W, GatedFeedForward<W, Act>>>;  // no base, as in PostNormBlock
  static constexpr int in = Parts::in, out = Parts::out;
  static constexpr bool picks_rows = true, supports_deferred_join = true;
  template <class T> using Weights = typename Parts::template Weights<T>;
  template <Precision P, class D, Needs G> using Impl = typename Parts::template Impl<P, D, G>;
  static std::string describe() { return W.describe("ModernBertBlock", Act::name); }
  /// Its entries in config.json, under transformers' keys.
  static void extents(auto& config) {
    config.hidden_size = W.width, config.num_attention_heads = W.heads, config.intermediate_size = W.intermediate;
    config.layer_norm_eps = W.eps, config.hidden_act = Act::name;
    config.local_attention = W.local_attention, config.global_attn_every_n_layers = W.global_attn_every_n_layers;
    config.global_rope_theta = W.global_rope_theta, config.local_rope_theta = W.local_rope_theta;
    ++config.num_hidden_layers;
  }
};

}  // namespace entrain::encode
