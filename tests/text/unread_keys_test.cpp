// tests > [text]
//
// Records whose entities are under a key that no reader takes, in every way in which other programs write them; and
// records that do not say any.
#include "entrain/text/records/unread_keys.hpp"

#include <doctest/doctest.h>

#include <string>

#include "entrain/text/records/annotated_text.hpp"
#include "entrain/text/records/jsonl_stream.hpp"
#include "tests/scratch.hpp"
#include "tests/text/one_block.hpp"

namespace unread_keys_test {
using namespace entrain;
using namespace entrain::text;
using test::problems;
using test::sentence;
using test::shown;

namespace {

using Source = Jsonl<Bio, Whitespace, WholeText>;

const std::string remedy =
    "; rename it; check --list all lists every such line: correct them, or skip them with --lenient";
std::string refusal(const std::string& key) {
  return "entrain.text.42: f:2: \"" + key +
         "\", an unknown key that seems to contain entities, expected \"entities\", \"spans\", \"label\", "
         "\"labels\" or \"ner\"" +
         remedy;
}
const std::string labelled = "{\"text\":\"Bo Al\",\"label\":[[0,3,\"PER\"]]}\n";
std::string refused(const std::string& line) {
  const std::string first = "{\"text\":\"Bo Al\",\"label\":[[0,2,\"PER\"]]}\n";
  return sentence([&] { test::corpus_of<Source>(first + line); });
}

TEST_CASE("entities under an unknown key are refused with the key, however they are written") {
  for (const char* key : {"annotations", "annotation", "ents", "Label", "LABELS", "Entities", "named_entities",
                          "mentions", "NER", "spans_", "events", "x"})
    for (const char* value :
         {R"([{"start_offset":0,"end_offset":2,"label":"PER"}])", R"([[0,2,"PER"]])", R"([["PER",0,2]])",
          R"([{"start":0,"end":2,"type":"PER"}])", R"([{"begin":0,"end":2,"entity_group":"PER","score":0.5}])",
          R"([{"span":[0,2],"category":"PER"}])", R"([{"offset":0,"length":2,"label":"PER"}])",
          R"([{"start_char":0,"end_char":2,"label":"PER"}])", R"([{"from":0,"to":2,"tag":"PER"}])",
          R"([{"start":0,"end":2,"labels":["PER"]}])", R"([{"start_offset":0,"end_offset":2,"label":15}])",
          R"([null,{"start":0,"end":2,"label":"PER"}])", R"([{"offsets":[[0,2]],"type":"PER","text":["Bo"]}])",
          R"({"sc":[{"start":0,"end":2,"label":"PER"}]})",
          R"([{"result":[{"value":{"start":0,"end":2,"labels":["PER"]}}]}])"}) {
      CAPTURE(key);
      CAPTURE(value);
      const std::string line = std::string("{\"id\":1,\"text\":\"Bo Al\",\"") + key + "\":" + value + ",\"z\":{}}\n";
      CHECK(refused(line) == refusal(key));
    }
  // none of them holds any, but for a name that says it
  CHECK(refused(R"({"text":"Bo","annotations":[]})") == refusal("annotations"));
  CHECK(refused(R"({"text":"Bo","ents":[]})") == refusal("ents"));
  CHECK(refused(R"({"text":"Bo","annotations":[],"answer":"reject"})").empty());
}

TEST_CASE("tags under an unknown key are refused likewise") {
  const auto tags = [](const std::string& key) {
    return "entrain.text.42: f:2: \"" + key +
           "\", an unknown key that seems to contain tags, expected \"ner_tags\" or \"tags\"" + remedy;
  };
  CHECK(refused(R"({"tokens":["Bo","Al"],"NER_tags":["B-PER","O"]})") == tags("NER_tags"));
  CHECK(refused(R"({"tokens":["Bo","Al"],"text":"Bo Al","iob":["B-PER","O"]})") == tags("iob"));
  CHECK(refused(R"({"tokens":["Bo","Al"],"Tags":[1,0]})") == tags("Tags"));
  CHECK(refused(R"({"text":"Bo","tokens":[{"start":0,"end":2,"ner":"B-PER"}]})") == tags("ner"));
}

TEST_CASE("other keys are no entities") {
  for (const char* line : {R"({"text":"Bo Al","meta":{"start":1,"end":2,"score":0.5},"keywords":["B-cell"]})",
                           R"({"text":"Bo Al","sents":[{"start":0,"end":5}],"relations":[],"mentions":["@bo"]})",
                           R"({"text":"Bo Al","annotations":null,"Comments":[],"ids":[[1,2],[3,4]]})",
                           R"({"text":"Bo Al","tokens":["Bo","Al"],"pos":["NN","NN"],"links":[[0,1]]})",
                           R"({"text":"Bo Al","relations":[{"id":1,"from_id":0,"to_id":1,"type":"x"}]})"}) {
    CAPTURE(line);
    const Corpus c = test::corpus_of<Source>(line);
    CHECK(shown(c) == "Bo/O Al/O");
    CHECK(c.met.unlabelled == 1);
    CHECK(c.met.labelled == 0);
    CHECK(problems(c) == "1: a text without an entity list, read as a text without entities\n");
  }
}

TEST_CASE("a second list of entities that is not read is listed, and the first is read") {
  const Corpus c = test::corpus_of<Source>(
      R"({"events":[{"start":3,"end":5,"label":"X"}],"text":"Bo Al","spans":[[0,2,"PER"]]})"
      "\n"
      R"({"text":"Bo Al","spans":[[0,2,"PER"]],"chunk_tags":["B-NP"],"relations":[{"head":0,"child":1,"label":"x"}]})");
  CHECK(shown(c) == "Bo/B-PER Al/O||Bo/B-PER Al/O");
  CHECK(c.met.labelled == 2);
  CHECK(c.met.unread_lists == 1);
  CHECK(problems(c) == "1: \"events\" seems to contain entities; it is ignored, as the record has another list\n");
  CHECK(c.problems[0].of == Concern::unread_list);
}

TEST_CASE("what an annotator of entities accepted without any has none; elsewhere that is not known") {
  const auto met = [](const char* line) { return test::corpus_of<Source>(line).met; };
  CHECK(met(R"({"text":"Bo","_view_id":"ner_manual","answer":"accept"})").labelled == 1);
  CHECK(met(R"({"text":"Bo","_view_id":"ner_manual"})").unlabelled == 1);
  CHECK(met(R"({"text":"Bo","_view_id":"choice","answer":"accept"})").unlabelled == 1);
  CHECK(met(R"({"text":"Bo","_view_id":"ner_manual","answer":"reject"})").unaccepted == 1);
  CHECK(met(R"({"text":"Bo","answer":"accept"})").unlabelled == 1);
}

TEST_CASE("an entity without its start says which keys it has") {
  CHECK(refused(R"({"text":"Bo","entities":[{"start_char":0,"end_char":2,"label":"PER"}]})") ==
        "entrain.text.42: f:2: an entity without its start: its keys are \"start_char\", \"end_char\", \"label\", "
        "expected "
        "start, end and label of each; check --list all lists every such line: correct them, or skip them with "
        "--lenient");
}

TEST_CASE("spaCy's pair of a text and its annotations, in JSON and after a TAB") {
  CHECK(shown(test::corpus_of<Source>(R"(["Bo Al", {"entities": [[0, 2, "PER"]], "cats": {"x": 1.0}}])")) ==
        "Bo/B-PER Al/O");
  CHECK(refused(R"(["Bo Al"])").starts_with("entrain.text.42: f:2: an array, expected an object per line"));
  CHECK(refused(R"(["Bo Al", {"ents": [[0, 2, "PER"]]}])") == refusal("ents"));
  using Annotated = AnnotatedText<Bio, Whitespace, WholeText>;
  const auto read = [](const std::string& line) { return test::corpus_of<Annotated>(line); };
  for (const char* dictionary :
       {R"({"entities": [[0, 4, "ORG"]]})", R"({'entities': [(0, 4, 'ORG')]})",
        R"({"cats": {"A": 1.0, "B": 0}, "links": {(0, 4): {"Q1": 1.0}}, "entities": [[0,4,"ORG"]], "x": [None, True]})",
        R"({"spans": [{"start": 0, "end": 4, "label": "ORG", "text": "Acme"}]})"}) {
    CAPTURE(dictionary);
    const Corpus c = read("Acme is big\t" + std::string(dictionary));
    CHECK(shown(c) == "Acme/B-ORG is/O big/O");
    CHECK(c.problems.empty());
    CHECK(c.met.labelled == 1);
  }
  for (const char* none : {R"({"entities": []})", R"({"entities": None})", R"({"entities": null})"}) {
    CHECK(shown(read("so what\t" + std::string(none))) == "so/O what/O");
    CHECK(read("so what\t" + std::string(none)).met.labelled == 1);
  }
  for (const char* pair : {R"(("Acme is big", {"entities": [(0, 4, "ORG")]}),)", R"( ['Acme is big', [[0, 4, 'ORG']]])",
                           R"(('Acme is big', {'entities': [(0, 4, 'ORG')]}, 'note') )"}) {
    CAPTURE(pair);
    CHECK(shown(read(pair)) == "Acme/B-ORG is/O big/O");
  }
  CHECK(read("so what\t{}").met.unlabelled == 1);
  CHECK(read("so what\t{'cats': {'A': 1}}").met.unlabelled == 1);
  const auto wrong = [&](const char* line) { return sentence([&] { read(line); }); };
  CHECK(wrong("Acme\t{'ents': [(0, 4, 'ORG')]}").starts_with("entrain.text.42: f:1: \"ents\", an unknown key"));
  CHECK(wrong("Acme\t{'entities': [(0, 4)]}")
            .starts_with("entrain.text.42: f:1: an entity of 2 values, expected start, end and label"));
  CHECK(wrong("Acme\t{'entities': [(0, 4, 'X')], 'spans': [(0, 4, 'X')]}")
            .starts_with("entrain.text.42: f:1: two lists of entities, expected one: \"spans\" is the second"));
  CHECK(wrong("Acme\t{'entities' [").starts_with("entrain.text.40: f:1: '[', expected ':'; byte 18 of the line"));
  CHECK(wrong("Acme\t{'entities': []").starts_with("entrain.text.40: f:1: the end of the line, expected ',' or '}'"));
  CHECK(wrong("('Acme')").starts_with("entrain.text.42: f:1: a text without annotations, expected a pair"));
  CHECK(wrong("('Acme', []), x").starts_with("entrain.text.40: f:1: 'x', expected the end of the line"));
  CHECK(wrong("('Acme', {'ents': [(0, 4, 'ORG')]})").starts_with("entrain.text.42: f:1: \"ents\", an unknown key"));
  CHECK(wrong("Acme\t{'x': y}").starts_with("entrain.text.40: f:1: 'y}', expected a value"));
  CHECK(wrong(("Acme\t" + std::string(1000, '{')).c_str()).starts_with("entrain.text.40: "));
  CHECK(wrong(("Acme\t{'x': " + std::string(1000, '[')).c_str()).starts_with("entrain.text.40: "));
}

}  // namespace

}  // namespace unread_keys_test
