// tests > [predict]
//
// A pretrained encoder through the whole walk: trained on, saved with its tokenizer, read back, asked about raw text.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "entrain/kernel/gemm/panels.hpp"
#include "entrain/predict.hpp"
#include "entrain/text/conll/conll.hpp"
#include "entrain/train/data/features.hpp"
#include "entrain/train/data/targets.hpp"
#include "entrain/train/folder/pretrained.hpp"
#include "entrain/train/folder/save.hpp"
#include "entrain/train/loop/fit.hpp"
#include "tests/scratch.hpp"
#include "tests/train/tiny_bert.hpp"

namespace bert_test {
using namespace entrain;
using test::Bert;
using Features = Bert::Features;
using Trainer = train::Trainer<Bert, precision::Fp64, device::Cpu<>, optim::AdamW>;

namespace {
/// Trained on the golden sentences and on one of a hundred words, longer than a window, until it knows them.
struct Trained {
  test::Scratch scratch;
  std::string model = scratch / "m";
  train::Tagged split = [] {
    text::Corpus corpus = text::read_conll(test::golden_bert + "/sentences.conll");
    for (int i = 0; i < 100; ++i)
      corpus.push(i % 7 == 3 ? "ab" : i % 7 == 4 ? "h" : "c", i % 7 == 3 ? "B-LOC" : "O", 99);
    corpus.end_sentence();
    return train::tagged(std::move(corpus), {});
  }();
  train::Outcome outcome;
  std::vector<text::Tag> tags;

  Trained() {
    const device::Cpu<> dev(2);
    const Trainer::Labels labels(split.types.names());
    auto e = batch::encode<Features>(split.corpus, train::open_features<Features>(test::golden_bert));
    train::set_targets(e, split, labels, "conlleval");
    const int rows = std::max(64, e.longest());
    Trainer trainer(dev, labels, rows, 1);
    CHECK(train::start_from_pretrained(trainer, test::golden_bert).size() == 2);
    batch::Packer<Features> packer(rows);
    train::Options options;
    options.epochs = 60;
    options.token_budget = 64;
    options.learning_rate = 0.01;
    options.dropout = 0.05;
    options.word_dropout = 0;
    outcome = train::fit(
        trainer, e, options, [](const train::StepReport&) {}, [] { return -1.0; }, [](std::uint32_t, double, bool) {});
    checkpoint::Config about;
    about.splitter = "whitespace";
    about.sentence_splitter = "whole-text";
    train::save(trainer, model, about, train::source_files_of<Features>(test::golden_bert));
    train::predict_all(trainer, e, packer,
                       [&](std::size_t, std::span<const text::Tag> t) { tags.insert(tags.end(), t.begin(), t.end()); });
  }
};
const Trained& trained() {
  static const Trained it;
  return it;
}
}  // namespace

TEST_CASE("bert: it learns, through windows too, and gives every word a tag") {
  const Trained& t = trained();
  REQUIRE(t.tags.size() == t.split.corpus.size());
  const text::Labels<text::Bio> labels(t.split.types.names());
  std::size_t right = 0;
  for (std::size_t i = 0; i < t.tags.size(); ++i)
    right += labels.name(t.tags[i]) == t.split.corpus.tags[static_cast<std::size_t>(t.split.corpus.tag[i])];
  CHECK(right >= t.tags.size() - 4);
  CHECK(t.outcome.tokens == 60 * t.split.corpus.size());
}

TEST_CASE("bert: read back with its tokenizer, it tags as what was trained; text gives entities") {
  const Trained& t = trained();
  CHECK(std::filesystem::exists(t.model + "/vocab.txt"));
  const predict::Tagger<Bert, precision::Fp64> tagger(t.model);
  std::vector<text::Tag> tags;
  tagger.tags(t.split.corpus,
              [&](std::size_t, std::span<const text::Tag> s) { tags.insert(tags.end(), s.begin(), s.end()); });
  CHECK(tags == t.tags);
  const predict::Tagger<Bert, precision::Fp64, device::Cpu<kernel::PanelGemm>> arranged(t.model);
  tags.clear();
  arranged.tags(t.split.corpus,
                [&](std::size_t, std::span<const text::Tag> s) { tags.insert(tags.end(), s.begin(), s.end()); });
  CHECK(tags == t.tags);
  const std::string text = "c c c ab h c c c c c ab h c c";
  const auto found = tagger.entities(text);
  REQUIRE(found.size() == 2);
  CHECK(found[0].in(text) == "ab");
  CHECK(found[0].type == "LOC");
  CHECK(found[1].begin == 21);
  CHECK(found[1].begin_word == 10);
}

TEST_CASE("bert: a text of many windows gives each entity its place, whatever else is in its batch") {
  const predict::Tagger<Bert, precision::Fp64> tagger(trained().model);
  std::string text;
  for (int i = 0; i < 100; ++i) text += i % 7 == 3 ? "ab " : i % 7 == 4 ? "h " : "c ";  // as the longest it learned
  const auto found = tagger.entities(text);
  CHECK(found.size() >= 10);
  for (const auto& e : found) {
    CHECK(e.in(text) == "ab");
    CHECK(e.begin_word % 7 == 3);
  }
  const std::string accented = "\xC3\xA9\xF0\x9F\x98\x80 c c ab h";  // letters that the tokenizer does not have
  const std::vector<std::string_view> texts{accented, text, "", "\xFF\xC3 ab h", text};
  std::vector<std::vector<predict::Entity>> together(texts.size());
  tagger.entities(texts, together);
  for (std::size_t t = 0; t < texts.size(); ++t) {
    const auto alone = tagger.entities(texts[t]);
    REQUIRE(together[t].size() == alone.size());
    for (std::size_t i = 0; i < alone.size(); ++i) CHECK(together[t][i].begin_cp == alone[i].begin_cp);
  }
}

TEST_CASE("bert: a text of many windows is read window by window, in the memory of one") {
  using Tagger = predict::Tagger<Bert, precision::Fp64>;
  const Tagger parts(trained().model, {.batch_tokens = 1}), whole(trained().model, {.batch_tokens = 100'000});
  std::string text;
  for (int i = 0; i < 700; ++i) text += i % 7 == 3 ? "ab " : i % 5 == 4 ? "h " : i % 11 == 0 ? "xyz " : "c ";
  const auto found = whole.entities(text);
  CHECK(found.size() > 20);
  CHECK(parts.entities(text) == found);

  // and so with words that have no piece
  text::Corpus corpus;
  for (int i = 0; i < 700; ++i) {
    corpus.push(i % 7 == 3 ? "ab" : i % 5 == 4 ? "h" : "c", 0);
    if (i % 9 == 0) corpus.push("\u200b", 0);
  }
  corpus.end_sentence();
  std::vector<text::Tag> in_parts, at_once;
  parts.tags(corpus, [&](std::size_t, std::span<const text::Tag> s) { in_parts.assign(s.begin(), s.end()); });
  whole.tags(corpus, [&](std::size_t, std::span<const text::Tag> s) { at_once.assign(s.begin(), s.end()); });
  CHECK(in_parts.size() == corpus.size());
  CHECK(in_parts == at_once);
}

TEST_CASE("bert: words without pieces change no other word's tag, and have one of their own") {
  const Trained& t = trained();
  const predict::Tagger<Bert, precision::Fp64> tagger(t.model);
  batch::FirstUnread first, cut;
  const auto tagged = [&](const std::vector<std::string>& words) {
    text::Corpus corpus;
    corpus.name = "a.conll";
    for (const std::string& word : words) corpus.push(word, 1 + static_cast<std::uint32_t>(corpus.size()));
    corpus.end_sentence();
    std::vector<text::Tag> tags;
    const batch::Unread unread =
        tagger.tags(corpus, [&](std::size_t, std::span<const text::Tag> s) { tags.assign(s.begin(), s.end()); });
    CHECK(tags.size() == words.size());
    first = unread.first_pieceless;
    cut = unread.first_cut;
    return std::pair(tags, unread.pieceless);
  };
  const std::string none = "\u200b", sign = "\ufe0f";
  const auto plain = tagged({"c", "c", "c", "ab", "h", "c", "c"}).first;
  CHECK(first.line == 0);
  const text::Tag place = plain[3];
  REQUIRE(place > 0);
  const auto [tags, pieceless] = tagged({none, "c", "c", sign, "c", none, "ab", none, "h", "c", sign, "c", none});
  CHECK(pieceless == 6);
  const std::vector<text::Tag> others{tags[1], tags[2], tags[4], tags[6], tags[8], tags[9], tags[11]};
  CHECK(others == plain);
  for (const std::size_t gap : {0u, 3u, 5u, 7u, 10u, 12u}) CHECK(tags[gap] == 0);
  CHECK(first.line == 1);
  tagged({"c", sign, none});
  CHECK(first.file == "a.conll");
  CHECK(first.word == sign);
  CHECK(first.line == 2);
  CHECK(tagged({none}).first == std::vector<text::Tag>{0});
  CHECK(tagged({none, sign, none}).first == std::vector<text::Tag>{0, 0, 0});
  CHECK(tagged({"c"}).second == 0);
  CHECK(cut.line == 0);
  std::string many;
  for (int i = 0; i < 200; ++i) many += "c,";  // more pieces than positions
  tagged({none, "c", many, many + "ab"});
  CHECK(cut.file == "a.conll");
  CHECK(cut.word == many);
  CHECK(cut.line == 3);
  CHECK(first.line == 1);

  // sentences of such words alone, among others: each sentence has its own tags
  const std::vector<std::string_view> alone{"\u200b"}, with{"c", "c", "c", "ab", "h"}, nothing{};
  const std::vector<std::span<const std::string_view>> sentences{alone, with, nothing, alone, with};
  std::vector<std::vector<predict::Entity>> found(sentences.size());
  tagger.entities(sentences, found);
  CHECK(found[0].empty());
  CHECK(found[3].empty());
  std::vector<std::vector<predict::Entity>> expected(1);
  tagger.entities(std::span(sentences).subspan(1, 1), expected);
  CHECK(!expected[0].empty());
  CHECK(found[1] == expected[0]);
  CHECK(found[4] == expected[0]);
}

TEST_CASE("bert: a model without its tokenizer, and weights that are not the composition's") {
  const test::Scratch scratch;
  std::filesystem::copy(trained().model, scratch / "m");
  std::filesystem::remove(scratch / "m/vocab.txt");
  CHECK_THROWS_WITH_AS((predict::Tagger<Bert, precision::Fp64>(scratch / "m")),
                       doctest::Contains("vocab.txt: cannot open: No such file or directory; config.json lists it"),
                       Error);
  CHECK_THROWS_WITH_AS((predict::Tagger<Bert, precision::Fp64>(scratch / "none")),
                       doctest::Contains("entrain.checkpoint.40"), Error);
  using Wider = model::Tagger<embed::Bert<embed::EmbeddingConfig{.vocabulary = 22, .positions = 40, .width = 16}>,
                              layer::Stack<2, encode::PostNormBlock<test::tiny_width>>,
                              head::WithDropout<head::Softmax<16, text::Bio>>>;
  using Shallow = model::Tagger<embed::Bert<embed::EmbeddingConfig{.vocabulary = 21, .positions = 40, .width = 16}>,
                                layer::Stack<1, encode::PostNormBlock<test::tiny_width>>,
                                head::WithDropout<head::Softmax<16, text::Bio>>>;
  std::vector<double> values(50000);
  const auto read = [&](const Layout& layout, checkpoint::Dtype dtype) {
    train::read_pretrained(test::golden_bert, layout, family::of<family::Bert>, dtype,
                           reinterpret_cast<std::byte*>(values.data()));
  };
  CHECK_THROWS_WITH_AS(read(layout_of<Wider>(3), checkpoint::Dtype::f64),
                       doctest::Contains("bert.embeddings.word_embeddings.weight"), Error);
  CHECK_THROWS_WITH_AS(read(layout_of<Shallow>(3), checkpoint::Dtype::f64), doctest::Contains("entrain.train.20"),
                       Error);
}

TEST_CASE(
    "bert: a folder whose save was stopped after files were put aside tags as before; another tokenizer is refused") {
  const Trained& t = trained();
  const test::Scratch scratch;
  std::filesystem::copy(t.model, scratch / "m");
  const auto tags = [&] {
    const predict::Tagger<Bert, precision::Fp64> tagger(scratch / "m");
    std::vector<text::Tag> found;
    tagger.tags(t.split.corpus,
                [&](std::size_t, std::span<const text::Tag> s) { found.insert(found.end(), s.begin(), s.end()); });
    CHECK(tagger.notes().size() == 2);
    return found;
  };
  for (const char* name : {"m/model.safetensors", "m/vocab.txt"})
    std::filesystem::rename(scratch / name, scratch / (std::string(name) + ".prev"));
  CHECK(tags() == t.tags);
  std::string vocabulary = test::get(scratch / "m/vocab.txt.prev");  // that of the model which was being saved
  std::swap(vocabulary[vocabulary.size() - 2], vocabulary[vocabulary.size() - 4]);
  test::put(scratch / "m/vocab.txt", vocabulary);
  CHECK(tags() == t.tags);
  std::filesystem::remove(scratch / "m/vocab.txt.prev");
  CHECK_THROWS_WITH_AS((predict::Tagger<Bert, precision::Fp64>(scratch / "m")),
                       doctest::Contains("vocab.txt: this is not the file that config.json names"), Error);
}

}  // namespace bert_test
