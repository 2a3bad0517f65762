// tests > [layer]: how far the rows of layers depend on others, which decides how long sentences are decoded.
#include <doctest/doctest.h>

#include "entrain/layer/dropout.hpp"
#include "entrain/layer/frozen.hpp"
#include "entrain/layer/frozen_first.hpp"
#include "entrain/layer/layer_norm.hpp"
#include "entrain/layer/linear.hpp"
#include "entrain/layer/maxout.hpp"
#include "entrain/layer/recompute.hpp"
#include "entrain/layer/residual.hpp"
#include "entrain/layer/sequence.hpp"
#include "entrain/layer/shared.hpp"
#include "entrain/layer/stack.hpp"

namespace reach_test {
using namespace entrain;

struct Unknown {  // a layer that does not say
  static constexpr int in = 4, out = 4;
  template <class T> struct Weights {};
};
struct Near {
  static constexpr int in = 4, out = 4, reach = 2;
  template <class T> struct Weights {};
};

TEST_CASE("reach: of one layer, and through layers one after the other") {
  static_assert(reach_of<Unknown> == -1);
  static_assert(reach_of<Near> == 2);
  static_assert(reach_of<layer::Linear<4, 4>> == 0);
  static_assert(reach_of<layer::Maxout<4, 4, 2>> == 0);
  static_assert(reach_of<layer::LayerNorm<4>> == 0);
  static_assert(reach_of<layer::Dropout<4>> == 0);
  static_assert(reach_of<layer::Sequence<Near, layer::Linear<4, 4>, Near>> == 4);
  static_assert(reach_of<layer::Sequence<Near, Unknown>> == -1);
  static_assert(reach_of<layer::Residual<Near>> == 2);
  static_assert(reach_of<layer::Residual<Unknown>> == -1);
  static_assert(reach_of<layer::Stack<3, Near>> == 6);
  static_assert(reach_of<layer::Stack<3, Unknown>> == -1);
  static_assert(reach_of<layer::Shared<3, Near>> == 6);
  static_assert(reach_of<layer::Shared<3, Unknown>> == -1);
  static_assert(reach_of<layer::Recompute<Near>> == 2);
  static_assert(reach_of<layer::Frozen<Near>> == 2);
  static_assert(reach_of<layer::FrozenFirst<1, layer::Stack<3, Near>>> == 6);
  CHECK(reach_through<> == 0);
}

}  // namespace reach_test
