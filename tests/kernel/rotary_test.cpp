// tests > [kernel]
//
// Rotary position embeddings against their formula, number by number; bits that depend on the place alone; and
// transformers' numbers.
#include "entrain/kernel/rotary/cpu.hpp"

#include <array>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/kernel/framed.hpp"

using namespace entrain;
using test::Framed;
using test::framed_noise;

namespace {
using Cpu = device::Cpu<>;

/// Packed rows with their sentences, as rotary finds them.
struct Batch {
  explicit Batch(const std::vector<int>& lengths) : sentences(lengths) {}
  std::size_t rows() const { return static_cast<std::size_t>(sentences.rows()); }

  template <int H, int Width, class T> void rotate(const Cpu& dev, double theta, Framed<T>& qkv, bool back = false) {
    const Step<Cpu> at{dev, sentences.shape(), sentences.geometry(), true, Write::assign, memory.arena};
    const Rows<T, 3 * H * Width> rows_of(qkv.data(), sentences.rows());
    back ? kernel::rotary_back<H>(at, theta, rows_of) : kernel::rotary<H>(at, theta, rows_of);
  }

  test::Sentences sentences;
  test::OwnedArena memory{64};
};

template <class T, int H, int Width>
void against_formulas(const Cpu& dev, const std::vector<int>& lengths, double theta, double tolerance) {
  constexpr std::size_t half = Width / 2, C = H * Width;
  Batch batch(lengths);
  std::vector<double> place;
  for (const int n : lengths)
    for (int i = 0; i < n; ++i) place.push_back(i);
  const auto x = framed_noise<T>(batch.rows() * 3 * C, 1);
  CAPTURE(H);
  CAPTURE(Width);
  CAPTURE(theta);
  for (const double sign : {1., -1.}) {
    Framed<T> found = x;
    batch.rotate<H, Width>(dev, theta, found, sign < 0);
    CHECK(test::off(found, [&](std::size_t i) {
            const std::size_t channel = i % (3 * C), at = channel % Width, pair = at % half;
            if (channel >= 2 * C) return static_cast<double>(x[i]);
            const float power =
                static_cast<float>(std::pow(theta, static_cast<float>(2 * pair) / static_cast<float>(Width)));
            const double angle = sign * place[i / (3 * C)] * static_cast<double>(1.0f / power);
            const double own = static_cast<double>(x[i]);
            const double other = static_cast<double>(at < half ? -x[i + half] : x[i - half]);
            return own * std::cos(angle) + other * std::sin(angle);
          }) < tolerance);
    bool values = true;
    for (std::size_t i = 0; i < x.size(); ++i) values = values && (i % (3 * C) < 2 * C || found[i] == x[i]);
    CHECK(values);
  }
}

template <class T> bool same_bits(const Framed<T>& a, const T* b) {
  return std::memcmp(a.data(), b, a.size() * sizeof(T)) == 0;
}
const std::vector<int> awkward{0, 1, 0, 0, 2, 17, 127, 129, 0};
}  // namespace

TEST_CASE("rotary: queries, keys and their slopes against the formula, widths around whole packs") {
  const Cpu one(1), three(3);
  for (const double theta : {10000., 160000.}) {
    for (const auto& lengths : {std::vector<int>{}, {1}, {16, 1, 15}, awkward}) {
      against_formulas<double, 1, 2>(one, lengths, theta, 1e-14);
      against_formulas<double, 3, 6>(three, lengths, theta, 1e-14);
      against_formulas<double, 2, 64>(three, lengths, theta, 1e-14);
      against_formulas<float, 2, 6>(three, lengths, theta, 5e-7);
      against_formulas<float, 2, 32>(one, lengths, theta, 5e-7);
      against_formulas<float, 1, 42>(one, lengths, theta, 5e-7);  // a pack and a part of one
      against_formulas<float, 2, 64>(three, lengths, theta, 5e-7);
    }
    against_formulas<float, 1, 8>(three, {3, 8192}, theta, 5e-7);
    against_formulas<double, 1, 8>(one, {8192}, theta, 1e-14);
  }
}

TEST_CASE("rotary: its adjoint is its transpose and its inverse") {
  constexpr int H = 2, Width = 32;
  const Cpu dev(2);
  Batch batch(awkward);
  const std::size_t count = batch.rows() * 3 * H * Width;
  const auto x = framed_noise<double>(count, 1), y = framed_noise<double>(count, 2);
  Framed<double> turned = x, back = y;
  batch.rotate<H, Width>(dev, 10000, turned);
  batch.rotate<H, Width>(dev, 10000, back, true);
  double a = 0, b = 0;
  for (std::size_t i = 0; i < count; ++i) a += turned[i] * y[i], b += x[i] * back[i];
  CHECK(a == doctest::Approx(b).epsilon(1e-13));
  batch.rotate<H, Width>(dev, 10000, turned, true);
  CHECK(test::off(turned, [&](std::size_t i) { return x[i]; }) < 1e-14);
}

TEST_CASE("rotary: same bits for any number of threads and any place in a batch") {
  constexpr int H = 2, Width = 64, C3 = 3 * H * Width;
  const Cpu one(1), three(3);
  Batch batch(awkward);
  const auto x = framed_noise<float>(batch.rows() * C3, 1);
  Framed<float> known = x, found = x;
  batch.rotate<H, Width>(one, 10000, known);
  batch.rotate<H, Width>(three, 10000, found);
  CHECK(same_bits(found, known.data()));
  for (int s = 0; s < batch.sentences.count(); ++s) {
    const auto first = static_cast<std::size_t>(batch.sentences.cu_seqlens[static_cast<std::size_t>(s)]) * C3;
    const int n = awkward[static_cast<std::size_t>(s)];
    // alone, and after another sentence, so that a tile of rows begins somewhere else in it
    for (const int before : {0, 5}) {
      const std::size_t skipped = static_cast<std::size_t>(before) * C3, count = static_cast<std::size_t>(n) * C3;
      Batch other({before, n});
      std::vector<float> numbers(skipped, 1);
      numbers.insert(numbers.end(), x.data() + first, x.data() + first + count);
      Framed<float> moved(numbers);
      other.rotate<H, Width>(one, 10000, moved);
      CHECK(std::memcmp(moved.data() + skipped, known.data() + first, count * sizeof(float)) == 0);
    }
  }
}

namespace {
/// Queries and keys after the rotation, and the gradient of both, of numbers that are in scripts/golden/modernbert.py.
void against_transformers(double theta, int first) {
  constexpr int rows = 5, H = 2, Width = 6, C = H * Width;
  std::ifstream file(std::string(ENTRAIN_SOURCE_DIR) + "/tests/kernel/golden/modernbert.txt");
  std::vector<double> expected;
  for (std::string line; expected.empty() && std::getline(file, line);) {
    std::istringstream words(line);
    std::string op, base, place;
    if (words >> op >> base >> place && op == "rotary" && std::stod(base) == theta && std::stoi(place) == first)
      for (double v; words >> v;) expected.push_back(v);
  }
  REQUIRE(expected.size() == rows * 4 * C);
  const Cpu dev(1);
  Batch batch({first + rows});
  const auto from = static_cast<std::size_t>(first) * 3 * C, count = static_cast<std::size_t>(rows) * 3 * C;
  const auto numbers = [&](int begin) {
    std::vector<double> v(from);
    for (std::size_t i = 0; i < count; ++i) {
      const int k = begin + static_cast<int>(i);
      v.push_back(((k * 37 + k / 11) % 101 - 50) / 32.0);
    }
    return Framed<double>(v);
  };
  auto qkv = numbers(0), slopes = numbers(5000);
  batch.rotate<H, Width>(dev, theta, qkv);
  batch.rotate<H, Width>(dev, theta, slopes, true);
  double worst = 0;
  for (std::size_t i = 0; i < rows * 2 * C; ++i) {
    const std::size_t at = from + i / (2 * C) * (3 * C) + i % (2 * C);
    worst = std::max({worst, std::abs(qkv[at] - expected[i]), std::abs(slopes[at] - expected[rows * 2 * C + i])});
  }
  // transformers rounds an angle to fp32, at place 8,000 to a multiple of 2^-11
  CHECK(worst < (first > 0 ? 1e-3 : 1e-6));
}
}  // namespace

TEST_CASE("rotary: as transformers' ModernBERT rotates queries and keys") {
  for (const double theta : {10000., 160000.})
    for (const int first : {0, 8000}) against_transformers(theta, first);
}

TEST_CASE("rotary: the frequencies are those of transformers, to the bit") {
  // 1.0 / (theta ** (torch.arange(0, 64, 2, dtype=torch.float) / 64)), every fifth of them
  const kernel::RotaryFrequencies<64> ten(10000), many(160000);
  const std::array known{0x1p+0f,       0x1.e5a846p-3f,  0x1.ccab84p-5f, 0x1.b4f7e4p-7f,
                         0x1.9e7c7p-9f, 0x1.892918p-11f, 0x1.74eea6p-13f};
  const std::array others{0x1p+0f,         0x1.3ae8eap-3f, 0x1.836032p-6f, 0x1.dc846ep-9f,
                          0x1.2515fep-11f, 0x1.6887ap-14f, 0x1.bb7e6p-17f};
  for (std::size_t i = 0; i < known.size(); ++i) {
    CHECK(ten.of[5 * i] == known[i]);
    CHECK(many.of[5 * i] == others[i]);
  }
}
