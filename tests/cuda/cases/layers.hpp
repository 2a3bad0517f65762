// tests > cuda > [cases]
//
// Parts of pretrained encoders, whole: the layers' own forward and backward on a device.
#pragma once
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include "entrain/embed/bert.hpp"
#include "entrain/encode/post_norm.hpp"
#include "entrain/family/distilbert.hpp"
#include "entrain/tensor/flat.hpp"

namespace entrain::test {

/// Rounds values to T, but for those that a layer reads as the optimizer keeps them.
template <class T, class M> struct RoundAsRead {
  const Layout& layout;
  std::vector<M>& values;
  std::size_t span = 0;

  template <class W> void unused(W&) {}
  template <class W> void operator()(const char*, W&, const Initialiser&) {
    const Span& s = layout.spans[span++];
    if constexpr (std::is_same_v<typename W::Number, T>)
      for (std::size_t i = s.offset; i < s.offset + s.size(); ++i)
        values[i] = static_cast<M>(static_cast<float>(T(static_cast<float>(values[i]))));
  }
};

/// A layer's parameters, drawn, and its gradients, of which every number is to be written.
template <class Layer, class Stage> class Parameters {
 public:
  using W = typename Stage::W;
  using Sum = typename Stage::Sum;

  explicit Parameters(Stage& stage) : stage_(stage), layout_(layout_of<Layer>(0)) {
    auto master = stage.template drawn_master<MasterOf<W>>(layout_.size);
    typename Layer::template Weights<typename Stage::Rounded> types{};
    RoundAsRead<typename Stage::Rounded, MasterOf<W>> rounding{layout_, master};
    decltype(types)::each(rounding, types);
    const W* const weights = stage.put(std::vector<W>(master.begin(), master.end()));
    values = bind<Layer>(Values<W>{weights, stage.put(master)}, 0);
    g_ = stage.template poison<Sum>(layout_.gradients);
    stamps_ = stage.put(std::vector<std::uint32_t>(layout_.stamps, 3));
    gradients = bind<Layer, Sum>(g_, 0, stamps_);
  }
  /// All gradients, and of tables the rows that are stamped with `now`.
  void results(std::uint32_t now) {
    std::vector<std::uint32_t> stamps(layout_.stamps);
    stage_.dev.download(stamps.data(), stamps_, stamps.size());
    stage_.results.push_back({"stamps", {stamps.begin(), stamps.end()}});
    for (const Span& span : layout_.spans) {
      std::vector<Sum> all(span.size());
      stage_.dev.download(all.data(), g_ + span.gradient_offset, all.size());
      stage_.results.push_back({span.name, {}});
      for (std::size_t i = 0; i < all.size(); ++i)
        if (!span.sparse || stamps[span.stamp_offset + i / static_cast<std::size_t>(span.cols)] == now)
          stage_.results.back().values.push_back(static_cast<double>(all[i]));
    }
  }

  typename Layer::template Weights<const W> values;
  typename Layer::template Weights<Sum> gradients;

 private:
  Stage& stage_;
  Layout layout_;
  Sum* g_;
  std::uint32_t* stamps_;
};

/// A feed-forward sublayer with its residual and norm, once to train and once to predict.
template <class Act> struct SublayerCase {
  static constexpr encode::TransformerConfig width{.width = 24, .heads = 2, .intermediate = 40, .eps = 1e-3};
  using Layer = encode::PostNorm<width, encode::FeedForward<width, Act>>;
  static constexpr int C = width.width;

  static void run(auto& stage, int n) {
    using S = std::remove_reference_t<decltype(stage)>;
    using A = typename S::A;
    using Train = Impl<Layer, typename S::Policy, typename S::Device>;
    using Predict = Impl<Layer, typename S::Policy, typename S::Device, Needs{false, false}>;
    const auto count = static_cast<std::size_t>(n) * C;
    const auto at = stage.step(n);
    constexpr std::size_t bytes = std::size_t(2) << 20;
    Arena arena{reinterpret_cast<std::byte*>(stage.template poison<float>(bytes / sizeof(float))), bytes};
    Parameters<Layer, S> parameters(stage);
    const Rows<const A, C> x(stage.template random<A>(count), n), dy(stage.template random<A>(count), n);
    const Rows<A, C> y(stage.template poison<A>(count), n), dx(stage.template poison<A>(count), n),
        predicted(stage.template poison<A>(count), n);
    auto saved = Train::allocate_saved(arena, at.shape);
    auto forgotten = Predict::allocate_saved(arena, at.shape);
    Train::forward(at, parameters.values, x, y, saved);
    Train::backward(at, parameters.values, saved, dy, dx, Write::assign, parameters.gradients);
    Predict::forward(at.evaluating(), parameters.values, x, predicted, forgotten);
    stage.result("y", y.data, count);
    stage.result("dx", dx.data, count);
    stage.result("predicted", predicted.data, count);
    parameters.results(0);
  }
};

/// BERT's tables on n pieces, of which a few are much more frequent than others, in two micro-batches of a step.
template <int C, int Types> struct TablesCase {
  using Layer =
      embed::Bert<embed::EmbeddingConfig{.vocabulary = 30, .positions = 12, .types = Types, .width = C, .eps = 1e-3},
                  std::conditional_t<(Types > 0), family::Bert, family::DistilBert>>;

  static void run(auto& stage, int n) {
    using S = std::remove_reference_t<decltype(stage)>;
    using A = typename S::A;
    using Real = Impl<Layer, typename S::Policy, typename S::Device>;
    const auto N = static_cast<std::size_t>(n), count = N * C;
    constexpr std::size_t bytes = std::size_t(1) << 20;
    Arena arena{reinterpret_cast<std::byte*>(stage.template poison<float>(bytes / sizeof(float))), bytes};
    Parameters<Layer, S> parameters(stage);
    auto at = stage.step(n);
    auto saved = Real::allocate_saved(arena, at.shape);
    for (const bool again : {false, true}) {
      auto ids = stage.whole_numbers(N, 30), places = stage.whole_numbers(N, 12);
      for (std::size_t i = 0; i < N; ++i)
        if (i % 3 != 0) ids[i] = 7;
      typename Layer::Features::View pieces;
      pieces.count = n;
      pieces.ids = stage.put(ids);
      pieces.position = stage.put(places);
      pieces.touched = stage.segments(ids, 30);
      pieces.placed = stage.segments(places, 12);
      if (Types > 0) pieces.typed = stage.segments(std::vector<std::int32_t>(N, 0), Types);
      const Rows<A, C> y(stage.template poison<A>(count), n);
      const Rows<const A, C> dy(stage.template random<A>(count), n);
      Real::forward(at, parameters.values, pieces, y, saved);
      Real::backward(again ? at.adding() : at, parameters.values, saved, pieces, dy, parameters.gradients);
      stage.result("y", y.data, count);
    }
    parameters.results(6);
  }
};

}  // namespace entrain::test
