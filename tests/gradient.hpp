// tests: gradients of any layer, in fp64, against central differences; planned bytes against taken bytes.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "entrain/core/random.hpp"
#include "entrain/device/plan.hpp"
#include "entrain/device/step.hpp"
#include "entrain/precision/policies.hpp"
#include "entrain/tensor/flat.hpp"
#include "entrain/tensor/rows.hpp"
#include "tests/sanitized.hpp"

namespace entrain::test {

/// Numbers for a test: roughly normal, never 0.
inline std::vector<double> noise(std::size_t n, std::uint64_t seed, double scale = 0.5) {
  Random random(seed, 77);
  std::vector<double> v(n);
  for (auto& x : v) x = scale * (random.uniform() + random.uniform() + random.uniform() - 1.5f) * 2 + 1e-9;
  return v;
}

/// An arena on memory of its own, filled with NaN bytes, so that reading unwritten memory shows.
struct OwnedArena {
  std::vector<std::byte> bytes;
  Arena arena;
  explicit OwnedArena(std::size_t capacity) : bytes(capacity + Arena::alignment, std::byte{0xFF}) {
    const auto address = reinterpret_cast<std::uintptr_t>(bytes.data());
    arena.base = bytes.data() + (Arena::alignment - address % Arena::alignment) % Arena::alignment;
    arena.capacity = capacity;
  }
};

/// Sentences of the given lengths: first rows and neighbour bits, as the packer makes them.
struct Sentences {
  std::vector<std::int32_t> cu_seqlens{0};
  std::vector<std::uint8_t> neighbours;
  explicit Sentences(const std::vector<int>& lengths) {
    for (int n : lengths) {
      for (int i = 0; i < n; ++i) {
        unsigned bits = 0;
        for (int k = 1; k <= 3; ++k) bits |= (i >= k ? 1u << k : 0u) | (i + k < n ? 1u << (4 + k) : 0u);
        neighbours.push_back(static_cast<std::uint8_t>(bits));
      }
      cu_seqlens.push_back(cu_seqlens.back() + n);
    }
  }
  int rows() const { return cu_seqlens.back(); }
  int count() const { return static_cast<int>(cu_seqlens.size()) - 1; }
  Geometry geometry() const { return {cu_seqlens.data(), neighbours.data()}; }
  Shape shape(int labels = 0) const { return {rows(), count(), labels}; }
};

struct GradientReport {
  double worst = 0;         // largest |difference| / (1 + |gradient|)
  std::string text;         // which tensor, which index, both values
  std::size_t planned = 0;  // arena bytes by the plan
  std::size_t taken = 0;    // arena bytes really taken
  std::size_t saved = 0;    // of those, kept between forward and backward
  bool unwritten = false;   // a parameter or input gradient that was not written
  bool adds = true;         // a second backward with Write::add gives twice the gradient
  bool beyond = false;      // rows were written that the batch does not have
};

template <class T> struct GradientOptions {
  double step = 1e-5;
  std::size_t most = 60;  // indices tried in each tensor
  bool training = true;
};

/// Rows that memory has and the batch does not: as in a training, whose largest batch has more rows than most.
constexpr int spare_rows = 3;

/// The layer under test with loss = sum(y * r) for a fixed random r. Without needs.input, backward gets no memory for
/// the gradient of the input. Frozen parameters have no gradient to check. What forward saves has spare rows, so a
/// layer that does not set the rows of such a view reads or writes NaN.
template <class Layer, Needs needs = Needs{true, true}, class D>
GradientReport check_gradients(const D& dev, const Sentences& sentences, GradientOptions<D> options = {}) {
  using P = precision::Fp64;
  using Real = Impl<Layer, P, D, needs>;
  using Planned = Impl<Layer, P, device::Plan, needs>;
  const Shape shape = sentences.shape();
  const Shape largest{shape.rows + spare_rows, shape.sentences + spare_rows, shape.labels};
  const Counters counters{.seed = 42, .step = 3, .dropout = 0.25f};
  const auto n = static_cast<std::size_t>(shape.rows);
  GradientReport report;

  const Layout layout = layout_of<Layer>(shape.labels);
  const std::size_t inputs = n * Layer::in, outputs = n * Layer::out;
  auto params = noise(layout.size, 1), x = noise(inputs, 2), r = noise(outputs, 3);
  const double poison = std::numeric_limits<double>::quiet_NaN();
  x.resize(inputs + spare_rows * Layer::in, 3), r.resize(outputs + spare_rows * Layer::out, 3);
  std::vector<double> y(r.size(), poison), grads(layout.gradients, poison), dx(needs.input ? x.size() : 0, poison);
  const auto w = bind<Layer, const double>(params.data(), shape.labels);
  const auto g = bind<Layer, double>(grads.data(), shape.labels);

  {  // the plan: the same code on an empty arena
    Arena empty;
    device::Plan plan;
    Step<device::Plan> at{plan, shape, {}, options.training, Write::assign, empty, nullptr};
    Planned::allocate_saved(empty, shape);
    report.saved = empty.used;
    empty = {};
    auto saved = Planned::allocate_saved(empty, largest);
    Planned::forward(at, bind<Layer, const double>(nullptr, shape.labels), {nullptr, shape.rows}, {nullptr, shape.rows},
                     saved);
    for (const Write how : {Write::assign, Write::add})
      Planned::backward(at, bind<Layer, const double>(nullptr, shape.labels), saved, {nullptr, shape.rows},
                        {nullptr, shape.rows}, how, bind<Layer, double>(nullptr, shape.labels));
    report.planned = empty.peak;
  }

  OwnedArena memory(report.planned);
  const auto forward = [&](bool back, Write how) {
    Arena& arena = memory.arena;
    arena.used = arena.peak = 0;
    std::fill(memory.bytes.begin(), memory.bytes.end(), std::byte{0xFF});
    Step<D> at{dev, shape, sentences.geometry(), options.training, how, arena, &counters};
    auto saved = Real::allocate_saved(arena, largest);
    Real::forward(at, w, {x.data(), shape.rows}, {y.data(), shape.rows}, saved);
    if (back)
      Real::backward(at, w, saved, {r.data(), shape.rows}, {needs.input ? dx.data() : nullptr, shape.rows}, how, g);
    report.taken = std::max(report.taken, arena.peak);
    double loss = 0;
    for (std::size_t i = 0; i < outputs; ++i) loss += y[i] * r[i];
    const auto written = [](double v) { return !std::isnan(v); };
    report.beyond = report.beyond || std::any_of(y.begin() + static_cast<std::ptrdiff_t>(outputs), y.end(), written) ||
                    (needs.input && std::any_of(dx.begin() + static_cast<std::ptrdiff_t>(inputs), dx.end(), written));
    return loss;
  };

  forward(true, Write::assign);
  const auto first = grads;
  const auto first_dx = dx;
  std::vector<Span> trained;
  for (const Span& s : layout.spans)
    if (!s.frozen) trained.push_back(s);
  for (const Span& s : trained)
    for (std::size_t i = 0; i < s.size(); ++i)
      if (std::isnan(first[s.gradient_offset + i])) {
        report.unwritten = true;
        report.text = "gradient of " + s.name + " was not written at " + std::to_string(i);
      }
  for (std::size_t i = 0; needs.input && i < inputs; ++i)
    report.unwritten = report.unwritten || std::isnan(first_dx[i]);
  if (report.unwritten) return report;
  forward(true, Write::add);
  const auto twice = [&](double a, double b) { return std::abs(b - 2 * a) <= 1e-12 * (1 + std::abs(a)); };
  for (const Span& s : trained)
    for (std::size_t i = s.gradient_offset; i < s.gradient_offset + s.size(); ++i)
      report.adds = report.adds && twice(first[i], grads[i]);
  for (std::size_t i = 0; needs.input && i < inputs; ++i) report.adds = report.adds && twice(first_dx[i], dx[i]);

  if (SANITIZED && shape.rows > 100) return report;  // both passes of these rows have run above
  if (SANITIZED) options.most = 1;
  const auto differences = [&](const std::string& name, double* values, const double* gradient, std::size_t size) {
    for (std::size_t i = 0; i < size; i += 1 + size / options.most) {
      const double keep = values[i];
      values[i] = keep + options.step;
      const double up = forward(false, Write::assign);
      values[i] = keep - options.step;
      const double down = forward(false, Write::assign);
      values[i] = keep;
      const double numeric = (up - down) / (2 * options.step);
      const double error = std::abs(numeric - gradient[i]) / (1 + std::abs(gradient[i]));
      if (!(error <= report.worst)) {
        report.worst = std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
        std::ostringstream text;
        text << name << '[' << i << "]: by differences " << numeric << ", by backward " << gradient[i];
        report.text = text.str();
      }
    }
  };
  for (const Span& s : trained) differences(s.name, &params[s.offset], &first[s.gradient_offset], s.size());
  if (needs.input) differences("input", x.data(), first_dx.data(), inputs);
  return report;
}

/// Whether backward leaves the gradient of the input alone where nothing needs it, as in the lowest trained layer.
template <class Layer, class D> bool leaves_input(const D& dev, const Sentences& sentences) {
  using P = precision::Fp64;
  constexpr Needs needs{true, false};
  using Real = Impl<Layer, P, D, needs>;
  using Planned = Impl<Layer, P, device::Plan, needs>;
  const Shape shape = sentences.shape();
  const Counters counters{.seed = 42, .step = 3, .dropout = 0.25f};
  const auto n = static_cast<std::size_t>(shape.rows);
  const Layout layout = layout_of<Layer>(shape.labels);
  const auto params = noise(layout.size, 1), x = noise(n * Layer::in, 2), r = noise(n * Layer::out, 3);
  const double untouched = 7;
  std::vector<double> y(n * Layer::out), grads(layout.gradients), dx(n * Layer::in, untouched);

  Arena empty;
  device::Plan plan;
  Step<device::Plan> planned{plan, shape, {}, true, Write::assign, empty, nullptr};
  auto counted = Planned::allocate_saved(empty, shape);
  const auto no_weights = bind<Layer, const double>(nullptr, shape.labels);
  Planned::forward(planned, no_weights, {nullptr, shape.rows}, {nullptr, shape.rows}, counted);
  Planned::backward(planned, no_weights, counted, {nullptr, shape.rows}, {nullptr, shape.rows}, Write::assign,
                    bind<Layer, double>(nullptr, shape.labels));

  OwnedArena memory(empty.peak);
  Step<D> at{dev, shape, sentences.geometry(), true, Write::assign, memory.arena, &counters};
  auto saved = Real::allocate_saved(memory.arena, shape);
  const auto w = bind<Layer, const double>(params.data(), shape.labels);
  Real::forward(at, w, {x.data(), shape.rows}, {y.data(), shape.rows}, saved);
  Real::backward(at, w, saved, {r.data(), shape.rows}, {dx.data(), shape.rows}, Write::assign,
                 bind<Layer, double>(grads.data(), shape.labels));
  return std::all_of(dx.begin(), dx.end(), [&](double v) { return v == untouched; });
}

}  // namespace entrain::test
