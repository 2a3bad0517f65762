// tests > [extending]
//
// A head of your own, for the task of task.hpp: a linear function of the mean of a sentence's rows, squared error.
#pragma once
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "entrain/device/plan.hpp"
#include "entrain/device/step.hpp"
#include "entrain/precision/policies.hpp"
#include "entrain/tensor/rows.hpp"
#include "entrain/tensor/weight.hpp"
#include "tests/extending/rating/task.hpp"

namespace rating {

/// y[s] = weight mean_{n in s} x[n] + bias;   loss = sum_s (y[s] - target[s])^2 over sentences that have a target
///
/// shapes    x [N,C]; weight [1,C], bias [1,1]; targets [sentences]         saves     x, and y [sentences]
template <int C> struct Head {
  static constexpr std::string_view name = "rating", loss_name = "squared_error";
  static constexpr int in = C;
  using Task = rating::Task;

  template <class T> struct Weights {
    entrain::Weight<T, 1, C> weight;
    entrain::Weight<T, 1, 1> bias;
    static void each(auto&& f, auto& w) {
      f("rating.weight", w.weight, entrain::init::glorot_uniform);
      f("rating.bias", w.bias, entrain::init::zeros);
    }
  };

  template <entrain::Precision P, class D, entrain::Needs G> struct Impl {
    using A = typename P::Activation;
    using Sum = typename P::Sum;
    using Values = Weights<const typename P::Weight>;
    static constexpr bool counts_only = std::is_same_v<D, entrain::device::Plan>;
    static_assert(
        counts_only || requires { requires D::in_host_memory; }, "This head runs on the CPU.");
    struct Saved {
      entrain::Rows<const A, C> x;
      Sum* y = nullptr;
    };
    static Saved allocate_saved(entrain::Arena& arena, entrain::Shape shape) {
      return {{}, arena.take<Sum>(static_cast<std::size_t>(shape.sentences))};
    }

    static void forward(const entrain::Step<D>& at, const Values& w, entrain::Rows<const A, C> x, Task::Targets targets,
                        Sum* loss, Saved& saved) {
      saved.x = x;
      if constexpr (!counts_only) {
        rate(at, w, x, saved.y);
        *loss = 0;
        for (int s = 0; s < at.shape.sentences; ++s)
          if (const Sum off = off_by(saved, targets, s); off != 0) *loss += off * off;
      }
    }
    static void backward(const entrain::Step<D>& at, const Values& w, const Saved& saved, Task::Targets targets,
                         entrain::Rows<typename P::Gradient, C> dx, const Weights<Sum>& g) {
      if constexpr (!counts_only) {
        if (G.params && at.grads == entrain::Write::assign) {
          for (int c = 0; c < C; ++c) g.weight.data[c] = 0;
          *g.bias.data = 0;
        }
        for (int s = 0; s < at.shape.sentences; ++s) {
          const Sum slope = 2 * off_by(saved, targets, s);
          const int begin = at.geometry.cu_seqlens[s], end = at.geometry.cu_seqlens[s + 1];
          const Sum of_row = slope / static_cast<Sum>(end - begin);
          for (int n = begin; n < end; ++n)
            for (int c = 0; c < C; ++c) {
              if (G.input) dx(n, c) = of_row * w.weight.data[c];
              if (G.params) g.weight.data[c] += of_row * saved.x(n, c);
            }
          if (G.params) *g.bias.data += slope;
        }
      }
    }
    static void decode(const entrain::Step<D>& at, const Values& w, entrain::Rows<const A, C> x, Task::Prediction out) {
      if constexpr (!counts_only) rate(at, w, x, out.data);
    }

   private:
    template <class T>
    static void rate(const entrain::Step<D>& at, const Values& w, entrain::Rows<const A, C> x, T* y) {
      for (int s = 0; s < at.shape.sentences; ++s) {
        const int begin = at.geometry.cu_seqlens[s], end = at.geometry.cu_seqlens[s + 1];
        Sum sum = 0;
        for (int n = begin; n < end; ++n)
          for (int c = 0; c < C; ++c) sum += w.weight.data[c] * x(n, c);
        y[s] = static_cast<T>(*w.bias.data + sum / static_cast<Sum>(end - begin));
      }
    }
    /// 0 where there is no target.
    static Sum off_by(const Saved& saved, Task::Targets targets, int s) {
      return entrain::is_target(targets[s]) ? saved.y[s] - static_cast<Sum>(targets[s]) : Sum(0);
    }
  };
};

}  // namespace rating
