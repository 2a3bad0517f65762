// tests > [app]: words longer than an encoder's windows are told of, not left out in silence.
#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "entrain/app/answer.hpp"
#include "entrain/app/splits.hpp"
#include "entrain/app/talk.hpp"

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
std::string warning(std::size_t cut, std::vector<std::int32_t> rows = {}, bool quiet = false) {
  train::Tagged split;
  split.corpus.name = "train.conll";
  for (const std::uint32_t line : {1u, 2u, 4u, 5u, 6u}) {
    if (line == 4) split.corpus.end_sentence();
    split.corpus.push("word", line);
  }
  split.corpus.end_sentence();
  return heard([&] {
    app::Talk talk(quiet);
    app::warn_of_sizes(split, rows, cut, 8, "pieces", talk);
  });
}
}  // namespace

TEST_CASE("words of which an encoder reads the first pieces alone: how many, in which file, and that all count") {
  const std::string rest =
      " more pieces than the encoder reads at once: the first are read; tags and scores count every word\n";
  CHECK(warning(0).empty());
  CHECK(warning(1) == "warning: train.conll: 1 distinct word has" + rest);
  CHECK(warning(1234) == "warning: train.conll: 1,234 distinct words have" + rest);
  CHECK(warning(3, {}, true).empty());
}

TEST_CASE("sentences longer than a batch, by what the encoder counts") {
  CHECK(warning(0, {8, 7}).empty());
  CHECK(warning(0, {8, 9}) ==
        "warning: train.conll:4: a sentence of 9 pieces; it is longer than a batch of 8 and fills one alone\n");
  CHECK(warning(0, {1234, 9}) ==
        "warning: train.conll:1: a sentence of 1,234 pieces; 2 sentences are longer than a batch of 8 and fill one "
        "alone\n");
}

namespace {
/// What `predict` says of a file of two lines, for a model that reads only the first pieces of so many words.
template <std::size_t Cut> std::string of_prediction(const std::string& text) {
  const std::string path = "/tmp/entrain-cut-" + std::to_string(::getpid()) + ".txt";
  std::FILE* const file = std::fopen(path.c_str(), "w");
  REQUIRE(file != nullptr);
  std::fputs(text.c_str(), file);
  std::fclose(file);
  app::Answerer model{predict::Splitting("", "", "a test"), {"PER"}, text::SchemeId::bio, {}, false, nullptr, {}};
  model.tag_all = [](const void*, const text::Corpus& corpus, std::vector<text::Tag>& tags) {
    tags.assign(corpus.size(), text::Tag{});
    return batch::Unread{Cut, 0};
  };
  app::Settings settings;
  settings.inputs = {path};
  settings.destination = "/dev/null";
  std::string said = heard([&] { CHECK(app::answer(model, settings) == 0); });
  std::remove(path.c_str());
  if (const auto at = said.find(path); at != std::string::npos) said.replace(at, path.size(), "a.txt");
  return said;
}
}  // namespace

TEST_CASE("predict tells of words that the encoder does not read to their end, once a file") {
  CHECK(of_prediction<0>("one\ntwo\n").empty());
  CHECK(of_prediction<2>("one\ntwo\n") ==
        "warning: a.txt: some words have more pieces than the encoder reads at once: the first are read\n");
}

}  // namespace cut_words_test
