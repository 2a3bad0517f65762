// tests > [checkpoint]
#include "entrain/checkpoint/unigram_files.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/checkpoint/whole_unigram.hpp"
#include "tests/scratch.hpp"

namespace unigram_files_test {
using namespace entrain;
using namespace entrain::checkpoint;
using namespace test;
using namespace whole_unigram;
using Ids = std::vector<std::int32_t>;

namespace {

WholeUnigram of_vocab(const std::string& vocab) { return {.vocab = vocab}; }
UnigramFile read(const WholeUnigram& whole) { return parse_unigram(whole.text(), "tokenizer.json"); }
std::string refusal(const WholeUnigram& whole) {
  return sentence([&] { read(whole); });
}

}  // namespace

TEST_CASE("unigram's tokenizer.json: what XLM-RoBERTa's says") {
  const UnigramFile file = read({});
  CHECK(file.vocabulary.size() == 10);
  CHECK(file.vocabulary[4] == mark);
  CHECK(file.vocabulary[7] == mark + "a");
  CHECK(file.scores == std::vector<double>{0, 0, 0, 0, -3.5, -4, -4.25, -4.5, -5, 0});
  CHECK(file.before == Ids{0});
  CHECK(file.after == Ids{2});
  CHECK(file.options.unk_token == "<unk>");
  CHECK(file.options.precompiled_charsmap.empty());
  CHECK(file.options.whitespace_split);
  CHECK(!file.options.strip_left);
  CHECK(!file.options.strip_right);
  CHECK(file.options.two_spaces.empty());
  REQUIRE(file.options.added.size() == 3);
  CHECK(file.options.added[2].text == "<mask>");
  CHECK(file.options.added[2].lstrip);
  CHECK(read(with("\"unk_id\":3", "\"unk_id\":5")).options.unk_token == "a");
  CHECK(read(with("\"type\":\"Unigram\",", "")).vocabulary.size() == 10);  // as tokenizers wrote it in 2020
  CHECK(read(with(",\"byte_fallback\":false", "")).vocabulary.size() == 10);
  CHECK(read(with("\"byte_fallback\":false", "\"byte_fallback\":null")).vocabulary.size() == 10);
}

TEST_CASE("unigram's tokenizer.json: what is wrong with it") {
  const auto text_refusal = [](const std::string& text) {
    return sentence([&] { parse_unigram(text, "tokenizer.json"); });
  };
  const std::string text = WholeUnigram().text();
  CHECK(has(text_refusal("[]"), "entrain.checkpoint.32: tokenizer.json: it is an array, expected an object"));
  CHECK(has(text_refusal("7"), "entrain.checkpoint.32: tokenizer.json: it is the number 7"));
  for (std::size_t bytes = 0; bytes < text.size(); bytes += 13) {
    CAPTURE(bytes);
    CHECK(has(text_refusal(text.substr(0, bytes)), "entrain.checkpoint.30: tokenizer.json:"));
  }
  CHECK(has(refusal(with("-3.5", "1e999")), "entrain.checkpoint.30: tokenizer.json: not JSON: number overflow"));
  CHECK(has(text_refusal("{}"), "entrain.checkpoint.33: tokenizer.json: no key 'model', expected an object of type"));
  CHECK(has(text_refusal(R"({"model":null})"), "no key 'model'"));
  CHECK(has(text_refusal(R"({"model":[]})"), "entrain.checkpoint.32: tokenizer.json: key 'model' is an array"));
  CHECK(has(refusal(with("\"Unigram\"", "\"BPE\"")),
            "entrain.checkpoint.50: tokenizer.json: model of type 'BPE', expected Unigram; this tokenizer is not "
            "XLM-RoBERTa's unigram tokenizer"));
  CHECK(has(refusal(with("\"Unigram\"", "7")),
            "entrain.checkpoint.32: tokenizer.json: key 'model.type' is the number 7"));
  CHECK(has(refusal({.more = "\"model\":{},"}), "entrain.checkpoint.31: tokenizer.json: key 'model' occurs twice"));
  CHECK(
      has(refusal(with("\"unk_id\":3", "\"vocab\":[]")), "entrain.checkpoint.31: tokenizer.json: key 'vocab' occurs"));
  CHECK(has(refusal({.more = "\"deep\":" + std::string(70, '[') + std::string(70, ']') + ","}),
            "entrain.checkpoint.36: tokenizer.json: nested deeper than 64"));
  CHECK(has(refusal(with("\"byte_fallback\":false", "\"byte_fallback\":true")),
            "entrain.checkpoint.50: tokenizer.json: model.byte_fallback true, expected false"));
  CHECK(has(refusal(with("\"byte_fallback\":false", "\"byte_fallback\":0")),
            "entrain.checkpoint.32: tokenizer.json: key 'model.byte_fallback' is the number 0"));
  for (const char* const none : {"\"unk_id\":null", "\"other\":3"})
    CHECK(has(refusal(with("\"unk_id\":3", none)),
              "entrain.checkpoint.33: tokenizer.json: no key 'model.unk_id', expected the id of the piece"));
  CHECK(has(refusal(with("\"unk_id\":3", "\"unk_id\":10")),
            "entrain.checkpoint.51: tokenizer.json: model.unk_id 10, expected less than 10, the number of pieces"));
  for (const char* const wrong : {"-1", "\"3\"", "3.0", "1000000001", "[3]"})
    CHECK(has(refusal(with("\"unk_id\":3", "\"unk_id\":" + std::string(wrong))),
              "entrain.checkpoint.32: tokenizer.json: key 'model.unk_id' is "));
}

TEST_CASE("unigram's tokenizer.json: a vocabulary with scores") {
  const UnigramFile file =
      read({.vocab = R"(["<s>",0],["a",-3],["b",18446744073709551615],["<unk>",-1e-3])", .added = "", .post = "null"});
  CHECK(file.scores == std::vector<double>{0, -3, 18446744073709551615.0, -1e-3});
  CHECK(file.options.unk_token == "<unk>");
  const auto refused = [](const std::string& vocab, const std::string& found) {
    CAPTURE(vocab);
    CHECK(has(refusal(of_vocab(vocab)), "entrain.checkpoint.32: tokenizer.json: number " + found +
                                            ", expected an array of two: a piece and its score"));
  };
  const std::string first = R"(["<s>",0.0],)";
  const std::pair<const char*, const char*> values[]{{"7", "7"},       {"-7", "-7"},          {"7.5", "7.5"},
                                                     {"null", "null"}, {"true", "a boolean"}, {"{}", "an object"}};
  for (const auto& [value, named] : values) {
    const std::string v = value, two = std::string("2 of model.vocab has ") + named;
    refused(v, std::string("1 of model.vocab has ") + named);
    refused(first + v, two);
    refused(first + "[" + v + ",0.0]", two);
    refused(first + R"(["a",0.0,)" + v + "]", two);
    if (v[0] != '7' && v[0] != '-') refused(first + R"(["a",)" + v + "]", two);
  }
  refused(first + R"("a")", "2 of model.vocab has 'a'");
  refused(first + R"([[],0.0])", "2 of model.vocab has an array");
  refused(first + R"(["",0.0])", "2 of model.vocab has ''");
  refused(first + R"(["a","b"])", "2 of model.vocab has 'b'");
  refused(first + R"(["a",[]])", "2 of model.vocab has an array");
  refused(first + R"(["a",0.0,"b"])", "2 of model.vocab has 'b'");
  refused(first + R"(["a",0.0,[]])", "2 of model.vocab has an array");
  refused(first + R"([])", "2 of model.vocab has an array that is too short");
  refused(first + R"(["a"])", "2 of model.vocab has an array that is too short");
  const std::string list = "\"vocab\":[" + WholeUnigram().vocab + "]";
  for (const char* const other : {"{\"a\":0}", "{}", "\"a\"", "7", "true"})
    CHECK(has(refusal(with(list, "\"vocab\":" + std::string(other))),
              "entrain.checkpoint.32: tokenizer.json: key 'model.vocab' is "));
  for (const char* const none : {"\"vocab\":[]", "\"vocab\":null", "\"other\":[[\"a\",0.0]]"})
    CHECK(
        has(refusal(with(list, none)), "entrain.checkpoint.33: tokenizer.json: no pieces in 'model.vocab', expected"));
  std::string many;
  for (int i = 0; i <= 4'000'000; ++i) many += "[\"a\",0],";
  many.pop_back();
  CHECK(has(refusal(of_vocab(many)),
            "entrain.checkpoint.51: tokenizer.json: more pieces in model.vocab than 4000000, expected a vocabulary"));
}

TEST_CASE("unigram's tokenizer.json: a key \"vocab\" elsewhere is no vocabulary") {
  const std::string other = R"("vocab":[["zz",0.0]])";
  const auto same = [](const WholeUnigram& whole) {
    const UnigramFile file = read(whole);
    CHECK(file.vocabulary == read({}).vocabulary);
    CHECK(file.scores == read({}).scores);
  };
  same({.more = other + ","});
  same({.more = "\"more\":{" + other + "},"});
  same({.more = "\"more\":{\"model\":{" + other + "}},"});
  same({.more = "\"more\":[[{" + other + "}]],"});
  for (const std::string& more : {"{" + other + "}", "[{" + other + "}]", std::string("[{\"vocab\":1},[[\"zz\",0.0]]]"),
                                  "{\"model\":{" + other + "}}"}) {
    CAPTURE(more);
    same(with("\"type\"", "\"more\":" + more + ",\"type\""));
    same(with("\"byte_fallback\"", "\"more\":" + more + ",\"byte_fallback\""));
  }
}

TEST_CASE("unigram's tokenizer.json: the steps of the normalizer") {
  const std::string map = R"({"type":"Precompiled","precompiled_charsmap":"AAH/"})", strip = R"({"type":"Strip"})";
  const auto replace = [](const std::string& content, const std::string& pattern = R"({"Regex":" {2,}"})") {
    return R"({"type":"Replace","pattern":)" + pattern + ",\"content\":" + content + "}";
  };
  const std::string join = replace("\" \"");
  const auto flags = [](const std::string& normalizer) {
    const auto o = read({.normalizer = normalizer}).options;
    return std::string(o.precompiled_charsmap.empty() ? "" : "m") + (o.strip_left ? "l" : "") +
           (o.strip_right ? "r" : "") + (o.two_spaces == " " ? "j" : "");
  };
  CHECK(read({.normalizer = map}).options.precompiled_charsmap == std::string("\0\1\xFF", 3));
  for (const std::string none : {"null", R"({"type":"Sequence","normalizers":[]})", R"({"type":"Sequence"})",
                                 R"({"type":"Precompiled","precompiled_charsmap":""})", R"({"type":"Precompiled"})"})
    CHECK(flags(none) == "");
  CHECK(flags(strip) == "lr");
  CHECK(flags(R"({"type":"Strip","strip_left":null,"strip_right":true})") == "lr");
  CHECK(flags(R"({"type":"Strip","strip_left":false})") == "r");
  CHECK(flags(R"({"type":"Strip","strip_left":true,"strip_right":false})") == "l");
  CHECK(flags(join) == "j");
  CHECK(flags(steps({map})) == "m");
  CHECK(flags(steps({map, strip})) == "mlr");
  CHECK(flags(steps({map, join})) == "mj");
  CHECK(flags(steps({strip, join})) == "lrj");
  CHECK(flags(steps({map, strip, join})) == "mlrj");

  const auto refused = [](const std::string& normalizer) { return refusal({.normalizer = normalizer}); };
  const auto out_of_order = [&](std::initializer_list<std::string> of, const std::string& type) {
    CHECK(has(refused(steps(of)), "entrain.checkpoint.50: tokenizer.json: normalizer of type '" + type +
                                      "', expected one Precompiled, one Strip and one Replace at most, in this order; "
                                      "this tokenizer is not XLM-RoBERTa's unigram tokenizer"));
  };
  out_of_order({map, map}, "Precompiled");
  out_of_order({strip, strip}, "Strip");
  out_of_order({join, join}, "Replace");
  out_of_order({strip, map}, "Precompiled");
  out_of_order({join, map}, "Precompiled");
  out_of_order({join, strip}, "Strip");
  out_of_order({map, join, strip}, "Strip");
  out_of_order({map, R"({"type":"NFKC"})"}, "NFKC");
  out_of_order({steps({map})}, "Sequence");
  out_of_order({"7"}, "7");
  CHECK(has(refused(R"({"type":"Lowercase"})"), "normalizer of type 'Lowercase', expected one Precompiled"));
  CHECK(has(refused("\"Strip\""), "normalizer of type '\"Strip\"', expected one Precompiled"));
  CHECK(has(refused(R"({"type":"Strip","strip_left":1})"),
            "entrain.checkpoint.32: tokenizer.json: key 'normalizer.strip_left' is the number 1"));
  for (const char* const wrong : {"\"AAA\"", "\"AA A\"", "\"AAB=\"", "\"A===\""})
    CHECK(has(refused(R"({"type":"Precompiled","precompiled_charsmap":)" + std::string(wrong) + "}"),
              "entrain.checkpoint.32: tokenizer.json: 'normalizer.precompiled_charsmap' is no text in base64, expected "
              "a map of characters in base64; restore the file"));
  CHECK(has(refused(R"({"type":"Precompiled","precompiled_charsmap":[0]})"),
            "entrain.checkpoint.32: tokenizer.json: key 'normalizer.precompiled_charsmap' is an array"));
  for (const std::string& wrong : {replace("\" \"", R"({"String":" {2,}"})"), replace("\" \"", R"({"Regex":" {2,3}"})"),
                                   replace("\"  \""), replace("\" \"", R"({"Regex":2})"), replace("\" \"", "\" {2,}\""),
                                   replace("\" \"", "null"), replace("\"\""), replace("null"), replace("\"_\"")})
    CHECK(has(refused(wrong), "entrain.checkpoint.50: tokenizer.json: normalizer of type 'Replace' with " + wrong +
                                  ", expected two or more spaces, replaced by one"));
  CHECK(
      has(refused(replace("32")), "entrain.checkpoint.32: tokenizer.json: key 'normalizer.content' is the number 32"));
  const std::string by_mark = replace("\"" + mark + "\"");
  CHECK(read({.normalizer = by_mark}).options.two_spaces == mark);
  CHECK(read({.normalizer = steps({map, strip, by_mark}), .pre = metaspace}).options.two_spaces == mark);
}

TEST_CASE("unigram's tokenizer.json: how words begin") {
  const auto splits = [](const std::string& pre) { return read({.pre = pre}).options.whitespace_split; };
  const auto form = [](const std::string& more) {
    return R"({"type":"Metaspace","replacement":")" + mark + "\"" + more + "}";
  };
  CHECK(splits(words({whitespace, metaspace})));
  CHECK(!splits(metaspace));
  CHECK(!splits(words({metaspace})));
  for (const char* const same : {"", R"(,"add_prefix_space":true)", R"(,"str_rep":"\u2581","add_prefix_space":true)",
                                 R"(,"prepend_scheme":"always","split":true)", R"(,"split":null)"})
    CHECK(splits(words({whitespace, form(same)})));

  const auto refused = [](const std::string& pre) { return refusal({.pre = pre}); };
  CHECK(has(refused("null"),
            "entrain.checkpoint.33: tokenizer.json: no key 'pre_tokenizer', expected an object of type"));
  const auto other = [&](const std::string& pre, const std::string& type) {
    CHECK(has(refused(pre), "entrain.checkpoint.50: tokenizer.json: pre_tokenizer of type '" + type +
                                "', expected Metaspace, or a Sequence of WhitespaceSplit and Metaspace"));
  };
  other(whitespace, "WhitespaceSplit");
  other(R"({"type":"ByteLevel"})", "ByteLevel");
  other("[7]", "[7]");
  other(words({}), "Sequence");
  other(R"({"type":"Sequence"})", "Sequence");
  other(words({whitespace}), "WhitespaceSplit");
  other(words({metaspace, whitespace}), "Sequence");
  other(words({metaspace, metaspace}), "Sequence");
  other(words({whitespace, whitespace}), "Sequence");
  other(words({whitespace, metaspace, metaspace}), "Sequence");
  const std::string wrong = "entrain.checkpoint.50: tokenizer.json: pre_tokenizer.";
  CHECK(has(refused(R"({"type":"Metaspace","replacement":"_"})"), wrong + "replacement '_', expected '" + mark + "'"));
  CHECK(has(refused(R"({"type":"Metaspace"})"), wrong + "replacement '', expected"));
  CHECK(has(refused(R"({"type":"Metaspace","replacement":95})"),
            "entrain.checkpoint.32: tokenizer.json: key 'pre_tokenizer.replacement' is the number 95"));
  for (const std::string scheme : {"first", "never"})
    CHECK(has(refused(form(",\"prepend_scheme\":\"" + scheme + "\"")),
              wrong + "prepend_scheme '" + scheme + "', expected 'always'"));
  for (const std::string key : {"add_prefix_space", "split"}) {
    CHECK(has(refused(form(",\"" + key + "\":false")), wrong + key + " false, expected true"));
    CHECK(has(refused(form(",\"" + key + "\":1")), "entrain.checkpoint.32: tokenizer.json: key 'pre_tokenizer." + key));
  }
}

TEST_CASE("unigram's tokenizer.json: the pieces around a text, and added ones") {
  const auto read_post = [](const std::string& post) {
    const UnigramFile file = read({.post = post});
    return std::pair(file.before, file.after);
  };
  const std::pair usual(Ids{0}, Ids{2}), none(Ids{}, Ids{});
  const std::string roberta = R"({"type":"RobertaProcessing","sep":["</s>",2],"cls":["<s>",0]})";
  const std::string byte_level = R"({"type":"ByteLevel"})";
  CHECK(read_post(roberta) == usual);
  CHECK(read_post(R"({"type":"BertProcessing","sep":["</s>",2],"cls":["<s>",0]})") == usual);
  CHECK(read_post(around({byte_level, roberta})) == usual);
  CHECK(read_post(around({WholeUnigram().post})) == usual);
  for (const std::string& nothing : {std::string("null"), byte_level, around({}), around({byte_level})})
    CHECK(read_post(nothing) == none);
  const auto refused = [](const std::string& post) { return refusal({.post = post}); };
  const std::string expected = ", expected one TemplateProcessing, RobertaProcessing or BertProcessing; this tokenizer";
  CHECK(has(refused(around({roberta, roberta})), "post_processor of type 'RobertaProcessing'" + expected));
  CHECK(has(refused(R"({"type":"Other"})"),
            "entrain.checkpoint.50: tokenizer.json: post_processor of type 'Other'" + expected));
  CHECK(has(refused(R"({"type":"BertProcessing","sep":["</s>",2],"cls":["<s>",1]})"),
            "entrain.checkpoint.51: tokenizer.json: post_processor.cls gives '<s>' the id 1, expected its id 0"));
  CHECK(has(refused(R"({"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"<x>"}}]})"),
            "entrain.checkpoint.33: tokenizer.json: no piece '<x>', expected one, as post_processor uses it"));
  CHECK(has(refused(R"({"type":"TemplateProcessing"})"),
            "entrain.checkpoint.32: tokenizer.json: key 'post_processor.single'"));
  const auto single = [](const std::string& of) { return R"({"type":"TemplateProcessing","single":[)" + of + "]}"; };
  const std::string cls = R"({"SpecialToken":{"id":"<s>"}})", text = R"({"Sequence":{"id":"A"}})";
  CHECK(read_post(single(text)) == none);
  CHECK(read_post(single(text + "," + cls)) == std::pair(Ids{}, Ids{0}));
  for (const std::string& wrong : {cls, text + "," + cls + "," + text, std::string(R"({"Sequence":{"id":"B"}})")})
    CHECK(has(refused(single(wrong)), "entrain.checkpoint.50: tokenizer.json: post_processor.single ["));
  CHECK(has(refused(single("7")), "key 'post_processor.single' is the number 7, expected objects only"));
  CHECK(has(refused(single(R"({"Sequence":7})")), "expected Sequence or SpecialToken"));

  const auto add = [](const std::string& more) { return WholeUnigram{.added = WholeUnigram().added + "," + more}; };
  const UnigramFile file =
      read(add(R"({"id":10,"content":"x","normalized":true},{"id":11,"content":"y","rstrip":true})"));
  REQUIRE(file.options.added.size() == 5);
  CHECK(file.options.added[3].normalized);
  CHECK(file.options.added[4].id == 11);
  const std::string wrong_id = "entrain.checkpoint.51: tokenizer.json: added token ";
  CHECK(has(refusal(add(R"({"id":11,"content":"x"})")), wrong_id + "'x' has id 11, expected the next free id, 10"));
  CHECK(has(refusal(add(R"({"id":8,"content":"x"})")), wrong_id + "'x' has the id of 'ab'"));
  CHECK(has(refusal(add(R"({"id":6,"content":"ab"})")), wrong_id + "'ab' has id 6, expected its id 8"));
  CHECK(has(refusal(add(R"({"id":9,"content":"<mask>"})")), wrong_id + "'<mask>' occurs twice"));
  CHECK(has(refusal(add(R"({"id":10,"content":""})")), wrong_id + "with id 10 has no text, expected a text"));
}

}  // namespace unigram_files_test
