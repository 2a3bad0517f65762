// tests > [checkpoint]
#include "entrain/checkpoint/json.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "tests/scratch.hpp"

namespace json_test {
using namespace entrain::checkpoint;
using test::has;
using test::sentence;

namespace {

Config sample() {
  Config c;
  c.composition = "Tagger<HashEmbed, Stack<4, Window>, Crf<Bioes>>";
  c.labels = {"O", "B-PER", "I-PER", "B-creative-work", "na\"me \\ Zo\u00EB \u540D"};
  c.entity_types = {"PER", "creative-work"};
  c.scheme = "BIO";
  c.splitter = "unicode";
  c.sentence_splitter = "blank-line";
  c.set("zeta", 3);  // order is kept, not sorted
  c.set("alpha", 0.1);
  c.set("best_f1", 1.0);
  c.set("seed", std::numeric_limits<std::int64_t>::max());
  c.set("lowest", std::numeric_limits<std::int64_t>::min());
  c.set("tiny", 5e-324);
  c.set("corpus", "wnut17");
  c.files = {{"model.safetensors", std::string(64, 'a')}, {"vocab.txt", std::string(64, '0')}};
  c.others = {
      {"model_type", "\"entrain\""}, {"deep", R"({"b":[1,2.5,null,{"a":true}],"a":{}})"}, {"layer_norm_eps", "1e-12"}};
  c.own_others = {{"from_the_future", "[1,\"two\"]"}};
  return c;
}

std::string with(std::string_view own_keys) {
  return R"({"entrain":{"format_version":1,"composition":"c","entity_types":[],"scheme":"","splitter":"",)"
         R"("sentence_splitter":"","numbers":{},"strings":{},"files":{})" +
         std::string(own_keys) + "}}";
}

std::string without(std::string_view part, std::string_view instead) {
  std::string text = with("");
  const auto at = text.find(part);
  REQUIRE(at != std::string::npos);
  return text.replace(at, part.size(), instead);
}

}  // namespace

TEST_CASE("config.json: every value comes back, in its order, and the bytes are the same again") {
  const Config c = sample();
  const std::string text = dump_config(c);
  const Config back = parse_config(text, "config.json");
  CHECK(back == c);
  CHECK(dump_config(back) == text);
  CHECK(parse_config(dump_config(Config{}), "config.json") == Config{});
}

TEST_CASE("config.json: as Hugging Face writes it") {
  Config c;
  c.labels = {"O", "B-PER"};
  CHECK(has(dump_config(c),
            "  \"id2label\": {\n    \"0\": \"O\",\n    \"1\": \"B-PER\"\n  },\n"
            "  \"label2id\": {\n    \"O\": 0,\n    \"B-PER\": 1\n  },\n"));
}

TEST_CASE("config.json: somebody else's is read, its keys are kept and named") {
  const Config c = parse_config(R"({"architectures": ["BertForTokenClassification"], "hidden_size": 384,
      "id2label": {"1": "B-PER", "0": "O"}, "label2id": {"B-PER": 1, "O": 0}, "layer_norm_eps": 1e-12})",
                                "config.json");
  CHECK(c.format_version == 0);
  CHECK(c.labels == std::vector<std::string>{"O", "B-PER"});
  CHECK(c.unknown_keys() == std::vector<std::string>{"architectures", "hidden_size", "layer_norm_eps"});
  CHECK(c.others[0].text == R"(["BertForTokenClassification"])");
  CHECK(sample().unknown_keys() ==
        std::vector<std::string>{"model_type", "deep", "layer_norm_eps", "entrain.from_the_future"});
}

TEST_CASE("Config: values by name") {
  Config c = sample();
  CHECK(c.integer("zeta") == 3);
  CHECK(c.real("zeta") == 3.0);
  CHECK(c.real("alpha") == 0.1);
  CHECK(!c.integer("alpha"));
  CHECK(!c.real("none"));
  REQUIRE(c.string("corpus"));
  CHECK(*c.string("corpus") == "wnut17");
  CHECK(c.string("zeta") == nullptr);
  c.set("zeta", 2.5);
  CHECK(c.real("zeta") == 2.5);
  CHECK(c.numbers[0].name == "zeta");
  REQUIRE(c.sha256("vocab.txt"));
  CHECK(c.sha256("config.json") == nullptr);
}

TEST_CASE("config.json: every wrong text has a sentence of its own") {
  struct Case {
    std::string text, sentence;
  };
  const std::vector<Case> cases{
      {"", ".30: m/config.json:1: not JSON: "},
      {"{\n\n\"a\": 1,\n}", ".30: m/config.json:4: not JSON: "},
      {"{} {}", ".30: m/config.json:1: not JSON: "},
      {std::string("{\n}\0x", 5), ".30: m/config.json:2: a NUL byte, expected JSON; this is not a text file"},
      {"{\"a\": \"\xFF\"}", ".30: m/config.json:1: not JSON: "},
      {"{\"a\": 1e999}", ".30: m/config.json: not JSON: "},
      {"[]", ".32: m/config.json: the file is an array, expected an object"},
      {"7", ".32: m/config.json: the file is the number 7, expected an object"},
      {R"({"a":1,"a":2})", ".31: m/config.json: key 'a' occurs twice, expected once; remove the one that is wrong"},
      {R"({"x":{"y":[{"a":1,"\u0061":2}]}})", ".31: m/config.json: key 'a' occurs twice"},
      {R"({"id2label":{"0":"O"},"id2label":{"0":"O"}})", ".31: m/config.json: key 'id2label' occurs twice"},
      {std::string(100, '['), ".36: m/config.json: nested deeper than 64, expected a model's config"},
      {R"({"id2label":["O"]})",
       ".32: m/config.json: key 'id2label' is an array, expected an object {\"0\": label, ...}"},
      {R"({"id2label":{"0":7}})", ".32: m/config.json: key 'id2label.0' is the number 7, expected a label"},
      {R"({"id2label":{"0":"O","2":"X"}})",
       ".34: m/config.json: id2label: id '2', expected the ids 0 to 1, each with a different label"},
      {R"({"id2label":{"0":"O","01":"X"}})", ".34: m/config.json: id2label: id '01'"},
      {R"({"id2label":{"-1":"O"}})", ".34: m/config.json: id2label: id '-1'"},
      {R"({"id2label":{"99999999999999999999":"O"}})", ".34: m/config.json: id2label: id '99999999999999999999'"},
      {R"({"id2label":{"":"O"}})", ".34: m/config.json: id2label: id ''"},
      {R"({"id2label":{"0":"O","1":"O"}})", ".34: m/config.json: id2label: label 'O' has two ids"},
      {R"({"id2label":{"0":"O"},"label2id":{"O":1}})",
       ".34: m/config.json: label2id: label 'O' has id 1, expected the inverse of id2label; remove label2id: id2label "
       "is sufficient"},
      {R"({"id2label":{"0":"O"},"label2id":{}})", ".34: m/config.json: label2id: 0 labels, but 1 of id2label"},
      {R"({"label2id":{"O":"0"}})", ".34: m/config.json: label2id: 1 label, but 0 of id2label"},
      {R"({"id2label":{"0":"O"},"label2id":{"O":"0"}})",
       ".32: m/config.json: key 'label2id.O' is the string '0', expected an id"},
      {R"({"id2label":{"0":"O"},"label2id":[]})", ".32: m/config.json: key 'label2id' is an array"},
      {R"({"entrain":1})", ".32: m/config.json: key 'entrain' is the number 1, expected an object"},
      {R"({"entrain":{}})",
       ".33: m/config.json: no key 'entrain.format_version', expected a number; save the model again"},
      {R"({"entrain":{"format_version":0}})",
       ".32: m/config.json: key 'entrain.format_version' is the number 0, expected 1 or more"},
      {R"({"entrain":{"format_version":"1"}})", ".32: m/config.json: key 'entrain.format_version' is the string '1'"},
      {R"({"entrain":{"format_version":2,"anything":{}}})",
       ".35: m/config.json: format_version 2, expected at most 1; read it with a newer entrain"},
      {without(R"("composition":"c",)", ""), ".33: m/config.json: no key 'entrain.composition', expected a string"},
      {without(R"("composition":"c")", R"("composition":null)"),
       ".32: m/config.json: key 'entrain.composition' is null, expected a string"},
      {without(R"("entity_types":[])", R"("entity_types":"PER")"),
       ".32: m/config.json: key 'entrain.entity_types' is the string 'PER', expected an array of strings"},
      {without(R"("entity_types":[])", R"("entity_types":[true])"),
       ".32: m/config.json: key 'entrain.entity_types' is true, expected strings only"},
      {without(R"("numbers":{})", R"("numbers":[])"),
       ".32: m/config.json: key 'entrain.numbers' is an array, expected an object of numbers"},
      {without(R"("numbers":{})", R"("numbers":{"lr":"0.1"})"),
       ".32: m/config.json: key 'entrain.numbers.lr' is the string '0.1', expected a number"},
      {without(R"("numbers":{})", R"("numbers":{"n":9223372036854775808})"),
       ".32: m/config.json: key 'entrain.numbers.n' is the number 9223372036854775808, expected at most "
       "9223372036854775807"},
      {without(R"("strings":{})", R"("strings":{"s":1})"),
       ".32: m/config.json: key 'entrain.strings.s' is the number 1, expected a string"},
      {without(R"("files":{})", R"("files":{"model.safetensors":"ABC"})"),
       ".32: m/config.json: key 'entrain.files.model.safetensors' is the string 'ABC', expected the 64 digits of "
       "sha256sum"},
  };
  for (const auto& c : cases) {
    CAPTURE(c.text);
    const std::string said = sentence([&] { parse_config(c.text, "m/config.json"); });
    CAPTURE(said);
    CHECK(said.starts_with("entrain.checkpoint" + c.sentence));
    CHECK(said.size() < 400);
  }
  CHECK(sentence([&] { parse_config(with(""), "m/config.json"); }).empty());
}

TEST_CASE("config.json: hostile sizes end soon and in one line") {
  CHECK(has(sentence([] { parse_config(std::string(5'000'000, '['), "c"); }), ".36"));
  CHECK(has(sentence([] { parse_config("{\"a\":\"" + std::string(5'000'000, 'x'), "c"); }), ".30"));
  std::string keys = "{";
  for (int i = 0; i < 40'000; ++i) keys += (i ? ",\"" : "\"") + std::to_string(i) + "\":0";
  CHECK(has(sentence([&] { parse_config(keys + "}", "c"); }), ".36: c: an object of more than 32768 keys"));
  std::string labels = "{\"id2label\":{";
  for (int i = 0; i < 2'001; ++i)
    labels += (i ? ",\"" : "\"") + std::to_string(i) + "\":\"L" + std::to_string(i) + "\"";
  CHECK(parse_config(labels + "}}", "c").labels.size() == 2'001);
}

TEST_CASE("config.json: what cannot be written is refused") {
  const auto refusal = [](auto change) {
    Config c = sample();
    change(c);
    return sentence([&] { dump_config(c); });
  };
  const std::string start = "entrain.checkpoint.37: config.json: ";
  CHECK(refusal([](Config& c) { c.set("x", std::numeric_limits<double>::infinity()); }) ==
        start + "number 'x' is not finite, expected a finite number");
  CHECK(refusal([](Config& c) { c.labels.push_back("O"); }) == start + "key 'O' occurs twice, expected once");
  CHECK(refusal([](Config& c) { c.numbers.push_back(c.numbers[0]); }) ==
        start + "key 'zeta' occurs twice, expected once");
  CHECK(refusal([](Config& c) {
          c.others.push_back({"id2label", "{}"});
        }) == start + "key 'id2label' occurs twice, expected once");
  CHECK(refusal([](Config& c) {
          c.own_others.push_back({"scheme", "1"});
        }) == start + "key 'scheme' occurs twice, expected once");
  CHECK(has(refusal([](Config& c) { c.others.push_back({"x", "{"}); }), "entrain.checkpoint.30: x:1: not JSON"));
  CHECK(refusal([](Config& c) { c.scheme = "\xC3("; }).starts_with(start));
  CHECK(refusal([](Config& c) { c.labels.push_back("\xFF"); }).starts_with(start));
}

}  // namespace json_test
