// core > device, precision > tensor > kernel > [layer]
//
// Layers of different types, one after the other. Read layer/stack.hpp first: the same idea for equal blocks.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "entrain/core/contract.hpp"
#include "entrain/device/step.hpp"
#include "entrain/layer/contract.hpp"
#include "entrain/precision/policies.hpp"
#include "entrain/tensor/rows.hpp"

namespace entrain::layer {
namespace detail {

/// f(index<0>), f(index<1>), ... f(index<N-1>), each index a type, so that it can pick an element of a tuple.
template <std::size_t N, class F> constexpr void each_index(F&& f) {
  [&]<std::size_t... I>(std::index_sequence<I...>) { (f(std::integral_constant<std::size_t, I>{}), ...); }
  (std::make_index_sequence<N>{});
}

/// In place of the first layer of Sequence<>, so that its assertion is the only error.
struct NoLayer {
  static constexpr int in = 1, out = 1;
};

}  // namespace detail

/// y = last(... first(x))
///
/// shapes    x [N,first in], y [N,last out]
/// requires  at least one layer; each is as wide as the one before it gives
/// saves     what each part saves, and the vectors between parts
/// adjoint   stops at the lowest trainable part, unless the caller needs the input's gradient
template <class... Layers> struct Sequence {
  static constexpr std::size_t count = sizeof...(Layers);
  static_assert(count >= 1, "entrain: Sequence<...> needs at least one layer.");
  static_assert((widths_contract<Layers>() && ...));
  template <std::size_t I> using Part = std::tuple_element_t<I, std::tuple<Layers..., detail::NoLayer>>;
  static constexpr std::size_t last = count == 0 ? 0 : count - 1;
  static constexpr int in = Part<0>::in, out = Part<last>::out, reach = reach_through<Layers...>;
  static constexpr bool trainable = (entrain::trainable<Layers> || ...);

  template <std::size_t... I> static constexpr bool meet(std::index_sequence<I...>) {
    return (WidthsMeet<Part<I>::out, Part<I + 1>::in>::value && ...);
  }
  static_assert(meet(std::make_index_sequence<last>{}));

  template <class Layer> static constexpr std::string_view name_of() {
    if constexpr (refuse::has_name<Layer>) return Layer::name;
    return {};
  }

  /// A part's name, if no other part has it (a maxout's weight is maxout.weight), else its number.
  template <std::size_t I> static std::string part_name() {
    constexpr std::string_view own = name_of<Part<I>>();
    const bool alone = ((name_of<Layers>() == own ? 1 : 0) + ...) == 1;
    return !own.empty() && alone ? std::string(own) : std::to_string(I);
  }

  template <class T> struct Weights {
    std::tuple<typename Layers::template Weights<T>...> part;
    /// Of a block in a stack: its place there (stack.hpp), which is that of each part.
    constexpr void at_block([[maybe_unused]] int i) {
      detail::each_index<count>([&]([[maybe_unused]] auto k) {
        if constexpr (requires { std::get<k()>(part).at_block(i); }) std::get<k()>(part).at_block(i);
      });
    }
    static void each(auto&& f, auto& w) {
      detail::each_index<count>([&](auto i) { f.part(part_name<i()>(), std::get<i()>(w.part)); });
    }
  };

  template <Precision P, class D, Needs G> struct Impl {
    static_assert((contract<Layers, P, D>() && ...));
    using A = typename P::Activation;
    using Grad = typename P::Gradient;

    /// Whether part I must compute the gradient of its input: the caller needs it, or a part below is trained.
    template <std::size_t I> static constexpr bool hands_down() {
      bool wanted = G.input;
      detail::each_index<I>([&](auto j) { wanted = wanted || (G.params && entrain::trainable<Part<j()>>); });
      return wanted;
    }
    template <std::size_t I> struct Chosen {  // nvcc 13 does not parse Needs{...} inside an alias template
      static constexpr Needs needs{G.params && entrain::trainable<Part<I>>, hands_down<I>()};
      using Real = entrain::Impl<Part<I>, P, D, needs>;
    };
    template <std::size_t I> using Real = typename Chosen<I>::Real;

    template <class Indices> struct Kept;
    template <std::size_t... I> struct Kept<std::index_sequence<I...>> {
      std::tuple<typename Real<I>::Saved...> part;
      std::tuple<Rows<A, Part<I>::out>...> y;
    };
    using Saved = Kept<std::make_index_sequence<count>>;

    static Saved allocate_saved(Arena& arena, Shape shape) {
      Saved saved;
      detail::each_index<count>([&](auto i) {
        std::get<i()>(saved.part) = Real<i()>::allocate_saved(arena, shape);
        if constexpr (i() + 1 < count) std::get<i()>(saved.y) = take_rows<A, Part<i()>::out>(arena, shape.rows);
      });
      return saved;
    }
    static void forward(const Step<D>& at, const Weights<const typename P::Weight>& w, Rows<const A, in> x,
                        Rows<A, out> y, Saved& saved) {
      std::get<count - 1>(saved.y) = y;
      detail::each_index<count>([&](auto i) {
        const Rows<const A, Part<i()>::in> xi = input<i()>(x, saved);
        std::get<i()>(saved.y).n = at.shape.rows;  // allocated for the largest batch, used for this one
        Real<i()>::forward(at.at(static_cast<int>(i())), std::get<i()>(w.part), xi, std::get<i()>(saved.y),
                           std::get<i()>(saved.part));
      });
    }
    static void backward(const Step<D>& at, const Weights<const typename P::Weight>& w, const Saved& saved,
                         Rows<const Grad, out> dy, Rows<Grad, in> dx, Write how, const Weights<typename P::Sum>& g) {
      const Scratch give_back{at.scratch};
      std::tuple<Rows<Grad, Layers::in>...> down;  // down[i]: the gradient of part i's input
      std::get<0>(down) = dx;
      detail::each_index<count>([&](auto i) {
        if constexpr (i() > 0 && hands_down<i()>())
          std::get<i()>(down) = take_rows<Grad, Part<i()>::in>(at.scratch, at.shape.rows);
      });
      detail::each_index<count>([&](auto reversed) {
        constexpr std::size_t i = count - 1 - reversed();
        constexpr bool reached = i + 1 == count || hands_down<(i + 1 < count ? i + 1 : i)>();  // mutant 208
        if constexpr (reached) {
          const Rows<const Grad, Part<i>::out> dyi = output_gradient<i>(dy, down);
          Real<i>::backward(at.at(static_cast<int>(i)), std::get<i>(w.part), std::get<i>(saved.part), dyi,
                            std::get<i>(down), i == 0 ? how : Write::assign, std::get<i>(g.part));
        }
      });
    }

   private:
    template <std::size_t I> static auto input(Rows<const A, in> x, const Saved& saved) {
      if constexpr (I == 0) {
        return x;
      } else {
        return Rows<const A, Part<I>::in>(std::get<I - 1>(saved.y));
      }
    }
    template <std::size_t I> static auto output_gradient(Rows<const Grad, out> dy, const auto& down) {
      if constexpr (I + 1 == count) {
        return dy;
      } else {
        return Rows<const Grad, Part<I>::out>(std::get<I + 1>(down));
      }
    }
  };
};

}  // namespace entrain::layer
