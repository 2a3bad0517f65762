// tests > [checkpoint]
#include "entrain/checkpoint/tokenizer.hpp"

#include <doctest/doctest.h>

#include "tests/checkpoint/scratch.hpp"

using namespace entrain;
using namespace entrain::checkpoint;
using test::has;
using test::put;
using test::sentence;

namespace {
/// As tokenizers writes it for BERT, in small.
const std::string whole = R"({"version":"1.0","truncation":{"max_length":512},"padding":null,
"added_tokens":[{"id":0,"content":"[PAD]","single_word":false,"lstrip":false,"rstrip":false,"normalized":false,"special":true},
{"id":3,"content":"[SEP]","single_word":true,"lstrip":true,"rstrip":true,"normalized":false,"special":true},
{"id":9,"content":"<new>","normalized":false}],
"normalizer":{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"strip_accents":null,"lowercase":true},
"pre_tokenizer":{"type":"BertPreTokenizer"},
"post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"[CLS]","type_id":0}},{"Sequence":{"id":"A","type_id":0}},
{"SpecialToken":{"id":"[SEP]","type_id":0}}],"pair":[],"special_tokens":{}},
"decoder":{"type":"WordPiece","prefix":"##","cleanup":true},
"model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":100,
"vocab":{"[PAD]":0,"[UNK]":1,"[CLS]":2,"[SEP]":3,"a":4,"##b":6,"vocab":7}}})";

std::string with(std::string_view part, std::string_view instead) {
  std::string text = whole;
  const auto at = text.find(part);
  REQUIRE(at != std::string::npos);
  return text.replace(at, part.size(), instead);
}
std::string refusal(const std::string& text) {
  return sentence([&] { parse_tokenizer(text, "tokenizer.json"); });
}
}  // namespace

TEST_CASE("tokenizer.json: what BERT's says") {
  const TokenizerFile file = parse_tokenizer(whole, "tokenizer.json");
  CHECK(file.vocabulary == std::vector<std::string>{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "", "##b", "vocab"});
  CHECK(file.before == std::vector<std::int32_t>{2});
  CHECK(file.behind == std::vector<std::int32_t>{3});
  REQUIRE(file.options.added.size() == 3);
  CHECK(file.options.added[1].single_word);
  CHECK(file.options.added[1].lstrip);
  CHECK(file.options.added[1].rstrip);
  CHECK(!file.options.added[0].lstrip);
  CHECK(file.options.added[2].text == "<new>");
  CHECK(file.options.added[2].id == 9);
  CHECK(file.options.normalizer.lowercase);
  CHECK(file.options.normalizer.strip_accents);
  CHECK(file.options.max_input_chars_per_word == 100);

  const text::WordPiece wordpiece(file.vocabulary, file.options);
  text::WordPiece::Reader reader(wordpiece);
  text::Pieces pieces;
  reader.read(
      "\xC3\x81"
      "b<new>",
      pieces);
  CHECK(pieces.id == std::vector<std::int32_t>{4, 6, 9});
}

TEST_CASE("tokenizer.json: cased models, other options, the older post-processor, none at all") {
  const auto cased = parse_tokenizer(with(R"("lowercase":true)", R"("lowercase":false)"), "t").options.normalizer;
  CHECK(!cased.lowercase);
  CHECK(!cased.strip_accents);  // null follows lowercase
  const auto both =
      parse_tokenizer(with(R"("strip_accents":null)", R"("strip_accents":false)"), "t").options.normalizer;
  CHECK(both.lowercase);
  CHECK(!both.strip_accents);
  CHECK(parse_tokenizer(with(R"("max_input_chars_per_word":100)", R"("max_input_chars_per_word":7)"), "t")
            .options.max_input_chars_per_word == 7);
  const auto from = whole.find(R"("post_processor":)") + 17, to = whole.find(R"("decoder")") - 2;
  std::string older = whole, none = whole;
  older.replace(from, to - from, R"({"type":"BertProcessing","sep":["[SEP]",3],"cls":["[CLS]",2]})");
  CHECK(parse_tokenizer(older, "t").behind == std::vector<std::int32_t>{3});
  older.replace(older.find(R"("[SEP]",3])"), 10, R"("[SEP]",4294967299])");  // 3 in 32 bits
  CHECK(refusal(older) ==
        "entrain.checkpoint.32: tokenizer.json: key 'post_processor.sep' holds a list, expected a text and its id");
  none.replace(from, to - from, "null");
  CHECK(parse_tokenizer(none, "t").before.empty());
}

TEST_CASE("tokenizer.json: what is wrong with it") {
  CHECK(has(refusal("[]"), "an object"));
  CHECK(has(refusal(whole.substr(0, 700)), "not JSON"));
  CHECK(has(refusal(with(R"("type":"WordPiece","unk)", R"("type":"BPE","unk)")), "model of type 'BPE'"));
  CHECK(has(refusal(with("BertNormalizer", "Lowercase")), "normalizer of type 'Lowercase'"));
  CHECK(has(refusal(with("BertPreTokenizer", "Whitespace")), "pre_tokenizer of type 'Whitespace'"));
  CHECK(has(refusal(with("TemplateProcessing", "RobertaProcessing")), "post_processor of type 'RobertaProcessing'"));
  CHECK(has(refusal(with(R"("pre_tokenizer")", R"("pretokenizer")")), "no key 'pre_tokenizer'"));
  CHECK(has(refusal(with(R"("clean_text":true)", R"("clean_text":1)")), "'normalizer.clean_text' holds the number 1"));
  CHECK(has(refusal(with(R"("unk_token":"[UNK]")", R"("unk_token":5)")), "'model.unk_token' holds the number 5"));
}

TEST_CASE("tokenizer.json: vocabularies that are wrong") {
  CHECK(has(refusal(with(R"("a":4)", R"("a":4,"a":5)")), "piece 'a' stands twice"));
  CHECK(has(refusal(with(R"("a":4)", R"("a":3)")), "pieces '[SEP]' and 'a' have id 3"));
  CHECK(has(refusal(with(R"("a":4)", R"("a":-4)")), "piece 'a' of model.vocab has -4"));
  CHECK(has(refusal(with(R"("a":4)", R"("a":4.5)")), "piece 'a' of model.vocab has 4.5"));
  CHECK(has(refusal(with(R"("a":4)", R"("a":"4")")), "piece 'a' of model.vocab has '4'"));
  CHECK(has(refusal(with(R"("a":4)", R"("a":null)")), "piece 'a' of model.vocab has null"));
  CHECK(has(refusal(with(R"("a":4)", R"("a":{})")), "piece 'a' of model.vocab has an object"));
  CHECK(has(refusal(with(R"("a":4)", R"("a":[4])")), "piece 'a' of model.vocab has a list"));
  CHECK(has(refusal(with(R"("a":4)", R"("a":99999999999)")), "has id 99999999999"));
  CHECK(has(refusal(with(R"("normalized":false,"special":true},)", R"("normalized":true,"special":true},)")),
            "normalized: true"));
  CHECK(has(refusal(with(R"({"id":0,"content":"[PAD]")", R"({"id":4,"content":"[PAD]")")), "has the id of 'a'"));
  CHECK(has(refusal(with(R"({"SpecialToken":{"id":"[CLS]")", R"({"SpecialToken":{"id":"[BOS]")")), "no piece '[BOS]'"));
}

TEST_CASE("a folder's tokenizer: tokenizer.json, else vocab.txt with its config") {
  const test::Scratch folder;
  CHECK(has(sentence([&] { read_tokenizer(folder.path()); }), "no tokenizer.json and no vocab.txt"));
  put(folder / "vocab.txt", "[PAD]\r\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n##b");
  const TokenizerFile plain = read_tokenizer(folder.path());
  CHECK(plain.vocabulary.size() == 7);
  CHECK(plain.vocabulary[0] == "[PAD]");
  CHECK(plain.options.normalizer.lowercase);
  CHECK(plain.before == std::vector<std::int32_t>{2});
  put(folder / "tokenizer_config.json", R"({"do_lower_case":false,"mask_token":{"content":"a"},"other":[1]})");
  const TokenizerFile cased = read_tokenizer(folder.path());
  CHECK(!cased.options.normalizer.lowercase);
  CHECK(!cased.options.normalizer.strip_accents);
  CHECK(cased.options.added.back().id == 5);
  put(folder / "tokenizer_config.json", R"({"sep_token":"</s>"})");
  CHECK(has(sentence([&] { read_tokenizer(folder.path()); }), "no piece </s>"));
  put(folder / "tokenizer_config.json", R"({"do_lower_case":"yes"})");
  CHECK(has(sentence([&] { read_tokenizer(folder.path()); }), "'do_lower_case' holds the text 'yes'"));
  put(folder / "tokenizer.json", whole);
  CHECK(read_tokenizer(folder.path()).vocabulary.size() == 8);
}
