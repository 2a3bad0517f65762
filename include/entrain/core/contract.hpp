// [core] > device, precision > tensor > kernel > layer
//
// The words that every layer speaks: the run-time sizes of a step, which gradients exist, what backward does to its
// destination; and the refusals, one readable sentence each, for compositions that cannot work.
#pragma once
#include <type_traits>

namespace entrain {

/// Every run-time size that a step has. Widths are in types; labels are the one dynamic width.
struct Shape {
  int rows = 0;       // token rows in the packed batch
  int sentences = 0;  // sentences in the packed batch
  int labels = 0;     // tags of the label set

  friend constexpr bool operator==(const Shape&, const Shape&) = default;
};

/// Which gradients backward must make. A frozen part has params == false; below the lowest trainable one input ==
/// false.
struct Needs {
  bool params = true;
  bool input = true;
};

/// What a verb does to its destination: `add` lets a product land on a residual's gradient without an extra pass.
enum class Write { assign, add };

/// A layer made real: its description, a precision, a device, and the gradients that are needed.
template <class Layer, class P, class D, Needs G = Needs{}> using On = typename Layer::template On<P, D, G>;

/// Whether a part owns numbers that training changes. Frozen says no; compositions ask their parts.
template <class Layer> inline constexpr bool trainable = [] {
  if constexpr (requires { Layer::trainable; }) {
    return static_cast<bool>(Layer::trainable);
  } else {
    return true;
  }
}();

/// Whether a part's backward reads what the part was given, when nobody below wants a gradient. One that is frozen at
/// its bottom says no.
template <class Layer> inline constexpr bool reads_input_later = [] {
  if constexpr (requires { Layer::reads_input_later; }) {
    return static_cast<bool>(Layer::reads_input_later);
  } else {
    return true;
  }
}();

/// Whether a layer has forward_rows, which makes only those rows of its result that somebody will read.
template <class Layer> inline constexpr bool picks_rows = requires { requires Layer::picks_rows; };

/// Whether a part's backward, and those of its own parts, begin with a BackwardStep: then the caller may put off to
/// wait for their side streams (device/backward_parts.hpp).
template <class Part> inline constexpr bool supports_deferred_join = requires {
  requires Part::supports_deferred_join;
};

/// How many rows to each side of it a row of a layer's result depends on; -1: on all rows of its sentence, or the layer
/// does not say.
template <class Layer> inline constexpr int reach_of = [] {
  if constexpr (requires { Layer::reach; }) {
    return static_cast<int>(Layer::reach);
  } else {
    return -1;
  }
}();

/// Of layers one after the other.
template <class... Layers>
inline constexpr int reach_through = ((reach_of<Layers> < 0) || ...) ? -1 : (reach_of<Layers> + ... + 0);

/// Whether a head's decoding is score(), a row of numbers for each row, and choose(), the tags from these.
template <class Head> inline constexpr bool scores_apart = requires { requires Head::scores_apart; };

/// Both numbers appear in the message of g++, clang and nvcc.
template <int Produced, int Expected> struct WidthsMeet {
  static_assert(Produced == Expected,
                "entrain: neighbouring layers disagree on width; see WidthsMeet<Produced, Expected>: make the second "
                "layer's 'in' equal the first layer's 'out'.");
  static constexpr bool value = true;
};

namespace refuse {
template <class L>
concept Widths = requires {
  {L::in + L::out};
};
template <class L, class T>
concept HasWeights = requires {
  typename L::template Weights<T>;
};
template <class L>
concept IsEncoder = Widths<L> && HasWeights<L, float>;
template <class L> inline constexpr bool is_encoder = IsEncoder<L>;
template <class L, class P, class D>
concept HasOn = requires {
  typename L::template On<P, D, Needs{}>;
};
template <class O>
concept HasSaved = requires {
  typename O::Saved;
};
template <class O>
concept HasForward = requires {
  &O::forward;
};
template <class O>
concept HasBackward = requires {
  &O::backward;
};
template <class O>
concept HasKeep = requires {
  &O::keep;
};
}  // namespace refuse

/// `static_assert(layer_contract<L, P, D>());` refuses a layer that misses an obligation, with one sentence for each.
template <class L, class P, class D> consteval bool layer_contract() {
  static_assert(refuse::Widths<L>,
                "entrain: this layer has no 'static constexpr int in' and 'out', the widths it takes and gives; see "
                "docs/adding-a-layer.md.");
  static_assert(refuse::HasWeights<L, float>,
                "entrain: this layer has no 'template <class T> struct Weights', its parameters and their names; see "
                "docs/adding-a-layer.md.");
  static_assert(refuse::HasOn<L, P, D>,
                "entrain: this layer has no 'template <class P, class D, Needs G> struct On', the layer made real; see "
                "docs/adding-a-layer.md.");
  if constexpr (refuse::HasOn<L, P, D>) {
    using O = typename L::template On<P, D, Needs{}>;
    static_assert(refuse::HasSaved<O>,
                  "entrain: this layer has no On<P, D>::Saved, the values that backward needs; see "
                  "docs/adding-a-layer.md.");
    static_assert(refuse::HasKeep<O>,
                  "entrain: this layer has no On<P, D>::keep(Arena&, Shape), which carves what backward needs; see "
                  "docs/adding-a-layer.md.");
    static_assert(refuse::HasForward<O>, "entrain: this layer has no On<P, D>::forward; see docs/adding-a-layer.md.");
    static_assert(
        refuse::HasBackward<O>,
        "entrain: this layer has no On<P, D>::backward, so it cannot be trained; write it, or wrap the layer in "
        "layer::Frozen at the bottom of the model.");
  }
  return true;
}

}  // namespace entrain
