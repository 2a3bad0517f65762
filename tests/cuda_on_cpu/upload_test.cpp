// tests > [cuda_on_cpu]
//
// A batch where the GPU reads it: what was packed, and after it rows that mean nothing.
#include "entrain/batch/transfer/upload.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <span>
#include <vector>

#include "entrain/cuda.cuh"
#include "tests/cuda/cases/trainer.hpp"

namespace upload_test {
using namespace entrain;

namespace {

std::vector<int> there(const device::Cuda<>& dev, const auto* from, int count) {
  std::vector<std::remove_cvref_t<decltype(*from)>> host(static_cast<std::size_t>(count));
  dev.download(host.data(), from, host.size());
  return {host.begin(), host.end()};
}
/// first, then numbers from ... to, then `more` times the last.
std::vector<int> onwards(std::vector<int> first, int from, int to, int more = 0) {
  for (int x = from; x <= to; ++x) first.push_back(x);
  first.insert(first.end(), static_cast<std::size_t>(more), to);
  return first;
}
std::vector<int> filled(std::vector<int> first, int value, std::size_t size) {
  first.resize(size, value);
  return first;
}

}  // namespace

TEST_CASE("sizes to which batches are filled are few, near, and never above the most") {
  const BucketSizes sizes{5000};
  CHECK(sizes(0) == 64);
  CHECK(sizes(1) == 64);
  CHECK(sizes(64) == 64);
  CHECK(sizes(65) == 128);
  CHECK(sizes(1024) == 1024);
  CHECK(sizes(1025) == 1152);
  CHECK(sizes(2048) == 2048);
  CHECK(sizes(2049) == 2304);
  CHECK(sizes(4999) == 5000);
  CHECK(sizes(6000) == 6000);  // no row falls out
  for (int n = 1024; n < 4096; ++n) CHECK(sizes(n) - n < n / 8);
}

TEST_CASE("hashed words where the GPU reads them") {
  using Words = batch::HashedWords<2, 60, 20>;
  const device::Cuda<> dev;
  text::Corpus corpus;
  for (const char* word : {"a", "b", "a"}) corpus.push(word, "O", 1);
  corpus.end_sentence();
  corpus.push("c", "O", 2);
  corpus.end_sentence();
  const auto encoded = batch::encode<Words>(corpus);
  batch::Packer<Words> packer(10);
  const std::vector<std::uint32_t> both{0, 1};
  auto packed = packer.pack(encoded, both, 3);
  const std::vector<std::int32_t> targets{2, 0, 1, 2};
  packed.targets = targets.data();
  batch::Upload<device::Cuda<>, Words> upload(7);
  Counters counters;
  counters.step = 9;
  const auto sent = upload(dev, packed, counters);
  const auto& b = sent.batch;
  std::vector<Counters> read(1);
  dev.download(read.data(), sent.counters, 1);
  CHECK(read[0].step == 9);
  CHECK(b.shape == Shape{7, 7, 3});
  CHECK(there(dev, b.geometry.cu_seqlens, 8) == onwards({0, 3, 4}, 5, 7, 2));
  CHECK(there(dev, b.geometry.sentence, 7) == onwards({0, 0, 0, 1}, 2, 4));
  const std::vector<int> real(packed.geometry.neighbours, packed.geometry.neighbours + 4);
  CHECK(there(dev, b.geometry.neighbours, 7) == filled(real, 0, 7));
  CHECK(there(dev, b.targets.data, 7) == filled({2, 0, 1, 2}, -100, 7));
  CHECK(b.words.count == 7);
  CHECK(there(dev, b.words.index, 7) == filled({0, 1, 0, 2}, 0, 7));
  CHECK(b.words.tokens.count == 7);
  CHECK(b.words.tokens.positions == 7);
  CHECK(there(dev, b.words.tokens.ids, 7) == onwards({}, 0, 6));
  CHECK(there(dev, b.words.tokens.starts, 8) == onwards({0, 2, 3}, 4, 4, 4));
  CHECK(there(dev, b.words.tokens.items, 4) == std::vector<int>{0, 2, 1, 3});
  const auto keys = there(dev, b.words.keys, 7 * 4);
  CHECK(keys == filled({packed.words.keys, packed.words.keys + 3 * 4}, 0, 7 * 4));
  for (std::size_t t = 0; t < 2; ++t) {
    const CsrIndex &have = packed.words.touched[t], &got = b.words.touched[t];
    CHECK(got.positions == 14);
    CHECK(got.count == 14);
    const std::vector<int> ids(have.ids, have.ids + have.count), starts(have.starts, have.starts + have.count + 1);
    CHECK(there(dev, got.ids, 14) == filled(ids, -1, 14));
    CHECK(there(dev, got.starts, 15) == filled(starts, 6, 15));
  }
  upload.queued(dev);

  const auto key = upload.key();
  upload(dev, packed, counters);  // the other piece of memory
  CHECK(upload.key() != key);
  upload.queued(dev);
  upload(dev, packer.pack(encoded, std::span(both).first(1), 3), counters);  // fewer rows: filled to as many
  CHECK(upload.key() == key);
  upload.queued(dev);
}

TEST_CASE("pieces where the GPU reads them") {
  using Net = entrain::test::SmallTransformer;
  const device::Cuda<> dev;
  text::Corpus corpus;
  for (const char* word : {"Chen", "met"}) corpus.push(word, "O", 1);  // [CLS] ch ##en met [SEP]
  corpus.end_sentence();
  corpus.push("Bo", "O", 2);
  corpus.end_sentence();
  const auto encoded = batch::encode<Net::Words>(corpus, Net::features());
  batch::Packer<Net::Words> packer(20);
  const auto packed = packer.pack(encoded, std::vector<std::uint32_t>{0, 1}, 3);
  batch::Upload<device::Cuda<>, Net::Words> upload(10);
  const auto b = upload(dev, packed, {}).batch;
  CHECK(b.shape == Shape{10, 10, 3});
  CHECK(b.words.count == 10);
  CHECK(b.words.windows == 10);
  CHECK(there(dev, b.words.ids, 10) == filled({1, 5, 6, 11, 2, 1, 4, 2}, 0, 10));
  CHECK(there(dev, b.words.position, 10) == filled({0, 1, 2, 3, 4, 0, 1, 2}, 0, 10));
  CHECK(there(dev, b.words.window, 10) == std::vector<int>{0, 0, 0, 0, 0, 1, 1, 1, 2, 3});
  CHECK(there(dev, b.words.cu_seqlens, 11) == onwards({0, 5, 8}, 9, 10, 6));
  CHECK(there(dev, b.words.word_of, 10) == filled({-1, 0, -1, 1, -1, -1, 2}, -1, 10));
  CHECK(there(dev, b.words.first, 10) == filled({1, 3, 6}, 0, 10));
  CHECK(there(dev, b.words.touched.ids, 10) == filled({1, 2, 4, 5, 6, 11}, -1, 10));
  CHECK(there(dev, b.words.placed.ids, 10) == filled({0, 1, 2, 3, 4}, -1, 10));
  CHECK(b.words.typed.count == 1);
  CHECK(there(dev, b.words.typed.starts, 2) == std::vector<int>{0, 8});
  upload.queued(dev);
}

TEST_CASE("batches of as many sentences come in few sizes: those of the encoder's rows, in each piece of the ring") {
  using Net = entrain::test::SmallTransformer;
  constexpr int sentences = 320, at_once = 32;
  const device::Cuda<> dev;
  text::Corpus corpus;
  std::mt19937 random(3);
  for (int s = 0; s < sentences; ++s) {
    const int words = 1 + static_cast<int>(random() % 40);
    for (int w = 0; w < words; ++w) corpus.push(random() % 3 == 0 ? "Chen" : "met", "O", 1);
    corpus.end_sentence();
  }
  const auto encoded = batch::encode<Net::Words>(corpus, Net::features());
  batch::Packer<Net::Words> packer(3000);
  batch::Upload<device::Cuda<>, Net::Words> upload(3000);
  std::set<std::vector<std::size_t>> keys;
  std::set<int> sizes;
  std::vector<std::uint32_t> order(sentences);
  std::iota(order.begin(), order.end(), 0u);
  for (int epoch = 0; epoch < 20; ++epoch) {
    std::shuffle(order.begin(), order.end(), std::mt19937(static_cast<unsigned>(epoch)));
    for (std::size_t first = 0; first < order.size(); first += at_once) {
      const auto packed = packer.pack(encoded, std::span(order).subspan(first, at_once), 3);
      const auto b = upload(dev, packed, {}).batch;
      CHECK(b.shape.rows == b.words.count);
      CHECK(b.words.count == BucketSizes{3000}(packed.words.count));
      sizes.insert(b.words.count);
      keys.insert(upload.key());
      upload.queued(dev);
    }
  }
  CHECK(sizes.size() > 3);
  CHECK(keys.size() <= 2 * sizes.size());
}

TEST_CASE("a batch of nothing is filled too") {
  using Words = batch::HashedWords<2, 60, 20>;
  const device::Cuda<> dev;
  const auto encoded = batch::encode<Words>(text::Corpus{});
  batch::Packer<Words> packer(10);
  batch::Upload<device::Cuda<>, Words> upload(4);
  const auto b = upload(dev, packer.pack(encoded, {}, 3), {}).batch;
  CHECK(b.shape == Shape{4, 4, 3});
  CHECK(there(dev, b.geometry.cu_seqlens, 5) == onwards({}, 0, 4));
  CHECK(there(dev, b.geometry.sentence, 4) == onwards({}, 0, 3));
  CHECK(there(dev, b.words.tokens.ids, 4) == onwards({}, 0, 3));
  CHECK(there(dev, b.words.tokens.starts, 5) == std::vector<int>(5, 0));
  upload.queued(dev);
}

}  // namespace upload_test
