// tests > [train]
#include "entrain/train/data/data.hpp"
#include "entrain/train/data/targets.hpp"

#include <doctest/doctest.h>

#include "tests/scratch.hpp"

namespace data_test {
using namespace entrain;
using namespace entrain::train;
using test::has;
using test::sentence;

namespace {

Tagged of(const std::vector<std::vector<std::pair<const char*, const char*>>>& sentences,
          const TagOptions& options = {}) {
  text::Corpus corpus;
  corpus.name = "a.conll";
  std::uint32_t line = 0;
  for (const auto& s : sentences) {
    for (const auto& [token, tag] : s) corpus.push(token, tag, ++line);
    corpus.end_sentence();
  }
  return tagged(std::move(corpus), options);
}

struct Words {
  using Vocabulary = std::vector<char>;
};

}  // namespace

TEST_CASE("tagged: the scheme is found, said, or taken as told") {
  const auto bio = of({{{"Ada", "B-PER"}, {"Lee", "I-PER"}, {"in", "O"}, {"Oslo", "B-LOC"}}});
  CHECK(bio.scheme == text::SchemeId::bio);
  CHECK(bio.types.names() == std::vector<std::string>{"PER", "LOC"});
  CHECK(entity_types(bio) == bio.types.names());
  REQUIRE(bio.notes.size() == 1);
  CHECK(has(bio.notes[0], "a.conll: fits BIO"));
  const auto told = of({{{"Ada", "I-PER"}, {"sings", "O"}}}, {"iob2", "drop"});
  CHECK(told.scheme == text::SchemeId::bio);
  REQUIRE(told.notes.size() == 2);
  CHECK(told.notes[1] == "a.conll: 1 tag breaks BIO: 'I-PER' at a.conll:1; read by the rule 'drop' (--repair)");
  CHECK(has(sentence([] { of({{{"a", "O"}}}, {"bioe", "drop"}); }), "bioe"));
}

TEST_CASE("tagged: nothing, and words without tags, are refused") {
  text::Corpus empty;
  empty.name = "a.conll";
  CHECK(sentence([&] { tagged(empty, {}); }) ==
        "entrain.train.1: a.conll: no sentence, expected at least one token and its tag");
  text::Corpus bare;
  bare.name = "a.conll";
  bare.push("Ada", 1);
  bare.end_sentence();
  CHECK(sentence([&] { tagged(bare, {}); }) ==
        "entrain.train.2: a.conll: tokens without tags, expected a tag for each token; name the tag column");
}

TEST_CASE("entities: by the rule that was named") {
  const auto t = of({{{"Bo", "O"}}, {{"Ada", "I-PER"}, {"Lee", "I-PER"}, {"Oslo", "B-LOC"}}}, {"iob2", "conlleval"});
  const auto read = [&](const char* rule) {
    std::vector<text::Span> spans;
    entities(t, 1, rule, [&](const text::Span& s) { spans.push_back(s); });
    return spans;
  };
  CHECK(read("conlleval") == std::vector<text::Span>{{0, 2, t.types.find("PER")}, {2, 3, t.types.find("LOC")}});
  CHECK(read("drop") == std::vector<text::Span>{{2, 3, t.types.find("LOC")}});
}

TEST_CASE("set_targets: in the scheme of the labels; a type that is not theirs is O and counted") {
  const auto t = of({{{"Ada", "B-PER"}, {"Lee", "I-PER"}, {"at", "O"}, {"Acme", "B-ORG"}}, {{"Bo", "B-PER"}}});
  const text::Labels<text::Bioes> labels({"LOC", "PER"});
  batch::Encoded<Words> e;
  e.target.assign(5, -100);
  const Targets targets = set_targets(e, t, labels, "conlleval");
  CHECK(targets.entities == 3);
  CHECK(targets.unseen == 1);
  std::vector<std::string> names;
  for (const auto tag : e.target) names.push_back(labels.name(tag));
  CHECK(names == std::vector<std::string>{"B-PER", "E-PER", "O", "O", "S-PER"});
}

TEST_CASE("tags in pieces: an entity continues from piece to piece") {
  const auto of = [](auto scheme, const char* tag) {
    const text::Labels<decltype(scheme)> labels({"LOC", "PER"});
    const auto t = task::tags_in_pieces(labels)[static_cast<std::size_t>(*labels.find(tag))];
    return labels.name(t.first) + " " + labels.name(t.middle) + " " + labels.name(t.last);
  };
  CHECK(of(text::Bio{}, "O") == "O O O");
  CHECK(of(text::Bio{}, "B-PER") == "B-PER I-PER I-PER");
  CHECK(of(text::Bio{}, "I-LOC") == "I-LOC I-LOC I-LOC");
  CHECK(of(text::Bioes{}, "S-PER") == "B-PER I-PER E-PER");
  CHECK(of(text::Bioes{}, "B-LOC") == "B-LOC I-LOC I-LOC");
  CHECK(of(text::Bioes{}, "I-LOC") == "I-LOC I-LOC I-LOC");
  CHECK(of(text::Bioes{}, "E-LOC") == "I-LOC I-LOC E-LOC");
}

}  // namespace data_test
