// Samples that are numbers: what a batch has of them, and one message for each that cannot be used, with its place.
#include "entrain/batch/encode/samples.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "entrain/batch/encode/encode_samples.hpp"
#include "entrain/batch/encode/floats.hpp"
#include "entrain/batch/encode/ids.hpp"
#include "entrain/batch/pack/in_order.hpp"
#include "entrain/batch/pack/packed.hpp"
#include "entrain/batch/pack/sampler.hpp"
#include "entrain/batch/pack/shuffled.hpp"
#include "entrain/batch/pipeline/each_sample.hpp"
#include "entrain/batch/pipeline/workers.hpp"
#include "entrain/task/classification.hpp"
#include "tests/scratch.hpp"

namespace samples_test {
namespace {
using namespace entrain;
using One = task::Classification<task::One>;
using Binary = task::Classification<task::Binary>;
template <class Features, class Task> using With = batch::FeaturesFor<Features, typename Task::Targets>;
using Ids = With<batch::Ids<9>, Binary>;
using Floats = With<batch::Floats<3>, One>;
using OfIds = batch::Sample<std::int32_t>;
using OfFloats = batch::Sample<float>;
static_assert(batch::is_features<Ids> && batch::is_features<Floats>);

const task::Classes yes({"yes"}), two({"a", "b"});

std::string of_ids(std::vector<OfIds> samples) {
  return test::sentence([&] { batch::encode_samples<Ids, Binary>(samples, yes); });
}
std::string of_floats(std::vector<OfFloats> samples) {
  return test::sentence([&] { batch::encode_samples<Floats, One>(samples, two); });
}

/// A file as numpy.save writes it.
template <class T> std::string npy(const test::Scratch& folder, const std::string& name, const std::vector<T>& values,
                                   std::size_t columns) {
  const std::string rows = std::to_string(values.size() / std::max<std::size_t>(columns, 1));
  std::string header = "{'descr': '" + std::string(batch::npy_type<T>) + "', 'fortran_order': False, 'shape': (" +
                       rows + "," + (columns == 0 ? "" : " " + std::to_string(columns)) + "), }";
  if (columns == 0) header.replace(header.find("(" + rows), rows.size() + 1, "(" + std::to_string(values.size()));
  header.resize((10 + header.size() + 64) / 64 * 64 - 10, ' ');
  header.back() = '\n';
  std::string bytes = std::string("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size() % 256);
  bytes += static_cast<char>(header.size() / 256);
  bytes += header;
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  const std::string path = folder / name;
  test::put(path, bytes);
  return path;
}
template <class S> auto all_of(S& stage) {
  std::vector<std::string> found;
  stage.start(0, {});
  typename S::Item item;
  while (stage.next(item)) {
    const auto& b = item.batch;
    std::string words;
    for (int n = 0; n < b.shape.rows; ++n) words += std::to_string(b.words.ids[n]) + " ";
    for (int s = 0; s < b.shape.sentences; ++s)
      words += (b.targets[s].has(0) ? "+" : "-") + std::to_string(b.geometry.cu_seqlens[s + 1]);
    found.push_back(words);
  }
  return found;
}
}  // namespace

TEST_CASE("samples of ids: rows of any length, packed without padding, and the rows of each id") {
  const auto e = batch::encode_samples<Ids, Binary>(std::vector<OfIds>{{{3, 8, 3}, 1}, {{0}, 0}, {{8, 1}, -100}}, yes);
  CHECK(e.sentences() == 3);
  CHECK(e.longest() == 3);
  batch::Packer<Ids> packer;
  const auto b = packer.pack(e, std::vector<std::uint32_t>{2, 0}, 1);
  CHECK(b.shape == Shape{5, 2, 1});
  CHECK(b.words.count == 5);
  CHECK(std::vector<std::int32_t>(b.words.ids, b.words.ids + 5) == std::vector<std::int32_t>{8, 1, 3, 8, 3});
  CHECK(b.real_targets == 1);
  CHECK(b.targets[1].has(0));
  REQUIRE(b.words.touched.count == 3);
  CHECK(std::vector<std::int32_t>(b.words.touched.ids, b.words.touched.ids + 3) == std::vector<std::int32_t>{1, 3, 8});
  CHECK(std::vector<std::int32_t>(b.words.touched.items, b.words.touched.items + 5) ==
        std::vector<std::int32_t>{1, 2, 4, 0, 3});
}

TEST_CASE("samples of numbers: each is a row") {
  const auto e = batch::encode_samples<Floats, One>(std::vector<OfFloats>{{{1, 2, 3}, 1}, {{4, 5, 6}, 0}}, two);
  batch::Packer<Floats> packer;
  const auto b = packer.pack(e, std::vector<std::uint32_t>{1, 0, 1}, 2);
  CHECK(b.shape == Shape{3, 3, 2});
  CHECK(std::vector<float>(b.words.values, b.words.values + 9) == std::vector<float>{4, 5, 6, 1, 2, 3, 4, 5, 6});
  CHECK(b.targets[0] == 0);
  CHECK(b.targets[1] == 1);
}

TEST_CASE("samples: what cannot be used is refused in one sentence, with the sample's number") {
  CHECK(of_ids({{{1}, 0}, {{4, 9}, 0}}) ==
        "entrain.batch.50: sample 1: id 9 in column 1, expected ids from 0 to 8, as batch::Ids<9>; raise the number of "
        "ids in the type, or "
        "map rare ids to one id");
  CHECK(of_ids({{{-1}, 0}}).find("sample 0: id -1 in column 0") != std::string::npos);
  CHECK(of_ids({{{1}, 0}, {{}, 0}}).find("sample 1: no ids") != std::string::npos);
  CHECK(of_ids({{{1}, 2}}).find("sample 0: label 2, expected labels from 0 to 1") != std::string::npos);
  CHECK(of_ids({{{0, 8}, 1}, {{1}, 0}}).empty());
  constexpr float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  CHECK(of_floats({{{1, 2, 3}, 0}, {{1, 2}, 0}}).find("sample 1: 2 numbers, expected 3, as batch::Floats<3>") !=
        std::string::npos);
  CHECK(of_floats({{{1, 2, 3, 4}, 0}}).find("sample 0: 4 numbers") != std::string::npos);
  CHECK(of_floats({{{1, 2, nan}, 0}}).find("sample 0: NaN in column 2, expected finite numbers") != std::string::npos);
  CHECK(of_floats({{{1, -inf, 3}, 0}}).find("sample 0: an infinite number in column 1") != std::string::npos);
  CHECK(of_floats({{{1, 2, 3}, -1}}).find("sample 0: label -1, expected labels from 0 to 1") != std::string::npos);
}

TEST_CASE("samples from files: ids and labels of any whole type; a row that cannot be used is named with its file") {
  const test::Scratch folder;
  std::vector<std::int64_t> ids;
  std::vector<std::uint8_t> labels;
  for (int s = 0; s < 30; ++s) {
    labels.push_back(static_cast<std::uint8_t>(s % 2));
    for (int k = 0; k < 4; ++k) ids.push_back((s + 2 * k) % 9);
  }
  using Source = batch::Npy<std::int64_t, std::uint8_t>;
  using Encode = batch::EncodeSamples<Ids, Binary, Source>;
  const std::string x = npy(folder, "x.npy", ids, 4), y = npy(folder, "y.npy", labels, 0);
  const auto batches = [&](std::size_t rows, int workers) {
    batch::Workers<Encode> encoded(Encode(yes, Source({x}, {y}, rows)), {workers});
    batch::PackedOptions options;
    options.batch_size = 7;
    options.labels = 1;
    batch::Pulled<batch::Packed<batch::Shuffled<batch::Workers<Encode>>>> loader(
        {batch::Shuffled(std::move(encoded), {.seed = 5, .buffer_size = 10}), options});
    return all_of(loader);
  };
  const auto once = batches(10, 0);
  CHECK(once.size() == 6);
  for (const int workers : {1, 2, 4}) CHECK(batches(10, workers) == once);
  CHECK(batches(5, 2) == once);  // other chunks, the same buffers

  const auto refused = [&](std::vector<std::int64_t> values, std::size_t columns, std::vector<std::uint8_t> targets) {
    Source source({npy(folder, "bad.npy", values, columns)}, {npy(folder, "bad_y.npy", targets, 0)}, 2);
    batch::Pulled<Encode> stage(Encode(yes, std::move(source)));
    return test::sentence([&] {
      stage.start(0, {});
      for (Encode::Item item; stage.next(item);) {
      }
    });
  };
  CHECK(refused({0, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 900000000000}, 3, {0, 1, 0, 1})
            .find("bad.npy: row 3: id 900000000000 in column 2") != std::string::npos);
  CHECK(refused({0, 1, 2, 3}, 1, {0, 1, 0, 7}).find("bad.npy: row 3: label 7") != std::string::npos);

  std::vector<double> numbers{1, 2, 3, 4, std::numeric_limits<double>::quiet_NaN(), 6};
  batch::Pulled<batch::EncodeSamples<Floats, One, batch::Npy<double>>> stage(
      {two, batch::Npy<double>({npy(folder, "f.npy", numbers, 3)})});
  stage.start(0, {});
  batch::EncodedBlock<Floats> block;
  CHECK(test::sentence([&] { stage.next(block); }).find("f.npy: row 1: NaN in column 1") != std::string::npos);
  numbers[4] = 5;
  npy(folder, "f.npy", numbers, 3);
  stage.start(0, {});
  REQUIRE(stage.next(block));
  CHECK(block.sentences.vocabulary.row(1)[1] == 5);
  CHECK(!is_target(block.sentences.target[0]));  // no labels: for predictions
}

TEST_CASE("samples: parts are joined as if they had come at once") {
  const std::vector<OfFloats> first{{{1, 2, 3}, 1}}, second{{{4, 5, 6}, 0}, {{1, 2, 3}, 1}};
  batch::Encoded<Floats> all;
  batch::Joined<Floats> join(all);
  join(batch::encode_samples<Floats, One>(first, two));
  join(batch::encode_samples<Floats, One>(second, two));
  CHECK(all.sentences() == 3);
  CHECK(all.word.back() == 2);
  CHECK(all.vocabulary.size() == 3);
  CHECK(all.vocabulary.row(1)[2] == 6);
  batch::add_unknown_word_copies(all);
  CHECK(all.unknown_word_copies == 0);
}

TEST_CASE("Sampler: every number once an epoch, in another order each time, from any place on") {
  batch::Sampler sampler({.samples = 10, .chunk = 4, .seed = 1});
  const auto epoch = [&](std::uint32_t number, std::uint32_t from) {
    std::vector<std::uint32_t> all;
    sampler.start(number, from);
    for (batch::Sampler::Item chunk; sampler.next(chunk);) {
      CHECK(chunk.size() <= 4);
      all.insert(all.end(), chunk.begin(), chunk.end());
    }
    return all;
  };
  const auto first = epoch(0, 0), second = epoch(1, 0);
  CHECK(first != second);
  CHECK(epoch(0, 0) == first);
  CHECK(epoch(0, 4) == std::vector<std::uint32_t>(first.begin() + 4, first.end()));
  CHECK(epoch(0, 10).empty());
  auto sorted = second;
  std::sort(sorted.begin(), sorted.end());
  for (std::uint32_t i = 0; i < 10; ++i) CHECK(sorted[i] == i);
}

}  // namespace samples_test
