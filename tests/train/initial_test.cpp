// tests > [train]: first values are what each layer says, and model folders of earlier versions still open.
#include "entrain/train/loop/initial.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "entrain/train/folder/load.hpp"
#include "entrain/train/loop/evaluate.hpp"
#include "tests/train/tiny.hpp"

namespace initial_test {
using namespace entrain;
using namespace test;

namespace {

void ascending(Random&, int rows, int cols, double scale, std::span<double> next) {
  for (double& v : next) v = scale * (rows + cols);
}

/// Weights of one row under names that say nothing.
struct Named {
  template <class T> struct Weights {
    Weight<T, 1, 5> gain, shift, half;
    Weight<T, 1, 600> row;
    Weight<T, 400, 300> matrix;
    Weight<T, 101, 11> bell;
    Weight<T, 2, 3> own;
    static void each(auto&& f, auto& w) {
      f("gain", w.gain, init::ones);
      f("shift", w.shift, init::zeros);
      f("layer_norm.weight", w.half, init::constant(0.5));
      f("bias", w.row, init::uniform(0.25));
      f("transitions", w.matrix, init::glorot_uniform);
      f("bell", w.bell, init::normal(0.02));
      f("own", w.own, Initialiser{ascending, 2});
    }
  };
};

template <class T> std::vector<std::vector<T>> first_values(std::uint64_t seed) {
  std::vector<std::vector<T>> all;
  for (const entrain::Span& span : layout_of<Named>(0).spans) {
    std::vector<T>& values = all.emplace_back(span.size() + 1, T(-7));
    train::initialise(span, values.data(), seed);
    CHECK(values.back() == -7);  // nothing after them
    values.pop_back();
  }
  return all;
}

}  // namespace

TEST_CASE_TEMPLATE("initialise: values are what the layer says, whatever a weight is called", T, float, double) {
  const auto all = first_values<T>(3);
  CHECK(all[0] == std::vector<T>(5, T(1)));
  CHECK(all[1] == std::vector<T>(5, T(0)));
  CHECK(all[2] == std::vector<T>(5, T(0.5)));
  const auto spread = [](const std::vector<T>& values, double bound) {
    double sum = 0, squares = 0, most = 0;
    for (const T v : values) {
      const auto x = static_cast<double>(v);
      sum += x, squares += x * x, most = std::max(most, std::abs(x));
    }
    const auto n = static_cast<double>(values.size());
    CHECK(most <= bound);
    CHECK(most > 0.98 * bound);
    CHECK(std::abs(sum / n) < 3 * bound / std::sqrt(3 * n));
    CHECK(squares / n == doctest::Approx(bound * bound / 3).epsilon(0.1));
  };
  spread(all[3], 0.25);
  spread(all[4], std::sqrt(6.0 / 700));
  double squares = 0, mean = 0, within = 0;
  const auto n = static_cast<double>(all[5].size());
  for (const T v : all[5])
    mean += static_cast<double>(v) / n, squares += static_cast<double>(v) * static_cast<double>(v) / n;
  for (const T v : all[5]) within += std::abs(static_cast<double>(v)) < 0.02 ? 1 / n : 0;
  CHECK(std::abs(mean) < 3 * 0.02 / std::sqrt(n));
  CHECK(std::sqrt(squares) == doctest::Approx(0.02).epsilon(0.1));
  CHECK(within == doctest::Approx(0.6827).epsilon(0.08));
  CHECK(all[6] == std::vector<T>(6, T(10)));
  CHECK(first_values<T>(3) == all);
  const auto other = first_values<T>(4);
  for (const std::size_t drawn : {3u, 4u, 5u}) CHECK(other[drawn] != all[drawn]);
}

TEST_CASE("initialise: the bits of earlier versions") {
  const device::Cpu<> dev(1);
  Trainer trainer(dev, Labels({"PER", "LOC"}), 60, 5);
  std::uint64_t digest = 1469598103934665603u;
  for (const float v : values_of(trainer)) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &v, 4);
    digest = (digest ^ bits) * 1099511628211u;
  }
  CHECK(digest == 0xE42DF727EB8A47E1u);  // golden/tagger/make.cpp prints it
}

TEST_CASE("load: a model folder of an earlier version, its words and its values") {
  const device::Cpu<> dev(1);
  const std::string folder = ENTRAIN_SOURCE_DIR "/tests/train/golden/tagger";
  const auto stored = train::open<Tiny, float>(folder);
  CHECK(stored.notes.empty());
  CHECK(stored.config.composition == train::describe<Tiny>());
  Trainer trainer = train::load<Trainer>(dev, folder, 60, 1);
  const train::Tagged split = people(20, 100);
  const auto e = encoded(split, trainer.labels());
  batch::Packer<Words> packer(60);
  for (std::uint32_t s = 0; s < e.sentences(); ++s) {
    std::vector<std::int32_t> tags(static_cast<std::size_t>(e.length(s)));
    trainer.decode(packer.pack(e, std::span(&s, 1), trainer.labels().count()), tags.data());
    CHECK(std::equal(tags.begin(), tags.end(), e.target.begin() + e.sentence[s]));
  }
}

}  // namespace initial_test
