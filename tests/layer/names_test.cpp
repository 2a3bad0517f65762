// tests > [layer]
//
// The names of parameters, and mistakes in `each` of their Weights.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "entrain/kernel/bias/cpu.hpp"
#include "entrain/kernel/gemm/cpu.hpp"
#include "entrain/layer/linear.hpp"
#include "entrain/layer/sequence.hpp"
#include "entrain/tensor/flat.hpp"

using namespace entrain;

namespace {
enum class Gives { all, one_name, one_twice, one_missing };

template <Gives gives> struct Own {
  template <class T> struct Weights {
    Weight<T, 2, 3> up;
    Weight<T, 1, 3> gain, unused;
    static void each(auto&& f, auto& w) {
      f("up", w.up, init::glorot_uniform);
      if constexpr (gives == Gives::all) f("gain", w.gain, init::ones);
      if constexpr (gives == Gives::one_name) f("up", w.gain, init::ones);
      if constexpr (gives == Gives::one_twice) f("gain", w.up, init::ones);
      f.unused(w.unused);
    }
  };
};
struct Outer {
  template <class T> struct Weights {
    Own<Gives::one_missing>::Weights<T> own;
    static void each(auto&& f, auto& w) { f.part("own", w.own); }
  };
};

template <class Net> std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Span& s : layout_of<Net>(0).spans) all.push_back(s.name);
  return all;
}

template <class Net> std::string refusal() {
  try {
    layout_of<Net>(0);
  } catch (const Error& e) {
    return e.what();
  }
  return "none";
}
}  // namespace

TEST_CASE("names: layers of one name in a sequence are called by their numbers") {
  using layer::Linear;
  CHECK(names<layer::Sequence<Linear<3, 4>>>() == std::vector<std::string>{"linear.weight", "linear.bias"});
  CHECK(names<layer::Sequence<Linear<3, 4>, Linear<4, 2>>>() ==
        std::vector<std::string>{"0.weight", "0.bias", "1.weight", "1.bias"});
}

TEST_CASE("names: each gives every member once, with a name of its own") {
  CHECK(names<Own<Gives::all>>() == std::vector<std::string>{"up", "gain"});
  CHECK(
      refusal<Own<Gives::one_name>>() ==
      "entrain.tensor.1: up: two parameters have this name, expected one; correct 'each' of the Weights, or 'name' of "
      "the layer; see docs/extending/layer.md");
  CHECK(refusal<Own<Gives::one_twice>>() ==
        "entrain.tensor.2: gain: 'each' gives this member of Weights twice, expected each member once; give the member "
        "of that name; see docs/extending/layer.md");
  CHECK(refusal<Outer>() ==
        "entrain.tensor.3: own: 'each' gives members of 32 of the 48 bytes of Weights, expected all members; add the "
        "missing one, as in "
        "f(\"gain\", w.gain, init::ones); see docs/extending/layer.md");
}
