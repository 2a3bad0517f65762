// tests > [layer]
//
// Attention and attention with rotary positions against plain loops in fp64: heads, scale, windows, positions and the
// ends of sentences.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "entrain/encode/attention.hpp"
#include "entrain/encode/rotary_attention.hpp"
#include "entrain/kernel/attention/cpu.hpp"
#include "entrain/kernel/bias/cpu.hpp"
#include "entrain/kernel/gemm/cpu.hpp"
#include "entrain/kernel/rotary/cpu.hpp"
#include "tests/layer/results.hpp"

namespace attention_test {
using namespace entrain;
using Matrix = std::vector<std::vector<double>>;

namespace {
constexpr int width = 16, heads = 2, of_head = 8;
const std::vector<int> lengths{3, 1, 9};

/// y[n,o] = sum_i x[n,i] w[o,i] + b[o]
Matrix dense(const Matrix& x, const double* w, const double* b = nullptr) {
  Matrix y(x.size(), std::vector<double>(width));
  for (std::size_t n = 0; n < x.size(); ++n)
    for (std::size_t o = 0; o < width; ++o) {
      y[n][o] = b == nullptr ? 0 : b[o];
      for (std::size_t i = 0; i < width; ++i) y[n][o] += x[n][i] * w[o * width + i];
    }
  return y;
}

/// Each pair (x_j, x_{j+d/2}) of a head is turned by its place in the sentence times theta^(-2j/d).
void turn(Matrix& x, double theta) {
  std::size_t row = 0;
  for (const int length : lengths)
    for (int place = 0; place < length; ++place, ++row)
      for (std::size_t h = 0; h < heads; ++h)
        for (std::size_t j = 0; j < of_head / 2; ++j) {
          const double angle = place * std::pow(theta, -2.0 * static_cast<double>(j) / of_head);
          double &a = x[row][h * of_head + j], &b = x[row][h * of_head + j + of_head / 2];
          const double was = a;
          a = was * std::cos(angle) - b * std::sin(angle);
          b = b * std::cos(angle) + was * std::sin(angle);
        }
}

/// softmax(q k^T / sqrt(d)) v of each head, inside of sentences, among rows that are at most `reach` apart.
Matrix attended(const Matrix& q, const Matrix& k, const Matrix& v, int reach) {
  Matrix y(q.size(), std::vector<double>(width));
  std::size_t first = 0;
  for (const int length : lengths) {
    const auto n = static_cast<std::size_t>(length);
    for (std::size_t h = 0; h < heads; ++h)
      for (std::size_t i = 0; i < n; ++i) {
        std::vector<double> p(n);
        double sum = 0;
        for (std::size_t j = 0; j < n; ++j) {
          if (std::abs(static_cast<int>(i) - static_cast<int>(j)) > reach) continue;
          double score = 0;
          for (std::size_t c = 0; c < of_head; ++c)
            score += q[first + i][h * of_head + c] * k[first + j][h * of_head + c];
          sum += p[j] = std::exp(score / std::sqrt(of_head));
        }
        for (std::size_t j = 0; j < n; ++j)
          for (std::size_t c = 0; c < of_head; ++c)
            y[first + i][h * of_head + c] += p[j] / sum * v[first + j][h * of_head + c];
      }
    first += n;
  }
  return y;
}

/// The largest difference between the result of Net on noise and that of plain(x, numbers).
template <class Net> double difference(auto&& plain) {
  const test::Sentences sentences({3, 1, 9});
  const auto rows = static_cast<std::size_t>(sentences.rows());
  const auto x = test::noise(rows * width, 2), numbers = test::noise(layout_of<Net>(0).size, 1);
  const auto found = test::results<Net>(numbers, sentences, x);
  Matrix in(rows);
  for (std::size_t n = 0; n < rows; ++n) in[n].assign(&x[n * width], &x[n * width] + width);
  const Matrix wanted = plain(in, numbers.data());
  double most = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double error = std::abs(found[i] - wanted[i / width][i % width]);
    most = !(error <= most) ? error : most;
  }
  return most;
}

constexpr encode::TransformerConfig whole{.width = width, .heads = heads, .intermediate = 20},
    windowed{.width = width, .heads = heads, .intermediate = 20, .window = 4};
constexpr encode::ModernBertConfig rotary{.width = width, .heads = heads, .global_rope_theta = 100};
}  // namespace

TEST_CASE("attention: the result of plain loops, over whole sentences and in a window") {
  const auto plain = [](int reach) {
    return [reach](const Matrix& x, const double* w) {
      constexpr int square = width * width;
      const double* const bias = w + 3 * square;
      return dense(attended(dense(x, w, bias), dense(x, w + square, bias + width),
                            dense(x, w + 2 * square, bias + 2 * width), reach),
                   bias + 3 * width);
    };
  };
  CHECK(difference<encode::Attention<whole>>(plain(100)) < 1e-12);
  CHECK(difference<encode::Attention<windowed>>(plain(2)) < 1e-12);
}

TEST_CASE("rotary attention: the result of plain loops, positions from the beginning of each sentence") {
  const auto plain = [](const Matrix& x, const double* w) {
    constexpr int square = width * width;
    Matrix q = dense(x, w), k = dense(x, w + square);
    turn(q, 100), turn(k, 100);
    return dense(attended(q, k, dense(x, w + 2 * square), 100), w + 3 * square);
  };
  CHECK(difference<encode::RotaryAttention<rotary>>(plain) < 1e-7);  // inverse frequencies are rounded to fp32
}

}  // namespace attention_test
