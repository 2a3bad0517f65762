// tests > [predict]: folders that are no model of this program.
#include <doctest/doctest.h>

#include "tests/predict/model.hpp"
#include "tests/scratch.hpp"

namespace folder_test {
using namespace test;

namespace {

std::string refusal(const std::string& folder) {
  return sentence([&] { entrain::predict::load<Model>(folder); });
}

/// A copy of the model, to be broken.
struct Copy {
  test::Scratch folder;
  const std::string path = folder / "m", config = path + "/config.json", weights = path + "/model.safetensors";
  Copy() { std::filesystem::copy(model_folder(), path); }

  void edit(std::string_view what, std::string_view by) const {
    std::string text = get(config);
    REQUIRE(has(text, what));
    for (auto at = text.find(what); at != text.npos; at = text.find(what, at + by.size()))
      text.replace(at, what.size(), by);
    put(config, text);
  }
};

}  // namespace

TEST_CASE("load: no folder, no config, no weights") {
  const Copy copy;
  CHECK(refusal(copy.path).empty());
  CHECK(has(refusal(copy.folder / "none"), "entrain.checkpoint.40: " + (copy.folder / "none")));
  std::filesystem::remove(copy.weights);
  CHECK(refusal(copy.path).starts_with("entrain.checkpoint."));
  CHECK(has(refusal(copy.path), copy.weights));
  std::filesystem::remove(copy.config);
  CHECK(has(refusal(copy.path), "entrain.checkpoint.40: " + copy.path));
}

TEST_CASE("load: weights cut short at any place, or changed, are refused with their path") {
  const Copy copy;
  const std::string weights = get(copy.weights);
  for (const std::size_t length : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{8}, std::size_t{100},
                                   weights.size() / 2, weights.size() - 1}) {
    put(copy.weights, weights.substr(0, length));
    CAPTURE(length);
    CHECK(refusal(copy.path).starts_with("entrain.checkpoint."));
    CHECK(has(refusal(copy.path), copy.weights));
  }
  std::string other = weights;
  other.back() = static_cast<char>(other.back() ^ 1);
  put(copy.weights, other);
  CHECK(has(refusal(copy.path), copy.weights));
}

TEST_CASE("load: labels that are not those of the types") {
  const Copy copy;
  copy.edit("\"B-PER\"", "\"B-ORG\"");
  CHECK(refusal(copy.path) == "entrain.train.12: " + copy.config +
                                  ": scheme BIOES, label 1 'B-ORG', expected scheme BIOES, label 1 'B-PER' from its "
                                  "entity types; restore the file: labels, types and scheme must agree");
}

TEST_CASE("load: another composition, with the first difference") {
  const Copy copy;
  copy.edit("HashedWords<2, 60, ", "HashedWords<4, 60, ");
  CHECK(refusal(copy.path) ==
        "entrain.train.11: " + copy.config +
            ": a model with HashedWords<4, 60, 20, 20, 20>, expected HashedWords<2, 60, 20, 20, 20> "
            "in this program; run the program that trained it (after ./dev train: ./dev predict -m " +
            copy.path + " or ./dev evaluate), or train again");
  copy.edit("\"id2label\"", "\"model_type\": \"distilbert\", \"id2label\"");
  CHECK(refusal(copy.path).ends_with("run the program that trained it: ./dev predict -m " + copy.path +
                                     " (or evaluate); or train again: ./dev train --pretrained " + copy.path +
                                     " --head crf"));
}

TEST_CASE("load: a splitter that this version does not have") {
  const Copy copy;
  copy.edit("unicode-words-1", "unicode-words-9");
  CHECK(refusal(copy.path) == "entrain.predict.1: " + copy.config +
                                  ": word splitter 'unicode-words-9', expected one of unicode-words-1, whitespace");
  const Copy other;
  other.edit("unicode-sentences-1", "paragraphs");
  CHECK(refusal(other.path) ==
        "entrain.predict.1: " + other.config +
            ": sentence splitter 'paragraphs', expected one of unicode-sentences-1, lines, whole-text");
}

TEST_CASE("load: the splitters that were saved are those that are used") {
  const Copy copy;
  copy.edit("unicode-words-1", "whitespace");
  copy.edit("unicode-sentences-1", "whole-text");
  const auto tagger = entrain::predict::load<Model>(copy.path);
  CHECK(tagger.splitting().word_splitter() == "whitespace");
  CHECK(tagger.splitting().sentence_splitter() == "whole-text");
  std::vector<entrain::text::Token> words;
  std::vector<entrain::text::Sentence> sentences;
  tagger.splitting().split("Ada, met. Bo\nin", words, sentences);
  CHECK(words.size() == 4);
  CHECK(sentences.size() == 1);
}

TEST_CASE("Splitting: appends, and an empty name is Unicode's rules") {
  const entrain::predict::Splitting splitting("", "", "here");
  CHECK(splitting.word_splitter() == "unicode-words-1");
  CHECK(splitting.sentence_splitter() == "unicode-sentences-1");
  std::vector<entrain::text::Token> words;
  std::vector<entrain::text::Sentence> sentences;
  splitting.split("One two.", words, sentences);
  splitting.split("Three.", words, sentences);
  CHECK(words.size() == 5);
  REQUIRE(sentences.size() == 2);
  CHECK(sentences[1].begin == 0);  // counted from the first word of its own text
  CHECK(sentences[1].end == 2);
  CHECK(has(sentence([] { entrain::predict::Splitting("words", "", "--splitter"); }),
            "entrain.predict.1: --splitter: word splitter 'words'"));
}

}  // namespace folder_test
