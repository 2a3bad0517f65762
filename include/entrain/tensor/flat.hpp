// core > device, precision > [tensor] > kernel > layer
//
// One flat buffer for each kind of number (values, gradients, each moment), and the one walk that divides it into named
// spans. Optimizer, clipping and checkpoint are passes over these spans and never see a layer.
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/tensor/weight.hpp"

namespace entrain {

/// A named range of the flat buffer. Offsets count numbers, so they are the same for fp32 and fp64.
struct Span {
  std::string name;
  std::size_t offset = 0;  // in the values
  int rows = 0;
  int cols = 0;
  bool sparse = false;              // a Table: gradients exist for stamped rows only
  bool frozen = false;              // training does not change it: no gradient, no moments, no stamps
  int height = 0;                   // number of blocks at or below it: 0 in an embedding, the maximum in the head
  std::size_t gradient_offset = 0;  // in gradients and moments
  std::size_t stamp_offset = 0;     // of a Table, in the buffer of stamps
  bool factor = false;              // read only by products
  std::size_t factor_offset = 0;    // of such a span, among them
  Initialiser initial = init::zeros;
  bool rows_of_labels = false;  // a row for each label, of which there may be one

  std::size_t size() const { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols); }
  /// A bias and a gain are vectors; a table, what products read and the rows of labels are matrices, also of one row.
  bool matrix() const { return rows > 1 || sparse || factor || rows_of_labels; }
  /// Biases and gains are not decayed, as in the recipes of BERT and spaCy.
  bool decays() const { return matrix(); }
};

/// All spans of a composition, and how many numbers the flat buffers need.
struct Layout {
  std::vector<Span> spans;
  std::size_t size = 0;       // of values
  std::size_t gradients = 0;  // of gradients, and of each moment: fewer where parts are frozen
  std::size_t stamps = 0;
  std::size_t factors = 0;  // of weights that only products read
  int height = 0;           // of the head
};

namespace detail {

/// Every span starts at a multiple of 64 bytes, for numbers of 4 bytes and more.
constexpr std::size_t aligned(std::size_t n) { return (n + 15) / 16 * 16; }

template <class W> inline constexpr bool initialised = false;

/// The base of the walks over parameters. A layer's each(walk, weights) calls the walk with every weight's name, the
/// weight and its initialiser.
struct Walk {
  template <class W, class... Other> void operator()(const char*, W&, const Other&...) {
    static_assert(initialised<W>,
                  "entrain: a weight has no initialiser: pass one after it in 'each', as in "
                  "f(\"gain\", w.gain, init::ones); see docs/extending/layer.md.");
  }
  /// A member that this composition does not use.
  template <class W> void unused(W&) {}
};

template <class Weights, class Walk>
concept IsWalked = requires(Walk& walk, Weights& w) {
  Weights::each(walk, w);
};
template <class Weights, class Walk> inline constexpr bool is_walked = IsWalked<Weights, Walk>;  // for static_assert

template <class Weights, class Walk> consteval bool walk_contract() {
  static_assert(is_walked<Weights, Walk>,
                "entrain: these Weights have no 'static void each(auto&& f, auto& w)', which gives each member with "
                "its name and its initialiser; see docs/extending/layer.md.");
  return IsWalked<Weights, Walk>;
}

class Measure : public Walk {
 public:
  explicit Measure(int labels) : labels_(labels) {}

  using Walk::operator();
  template <class W> void operator()(const char* name, W& w, const Initialiser& initial) {
    static_assert(
        W::factors <= 1,
        "entrain: a member of Weights is one matrix, and this Weight stacks several: give each its own member, "
        "a MatmulWeight, and stack them in a view, as encode::Attention does.");
    if constexpr (requires { w.labels; }) w.labels = labels_;
    if (std::exchange(w.data, &given_) != nullptr) refuse_second(name);
    bytes_ += sizeof(W);
    add(name, w.rows(), w.cols(), W::sparse, W::factors > 0, W::rows_of_labels, initial);
  }
  template <class W> void unused(W&) { bytes_ += sizeof(W); }
  template <class Part> void part(const std::string& name, Part& w) {
    const std::size_t outer = enter(name);
    all_of(w);
    path_.resize(outer);
  }
  /// A part above all parts before it: the height of its parameters is one more.
  template <class Part> void block(const std::string& name, Part& w) {
    ++layout.height;
    part(name, w);
  }
  template <class Part> void frozen(Part& w) {
    const bool outer = std::exchange(frozen_, true);
    all_of(w);
    frozen_ = outer;
  }
  /// Walks over the members of a `Weights`.
  /// throws    entrain.tensor.2, 3: `each` gives a member twice, or leaves one out
  template <class Weights> void all_of(Weights& w) {
    if constexpr (walk_contract<Weights, Measure>()) {
      const std::size_t outer = std::exchange(bytes_, 0);
      Weights::each(*this, w);
      if (bytes_ + sizeof(Weight<float, 1, 1>) <= sizeof(Weights)) refuse_missing(bytes_, sizeof(Weights));
      constexpr std::size_t align = alignof(void*);  // an empty part may be padded to that
      bytes_ = outer + (sizeof(Weights) + align - 1) / align * align;
    }
  }
  /// throws    entrain.tensor.1: two parameters have one name
  ENTRAIN_INLINE void check_names() const;

  Layout layout;

 private:  // one function for all types of weights, so that less is compiled
  [[noreturn]] ENTRAIN_INLINE void refuse_second(const char* name) const;
  [[noreturn]] ENTRAIN_INLINE void refuse_missing(std::size_t found, std::size_t expected) const;
  ENTRAIN_INLINE std::size_t enter(const std::string& name);
  ENTRAIN_INLINE void add(const char* name, int rows, int cols, bool sparse, bool factor, bool rows_of_labels,
                          const Initialiser& initial);

  int labels_;
  bool frozen_ = false;
  std::string path_;
  float given_ = 0;        // members that were given point here
  std::size_t bytes_ = 0;  // of the members that were given
};

/// Binds values as constants and gradients as buffers that backward writes. Frozen parts have no gradients.
template <class T> struct Bind : Walk {
  T* base;
  MasterOf<T>* master;
  std::uint32_t* stamps;
  int labels;
  bool apart = false;                 // see Values
  const std::byte* copies = nullptr;  // see Values
  std::size_t offset = 0;
  std::size_t master_offset = 0;
  std::size_t stamp_offset = 0;
  std::size_t factor_offset = 0;
  bool skips = false;

  using Walk::operator();
  template <class W> void operator()(const char*, W& w, const Initialiser&) {
    if constexpr (requires { w.labels; }) w.labels = labels;
    if (skips) return;
    if constexpr (std::is_same_v<typename W::Number, T>) {
      w.data = base != nullptr ? base + offset : nullptr;
    } else {
      w.data = master != nullptr ? master + (apart ? master_offset : offset) : nullptr;
      master_offset += aligned(w.size());
    }
    offset += aligned(w.size());
    if constexpr (W::factors > 0) {
      w.copy.data = copies != nullptr ? copies + factor_offset * sizeof(T) : nullptr;
      factor_offset += aligned(w.size());
    }
    if constexpr (W::sparse) {
      w.stamp = stamps != nullptr ? stamps + stamp_offset : nullptr;
      stamp_offset += static_cast<std::size_t>(w.rows());
    }
  }
  template <class Part> void part(const std::string&, Part& w) {
    if constexpr (walk_contract<Part, Bind>()) Part::each(*this, w);
  }
  template <class Part> void block(const std::string&, Part& w) { part({}, w); }
  template <class Part> void frozen(Part& w) {
    const bool outer = std::exchange(skips, !std::is_const_v<T>);
    Part::each(*this, w);
    skips = outer;
  }
};

/// Copies the parameters that are read in the master's type, one after the other.
template <class T> struct Gather : Walk {
  std::vector<MasterOf<T>> to;

  using Walk::operator();
  template <class W> void operator()(const char*, W& w, const Initialiser&) {
    if constexpr (!std::is_same_v<typename W::Number, const T>) {
      to.insert(to.end(), w.data, w.data + w.size());
      to.resize(aligned(to.size()));
    }
  }
  template <class Part> void part(const std::string&, Part& w) { Part::each(*this, w); }
  template <class Part> void block(const std::string&, Part& w) { Part::each(*this, w); }
  template <class Part> void frozen(Part& w) { Part::each(*this, w); }
};

}  // namespace detail

/// The spans of a layer's or model's parameters, in the order of the walk.
///
/// throws    entrain.tensor.1: two parameters have one name; .2, .3: `each` gives a member twice, or leaves one out
template <class Net> [[gnu::cold]] Layout layout_of(int labels) {
  typename Net::template Weights<float> w{};
  detail::Measure walk(labels);
  walk.all_of(w);
  walk.check_names();
  return std::move(walk.layout);
}

/// Values in both types in which layers read them, each laid out by layout_of; one buffer if the two types are the
/// same.
template <class T> struct Values {
  const T* weights = nullptr;
  const MasterOf<T>* master = nullptr;
  bool apart = false;                 // master is laid out by gather_master
  const std::byte* copies = nullptr;  // of the products of a device, by Span::factor_offset
};

namespace detail {

template <class Net, class T> typename Net::template Weights<T> bound(Bind<T> walk) {
  typename Net::template Weights<T> w{};
  if constexpr (walk_contract<typename Net::template Weights<T>, Bind<T>>()) Net::template Weights<T>::each(walk, w);
  return w;
}

}  // namespace detail

/// A layer's parameters as views into a flat buffer laid out by layout_of: values if T is const, else gradients.
/// base == nullptr: extents only.
template <class Net, class T>
requires std::same_as<T, MasterOf<T>>
typename Net::template Weights<T> bind(T* base, int labels, std::uint32_t* stamps = nullptr) {
  return detail::bound<Net>(detail::Bind<T>{{}, base, base, stamps, labels});
}
/// Values to read. Without buffers: extents only.
template <class Net, class T> typename Net::template Weights<const T> bind(Values<T> values, int labels) {
  return detail::bound<Net>(
      detail::Bind<const T>{{}, values.weights, values.master, nullptr, labels, values.apart, values.copies});
}

/// The few parameters that layers read in the master's type although they read all others as T (gains and biases of
/// norms). A caller that changes no value needs only these of the master.
template <class Net, class T> std::vector<MasterOf<T>> gather_master(const MasterOf<T>* values, int labels) {
  auto w = bind<Net>(Values<T>{nullptr, values}, labels);
  detail::Gather<T> walk;
  decltype(w)::each(walk, w);
  return std::move(walk.to);
}

}  // namespace entrain

#if !defined(ENTRAIN_COMPILED)
#include "entrain/tensor/flat.ipp"
#endif
