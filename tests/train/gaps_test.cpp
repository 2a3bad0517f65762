// tests > [train]
//
// Words that have no piece take no part in training, and the tags of the others are as if they were not there.
#include "entrain/batch/encode/gaps.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "entrain/batch/encode/encode.hpp"
#include "entrain/batch/encode/joined.hpp"
#include "entrain/task/tagging.hpp"
#include "entrain/text/conll/conll.hpp"
#include "entrain/train/data/features.hpp"
#include "entrain/train/data/targets.hpp"
#include "entrain/train/loop/decode.hpp"
#include "entrain/train/loop/predict_shifted.hpp"
#include "entrain/train/loop/trainer.hpp"
#include "tests/train/tiny_bert.hpp"

namespace gaps_test {
using namespace entrain;
using namespace test;
using Features = Bert::Features;
using Trainer = train::Trainer<Bert, precision::Fp64, device::Cpu<>, optim::AdamW>;

namespace {

struct Corpora {
  train::Tagged with, without;
  std::vector<bool> there;  // of each word of `with`, whether it is in `without`
};

/// The golden sentences, and the same with words that have no piece: between others, inside of entities, and as the
/// first word of one.
const Corpora& corpora() {
  static const Corpora made = [] {
    const text::Corpus golden = text::read_conll(golden_bert + "/sentences.conll");
    const std::vector<std::string> nothing{"\u200b", "\ufe0f", "\u00ad", "\u0301"};
    text::Corpus with, without;
    Corpora c;
    std::size_t n = 0;
    for (std::size_t s = 0; s < golden.sentences(); ++s) {
      for (std::size_t i = golden.sentence[s]; i < golden.sentence[s + 1]; ++i) {
        std::string tag(golden.tag_name(i));
        without.push(golden.token(i), tag, 1);
        if (n++ % 3 == 0) {
          std::string of_gap = "O";
          if (tag.starts_with("I-")) of_gap = tag;
          if (tag.starts_with("B-")) of_gap = tag, tag[0] = 'I';  // the entity begins with a word that is not read
          with.push(nothing[n % nothing.size()], of_gap, 1);
          c.there.push_back(false);
        }
        with.push(golden.token(i), tag, 1);
        c.there.push_back(true);
      }
      with.push("\u200b", "O", 1);
      c.there.push_back(false);
      with.end_sentence();
      without.end_sentence();
    }
    c.with = train::tagged(std::move(with), {.scheme = "iob2"});
    c.without = train::tagged(std::move(without), {.scheme = "iob2"});
    return c;
  }();
  return made;
}

using Labels = text::Labels<text::Bio>;
Labels labels() { return Labels(corpora().without.types.names()); }

batch::Encoded<Features> encoded(const train::Tagged& split) {
  auto e = batch::encode<Features>(split.corpus, train::open_features<Features>(golden_bert));
  train::set_targets(e, split, labels(), "conlleval");
  return e;
}
template <class Column> auto list(const Column& c) { return std::vector(c.begin(), c.end()); }

/// A source of one corpus.
struct Once {
  using Tags = text::Bio;
  using Item = text::Corpus;
  using Cursor = int;
  int at = 0;
  void start(std::uint32_t, int cursor) { at = cursor; }
  int cursor() const { return at; }
  bool next(Item& corpus) {
    if (at++ > 0) return false;
    corpus = corpora().with.corpus;
    return true;
  }
};

}  // namespace

TEST_CASE("gaps: targets, rows and sentences are those of the corpus without such words, on every way") {
  const auto with = encoded(corpora().with), without = encoded(corpora().without);
  CHECK(with.unread.pieceless >= 10);
  CHECK(with.unread.pieceless + without.size() == corpora().with.corpus.size());
  CHECK(list(with.target) == list(without.target));
  CHECK(list(with.rows) == list(without.rows));
  CHECK(list(with.sentence) == list(without.sentence));

  // tags of all words, as a program has them that knows no features
  std::vector<text::Tag> all(corpora().with.corpus.size());
  const text::Corpus& corpus = corpora().with.corpus;
  for (std::size_t s = 0; s < corpus.sentences(); ++s)
    train::entities(corpora().with, s, "conlleval",
                    text::Encoder<text::Bio>(std::span(all).subspan(corpus.sentence[s], corpus.length(s))));
  auto taken = batch::encode<Features>(corpus, train::open_features<Features>(golden_bert));
  train::take_targets<text::Bio>(taken, corpus, all);
  CHECK(list(taken.target) == list(without.target));

  // and the stage that files are streamed through
  using Stage = batch::Encode<Features, task::Tagging<text::Bio>, Once>;
  Stage stage(train::open_features<Features>(golden_bert), labels(), Once{});
  stage.start(0, {});
  typename Stage::Raw raw;
  typename Stage::Item item;
  auto work = stage.work();
  REQUIRE(stage.read(raw));
  work(raw, item);
  CHECK(list(item.sentences.target) == list(without.target));
  CHECK(list(item.sentences.sentence) == list(without.sentence));
  CHECK(item.sentences.unread.pieceless == with.unread.pieceless);
}

TEST_CASE("gaps: a training with them has the bits of one without them, and the other words have the same tags") {
  std::vector<float> weights;  // of labels; none at first
  const auto train_on = [&](const train::Tagged& split) {
    const auto e = encoded(split);
    const device::Cpu<> dev(1);
    Trainer trainer(dev, labels(), 400, 7);
    trainer.shape_loss(0, 0, weights);
    batch::Packer<Features> packer(400);
    std::vector<std::uint32_t> all(e.sentences());
    for (std::uint32_t s = 0; s < e.sentences(); ++s) all[s] = s;
    std::vector<double> losses;
    double weight = 0;
    for (int step = 0; step < 8; ++step) {
      const auto& batch = packer.pack(e, all, labels().count(), {}, weights);
      weight = batch.target_weight;
      trainer.accumulate(batch, 0);
      trainer.update({}, 1e-2, 1);
      losses.push_back(trainer.result().loss);
    }
    std::vector<text::Tag> tags;
    train::predict_all(trainer, e, packer, [&](std::size_t s, std::span<const text::Tag> of) {
      CHECK(of.size() == split.corpus.length(s));
      tags.insert(tags.end(), of.begin(), of.end());
    });
    std::vector<text::Tag> unshifted;  // the same by the way that calibration goes
    const std::vector<double> of_label(static_cast<std::size_t>(labels().count()), 1), none{0};
    train::predict_shifted(trainer, e, packer, {of_label, none},
                           [&](std::size_t, std::size_t, std::span<const text::Tag> of) {
                             unshifted.insert(unshifted.end(), of.begin(), of.end());
                           });
    CHECK(unshifted == tags);
    return std::tuple(losses, tags, weight);
  };
  const auto [losses, tags, weight] = train_on(corpora().with);
  const auto [losses_without, tags_without, weight_without] = train_on(corpora().without);
  CHECK(losses == losses_without);
  CHECK(weight == weight_without);
  CHECK(losses.back() < losses.front());
  REQUIRE(tags.size() == corpora().there.size());
  std::vector<text::Tag> of_others;
  std::size_t entities = 0;
  for (std::size_t i = 0; i < tags.size(); ++i)
    if (corpora().there[i]) of_others.push_back(tags[i]), entities += tags[i] > 0;
  CHECK(of_others == tags_without);
  CHECK(entities > 0);

  // a weight for each class: those words have none, and the loss is that of the others
  weights.assign(static_cast<std::size_t>(labels().count()), 0.5f);
  weights[0] = 7;  // of O, the tag of most words without pieces
  const auto [weighted, weighted_tags, sum] = train_on(corpora().with);
  const auto [weighted_without, others, sum_without] = train_on(corpora().without);
  CHECK(weighted == weighted_without);
  CHECK(weighted != losses);
  CHECK(sum == sum_without);
  double expected = 0;
  for (const std::int32_t target : encoded(corpora().without).target)
    if (target >= 0) expected += weights[static_cast<std::size_t>(target)];
  CHECK(sum == expected);
}

TEST_CASE("gaps: the first such word of a corpus and of joined blocks is known by its line") {
  const auto of = [](const std::string& name, std::uint32_t line, const std::vector<std::string>& words) {
    text::Corpus corpus;
    corpus.name = name;
    for (const std::string& word : words) corpus.push(word, "O", line++);
    corpus.end_sentence();
    return batch::encode<Features>(corpus, train::open_features<Features>(golden_bert));
  };
  const auto none = of("a", 1, {"Ada", "met"}), some = of("b", 5, {"Ada", "\u200b", "[CLS]"}),
             alone = of("c", 9, {"\u200b"});
  CHECK(none.unread.first_pieceless.line == 0);
  CHECK(some.unread.first_pieceless.file == "b");
  CHECK(some.unread.first_pieceless.line == 6);
  CHECK(some.unread.first_pieceless.word == "\u200b");
  CHECK(alone.unread.first_pieceless.line == 9);  // its word replaces a sentence without words
  batch::Encoded<Features> all;
  batch::Joined<Features> join(all);
  for (const auto* part : {&none, &some, &alone}) join(*part);
  CHECK(all.unread.first_pieceless.file == "b");
  CHECK(all.unread.first_pieceless.line == 6);
  all.clear();
  CHECK(all.unread.first_pieceless.line == 0);
}

TEST_CASE("gaps: the first word of which only the first pieces are read is known by its line") {
  std::string many;  // pieces
  for (int i = 0; i < 200; ++i) many += "a,";
  const std::string none = "\u200b", more = many + "b";
  const Features features = train::open_features<Features>(golden_bert);
  text::Corpus whole, cut;
  whole.name = "a";
  for (const char* word : {"Ada", "met"}) whole.push(word, "O", 1);
  whole.end_sentence();
  cut.name = "b";
  std::uint32_t line = 3;
  for (const std::string& word : {none, std::string("Ada"), none}) cut.push(word, "O", line++);
  cut.end_sentence();
  for (const std::string& word : {std::string("Ada"), none, more, many, more}) cut.push(word, "O", line++);
  cut.end_sentence();

  batch::Reader<Features> read(features.reader());
  batch::Encoded<Features> e;
  const auto check = [](const batch::Encoded<Features>& of, const char* file, std::uint32_t at, std::size_t words) {
    CHECK(of.unread.cut == words);
    CHECK(of.unread.first_cut.file == file);
    CHECK(of.unread.first_cut.line == at);
  };
  batch::encode(cut, features, read, e);
  check(e, "b", 8, 2);
  CHECK(e.unread.first_cut.word == more);
  CHECK(e.unread.first_pieceless.line == 3);
  CHECK(e.unread.pieceless == 3);
  batch::encode(whole, features, read, e);  // in the same memory, with words that are known
  check(e, "", 0, 0);
  CHECK(e.unread.first_cut.word.empty());

  // of another text, in which a word that the reader knows already is the first
  text::Corpus other;
  other.name = "c";
  for (const std::string& word : {std::string("met"), many, more}) other.push(word, "O", 2);
  other.end_sentence();
  batch::encode(other, features, read, e);
  check(e, "c", 2, 2);
  CHECK(e.unread.first_cut.word == many);

  // of a corpus of several files, and of joined blocks
  text::Corpus files = whole;
  files.append(cut);
  check(batch::encode(files, features), "b", 8, 2);
  const auto first = batch::encode(whole, features), second = batch::encode(cut, features);
  batch::Encoded<Features> all;
  batch::Joined<Features> join(all);
  for (const auto* part : {&first, &second, &std::as_const(e)}) join(*part);
  check(all, "b", 8, 4);
  CHECK(all.unread.first_cut.line == 8);
  all.clear();
  check(all, "", 0, 0);
}

}  // namespace gaps_test
