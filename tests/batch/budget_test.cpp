// tests > [batch]
//
// Which sentences make a batch: nothing lost, no room wasted, no sentence kept waiting, and the same from any batch on.
#include "entrain/batch/pack/budget.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "entrain/batch/encode/encoded.hpp"
#include "entrain/batch/encode/hashed_words.hpp"
#include "entrain/batch/encode/pieces.hpp"
#include "entrain/batch/pack/budgeted.hpp"
#include "entrain/batch/pack/shuffle_buffer.hpp"
#include "entrain/text/conll/conll.hpp"
#include "entrain/text/tokenizer/wordpiece.hpp"

namespace budget_test {
using namespace entrain;
using Lengths = std::vector<std::int32_t>;
using Batches = std::vector<std::vector<std::uint32_t>>;

std::vector<std::uint32_t> order_of(std::size_t sentences, std::uint64_t seed, std::uint32_t epoch) {
  std::vector<std::uint32_t> order;
  batch::shuffle(order, sentences, seed, epoch);
  return order;
}

Batches batches_of(const batch::Budget& budget) {
  Batches all;
  for (std::size_t b = 0; b < budget.size(); ++b) all.emplace_back(budget[b].begin(), budget[b].end());
  return all;
}

Batches planned(const Lengths& length, const batch::Batching& how, std::uint32_t epoch = 0, std::uint64_t made = 0) {
  batch::Budget budget;
  budget.shuffled(length.size(), 3, epoch);
  budget.plan(how, length, made);
  return batches_of(budget);
}

int rows_of(const std::vector<std::uint32_t>& sentences, const Lengths& length) {
  int rows = 0;
  for (const std::uint32_t s : sentences) rows += length[s];
  return rows;
}

/// Rows that are empty, of those that there could be; the last batch apart, and sentences beyond the budget.
double empty_share(const Batches& batches, const Lengths& length, int budget) {
  double empty = 0, all = 0;
  for (std::size_t b = 0; b + 1 < batches.size(); ++b)
    if (const int rows = rows_of(batches[b], length); rows <= budget) empty += budget - rows, all += budget;
  return all > 0 ? empty / all : 0;
}

template <class Draw> Lengths drawn(std::size_t count, Draw draw) {
  std::mt19937 random(11);
  Lengths lengths(count);
  for (std::int32_t& n : lengths) n = std::max(1, static_cast<int>(draw(random)));
  return lengths;
}

/// Lengths that are easy, and some that are not.
std::vector<Lengths> mixed_lengths() {
  using std::uniform_int_distribution;
  return {{},
          {7},
          {300},
          Lengths(50, 10),
          {5, 3, 200, 1, 1, 40, 60, 7, 100, 2},
          drawn(200, [](auto& r) { return uniform_int_distribution<>(1, 12)(r); }),
          drawn(200, [](auto& r) { return uniform_int_distribution<>(40, 60)(r); }),
          drawn(200, [](auto& r) { return r() % 9 == 0 ? 250 : uniform_int_distribution<>(1, 99)(r); }),
          drawn(333, [](auto& r) { return std::lognormal_distribution<>(2.5, 0.8)(r); })};
}

std::vector<batch::Batching> policies() {
  std::vector<batch::Batching> all;
  for (const bool grouped : {false, true})
    for (const int batch_size : {0, 1, 7})
      for (const batch::Compounding& growth : {batch::Compounding{}, {2, 7, 1.05}, {90, 10, 0.97}})
        for (const int look_ahead : {64, 0, 1, 3})
          all.push_back({.token_budget = 100,
                         .batch_size = batch_size,
                         .group_by_length = grouped,
                         .compounding = growth,
                         .look_ahead = look_ahead});
  return all;
}

/// What spaCy's generator gives at n, product by product.
double compounded(double start, double stop, double factor, std::uint64_t n) {
  double value = start;
  while (n-- > 0) value *= factor;
  return start > stop ? std::max(value, stop) : std::min(value, stop);
}

TEST_CASE("budget: whatever the policy, every sentence once, and no batch too large but a sentence alone") {
  for (const Lengths& length : mixed_lengths())
    for (const batch::Batching& how : policies())
      for (const std::uint32_t epoch : {0u, 4u}) {
        const Batches batches = planned(length, how, epoch, 5);
        std::vector<std::uint32_t> seen;
        std::size_t above = 0;
        for (std::size_t b = 0; b < batches.size(); ++b) {
          const batch::Compounding& c = how.compounding;
          double size = how.batch_size > 0 ? how.batch_size : how.token_budget;
          if (c) size = std::max(1.0, std::min(size, std::floor(compounded(c.start, c.stop, c.factor, 5 + b))));
          const double is = how.batch_size > 0 ? static_cast<double>(batches[b].size()) : rows_of(batches[b], length);
          above += (is > size && batches[b].size() > 1) || batches[b].empty();
          if (how.batch_size > 0) above += is < size && b + 1 < batches.size();
          seen.insert(seen.end(), batches[b].begin(), batches[b].end());
        }
        CHECK(above == 0);
        std::sort(seen.begin(), seen.end());
        std::vector<std::uint32_t> all(length.size());
        std::iota(all.begin(), all.end(), 0u);
        CHECK(seen == all);
      }
}

TEST_CASE("budget: batches depend on order and lengths alone, not on what was planned before") {
  batch::Budget one;
  for (const Lengths& length : mixed_lengths())
    for (const batch::Batching& how : policies()) {
      one.shuffled(length.size(), 3, 2);
      one.plan(how, length, 40);
      CHECK(batches_of(one) == planned(length, how, 2, 40));
    }
}

TEST_CASE("budget: a batch begins with the sentence that waits longest, and none comes earlier than it may") {
  for (const Lengths& length : mixed_lengths())
    for (const int look_ahead : {64, 1, 3}) {
      const auto order = order_of(length.size(), 3, 0);
      const Batches batches = planned(length, {.token_budget = 100, .look_ahead = look_ahead});
      std::vector<bool> taken(order.size());
      std::size_t first = 0, late = 0, early = 0;
      for (const auto& batch : batches) {
        while (taken[first]) ++first;
        late += batch.front() != order[first];
        for (const std::uint32_t s : batch) {
          const auto place = static_cast<std::size_t>(std::find(order.begin(), order.end(), s) - order.begin());
          const auto waiting = std::count(taken.begin(), taken.begin() + static_cast<std::ptrdiff_t>(place), false);
          early += waiting > look_ahead;
          taken[place] = true;
        }
      }
      CHECK(late == 0);
      CHECK(early == 0);
    }
}

TEST_CASE("budget: the end of a batch is what leaves the fewest rows empty, as a slow search says") {
  // The same rule on a list from which sentences are removed one by one.
  const auto slow = [](std::vector<std::uint32_t> left, const Lengths& length, int budget, std::size_t look_ahead) {
    Batches batches;
    while (!left.empty()) {
      std::vector<std::uint32_t> batch{left.front()};
      left.erase(left.begin());
      for (;;) {
        const int room = budget - rows_of(batch, length);
        if (left.empty() || room <= 0) break;
        // The fewest rows that one sentence after the first would leave of n, and which one.
        const auto leaves = [&](int rows) {
          std::pair<int, std::size_t> best{rows, 0};
          for (std::size_t i = 1; i < left.size() && i <= look_ahead; ++i)
            if (const int rest = rows - length[left[i]]; rest >= 0 && rest < best.first) best = {rest, i};
          return best;
        };
        const int without = room - length[left[0]];
        std::size_t chosen = 0;
        if (without < 0) {
          chosen = leaves(room).second;
          if (chosen == 0) break;
        } else if (left.size() > 1 && length[left[1]] > without && leaves(room).first < leaves(without).first) {
          chosen = leaves(room).second;
        }
        batch.push_back(left[chosen]);
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(chosen));
      }
      batches.push_back(batch);
    }
    return batches;
  };
  for (const Lengths& length : mixed_lengths())
    for (const int budget : {1, 30, 100, 101})
      for (const int look_ahead : {0, 1, 5, 64})
        CHECK(planned(length, {.token_budget = budget, .look_ahead = look_ahead}) ==
              slow(order_of(length.size(), 3, 0), length, budget, static_cast<std::size_t>(look_ahead)));
}

TEST_CASE("budget: by hand") {
  const auto of = [](const Lengths& length, int budget, int look_ahead = 64) {
    batch::Budget plan;
    plan.in_order(length.size());
    plan.plan({.token_budget = budget, .look_ahead = look_ahead}, length);
    return batches_of(plan);
  };
  CHECK(of({6, 5, 3, 4, 4}, 10) == Batches{{0, 3}, {1, 4}, {2}});     // the best one, the first of equals
  CHECK(of({6, 5, 3, 4, 4}, 10, 0) == Batches{{0}, {1, 2}, {3, 4}});  // in order
  CHECK(of({6, 5, 3, 4, 4}, 10, 1) == Batches{{0, 2}, {1, 3}, {4}});  // one ahead
  CHECK(of({5, 4, 8, 5}, 10) == Batches{{0, 3}, {1}, {2}});           // one that fits gives way to a better one
  CHECK(of({5, 4, 8, 5, 1}, 10) == Batches{{0, 1, 4}, {2}, {3}});     // but not to one that is no better
  CHECK(of({3, 12, 2, 5}, 10) == Batches{{0, 3, 2}, {1}});            // a sentence that is too long is alone
  CHECK(of({10, 10}, 10) == Batches{{0}, {1}});
  batch::Budget plain;
  const Lengths length{6, 5, 3, 4, 4};
  plain.in_order(5);
  plain.plan(5, 10, length);  // for who predicts
  CHECK(batches_of(plain) == Batches{{0}, {1, 2}, {3, 4}});
  plain.in_the_order(std::vector<std::uint32_t>{4, 0, 2});
  plain.plan({.token_budget = 7}, length);
  CHECK(batches_of(plain) == Batches{{4, 2}, {0}});
}

TEST_CASE("budget: at most a row in a hundred is empty, whatever lengths allow it") {
  using std::uniform_int_distribution;
  const auto share = [](const Lengths& length, int budget, int look_ahead = 64) {
    double worst = 0;
    for (const std::uint32_t epoch : {0u, 1u, 2u}) {
      const batch::Batching how{.token_budget = budget, .look_ahead = look_ahead};
      worst = std::max(worst, empty_share(planned(length, how, epoch), length, budget));
    }
    return worst;
  };
  const Lengths short_ones = drawn(9000, [](auto& r) { return uniform_int_distribution<>(1, 40)(r); });
  const Lengths heavy = drawn(20000, [](auto& r) { return std::min(2000.0, std::lognormal_distribution<>(5, 1)(r)); });
  const Lengths middle = drawn(9000, [](auto& r) { return uniform_int_distribution<>(100, 500)(r); });
  const Lengths quarters = drawn(9000, [](auto& r) { return r() % 10 > 0 ? 512 : r() % 100; });
  Lengths with_giant = short_ones;
  with_giant[4500] = 50'000;
  const Lengths& one_giant = with_giant;
  for (const int budget : {2048, 3000, 4096, 8192})
    for (const Lengths* length : {&short_ones, &heavy, &middle, &quarters, &one_giant}) {
      if (length == &quarters && budget % 512 != 0) continue;  // no sum of these comes near
      CAPTURE(budget);
      CAPTURE(length->front());
      CHECK(share(*length, budget) <= 0.01);
    }
  CHECK(share(heavy, 2048, 0) > 0.1);  // so this is no matter of course
  CHECK(share(middle, 2048, 0) > 0.05);

  // About half a budget: two fit if they suit. None at all leaves 3 %, in order 29 %.
  const Lengths halves = drawn(20000, [](auto& r) { return uniform_int_distribution<>(960, 1088)(r); });
  CHECK(share(halves, 2048) < 0.035);
  CHECK(share(halves, 2048, 0) > 0.25);
  // Two of these always fit, and a third never: rows are empty, and not one more than must be.
  const Lengths below = drawn(5000, [](auto& r) { return uniform_int_distribution<>(960, 1024)(r); });
  for (const auto& batch : planned(below, {.token_budget = 2048})) CHECK(batch.size() == 2);
}

TEST_CASE("budget: at most a row in a hundred is empty on corpora, in words and in pieces") {
  const char* const data = std::getenv("ENTRAIN_DATA");
  if (data == nullptr) {
    MESSAGE("skipped: ENTRAIN_DATA is not set");
    return;
  }
  const std::string folder = data;
  std::vector<std::string> vocabulary;
  std::ifstream file(folder + "/bert-uncased/vocab.txt");
  for (std::string piece; std::getline(file, piece);) vocabulary.push_back(piece);
  REQUIRE(vocabulary.size() == 30522);
  using Bert = batch::Pieces<512, 30522, text::WordPiece>;
  const Bert bert(std::make_shared<const text::WordPiece>(vocabulary), {101}, {102});
  for (const char* name : {"wnut17/train.conll", "btc/train.conll", "ncbi-disease/train.tsv", "uner-danish/train.iob2",
                           "uner-portuguese/train.iob2"}) {
    const text::Corpus corpus = text::read_conll(folder + "/" + name);
    const auto words = batch::encode<batch::SpacyWords>(corpus);
    const auto pieces = batch::encode<Bert>(corpus, bert);
    for (const auto* rows : {&words.rows, &pieces.rows}) {
      const Lengths length(rows->begin(), rows->end());
      for (const int budget : {2048, 4096, 8192}) {
        const batch::Batching how{.token_budget = budget};
        double worst = 0;
        for (std::uint32_t epoch = 0; epoch < 5; ++epoch)
          worst = std::max(worst, empty_share(planned(length, how, epoch), length, budget));
        CAPTURE(name);
        CAPTURE(budget);
        CHECK(worst <= 0.001);
      }
    }
  }
}

TEST_CASE("batch size: n sentences in the order of the shuffle, whatever their lengths") {
  const Lengths length = drawn(103, [](auto& r) { return r() % 90; });
  const auto order = order_of(length.size(), 3, 6);
  for (const int size : {1, 8, 102, 103, 104, 1 << 20}) {
    const Batches batches = planned(length, {.token_budget = 5, .batch_size = size}, 6);
    std::vector<std::uint32_t> all;
    for (const auto& batch : batches) {
      CHECK(batch.size() == std::min<std::size_t>(static_cast<std::size_t>(size), 103 - all.size()));
      all.insert(all.end(), batch.begin(), batch.end());
    }
    CHECK(all == order);
  }
}

TEST_CASE("group by length: sorted within groups as Hugging Face's sampler does it, equals in the shuffle's order") {
  const Lengths length = drawn(1003, [](auto& r) { return r() % 30; });
  const auto order = order_of(length.size(), 3, 1);
  std::vector<std::size_t> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  const auto longer = [&](std::uint32_t a, std::uint32_t b) {
    return length[a] != length[b] ? length[a] > length[b] : place[a] < place[b];
  };
  for (const int size : {1, 4, 5, 60, 300, 2000}) {  // groups of 50, 50, 50, 4, 1 and 1 batches
    const std::size_t group = static_cast<std::size_t>(size * std::clamp(1003 / (size * 4), 1, 50));
    auto expected = order;
    for (std::size_t at = 0; at < expected.size(); at += group)
      std::sort(expected.begin() + static_cast<std::ptrdiff_t>(at),
                expected.begin() + static_cast<std::ptrdiff_t>(std::min(at + group, expected.size())), longer);
    std::vector<std::uint32_t> all;
    for (const auto& batch : planned(length, {.batch_size = size, .group_by_length = true}, 1))
      all.insert(all.end(), batch.begin(), batch.end());
    CHECK(all == expected);
  }
}

TEST_CASE("group by length: a budget's batches are of about one length, and another order each epoch") {
  const Lengths length = drawn(6000, [](auto& r) { return std::uniform_int_distribution<>(1, 40)(r); });
  const auto spread = [&](const Batches& batches) {  // mean of longest less shortest
    double sum = 0;
    for (const auto& batch : batches) {
      const auto [least, most] =
          std::minmax_element(batch.begin(), batch.end(), [&](auto a, auto b) { return length[a] < length[b]; });
      sum += length[*most] - length[*least];
    }
    return sum / static_cast<double>(batches.size());
  };
  const batch::Batching grouped{.token_budget = 512, .group_by_length = true};
  const Batches first = planned(length, grouped, 0);
  CHECK(spread(first) < 4);
  CHECK(spread(planned(length, {.token_budget = 512})) > 30);
  CHECK(planned(length, grouped, 1) != first);
  // Groups of 50 budgets of rows, the longest sentences first in each.
  std::size_t places = 0;
  for (std::size_t b = 1; b < first.size(); ++b)
    if (length[first[b].front()] > length[first[b - 1].front()] + 20) {
      CHECK(b >= 50 * (places + 1));
      CHECK(b <= 52 * (places + 1));
      ++places;
    }
  CHECK(places == 6000 * 20 / 512 / 50);
  // At least four of them, of a corpus of at least four batches.
  const Lengths few(first[0].size(), 10);
  CHECK(planned(Lengths(20, 5), {.token_budget = 25, .group_by_length = true}).size() == 4);
}

TEST_CASE("compounding: the sizes of spaCy's generator, at any batch") {
  struct Golden {
    batch::Compounding sizes;
    std::vector<std::pair<std::uint64_t, int>> at;
    std::int64_t sum;  // of whole parts, to the last of them
  };
  // Python 3: thinc's generator compounding(start, stop, compound), its whole part as spacy.util.minibatch takes it.
  const Golden goldens[] = {
      {{100, 1000, 1.001},
       {{0, 100},
        {1, 100},
        {9, 100},
        {10, 101},
        {100, 110},
        {693, 199},
        {694, 200},
        {1000, 271},
        {2303, 999},
        {2304, 1000},
        {2305, 1000},
        {5000, 1000}},
       3596118},
      {{4, 32, 1.001}, {{0, 4}, {1, 4}, {223, 4}, {224, 5}, {1000, 10}, {2080, 31}, {2081, 32}, {3000, 32}}, 56436},
      {{64, 8, 0.99}, {{0, 64}, {1, 63}, {10, 57}, {100, 23}, {206, 8}, {207, 8}, {208, 8}, {400, 8}}, 7048},
  };
  for (const Golden& golden : goldens) {
    batch::CompoundingSizes sizes, back, jumps;
    std::int64_t sum = 0;
    std::size_t others = 0;
    const std::uint64_t last = golden.at.back().first;
    for (std::uint64_t n = 0; n <= last; ++n) {
      const double size = sizes.number(golden.sizes, n);
      others += size != compounded(golden.sizes.start, golden.sizes.stop, golden.sizes.factor, n);
      sum += static_cast<std::int64_t>(size);
    }
    CHECK(others == 0);
    CHECK(sum == golden.sum);
    for (const auto& [n, size] : golden.at) CHECK(static_cast<int>(jumps.number(golden.sizes, n)) == size);
    for (auto p = golden.at.rbegin(); p != golden.at.rend(); ++p)
      CHECK(static_cast<int>(back.number(golden.sizes, p->first)) == p->second);
    CHECK(back.number({5, 5, 1}, 1'000'000'000'000) == 5);  // other sizes, and at once
    CHECK(back.number({5, 9, 1}, 1'000'000'000'000) == 5);
    CHECK(back.number({5, 9, 2}, 1'000'000'000'000) == 9);
  }
  CHECK(!batch::Compounding{});
  CHECK(batch::Compounding{1, 2, 3}.largest() == 2);
  CHECK(batch::Compounding{3, 2, 0.5}.largest() == 3);
}

TEST_CASE("compounding: batches are as large as those sizes, on through the epochs") {
  const Lengths ones(5000, 1);
  const batch::Compounding growth{100, 1000, 1.001};
  std::uint64_t made = 0;
  for (std::uint32_t epoch = 0; epoch < 60; ++epoch)
    for (const bool sentences : {false, true}) {
      const batch::Batching how{.token_budget = 1000, .batch_size = sentences ? 1000 : 0, .compounding = growth};
      const Batches batches = planned(ones, how, epoch, made);
      std::size_t wrong = 0;
      for (std::size_t b = 0; b + 1 < batches.size(); ++b)
        wrong += batches[b].size() != static_cast<std::size_t>(compounded(100, 1000, 1.001, made + b));
      CHECK(wrong == 0);
      if (sentences) made += batches.size();
    }
  CHECK(made > 1000);
  // The largest size bounds them, and one row there always is.
  CHECK(planned(ones, {.token_budget = 50, .compounding = growth})[0].size() == 50);
  CHECK(planned(ones, {.token_budget = 50, .compounding = {0.5, 10, 1.5}})[0].size() == 1);
}

TEST_CASE("largest batch: a bound in any order, and no larger than sentences allow") {
  const Lengths length{5, 3, 200, 1, 1, 40, 60, 7, 100, 2};
  CHECK(batch::largest_batch(length, {.token_budget = 100}) == 200);
  CHECK(batch::largest_batch(length, {.token_budget = 201}) == 201);
  CHECK(batch::largest_batch(length, {.token_budget = 9, .batch_size = 1}) == 200);
  CHECK(batch::largest_batch(length, {.token_budget = 9, .batch_size = 3}) == 360);
  CHECK(batch::largest_batch(length, {.token_budget = 900, .batch_size = 3}) == 360);
  CHECK(batch::largest_batch(length, {.token_budget = 9, .batch_size = 64}) == 419);
  CHECK(batch::largest_batch({}, {.token_budget = 9}) == 9);
  CHECK(batch::largest_batch({}, {.token_budget = 9, .batch_size = 4}) == 0);
  CHECK(batch::largest_batch(Lengths(4, 2'000'000'000), {.batch_size = 4}) == 8'000'000'000);
  std::size_t above = 0;
  for (const Lengths& lengths : mixed_lengths())
    for (const batch::Batching& how : policies())
      for (const std::uint32_t epoch : {0u, 1u, 2u})
        for (const auto& batch : planned(lengths, how, epoch))
          above += rows_of(batch, lengths) > batch::largest_batch(lengths, how);
  CHECK(above == 0);
  // With the lengths sorted it is reached.
  Lengths sorted = drawn(100, [](auto& r) { return r() % 50; });
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  batch::Budget plan;
  plan.in_order(100);
  plan.plan({.batch_size = 8}, sorted);
  CHECK(rows_of(batches_of(plan)[0], sorted) == batch::largest_batch(sorted, {.batch_size = 8}));
}

using Words = batch::HashedWords<2, 500, 100, 100, 100>;

/// A source of several buffers an epoch, with an order of their own in each; one of them has no sentence.
class Buffers {
 public:
  using Item = batch::ShuffleBuffer<Words>;
  struct Cursor {
    std::uint32_t buffer = 0;
  };
  void start(std::uint32_t epoch, const Cursor& at) { epoch_ = epoch, at_ = at; }
  Cursor cursor() const { return at_; }
  bool next(Item& item) {
    constexpr std::size_t sizes[] = {40, 0, 75, 1};
    if (at_.buffer == std::size(sizes)) return false;
    const auto e = std::make_shared<batch::Encoded<Words>>();
    e->rows = Lengths(drawn(sizes[at_.buffer], [&](auto& r) { return r() % 20 + 1 + at_.buffer; }));
    batch::shuffle(item.order, sizes[at_.buffer], 9, epoch_, at_.buffer);
    item.sentences = e;
    ++at_.buffer;
    return true;
  }

 private:
  std::uint32_t epoch_ = 0;
  Cursor at_;
};
using Stage = batch::Budgeted<Buffers>;

/// What a pick says.
struct Said {
  std::vector<std::uint32_t> sentences;
  std::uint32_t step, micro_batch;
  bool last_of_step, last_of_epoch;
  friend bool operator==(const Said&, const Said&) = default;
};

TEST_CASE("Budgeted: epochs go on from any batch, with every policy, and sizes that compound go on too") {
  for (batch::Batching how : policies()) {
    how.token_budget = 60;
    batch::BudgetedOptions options{how, 3, 0.25f, 9};
    const auto rest = [](Stage& stage) {
      std::vector<Said> all;
      for (Stage::Item pick; stage.next(pick);)
        all.push_back(
            {pick.sentences, pick.unknown.step, pick.unknown.micro_batch, pick.last_of_step, pick.last_of_epoch});
      return all;
    };
    std::uint32_t step = 17;
    std::uint64_t made = 40;
    for (const std::uint32_t epoch : {3u, 4u}) {
      Stage::Cursor begin;
      begin.step = step, begin.made = made;
      Stage whole{{}, options};
      whole.start(epoch, begin);
      const auto all = rest(whole);
      REQUIRE(all.size() > 5);

      // Each buffer as a Budget of its own cuts it.
      Buffers source;
      source.start(epoch, {});
      std::size_t b = 0, wrong = 0;
      for (Buffers::Item item; source.next(item);) {
        batch::Budget plan;
        plan.in_the_order(item.order);
        plan.plan(how, item.sentences->rows, made + b);
        for (std::size_t i = 0; i < plan.size(); ++i, ++b)
          wrong += b >= all.size() || all[b].sentences != std::vector(plan[i].begin(), plan[i].end());
      }
      CHECK(wrong == 0);
      CHECK(b == all.size());

      Stage walk{{}, options};
      walk.start(epoch, begin);
      for (std::size_t taken = 0; taken <= all.size(); ++taken) {
        CHECK(walk.cursor().made == made + taken);
        Stage again{{}, options};
        again.start(epoch, walk.cursor());
        wrong += rest(again) != std::vector<Said>(all.begin() + static_cast<std::ptrdiff_t>(taken), all.end());
        Stage::Item pick;
        CHECK(walk.next(pick) == (taken < all.size()));
      }
      CHECK(wrong == 0);
      CHECK(all.back().last_of_epoch);
      step = walk.cursor().step, made = walk.cursor().made;
    }
  }
}
}  // namespace budget_test
