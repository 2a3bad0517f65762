// tests > [batch]
//
// Augmenters give what their rules say, worked out here once more by other means; the same for any number of workers,
// any size of blocks and from any place of an epoch on; and tags that keep their scheme.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "entrain/batch/encode/encode.hpp"
#include "entrain/batch/encode/hashed_words.hpp"
#include "entrain/batch/pack/augmented.hpp"
#include "entrain/batch/pipeline/mapped.hpp"
#include "entrain/batch/pipeline/workers.hpp"
#include "entrain/task/tagging.hpp"
#include "entrain/text/augment/entity_swap.hpp"
#include "entrain/text/augment/recase.hpp"
#include "entrain/text/augment/token_drop.hpp"
#include "entrain/text/conll/conll_stream.hpp"
#include "entrain/text/tags/scheme.hpp"
#include "tests/sanitized.hpp"
#include "tests/scratch.hpp"

namespace augment_test {
namespace {
using namespace entrain;
using test::File;
using text::Corpus;

struct Sentence {
  std::vector<std::string> words, tags;
  std::vector<std::uint32_t> lines;
  friend bool operator==(const Sentence&, const Sentence&) = default;
};
using Sentences = std::vector<Sentence>;

Sentences sentences_of(const Corpus& c) {
  Sentences all;
  for (std::size_t s = 0; s < c.sentences(); ++s) {
    all.emplace_back();
    for (std::size_t i = c.sentence[s]; i < c.sentence[s + 1]; ++i) {
      all.back().words.emplace_back(c.token(i));
      all.back().tags.emplace_back(c.tag_name(i));
      all.back().lines.push_back(c.line[i]);
    }
  }
  return all;
}

/// Sentences in this scheme: of 1 to 14 words, entities of 1 to 3 of them, some next to each other, some whole
/// sentences.
template <class Scheme = text::Bio> std::string made(int count, unsigned seed = 7) {
  std::mt19937 draw(seed);
  std::string all;
  for (int s = 0; s < count; ++s) {
    const auto n = static_cast<std::uint32_t>(1 + draw() % 14);
    std::vector<text::Span> entities;
    for (std::uint32_t at = 0; at < n;) {
      const auto length = static_cast<std::uint32_t>(1 + draw() % 3);
      const auto type = static_cast<std::int32_t>(draw() % 3);
      const bool joined = Scheme::parts == 1 && !entities.empty() && entities.back().end == at;
      if (draw() % 3 == 0 && at + length <= n && !joined) {
        entities.push_back({at, at + length, type});
        at += length;
      } else {
        ++at;
      }
    }
    std::vector<text::Tag> tags(n);
    text::encode<Scheme>(entities, std::span<text::Tag>(tags));
    const text::Labels<Scheme> labels({"PER", "LOC", "work-of-art"});
    for (std::uint32_t i = 0; i < n; ++i)
      all += (draw() % 2 ? "Word" : "word") + std::to_string(draw() % 50) + " " + labels.name(tags[i]) + "\n";
    all += "\n";
  }
  return all;
}

template <class S> Sentences epoch_of(S stage, std::uint32_t epoch, text::Met* met = nullptr) {
  batch::Pulled<S> pulled(std::move(stage));
  pulled.start(epoch, {});
  Sentences all;
  for (Corpus c; pulled.next(c);) {
    for (Sentence& s : sentences_of(c)) all.push_back(std::move(s));
    if (!met) continue;
    met->variants += c.met.variants;
    met->recased_words += c.met.recased_words;
    met->dropped_words += c.met.dropped_words;
    met->swapped_entities += c.met.swapped_entities;
  }
  return all;
}
using Source = text::Conll<text::Bio>;
Source source(const File& file, std::size_t block = 1 << 18) { return Source({file.path()}, {}, block); }

// The rules once more, for BIO, over plain vectors.

struct Entity {
  std::string type;
  std::vector<std::string> words;
  friend bool operator==(const Entity&, const Entity&) = default;
};
/// In BIO.
std::vector<Entity> entities_of(const Sentence& s) {
  std::vector<Entity> all;
  for (std::size_t i = 0; i < s.words.size(); ++i) {
    if (s.tags[i][0] == 'B') all.push_back({s.tags[i].substr(2), {}});
    if (s.tags[i][0] != 'O') all.back().words.push_back(s.words[i]);
  }
  return all;
}

Random random_by_the_rule(const Sentence& s, std::uint32_t nth, std::uint64_t seed, std::uint32_t kind,
                          std::uint32_t epoch) {
  std::string bytes;
  for (const std::string& word : s.words) bytes += word;
  const std::uint64_t h = hash_bytes(bytes, 1);
  const auto key = philox({{s.lines[0], nth, std::uint32_t(h), std::uint32_t(h >> 32)}},
                          {{std::uint32_t(seed), std::uint32_t(seed >> 32)}});
  return Random(key[1] * 0x100000000u + key[0], kind, epoch);
}

Sentence in_lower_case(Sentence s, Random random, double level) {
  if (random.uniform() >= level) return s;
  for (std::string& word : s.words)
    for (char& c : word) c = static_cast<char>(std::tolower(c));
  return s;
}
Sentence with_fewer_words(const Sentence& s, Random random, double rate) {
  Sentence out;
  const auto take = [&](std::size_t i) {
    out.words.push_back(s.words[i]), out.tags.push_back(s.tags[i]), out.lines.push_back(s.lines[i]);
  };
  for (std::size_t i = 0; i < s.words.size(); ++i)
    if (s.tags[i] != "O" || random.uniform() >= rate) take(i);
  if (out.words.empty()) take(random.below(std::uint32_t(s.words.size())));
  return out;
}
Sentence with_other_entities(const Sentence& s, Random random, double rate, const Sentences& corpus) {
  Sentence out;
  for (std::size_t i = 0; i < s.words.size();) {
    std::size_t end = i + 1;
    if (s.tags[i] != "O")
      while (end < s.words.size() && s.tags[end][0] == 'I') ++end;
    const std::vector<std::string> words(s.words.begin() + std::ptrdiff_t(i), s.words.begin() + std::ptrdiff_t(end));
    std::vector<std::string> others = words;
    if (s.tags[i] != "O" && random.uniform() < rate) {
      const std::string type = s.tags[i].substr(2);
      std::vector<Entity> known;
      for (const Sentence& one : corpus)
        for (const Entity& e : entities_of(one))
          if (e.type == type && e.words != words && std::find(known.begin(), known.end(), e) == known.end())
            known.push_back(e);
      if (!known.empty()) others = known[random.below(std::uint32_t(known.size()))].words;
    }
    for (std::size_t k = 0; k < others.size(); ++k) {
      out.words.push_back(others[k]);
      out.tags.push_back(s.tags[i] == "O" ? "O" : (k == 0 ? "B-" : "I-") + s.tags[i].substr(2));
      out.lines.push_back(s.lines[std::min(i + k, end - 1)]);
    }
    i = end;
  }
  return out;
}

constexpr std::uint32_t of_case = 0x63617365, of_drop = 0x64726F70, of_swap = 0x73776170;

using All = batch::Augmented<Source, text::EntitySwap, text::TokenDrop, text::Recase>;
All all_of_them(const File& file, std::size_t block, std::uint64_t seed = 99) {
  return All(source(file, block), {seed}, text::EntitySwap(batch::entities_of(source(file, 300)), 0.5),
             text::TokenDrop(0.2), text::Recase(0.4));
}

TEST_CASE("augmenters do what their rules say, one after the other") {
  const File file(made(300));
  const Sentences plain = epoch_of(source(file), 0);
  REQUIRE(plain.size() == 300);
  const std::uint64_t seed = 0x123456789ABCDEFu;
  std::set<std::size_t> lengths;
  for (const std::uint32_t epoch : {0u, 1u, 7u}) {
    Sentences expected;
    std::uint64_t changed = 0;
    for (const Sentence& s : plain) {
      const auto draw = [&](std::uint32_t kind) { return random_by_the_rule(s, 0, seed, kind, epoch); };
      Sentence one = with_other_entities(s, draw(of_swap), 0.5, plain);
      one = with_fewer_words(one, draw(of_drop + 1), 0.2);
      expected.push_back(in_lower_case(one, draw(of_case + 2), 0.4));
      changed += expected.back() != s;
    }
    text::Met met;
    const Sentences got = epoch_of(all_of_them(file, 1000, seed), epoch, &met);
    CHECK(got == expected);
    CHECK(met.variants == changed);
    CHECK(changed > 200);
    CHECK(changed < 300);
  }
}

TEST_CASE("two augmenters of a kind draw apart") {
  const File file(made(400));
  const Sentences plain = epoch_of(source(file), 0);
  using Twice = batch::Augmented<Source, text::Recase, text::Recase>;
  const auto twice =
      epoch_of(Twice(source(file), {1}, text::Recase(0.5), text::Recase(0.5, text::LetterCase::upper)), 0);
  std::size_t lower = 0, upper = 0, same = 0;
  for (std::size_t s = 0; s < plain.size(); ++s) {
    const char c = twice[s].words[0][1];
    lower += twice[s].words[0][0] == 'w' && c == 'o' && twice[s] != plain[s];
    upper += c == 'O';
    same += twice[s] == plain[s];
  }
  CHECK(std::abs(double(upper) - 200) < 50);  // five deviations of 400 throws of a coin
  CHECK(lower > 30);
  CHECK(same > 60);
}

TEST_CASE(
    "the same sentences for any number of workers, any size of blocks, whatever the file's folder; others each epoch") {
  const std::string bytes = made(400);
  const File file(bytes), moved(bytes, "elsewhere.conll");
  const auto expected = epoch_of(all_of_them(file, 1 << 20), 3);
  for (const std::size_t block : {1u, 100u, 2000u}) CHECK(epoch_of(all_of_them(file, block), 3) == expected);
  for (const int workers : {1, 3}) CHECK(epoch_of(batch::Workers(all_of_them(file, 150), {workers, 5}), 3) == expected);
  CHECK(epoch_of(all_of_them(moved, 500), 3) == expected);
  CHECK(epoch_of(all_of_them(file, 500), 2) != expected);
  CHECK(epoch_of(all_of_them(file, 500, 98), 3) != expected);
  CHECK(epoch_of(all_of_them(file, 500, 99 + (std::uint64_t{1} << 40)), 3) != expected);
}

TEST_CASE("a stage that was in one epoch gives another one's sentences when it is started there") {
  const File file(made(50));
  batch::Workers stage(all_of_them(file, 100), {2, 4});
  for (const std::uint32_t epoch : {4u, 0u, 4u}) {
    stage.start(epoch, {});
    Sentences got;
    for (Corpus c; stage.next(c);)
      for (Sentence& s : sentences_of(c)) got.push_back(std::move(s));
    CHECK(got == epoch_of(all_of_them(file, 1 << 20), epoch));
  }
}

TEST_CASE("an epoch resumes from any block") {
  const File file(made(150));
  const auto whole = epoch_of(all_of_them(file, 1 << 20), 5);
  batch::Workers stage(all_of_them(file, 200), {3, 4});
  stage.start(5, {});
  std::size_t taken = 0, blocks = 0;
  for (Corpus c;; ++blocks) {
    batch::Workers again(all_of_them(file, 170), {1 + static_cast<int>(blocks % 3)});
    again.start(5, stage.cursor());
    Sentences rest;
    for (Corpus d; again.next(d);)
      for (Sentence& s : sentences_of(d)) rest.push_back(std::move(s));
    CHECK(rest == Sentences(whole.begin() + std::ptrdiff_t(taken), whole.end()));
    if (!stage.next(c)) break;
    taken += c.sentences();
  }
  CHECK(blocks > 10);
}

/// Forty lines of four sentences each, `lines` lines in a block.
struct Texts {
  using Tags = text::Bio;
  using Item = Corpus;
  using Cursor = std::uint32_t;
  using Raw = std::uint32_t;
  std::uint32_t block = 1, line = 0;
  void start(std::uint32_t, Cursor at) { line = at; }
  Cursor cursor() const { return line; }
  bool read(Raw& first) {
    first = line;
    line += block;
    return first < 40;
  }
  auto work() const {
    return [size = block](Raw first, Corpus& c) {
      c.clear();
      for (std::uint32_t i = first; i < std::min(first + size, 40u); ++i)
        for (int s = 0; s < 4; ++s) {
          for (const char* word : {"One", "Two", "Three", "."}) c.push(word, "O", i + 1);
          c.end_sentence();
        }
    };
  }
};

TEST_CASE("sentences that share a line are drawn for apart, in the same way in any block") {
  using Stage = batch::Augmented<Texts, text::TokenDrop>;
  const auto stage = [](std::uint32_t block) { return Stage(Texts{block}, {3}, text::TokenDrop(0.3)); };
  const auto expected = epoch_of(stage(40), 0);
  REQUIRE(expected.size() == 160);
  std::set<std::vector<std::string>> first, second;
  for (std::size_t s = 0; s < 160; s += 4) {
    first.insert(expected[s].words), second.insert(expected[s + 1].words);
    CHECK(expected[s].lines[0] == s / 4 + 1);
  }
  CHECK(first.size() > 4);
  CHECK(second.size() > 4);
  bool differ = false;
  for (std::size_t s = 0; s < 160; s += 4) differ = differ || expected[s].words != expected[s + 1].words;
  CHECK(differ);
  for (const std::uint32_t block : {1u, 7u}) CHECK(epoch_of(stage(block), 0) == expected);
}

TEST_CASE("as many as the rate says") {
  const File file(made(SANITIZED ? 2'000 : 20'000));
  const Sentences plain = epoch_of(source(file), 0);
  std::size_t outside = 0, of_entities = 0, with_capitals = 0;
  for (const Sentence& s : plain) {
    of_entities += entities_of(s).size();
    for (const std::string& tag : s.tags) outside += tag == "O";
    with_capitals += std::any_of(s.words.begin(), s.words.end(), [](const auto& w) { return w[0] == 'W'; });
  }
  /// Whether n of `of` is within five deviations of what chance gives.
  const auto near = [](double got, double of, double rate) {
    CHECK(std::abs(got - of * rate) < 5 * std::sqrt(of * rate * (1 - rate)));
  };
  const auto table = batch::entities_of(source(file));
  for (const double rate : {0.05, 0.5, 0.9}) {
    text::Met met;
    using Fewer = batch::Augmented<Source, text::TokenDrop>;
    const auto fewer = epoch_of(Fewer(source(file), {1}, text::TokenDrop(rate)), 0, &met);
    std::size_t left = 0, alone = 0;
    for (std::size_t s = 0; s < plain.size(); ++s) {
      for (const std::string& tag : fewer[s].tags) left += tag == "O";
      if (fewer[s].words.size() == 1 && entities_of(plain[s]).empty()) ++alone;  // some of these were put back
    }
    CHECK(met.dropped_words == outside - left);
    const double dropped = double(outside - left), all = double(outside);
    CHECK(dropped < all * rate + 5 * std::sqrt(all * rate * (1 - rate)));
    CHECK(dropped + double(alone) > all * rate - 5 * std::sqrt(all * rate * (1 - rate)));
    met = {};
    using Swapped = batch::Augmented<Source, text::EntitySwap>;
    epoch_of(Swapped(source(file), {1}, text::EntitySwap(table, rate)), 0, &met);
    near(double(met.swapped_entities), double(of_entities), rate);
    met = {};
    using Lower = batch::Augmented<Source, text::Recase>;
    epoch_of(Lower(source(file), {1}, text::Recase(rate)), 0, &met);
    near(double(met.variants), double(with_capitals), rate);
  }
}

TEST_CASE("swapped entities are others of the same type, each as likely as the other") {
  const File file(made(2000));
  const Sentences plain = epoch_of(source(file), 0);
  std::map<std::string, std::set<std::vector<std::string>>> known;
  for (const Sentence& s : plain)
    for (const Entity& e : entities_of(s)) known[e.type].insert(e.words);
  const auto table = batch::entities_of(source(file, 77));
  for (const auto& [type, mentions] : known) CHECK(table->size(type) == mentions.size());
  CHECK(table->size("nothing") == 0);
  using Swapped = batch::Augmented<Source, text::EntitySwap>;
  const auto got = epoch_of(Swapped(source(file), {1}, text::EntitySwap(table, 1)), 0);
  REQUIRE(got.size() == plain.size());
  std::map<bool, std::size_t> shorter;
  std::map<std::vector<std::string>, std::size_t> drawn;
  std::size_t locations = 0;
  for (std::size_t s = 0; s < got.size(); ++s) {
    const auto before = entities_of(plain[s]), after = entities_of(got[s]);
    REQUIRE(before.size() == after.size());
    for (std::size_t e = 0; e < after.size(); ++e) {
      CHECK(after[e].type == before[e].type);
      CHECK(after[e].words != before[e].words);
      CHECK(known[after[e].type].count(after[e].words) == 1);
      ++shorter[after[e].words.size() < before[e].words.size()];
      if (after[e].type == "LOC") ++drawn[after[e].words], ++locations;
    }
    std::vector<std::string> outside, outside_after;
    for (std::size_t i = 0; i < plain[s].words.size(); ++i)
      if (plain[s].tags[i] == "O") outside.push_back(plain[s].words[i]);
    for (std::size_t i = 0; i < got[s].words.size(); ++i)
      if (got[s].tags[i] == "O") outside_after.push_back(got[s].words[i]);
    CHECK(outside == outside_after);
  }
  CHECK(shorter[true] > 100);
  CHECK(shorter[false] > 100);
  const double mean = double(locations) / double(known["LOC"].size());
  for (const auto& [words, times] : drawn) CHECK(double(times) < mean + 7 * std::sqrt(mean));
  CHECK(double(drawn.size()) > double(known["LOC"].size()) * (1 - std::exp(-mean)) * 0.95);
}

TEST_CASE("a table keeps the first of a type, each once; the only one of its type stays in its place") {
  const File file("Ada B-PER\nand O\nBob B-PER\nSmith I-PER\n\nAda B-PER\nEve B-PER\nRome B-LOC\nUr B-X\n\n");
  const auto table = batch::entities_of(source(file), 2);
  CHECK(table->size("PER") == 2);
  CHECK(table->size("LOC") == 1);
  using Swapped = batch::Augmented<Source, text::EntitySwap>;
  text::Met met;
  const auto got = epoch_of(Swapped(source(file), {1}, text::EntitySwap(table, 1)), 0, &met);
  CHECK(got[0].words == std::vector<std::string>{"Bob", "Smith", "and", "Ada"});
  CHECK(got[0].tags == std::vector<std::string>{"B-PER", "I-PER", "O", "B-PER"});
  CHECK(got[0].lines == std::vector<std::uint32_t>{1, 1, 2, 3});
  CHECK(got[1].words[0] == "Bob");
  CHECK(got[1].words[got[1].words.size() - 2] == "Rome");
  CHECK(got[1].tags.back() == "B-X");
  CHECK(met.swapped_entities == 4);  // Eve, who is not in the table, became one that is
  CHECK(got[1].words[2] != "Eve");
  // words that look alike when they are strung together
  text::EntityTable close;
  Corpus c;
  c.push("ab", "B-X", 1), c.push("c", "I-X", 1), c.push("a", "B-X", 1), c.push("bc", "I-X", 1), c.end_sentence();
  close.add(c, text::ReadAs<text::Bio>{});
  CHECK(close.size("X") == 2);
  // a type of which no tag was an entity
  Corpus broken;
  broken.push("a", "B-X", 1), broken.push("b", "I-Y", 1), broken.end_sentence();
  text::EntityTable strict;
  strict.add(broken, text::ReadAs<text::Bio, text::repair::Drop>{});
  CHECK(strict.size("X") == 1);
  CHECK(strict.size("Y") == 0);
}

/// What a sentence says, in any scheme.
template <class Scheme> std::vector<Entity> read(const Sentence& s) {
  text::Types types;
  std::vector<text::Mark> marks;
  for (const std::string& tag : s.tags) marks.push_back(text::read_mark(tag, types));
  std::vector<Entity> all;
  std::size_t broken = 0;
  text::violations<Scheme>(std::span<const text::Mark>(marks), [&](std::size_t) { ++broken; });
  CHECK(broken == 0);
  text::strict<Scheme>(std::span<const text::Mark>(marks), [&](const text::Span& e) {
    all.push_back({types.name(e.type), {s.words.begin() + e.begin, s.words.begin() + e.end}});
  });
  return all;
}

TEST_CASE_TEMPLATE("tags keep their scheme, entities that fall together stay apart", Scheme, text::Bio, text::Bioes,
                   text::Bilou, text::Bmes, text::Iob1, text::Io) {
  const File file(made<Scheme>(600));
  const auto from = [&] { return text::Conll<Scheme>({file.path()}); };
  const auto plain = epoch_of(from(), 0);
  const auto table = batch::entities_of(from());
  for (const double rate : {0.3, 1.0}) {
    using Fewer = batch::Augmented<text::Conll<Scheme>, text::TokenDrop>;
    const auto fewer = epoch_of(Fewer(from(), {5}, text::TokenDrop(rate)), 1);
    REQUIRE(fewer.size() == plain.size());
    std::size_t touching = 0, changed = 0;
    for (std::size_t s = 0; s < plain.size(); ++s) {
      CHECK(read<Scheme>(fewer[s]) == read<Scheme>(plain[s]));
      CHECK_FALSE(fewer[s].words.empty());
      // what is left keeps its order and its lines
      std::size_t at = 0;
      for (std::size_t i = 0; i < fewer[s].words.size(); ++i, ++at) {
        while (at < plain[s].lines.size() && plain[s].lines[at] != fewer[s].lines[i]) ++at;
        REQUIRE(at < plain[s].lines.size());
        CHECK(plain[s].words[at] == fewer[s].words[i]);
      }
      for (std::size_t i = 1; i < fewer[s].tags.size(); ++i)
        touching += fewer[s].tags[i - 1] != "O" && fewer[s].tags[i] != "O";
      changed += fewer[s] != plain[s];
    }
    CHECK(touching > 50);
    CHECK(changed > 100);
  }
  using Swapped = batch::Augmented<text::Conll<Scheme>, text::EntitySwap, text::TokenDrop>;
  const auto swapped = epoch_of(Swapped(from(), {5}, text::EntitySwap(table, 0.7), text::TokenDrop(0.5)), 1);
  for (std::size_t s = 0; s < plain.size(); ++s) {
    const auto before = read<Scheme>(plain[s]), after = read<Scheme>(swapped[s]);
    REQUIRE(before.size() == after.size());
    for (std::size_t e = 0; e < after.size(); ++e) CHECK(after[e].type == before[e].type);
  }
}

TEST_CASE("an augmenter that never does anything gives every byte as it was; at 1 all that may goes") {
  const std::string bytes =
      "\xEF\xBB\xBF-DOCSTART- O\n\nA B-PER\nb I-PER\n\nc O\n\n-DOCSTART- O\n\nd O\ne I-LOC\n\n\n" + made(50);
  const File file(bytes);
  const auto corpora = [](auto stage) {
    batch::Pulled<decltype(stage)> pulled(std::move(stage));
    pulled.start(0, {});
    std::vector<Corpus> all;
    for (Corpus c; pulled.next(c);) all.push_back(c);
    return all;
  };
  const auto plain = corpora(source(file, 300));
  const auto same = corpora(All(source(file, 300), {1}, text::EntitySwap(batch::entities_of(source(file)), 0),
                                text::TokenDrop(0), text::Recase(0)));
  REQUIRE(plain.size() == same.size());
  REQUIRE(plain.size() > 2);
  for (std::size_t b = 0; b < plain.size(); ++b) {
    const Corpus &x = plain[b], &y = same[b];
    CHECK(x.name == y.name);
    CHECK(x.bytes == y.bytes);
    CHECK(x.begin == y.begin);
    CHECK(x.line == y.line);
    CHECK(x.tag == y.tag);
    CHECK(x.tags == y.tags);
    CHECK(x.sentence == y.sentence);
    CHECK(x.document == y.document);
    CHECK(x.met.lines == y.met.lines);
    CHECK(y.met.variants == 0);
  }
  using Fewer = batch::Augmented<Source, text::TokenDrop>;
  const auto least = epoch_of(Fewer(source(file), {1}, text::TokenDrop(1)), 0);
  for (const Sentence& s : least) {
    const bool entities = std::any_of(s.tags.begin(), s.tags.end(), [](const auto& t) { return t != "O"; });
    if (!entities) CHECK(s.words.size() == 1);
    if (entities) CHECK(std::count(s.tags.begin(), s.tags.end(), "O") == 0);
  }
}

TEST_CASE("sentences of one word, of one entity, and of words alone") {
  const File file("one O\n\nAda B-PER\n\nAda B-PER\nLovelace I-PER\n\na O\nb O\nc O\nd O\n\n");
  const auto plain = epoch_of(source(file), 0);
  using Fewer = batch::Augmented<Source, text::TokenDrop>;
  std::set<std::string> last;
  for (std::uint32_t epoch = 0; epoch < 60; ++epoch) {
    const auto got = epoch_of(Fewer(source(file), {1}, text::TokenDrop(1)), epoch);
    REQUIRE(got.size() == 4);
    for (const std::size_t s : {0u, 1u, 2u}) CHECK(got[s] == plain[s]);
    REQUIRE(got[3].words.size() == 1);
    last.insert(got[3].words[0]);
  }
  CHECK(last == std::set<std::string>{"a", "b", "c", "d"});
  const File nothing(" \n\n");
  CHECK(epoch_of(Fewer(source(nothing), {1}, text::TokenDrop(1)), 0).empty());
}

TEST_CASE("the original comes before its variants; documents begin where they did") {
  const std::string one = "Ada B-PER\nis O\n\nhere O\ntoo O\n\n";
  const File file("-DOCSTART- O\n\n" + one + "-DOCSTART- O\n\n" + one +
                  "-DOCSTART- O\n\n."
                  " O\n\n" +
                  one);
  const auto block = [&](text::AugmentOptions options) {
    using Upper = batch::Augmented<Source, text::Recase>;
    batch::InTurn<Upper> stage(Upper(source(file), options, text::Recase(1, text::LetterCase::upper)));
    stage.start(0, {});
    Corpus c;
    REQUIRE(stage.next(c));
    return c;
  };
  const Corpus plain = text::read_conll(file.path()), beside = block({1, true}), instead = block({1, false});
  REQUIRE(plain.sentences() == 7);
  CHECK(plain.document == std::vector<std::uint32_t>{0, 2, 4});
  CHECK(instead.document == plain.document);
  CHECK(instead.sentences() == 7);
  CHECK(beside.document == std::vector<std::uint32_t>{0, 4, 8});
  CHECK(beside.met.variants == 6);
  CHECK(beside.met.docstarts == 3);
  CHECK(beside.met.lines == plain.met.lines);
  CHECK(beside.met.recased_words == 12);
  const auto a = sentences_of(plain), b = sentences_of(beside), c = sentences_of(instead);
  Sentences expected;
  for (std::size_t s = 0; s < a.size(); ++s) {
    expected.push_back(a[s]);
    if (a[s].words[0] != ".") expected.push_back(c[s]);
  }
  CHECK(b == expected);
  CHECK(c[0].words == std::vector<std::string>{"ADA", "IS"});
  CHECK(c[0].tags == std::vector<std::string>{"B-PER", "O"});
  CHECK(beside.where(beside.sentence[3]) == file.path() + ":6");
}

TEST_CASE("a corpus of several files still says the place of each word") {
  const auto of = [](const char* name, std::uint32_t sentences) {
    Corpus c;
    c.name = name;
    for (std::uint32_t s = 0; s < sentences; ++s) {
      c.push("some", "O", 2 * s + 1), c.push("Words", "B-X", 2 * s + 2), c.push("more", "O", 2 * s + 2);
      c.end_sentence();
    }
    return c;
  };
  for (const double rate : {0.3, 1.0})
    for (const bool keep : {false, true}) {
      Corpus all = of("a.conll", 5);
      all.append(of("b.conll", 1));
      all.append(of("c.conll", 6));
      const auto names = [](const Corpus& c) {
        std::vector<std::string> first;
        for (std::size_t s = 0; s < c.sentences(); ++s) first.push_back(c.where(c.sentence[s + 1] - 1));
        return first;
      };
      text::Augment<text::ReadAs<text::Bio>, text::TokenDrop> fewer({5, keep}, text::TokenDrop(rate));
      for (std::uint32_t epoch = 0; epoch < 8; ++epoch) {
        Corpus varied = all;
        fewer(varied, epoch);
        CHECK(varied.met.dropped_words > 0);
        auto expected = names(all), got = names(varied);
        if (keep) got.erase(std::unique(got.begin(), got.end()), got.end());
        CHECK(got == expected);
        CHECK(varied.document.size() == all.document.size());
        if (!keep) CHECK(varied.document == all.document);
        CHECK(varied.where(varied.document[2] ? varied.sentence[varied.document[2]] : 0).starts_with("c.conll:"));
      }
    }
}

TEST_CASE("words without tags get none; tags that break their scheme are read by the rule") {
  Corpus c;
  for (const char* word : {"Some", "Words"}) c.push(word, 1);
  c.end_sentence();
  c.push("Half", 2), c.push("Tagged", "B-PER", 2), c.push("Odd", "nonsense", 2);
  c.end_sentence();
  c.push("Ada", "I-PER", 3), c.push("Bob", "I-LOC", 3);
  c.end_sentence();
  c.problems.push_back({7, "a line that was left out"});
  Corpus d = c;
  text::Augment<text::ReadAs<text::Bio, text::repair::Conlleval>, text::Recase>({1}, text::Recase(1))(c, 0);
  CHECK(c.problems.size() == 1);
  CHECK(c.tag[0] == -1);
  CHECK(c.tag[1] == -1);
  CHECK(sentences_of(c)[0].words[1] == "words");
  CHECK(sentences_of(c)[1].tags == std::vector<std::string>{"O", "B-PER", "O"});
  CHECK(sentences_of(c)[2].tags == std::vector<std::string>{"B-PER", "B-LOC"});
  text::Augment<text::ReadAs<text::Bio, text::repair::Drop>, text::Recase>({1}, text::Recase(1))(d, 0);
  CHECK(sentences_of(d)[2].tags == std::vector<std::string>{"O", "O"});
}

TEST_CASE("a tag that occurs twice among those of a corpus, as after a stage that renames some") {
  Corpus c;
  for (const char* tag : {"B-PER", "B-LOC", "B-MISC", "B-ORG"}) {
    c.push("word", "O", 1), c.push("Word", tag, 1), c.push("word", "O", 1);
    c.end_sentence();
  }
  for (std::string& tag : c.tags) tag = tag == "B-MISC" ? "O" : tag == "B-PER" || tag == "B-LOC" ? "B-NAME" : tag;
  const Sentences before = sentences_of(c);
  text::Augment<text::ReadAs<text::Bio, text::repair::Conlleval>, text::TokenDrop> fewer({8}, text::TokenDrop(0.2));
  bool changed = false, same = false;
  for (std::uint32_t epoch = 0; epoch < 30; ++epoch) {
    Corpus d = c;
    fewer(d, epoch);
    const Sentences after = sentences_of(d);
    for (std::size_t s = 0; s < 4; ++s) {
      (after[s] == before[s] ? same : changed) = true;
      CHECK(entities_of(after[s]) == entities_of(before[s]));
    }
  }
  CHECK(changed);
  CHECK(same);
}

TEST_CASE("other cases, by simple mappings") {
  const auto in = [](std::string_view word, text::LetterCase to) {
    std::string s;
    text::append_in_case(word, to, s);
    return s;
  };
  using enum text::LetterCase;
  CHECK(in("McDonald's", lower) == "mcdonald's");
  CHECK(in("McDonald's", upper) == "MCDONALD'S");
  CHECK(in("mcDONALD's", title) == "Mcdonald's");
  CHECK(in("\"ada", title) == "\"Ada");
  CHECK(in("3rd", title) == "3Rd");
  CHECK(in("ÄÖÜ", lower) == "äöü");
  CHECK(in("straße", upper) == "STRAßE");
  CHECK(in("ЖЕНЯ", title) == "Женя");
  CHECK(in("ΟΔΟΣ", lower) == "οδοσ");  // no final sigma
  CHECK(in("東京", upper) == "東京");
  CHECK(in("", upper).empty());
  CHECK(in("A\xFF"
           "B\xC3",
           lower) ==
        "a\xFF"
        "b\xC3");
}

TEST_CASE_TEMPLATE("a scheme and a rule that are found when the program runs are those that types name", Scheme,
                   text::Bio, text::Bioes, text::Io, text::Iob1) {
  const File file(made<Scheme>(200));
  text::SchemeId scheme = text::SchemeId::bio;
  for (const text::SchemeId id : text::all_schemes)
    if (text::scheme_name(id) == Scheme::name) scheme = id;
  const auto from = [&] { return text::Conll<Scheme>({file.path()}); };
  const auto at_once = [&](auto stage) { return epoch_of(std::move(stage), 4); };
  const text::ReadBy found{scheme, "drop"};
  using ByTypes = batch::AugmentedBy<text::ReadAs<Scheme, text::repair::Drop>, text::Conll<Scheme>, text::EntitySwap,
                                     text::TokenDrop>;
  using Found = batch::AugmentedBy<text::ReadBy, text::Conll<Scheme>, text::EntitySwap, text::TokenDrop>;
  const auto by_types =
      at_once(ByTypes(from(), {1}, text::EntitySwap(batch::entities_of(from()), 0.5), text::TokenDrop(0.4)));
  CHECK(by_types == at_once(Found(from(), {1}, found, text::EntitySwap(batch::entities_of(from(), 50'000, found), 0.5),
                                  text::TokenDrop(0.4))));
  CHECK(by_types != epoch_of(from(), 0));
}

TEST_CASE("tags that were read in one block do not become those of another") {
  const File file("a B-X\n\nb B-Y\nC B-X\n\nD B-Z\ne I-Z\n\nF O\n\n");
  using Lower = batch::Augmented<Source, text::Recase>;
  const auto got = epoch_of(Lower(source(file, 1), {1}, text::Recase(1)), 0);
  CHECK(got[1].tags == std::vector<std::string>{"B-Y", "B-X"});
  CHECK(got[2].tags == std::vector<std::string>{"B-Z", "I-Z"});
  CHECK(got[3].words[0] == "f");
}

TEST_CASE("what is encoded is what was augmented") {
  using Words = batch::HashedWords<1, 500, 50, 50, 50>;
  using Encode = batch::Encode<Words, task::Tagging<text::Bioes>, All>;
  const File file(made(80));
  const text::Labels<text::Bioes> labels({"PER", "LOC"});
  batch::InTurn<Encode> stage(Encode({}, labels, all_of_them(file, 1 << 20)));
  stage.start(6, {});
  batch::EncodedBlock<Words> block;
  REQUIRE(stage.next(block));
  const auto expected = epoch_of(all_of_them(file, 1 << 20), 6);
  CHECK(block.met.variants > 40);
  CHECK(block.met.swapped_entities > 20);
  std::size_t row = 0, entities = 0;
  for (const Sentence& s : expected) {
    entities += entities_of(s).size();
    for (const std::string& word : s.words)
      CHECK(block.sentences.vocabulary[std::size_t(block.sentences.word[row++])] == Words::word(word));
  }
  CHECK(row == block.sentences.word.size());
  CHECK(block.gold.annotations == entities);
}

struct Renamed {
  void operator()(Corpus& corpus) const {
    for (std::string& tag : corpus.tags)
      if (tag.ends_with("work-of-art")) tag.replace(2, std::string::npos, "PER");
  }
};

TEST_CASE("a function on text keeps the source's scheme of tags") {
  using Words = batch::HashedWords<1, 500, 50, 50, 50>;
  using Encode = batch::Encode<Words, task::Tagging<text::Bioes>, batch::Mapped<Renamed, Source>>;
  const File file(made(80));
  batch::InTurn<Encode> stage(Encode({}, text::Labels<text::Bioes>({"PER", "LOC"}), {Renamed{}, source(file)}));
  stage.start(0, {});
  batch::EncodedBlock<Words> block;
  REQUIRE(stage.next(block));
  CHECK(block.gold.annotations > 50);
  CHECK(block.gold.unseen == 0);
}

/// A user's own: it says each word twice, and the entity that it makes may be wrong.
struct Echo {
  static constexpr std::uint32_t kind = 1;
  std::uint32_t last = 2;
  bool empty = false;
  bool operator()(text::Draft& sentence, Random&) const {
    const std::uint32_t n = static_cast<std::uint32_t>(sentence.words.size());
    if (empty) sentence.words.clear(), sentence.entities.clear();
    if (empty) return true;
    for (std::uint32_t i = 0; i < n; ++i) sentence.words.insert(sentence.words.begin() + 2 * i, sentence.words[2 * i]);
    sentence.entities.assign(1, {0, last, sentence.types.add("TWICE")});
    return true;
  }
};

struct Shout {  // every third sentence
  static constexpr std::uint32_t kind = 0x73686F75;
  bool operator()(text::Draft& sentence, Random& random) const {
    if (random.below(3) > 0) return false;
    sentence.words.push_back({"!", sentence.words.back().line});
    return true;
  }
};

TEST_CASE("an augmenter of one's own, as docs/data-pipeline.md has it") {
  const File file(made(900));
  const Sentences plain = epoch_of(source(file), 0);
  using Loud = batch::Augmented<Source, Shout>;
  const Sentences got = epoch_of(Loud(source(file), {.seed = 1}, Shout{}), 0);
  std::size_t loud = 0;
  for (std::size_t s = 0; s < got.size(); ++s) {
    if (got[s] == plain[s]) continue;
    ++loud;
    CHECK(got[s].words.back() == "!");
    CHECK(got[s].tags.back() == "O");
    CHECK(got[s].words.size() == plain[s].words.size() + 1);
  }
  CHECK(std::abs(double(loud) - 300) < 5 * std::sqrt(200));
}

TEST_CASE("an augmenter of one's own; what it may not do") {
  const File file("Ada B-PER\nhere O\n\n");
  using Mine = batch::Augmented<Source, Echo>;
  const auto got = epoch_of(Mine(source(file), {1}, Echo{}), 0);
  CHECK(got[0].words == std::vector<std::string>{"Ada", "Ada", "here", "here"});
  CHECK(got[0].tags == std::vector<std::string>{"B-TWICE", "I-TWICE", "O", "O"});
  text::Met met;
  CHECK(epoch_of(Mine(source(file), {1}, Echo{2, true}), 0, &met) == epoch_of(source(file), 0));
  CHECK(met.variants == 0);
  CHECK_THROWS_WITH(
      epoch_of(Mine(source(file), {1}, Echo{5}), 0),
      "entrain.text.22: entity [0, 5) after [0, 0) in a sentence of 4 tokens, expected entities from left "
      "to right, inside the sentence, without overlap");
}

/// Two entities that IO would make one.
struct Touch {
  static constexpr std::uint32_t kind = 2;
  bool operator()(text::Draft& sentence, Random&) const {
    sentence.words.erase(sentence.words.begin() + 1);
    --sentence.entities[1].begin, --sentence.entities[1].end;
    return true;
  }
};

TEST_CASE("a variant that the scheme cannot write is none") {
  const File file("Ada I-PER\nand O\nBob I-PER\n\n");
  const auto from = [&] { return text::Conll<text::Io>({file.path()}); };
  using Mine = batch::Augmented<text::Conll<text::Io>, Touch>;
  CHECK(epoch_of(Mine(from(), {1}, Touch{}), 0) == epoch_of(from(), 0));
  using Fewer = batch::Augmented<text::Conll<text::Io>, text::TokenDrop>;
  CHECK(epoch_of(Fewer(from(), {1}, text::TokenDrop(1)), 0) == epoch_of(from(), 0));
  const File more("Ada I-PER\nand O\nthen O\nBob I-PER\nleft O\nRome I-LOC\n\n");
  const auto left = epoch_of(Fewer(text::Conll<text::Io>({more.path()}), {1}, text::TokenDrop(1)), 0);
  CHECK(left[0].words == std::vector<std::string>{"Ada", "then", "Bob", "Rome"});
}

TEST_CASE("a rate that is no probability") {
  CHECK_THROWS_WITH(text::TokenDrop(1.5), "entrain.text.70: TokenDrop: a probability of 1.500000, expected 0 to 1");
  CHECK_THROWS_WITH(text::Recase(-0.1), "entrain.text.70: Recase: a probability of -0.100000, expected 0 to 1");
  CHECK_THROWS_WITH(text::EntitySwap(nullptr, std::nan("")), doctest::Contains("entrain.text.70: EntitySwap: a prob"));
}

}  // namespace
}  // namespace augment_test
