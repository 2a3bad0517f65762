// The loader, from files to batches: what it gives is what the same corpus gives in memory, for any number of workers,
// any size of blocks, and from any batch on.
#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "entrain/batch/encode/encode.hpp"
#include "entrain/batch/encode/hashed_words.hpp"
#include "entrain/batch/pack/packed.hpp"
#include "entrain/batch/pack/shuffle_buffer.hpp"
#include "entrain/batch/pack/shuffled.hpp"
#include "entrain/batch/pipeline/workers.hpp"
#include "entrain/core/timeline.hpp"
#include "entrain/task/tagging.hpp"
#include "entrain/text/conll/conll_stream.hpp"
#include "entrain/text/tags/scheme.hpp"
#include "tests/scratch.hpp"

namespace loader_test {
namespace {
using namespace entrain;
using test::File;
using Words = batch::HashedWords<2, 500, 100, 100, 100>;
using Source = text::Conll<text::Bio>;
using Encode = batch::Encode<Words, task::Tagging<text::Bioes>, Source>;
using Shuffled = batch::Shuffled<batch::Workers<Encode>>;
using Loader = batch::Prefetch<batch::Packed<batch::Prefetch<Shuffled>>>;

const text::Labels<text::Bioes> labels({"PER", "LOC"});

/// Sentences of 1 to 12 words, entities among them, one of a type that is not learned.
std::string sentences(int count) {
  std::mt19937 draw(7);
  std::string all;
  for (int s = 0; s < count; ++s) {
    for (int i = static_cast<int>(draw() % 12); i >= 0; --i) {
      const bool entity = draw() % 5 == 0;
      all += "word" + std::to_string(draw() % 40) + (entity ? draw() % 9 == 0 ? " B-MISC" : " B-PER" : " O") + "\n";
      if (entity && i > 0) all += "next" + std::to_string(draw() % 9) + " I-PER\n", --i;
    }
    all += "\n";
  }
  return all;
}

struct Options {
  int workers = 1, ahead = 2, budget = 40, accumulation = 1;
  std::size_t block = 200, buffer = 1'000'000;
  float word_dropout = 0.3f;
};

Loader loader(const std::string& path, const Options& o) {
  Encode encode(Words{}, labels, Source({path}, {}, o.block));
  Shuffled shuffled(batch::Workers<Encode>(std::move(encode), {o.workers, o.ahead}), {5, o.buffer, o.word_dropout > 0});
  return Loader(
      batch::Packed<batch::Prefetch<Shuffled>>(batch::Prefetch<Shuffled>(std::move(shuffled), 1),
                                               {{{o.budget}, o.accumulation, o.word_dropout, 5}, labels.count(), {}}),
      o.ahead);
}

/// All that the device would read of a batch.
std::vector<double> numbers_of(const batch::Batch<Words>& given) {
  auto b = given;
  std::vector<double> all{double(b.shape.rows),   double(b.shape.sentences), double(b.shape.labels),
                          double(b.real_targets), b.target_weight,           double(b.words.count)};
  const auto add = [&](const auto* p, int n) { all.insert(all.end(), p, p + n); };
  add(b.geometry.cu_seqlens, b.shape.sentences + 1);
  add(b.geometry.neighbours, b.shape.rows);
  add(b.geometry.sentence, b.shape.rows);
  add(b.targets.data, b.shape.rows);
  b.words.each_array(b.shape.rows, [&](const auto* p, std::size_t n, auto) { add(p, static_cast<int>(n)); });
  return all;
}

using Batches = std::vector<std::vector<double>>;
Batches rest_of(Loader& loader) {
  Batches all;
  for (batch::Loaded<Words> item; loader.next(item);) {
    all.push_back(numbers_of(item.batch));
    all.back().push_back(item.last_of_step);
  }
  return all;
}
Batches epoch_of(Loader loader, std::uint32_t epoch, const typename Loader::Cursor& at = {}) {
  loader.start(epoch, at);
  return rest_of(loader);
}

TEST_CASE("a corpus that fits is the corpus in memory: the same batches in the same order") {
  const File file(sentences(300));
  text::Corpus corpus = text::read_conll(file.path());
  auto encoded = batch::encode<Words>(corpus);
  batch::Encode<Words, task::Tagging<text::Bioes>, Source> encode({}, labels, Source({file.path()}, {}, 1 << 20));
  batch::InTurn<Encode> once(std::move(encode));
  once.start(0, {});
  batch::EncodedBlock<Words> block;
  REQUIRE(once.next(block));
  CHECK(block.sentences.word == encoded.word);
  CHECK(block.gold.annotations > 100);
  CHECK(block.gold.unseen > 5);
  encoded.target = block.sentences.target;
  batch::add_unknown_word_copies(encoded);
  for (const std::uint32_t epoch : {0u, 3u}) {
    batch::Budget budget;
    budget.shuffled(encoded.sentences(), 5, epoch);
    budget.plan({.token_budget = 40}, encoded.rows);
    batch::Packer<Words> packer(40);
    Batches expected;
    for (std::size_t b = 0; b < budget.size(); ++b) {
      expected.push_back(numbers_of(
          packer.pack_to_learn(encoded, budget[b], labels.count(),
                               {0.3f, 5, static_cast<std::uint32_t>(b / 3), static_cast<std::uint32_t>(b % 3)})));
      expected.back().push_back(b % 3 == 2 || b + 1 == budget.size());
    }
    REQUIRE(expected.size() > 40);
    for (const std::size_t bytes : {100u, 1000u, 100'000u})
      CHECK(epoch_of(loader(file.path(), {2, 3, 40, 3, bytes}), epoch) == expected);
    using InMemory = batch::Prefetch<batch::Packed<batch::Whole<Words>>>;
    InMemory memory(
        batch::Packed<batch::Whole<Words>>(batch::Whole<Words>(encoded, 5), {{{40}, 3, 0.3f, 5}, labels.count(), {}}));
    memory.start(epoch, {});
    Batches all;
    for (batch::Loaded<Words> item; memory.next(item);) {
      all.push_back(numbers_of(item.batch));
      all.back().push_back(item.last_of_step);
    }
    CHECK(all == expected);
  }
}

TEST_CASE("the same batches for any number of workers, and other ones each epoch") {
  const File file(sentences(200));
  for (const std::size_t buffer : {20u, 1'000'000u}) {
    const auto expected = epoch_of(loader(file.path(), {1, 1, 40, 1, 200, buffer}), 0);
    for (const int workers : {2, 5})
      CHECK(epoch_of(loader(file.path(), {workers, 7, 40, 1, 200, buffer}), 0) == expected);
    CHECK(epoch_of(loader(file.path(), {1, 1, 40, 1, 200, buffer}), 1) != expected);
  }
}

TEST_CASE("a buffer smaller than the corpus still gives every sentence once, out of its place") {
  std::string numbered;  // a sentence a number of words
  for (int s = 0; s < 100; ++s) {
    for (int i = 0; i <= s % 7; ++i) numbered += "w" + std::to_string(s) + " O\n";
    numbered += "\n";
  }
  const File file(numbered);
  const auto whole = batch::encode<Words>(text::read_conll(file.path()));
  const auto first_words = [&](std::size_t buffer) {
    Options o;
    o.buffer = buffer, o.word_dropout = 0, o.block = 50;
    Loader stage = loader(file.path(), o);
    stage.start(0, {});
    std::vector<std::vector<std::int32_t>> keys;
    for (batch::Loaded<Words> item; stage.next(item);)
      for (int s = 0; s < item.batch.shape.sentences; ++s) {
        const int row = item.batch.geometry.cu_seqlens[s];
        const auto* word = item.batch.words.keys + item.batch.words.index[row] * Words::keys;
        keys.emplace_back(word, word + Words::keys);
      }
    return keys;
  };
  std::vector<std::vector<std::int32_t>> expected;
  for (std::size_t s = 0; s < whole.sentences(); ++s) {
    const auto& word = whole.vocabulary[static_cast<std::size_t>(whole.word[whole.sentence[s]])];
    expected.emplace_back(word.begin(), word.end());
  }
  for (const std::size_t buffer : {1u, 10u, 1000u}) {
    auto got = first_words(buffer);
    CHECK(got != expected);
    if (buffer == 10)  // no sentence comes a buffer early or late
      for (std::size_t s = 0; s < 30; ++s)
        CHECK(std::find(got.begin(), got.begin() + 60, expected[s]) != got.begin() + 60);
    std::sort(got.begin(), got.end());
    auto sorted = expected;
    std::sort(sorted.begin(), sorted.end());
    CHECK(got == sorted);
  }
}

TEST_CASE("an epoch resumes from any batch, with other workers too") {
  const File file(sentences(120));
  for (const std::size_t buffer : {15u, 1'000'000u}) {
    Options options{3, 4, 60, 4, 150, buffer};
    const auto whole = epoch_of(loader(file.path(), options), 2);
    Loader stage = loader(file.path(), options);
    stage.start(2, {});
    for (std::size_t taken = 0;; ++taken) {
      const auto at = stage.cursor();
      Options other = options;
      other.workers = 1 + static_cast<int>(taken % 4);
      CHECK(epoch_of(loader(file.path(), other), 2, at) ==
            Batches(whole.begin() + static_cast<std::ptrdiff_t>(taken), whole.end()));
      batch::Loaded<Words> item;
      if (!stage.next(item)) break;
    }
  }
}

TEST_CASE("what is wrong with a line reaches the trainer after the batches before it") {
  const File file(sentences(150) + "alone\n\n");
  Options options;
  options.buffer = 20;
  Loader stage = loader(file.path(), options);
  stage.start(0, {});
  std::string said;
  std::size_t batches = 0;
  try {
    for (batch::Loaded<Words> item; stage.next(item);) ++batches;
  } catch (const Error& e) {
    said = e.what();
  }
  CHECK(batches > 10);
  CHECK(said.starts_with("entrain.text.11: " + file.path() + ":"));
  CHECK(said.find(": 1 column, expected 2 separated by blanks; check --list all lists") != std::string::npos);
}

/// Reading the first block takes its time.
struct Late : Source {
  using Tags = text::Bio;
  using Source::Source;
  bool first = true;
  bool read(Raw& raw) {
    if (std::exchange(first, false)) std::this_thread::sleep_for(std::chrono::milliseconds(30));
    return Source::read(raw);
  }
};

TEST_CASE("the first buffer is waited for where the first batch is, by whoever asks for it") {
  const File file(sentences(40));
  using FromLate = batch::Encode<Words, task::Tagging<text::Bioes>, Late>;
  using Packed = batch::Packed<batch::Shuffled<FromLate>>;
  batch::Workers<Packed> packed(
      Packed(batch::Shuffled<FromLate>(FromLate({}, labels, Late({file.path()})), {5, 20, false}),
             {{{40}, 1, 0, 5}, labels.count(), {}}),
      {0});
  Timeline timeline;
  Lane& lane = timeline.lane(Timeline::training);
  packed.start(0, {});
  lane.begin(Activity::compute);
  batch::Loaded<Words> item;
  REQUIRE(packed.next(item, &lane));
  lane.end();
  CHECK(timeline.spent()[Activity::read] >= 0.03);
  CHECK(item.batch.shape.rows > 0);
}

TEST_CASE("no sentences, no batches") {
  const File file("\n \n\n\r\n");
  CHECK(epoch_of(loader(file.path(), {}), 0).empty());
}
}  // namespace

}  // namespace loader_test
