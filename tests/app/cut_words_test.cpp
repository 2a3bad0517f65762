// tests > [app]: words longer than an encoder's windows are told of, not left out in silence.
#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "entrain/app/console/console.hpp"
#include "entrain/app/input/splits.hpp"
#include "entrain/app/predict/answer.hpp"

namespace cut_words_test {
using namespace entrain;

namespace {
/// What `call` says on standard error.
template <class Call> std::string heard(Call&& call) {
  std::FILE* const into = std::tmpfile();
  REQUIRE(into != nullptr);
  const int kept = ::dup(STDERR_FILENO);
  std::fflush(stderr);
  ::dup2(::fileno(into), STDERR_FILENO);
  call();
  std::fflush(stderr);
  ::dup2(kept, STDERR_FILENO);
  ::close(kept);
  std::string said(4096, '\0');
  std::rewind(into);
  said.resize(std::fread(said.data(), 1, said.size(), into));
  std::fclose(into);
  return said;
}
/// Of a file with sentences of two and of three words.
std::string warning(const batch::Unread& unread, std::vector<std::int32_t> rows = {}, bool quiet = false) {
  train::Tagged split;
  split.corpus.name = "train.conll";
  for (const std::uint32_t line : {1u, 2u, 4u, 5u, 6u}) {
    if (line == 4) split.corpus.end_sentence();
    split.corpus.push("word", line);
  }
  split.corpus.end_sentence();
  return heard([&] {
    app::Console console(quiet);
    app::warn_of_sizes(split, rows, unread, 8, "pieces", console);
  });
}
}  // namespace

TEST_CASE("words of which an encoder reads the first pieces alone: how many, in which file, and that all count") {
  const std::string rest =
      " more pieces than the encoder reads at once: only the first are read; tags and scores count every word\n";
  CHECK(warning({}).empty());
  CHECK(warning({1, 0}) == "warning: train.conll: 1 distinct word has" + rest);
  CHECK(warning({1234, 0}) == "warning: train.conll: 1,234 distinct words have" + rest);
  CHECK(warning({3, 0}, {}, true).empty());

  // where its place is known, with the first of them; a long word is shortened
  const batch::FirstUnread cut{"b.conll", std::string(300, 'x'), 5}, none{"a.conll", "\u200b", 2};
  const std::string first = "warning: b.conll:5: '" + std::string(40, 'x') + "...': 2 distinct words have" + rest;
  CHECK(warning({2, 0, cut}) == first);
  CHECK(warning({2, 1, cut, none}) ==
        first +
            "warning: a.conll:2: '<U+200B>': 1 word has no piece, as the tokenizer drops all of their characters: "
            "the encoder does not read them; each is O, or part of the entity around it\n");
  CHECK(warning({0, 0, cut, none}).empty());
  CHECK(heard([&] {
          app::Console console(false);
          app::warn_of_longest("b.conll", 8, {2, 0, cut}, 8, "pieces", console);
        }) == first);
}

TEST_CASE("a later text adds to words that are not read as a whole, and gives a place only where there was none") {
  const batch::FirstUnread cut{"a", "long", 3}, other{"b", "longer", 1}, none{"b", "\u200b", 2};
  batch::Unread unread;
  unread += {1, 0};  // its place is not known
  CHECK(unread.first_cut.line == 0);
  unread += {2, 0, cut};
  unread += {1, 4, other, none};
  CHECK(unread.cut == 4);
  CHECK(unread.pieceless == 4);
  CHECK(unread.first_cut.file == "a");
  CHECK(unread.first_cut.word == "long");
  CHECK(unread.first_cut.line == 3);
  CHECK(unread.first_pieceless.line == 2);
}

TEST_CASE("sentences longer than a batch, by what the encoder counts") {
  CHECK(warning({}, {8, 7}).empty());
  CHECK(warning({}, {8, 9}) ==
        "warning: train.conll:4: a sentence of 9 pieces; it is longer than a batch of 8 and fills a batch by itself\n");
  CHECK(warning({}, {1234, 9}) ==
        "warning: train.conll:1: a sentence of 1,234 pieces; 2 sentences are longer than a batch of 8 and fill one "
        "batch each\n");
}

namespace {
using TagAll = decltype(app::PredictBackend::tag_all);
/// What `predict` says of a file of texts, for a model that tags so.
std::string of_prediction(const std::string& text, TagAll tag_all, const std::string& ending = ".txt") {
  const std::string path = "/tmp/entrain-cut-" + std::to_string(::getpid()) + ending;
  std::FILE* const file = std::fopen(path.c_str(), "w");
  REQUIRE(file != nullptr);
  std::fputs(text.c_str(), file);
  std::fclose(file);
  app::PredictBackend model{predict::Splitting("", "", "a test"), {"PER"}, text::SchemeId::bio, {}, false, nullptr, {}};
  model.tag_all = tag_all;
  app::Settings settings;
  settings.inputs = {path};
  settings.destination = "/dev/null";
  std::string said = heard([&] { CHECK(app::answer(model, settings) == 0); });
  std::remove(path.c_str());
  for (std::size_t at; (at = said.find(path)) != std::string::npos;) said.replace(at, path.size(), "a" + ending);
  return said;
}
/// Of a model that reads only the first pieces of n words.
template <std::size_t Cut> std::string of_cut(const std::string& text) {
  return of_prediction(text, [](const void*, const text::Corpus& corpus, std::vector<text::Tag>& tags) {
    tags.assign(corpus.size(), text::Tag{});
    return batch::Unread{Cut, 0};
  });
}
/// Of a model whose tokenizer makes no piece of `none`, and of `many` more than it reads.
std::string of_unread(const std::string& text, const std::string& ending = ".txt") {
  return of_prediction(
      text,
      [](const void*, const text::Corpus& corpus, std::vector<text::Tag>& tags) {
        tags.assign(corpus.size(), text::Tag{});
        batch::Unread unread;
        for (std::size_t i = 0; i < corpus.size(); ++i) {
          const batch::FirstUnread here{corpus.file_of(i), std::string(corpus.token(i)), corpus.line[i]};
          if (here.word == "none" && unread.pieceless++ == 0) unread.first_pieceless = here;
          if (here.word == "many" && unread.cut++ == 0) unread.first_cut = here;
        }
        return unread;
      },
      ending);
}
}  // namespace

TEST_CASE("predict tells of words that the encoder does not read to their end, once a file") {
  CHECK(of_cut<0>("one\ntwo\n").empty());
  CHECK(of_cut<2>("one\ntwo\n") ==
        "warning: a.txt: some words have more pieces than the encoder reads at once: only the first are read\n");
  const std::string rest = ": some words have more pieces than the encoder reads at once: only the first are read\n";
  CHECK(of_unread("one\nnone many\n\nmany\n").starts_with("warning: a.txt:2: 'many'" + rest));
  std::string long_file;  // of several chunks
  for (int i = 0; i < 60'000; ++i) long_file += i == 41'000 || i > 59'997 ? "a many b\n" : "one two three\n";
  CHECK(of_unread(long_file) == "warning: a.txt:41001: 'many'" + rest);
  const std::string said = of_unread("one\tO\ntwo\tO\n\none\tO\nnone\tO\nmany\tO\n\n", ".conll");
  CAPTURE(said);  // of columns, the word's own line
  CHECK(said.find("warning: a.conll:6: 'many'" + rest) != std::string::npos);
  CHECK(said.find("warning: a.conll:5: 'none': 1 word has no piece") != std::string::npos);
}

TEST_CASE("predict tells of words without pieces, with the first one's line, once a file") {
  const std::string rest =
      " no piece, as the tokenizer drops all of their characters: the encoder does not read them; each is O, or part "
      "of the entity around it\n";
  CHECK(of_unread("one\ntwo\n").empty());
  CHECK(of_unread("one\ntwo none\n\n") == "warning: a.txt:2: 'none': 1 word has" + rest);
  std::string long_file;  // of several chunks
  for (int i = 0; i < 60'000; ++i) long_file += i == 41 || i > 59'997 ? "a none b\n" : "one two three\n";
  CHECK(of_unread(long_file) == "warning: a.txt:42: 'none': 3 words have" + rest);
}

}  // namespace cut_words_test
