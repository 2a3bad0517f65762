// [core] > device, precision > tensor > kernel > layer
//
// The vocabulary that all layers share: the run-time sizes of a step, which gradients are needed, and whether backward
// assigns or adds. Also the assertions that refuse compositions that cannot work, each with one readable sentence.
#pragma once
#include <concepts>
#include <string_view>
#include <type_traits>

namespace entrain {

/// Every run-time size of a step. Widths are in types; the number of labels is the one dynamic width.
struct Shape {
  int rows = 0;       // token rows in the packed batch
  int sentences = 0;  // sentences in the packed batch
  int labels = 0;     // of the label set

  friend constexpr bool operator==(const Shape&, const Shape&) = default;
};

/// Which gradients backward must compute. A frozen part has params == false; parts below the lowest trainable one have
/// input == false.
struct Needs {
  bool params = true;
  bool input = true;
};

/// What an op does to its destination. With `add` a product adds to the gradient of a residual connection without an
/// extra pass.
enum class Write { assign, add };

/// A layer's implementation for a precision, a device, and the gradients that are needed.
template <class Layer, class P, class D, Needs G = Needs{}> using Impl = typename Layer::template Impl<P, D, G>;
template <class Layer, class P, class D, Needs G = Needs{}> using On [[deprecated("entrain: the name is Impl")]] =
    Impl<Layer, P, D, G>;

/// Whether a part owns numbers that training changes. It is false for Frozen; compositions derive it from their parts.
template <class Layer> inline constexpr bool trainable = [] {
  if constexpr (requires { Layer::trainable; }) {
    return static_cast<bool>(Layer::trainable);
  } else {
    return true;
  }
}();

/// Whether a part's backward reads the part's input when no part below needs a gradient. It is false for a part whose
/// bottom is frozen.
template <class Layer> inline constexpr bool reads_input_later = [] {
  if constexpr (requires { Layer::reads_input_later; }) {
    return static_cast<bool>(Layer::reads_input_later);
  } else {
    return true;
  }
}();

/// Whether a layer's result is its input, so that a model need not call it: layer::Identity.
template <class Layer> inline constexpr bool passes_rows_on = requires { requires Layer::passes_rows_on; };

/// Whether a layer has forward_rows, which computes only those rows of its result that the caller will read.
template <class Layer> inline constexpr bool picks_rows = requires { requires Layer::picks_rows; };

/// Whether the backward of a part, and of its own parts, begins with a BackwardStep. If so, the caller may defer the
/// join of their side streams (device/backward_parts.hpp).
template <class Part> inline constexpr bool supports_deferred_join = requires {
  requires Part::supports_deferred_join;
};

/// How many rows to each side a row of a layer's result depends on. -1: on all rows of its sentence, or the layer does
/// not declare it.
template <class Layer> inline constexpr int reach_of = [] {
  if constexpr (requires { Layer::reach; }) {
    return static_cast<int>(Layer::reach);
  } else {
    return -1;
  }
}();

/// The same for layers one after the other.
template <class... Layers>
inline constexpr int reach_through = ((reach_of<Layers> < 0) || ...) ? -1 : (reach_of<Layers> + ... + 0);

/// Whether a head decodes in two steps: score() gives a row of numbers for each row, and choose() gives the labels from
/// them.
template <class Head> inline constexpr bool scores_apart = requires { requires Head::scores_apart; };

/// Both numbers appear in the message of g++, clang and nvcc.
template <int Produced, int Expected> struct WidthsMeet {
  static_assert(Produced == Expected,
                "entrain: neighbouring layers disagree on width; see WidthsMeet<Produced, Expected>: make the second "
                "layer's 'in' equal the first layer's 'out'.");
  static constexpr bool value = true;
};

namespace refuse {
// Variables, for static_assert: g++ lists the requirements of a concept line by line, but not those of a variable.

/// Whether a part has `static constexpr std::string_view name`.
template <class T> inline constexpr bool has_name = requires {
  { T::name } -> std::convertible_to<std::string_view>;
};
template <class L> inline constexpr bool has_widths = requires { L::in + L::out; };
template <class L, class T> inline constexpr bool has_weights = requires { typename L::template Weights<T>; };
template <class L>
concept IsEncoder = has_widths<L> && has_weights<L, float>;
template <class L> inline constexpr bool is_encoder = IsEncoder<L>;
template <class L, class P, class D> inline constexpr bool has_impl = requires {
  typename L::template Impl<P, D, Needs{}>;
};
template <class O> inline constexpr bool has_saved = requires { typename O::Saved; };
template <class O> inline constexpr bool has_allocate_saved = requires { &O::allocate_saved; };
template <class O> inline constexpr bool has_forward = requires { &O::forward; };
template <class O> inline constexpr bool has_backward = requires { &O::backward; };
}  // namespace refuse

/// The first requirement on a layer, which compositions check before they read the widths.
template <class L> consteval bool widths_contract() {
  static_assert(refuse::has_widths<L>,
                "entrain: this layer has no 'static constexpr int in' and 'out', its input and output widths; see "
                "docs/extending/layer.md.");
  return true;
}

/// `static_assert(layer_contract<L, P, D>());` refuses a layer that does not meet an obligation, with one sentence for
/// each.
template <class L, class P, class D> consteval bool layer_contract() {
  static_assert(widths_contract<L>());
  static_assert(refuse::has_weights<L, float>,
                "entrain: this layer has no 'template <class T> struct Weights', its parameters and their names; see "
                "docs/extending/layer.md.");
  static_assert(
      refuse::has_impl<L, P, D>,
      "entrain: this layer has no 'template <class P, class D, Needs G> struct Impl', its implementation; see "
      "docs/extending/layer.md.");
  if constexpr (refuse::has_impl<L, P, D>) {
    using O = typename L::template Impl<P, D, Needs{}>;
    static_assert(refuse::has_saved<O>,
                  "entrain: this layer has no Impl<P, D>::Saved, the values that backward needs; see "
                  "docs/extending/layer.md.");
    static_assert(refuse::has_allocate_saved<O>,
                  "entrain: this layer has no Impl<P, D>::allocate_saved(Arena&, Shape), which allocates what backward "
                  "needs; see "
                  "docs/extending/layer.md.");
    static_assert(refuse::has_forward<O>,
                  "entrain: this layer has no Impl<P, D>::forward; see docs/extending/layer.md.");
    static_assert(
        refuse::has_backward<O>,
        "entrain: this layer has no Impl<P, D>::backward, so it cannot be trained; write it, or wrap the layer in "
        "layer::Frozen at the bottom of the model.");
  }
  return true;
}

}  // namespace entrain
