// tests > [train]: what both comparisons with transformers begin with: the values of a file, then one pass over a
// batch.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "entrain/train/loop/trainer.hpp"
#include "tests/train/expected.hpp"

namespace test {

/// Sets the parameters for which chosen(span) is true to the numbers of a file.
///
/// theirs(name) -> the name of a parameter in the file
template <class Trainer>
void set_values(Trainer& trainer, const checkpoint::Safetensors& weights, auto&& theirs, auto&& chosen) {
  for (const entrain::Span& s : trainer.layout().spans) {
    if (!chosen(s)) continue;
    const auto from = numbers<std::remove_reference_t<decltype(*trainer.values())>>(weights, theirs(s.name));
    REQUIRE(from.size() == s.size());
    std::copy(from.begin(), from.end(), trainer.values() + s.offset);
  }
}

/// The loss of a batch of `rows` rows and all gradients, without dropout, and what the layers saved.
template <class Model, class P, class D> struct FirstPass {
  using T = typename P::Master;
  using Real = typename Model::template Impl<P, D>;

  typename D::template Buffer<std::byte> memory;
  entrain::Arena arena{memory.data(), memory.size()};
  entrain::Counters counters;
  typename Model::template Weights<const T> w;
  std::vector<T> gradients;
  std::vector<std::uint32_t> stamps;
  typename Real::Saved saved;
  T loss = 0;

  FirstPass(const D& dev, auto& trainer, const auto& packed, int rows, int labels)
      : memory(entrain::train::cost_of<Model, P>({rows, rows, labels}).arena),
        w(entrain::bind<Model, const T>(trainer.values(), labels)),
        gradients(trainer.layout().size, std::numeric_limits<T>::quiet_NaN()),
        stamps(trainer.layout().stamps),
        saved(Real::allocate_saved(arena, packed.shape, packed.words)) {
    const entrain::Step<D> at{dev, packed.shape, packed.geometry, true, entrain::Write::assign, arena, &counters};
    Real::forward(at, w, packed.words, packed.targets, &loss, saved);
    Real::backward(at, w, saved, packed.words, packed.targets,
                   entrain::bind<Model, T>(gradients.data(), labels, stamps.data()));
  }
};

}  // namespace test
