// core > device, precision > [tensor] > kernel > layer
//
// Initial values of a weight. A layer states them where it names the weight: f("gain", w.gain, init::ones).
#pragma once
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>

#include "entrain/core/random.hpp"

namespace entrain {

/// draw      writes the next numbers of a weight of [rows, cols], in row-major order. Every call but the last gets an
///           even count
/// scale     the argument that draw is given
///
/// To add one: `inline constexpr Initialiser mine{draw_mine};` with a function draw_mine that has draw's arguments.
struct Initialiser {
  void (*draw)(Random& random, int rows, int cols, double scale, std::span<double> next);
  double scale = 0;
};

/// The names are those of torch.nn.init.
namespace init {
namespace detail {

inline void draw_constant(Random&, int, int, double scale, std::span<double> next) {
  for (double& v : next) v = scale;
}
inline void draw_uniform(Random& random, int, int, double scale, std::span<double> next) {
  for (double& v : next) v = scale * (2.0 * static_cast<double>(random.uniform()) - 1.0);
}
inline void draw_glorot(Random& random, int rows, int cols, double, std::span<double> next) {
  draw_uniform(random, rows, cols, std::sqrt(6.0 / (rows + cols)), next);
}
inline void draw_normal(Random& random, int, int, double scale, std::span<double> next) {
  for (std::size_t i = 0; i < next.size(); i += 2) {
    const double radius = scale * std::sqrt(-2.0 * std::log(1.0 - static_cast<double>(random.uniform()))),
                 angle = 2.0 * std::numbers::pi * static_cast<double>(random.uniform());
    next[i] = radius * std::cos(angle);
    if (i + 1 < next.size()) next[i + 1] = radius * std::sin(angle);
  }
}

}  // namespace detail

/// All numbers are `value`.
constexpr Initialiser constant(double value) { return {detail::draw_constant, value}; }
/// For biases, and for the transitions of a CRF.
inline constexpr Initialiser zeros = constant(0);
/// For gains of norms.
inline constexpr Initialiser ones = constant(1);
/// Uniform in [-bound, bound).
constexpr Initialiser uniform(double bound) { return {detail::draw_uniform, bound}; }
/// Normal, of mean 0.
///
/// source    Box, Muller 1958, "A note on the generation of random normal deviates"
constexpr Initialiser normal(double stddev) { return {detail::draw_normal, stddev}; }
/// Uniform in [-a, a) with a = sqrt(6 / (rows + cols)), for matrices [out, in] of products.
///
/// source    Glorot, Bengio 2010, "Understanding the difficulty of training deep feedforward neural networks", eq. 16
inline constexpr Initialiser glorot_uniform{detail::draw_glorot};
/// For tables of embeddings: uniform in [-0.1, 0.1), as spaCy's HashEmbed.
inline constexpr Initialiser embedding = uniform(0.1);

}  // namespace init
}  // namespace entrain
