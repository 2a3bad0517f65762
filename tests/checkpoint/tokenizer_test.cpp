// tests > [checkpoint]
#include "entrain/checkpoint/wordpiece_files.hpp"

#include <doctest/doctest.h>

#include "tests/scratch.hpp"

namespace tokenizer_test {
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
  CHECK(file.after == std::vector<std::int32_t>{3});
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
  reader.encode(
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
  CHECK(parse_tokenizer(older, "t").after == std::vector<std::int32_t>{3});
  older.replace(older.find(R"("[SEP]",3])"), 10, R"("[SEP]",4294967299])");  // 3 in 32 bits
  CHECK(refusal(older) ==
        "entrain.checkpoint.32: tokenizer.json: key 'post_processor.sep' is an array, expected a string and its id");
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
  CHECK(has(refusal(with(R"("clean_text":true)", R"("clean_text":1)")), "'normalizer.clean_text' is the number 1"));
  CHECK(has(refusal(with(R"("unk_token":"[UNK]")", R"("unk_token":5)")), "'model.unk_token' is the number 5"));
}

TEST_CASE("tokenizer.json: vocabularies that are wrong") {
  CHECK(has(refusal(with(R"("a":4)", R"("a":4,"a":5)")), "piece 'a' occurs twice"));
  CHECK(has(refusal(with(R"("a":4)", R"("a":3)")), "pieces '[SEP]' and 'a' have id 3"));
  CHECK(has(refusal(with(R"("a":4)", R"("a":-4)")), "piece 'a' of model.vocab has -4"));
  CHECK(has(refusal(with(R"("a":4)", R"("a":4.5)")), "piece 'a' of model.vocab has 4.5"));
  CHECK(has(refusal(with(R"("a":4)", R"("a":"4")")), "piece 'a' of model.vocab has '4'"));
  CHECK(has(refusal(with(R"("a":4)", R"("a":null)")), "piece 'a' of model.vocab has null"));
  CHECK(has(refusal(with(R"("a":4)", R"("a":{})")), "piece 'a' of model.vocab has an object"));
  CHECK(has(refusal(with(R"("a":4)", R"("a":[4])")), "piece 'a' of model.vocab has an array"));
  CHECK(has(refusal(with(R"("a":4)", R"("a":99999999999)")), "has id 99999999999"));
  CHECK(has(refusal(with(R"("normalized":false,"special":true},)", R"("normalized":true,"special":true},)")),
            "normalized: true"));
  CHECK(has(refusal(with(R"({"id":0,"content":"[PAD]")", R"({"id":4,"content":"[PAD]")")),
            "'[PAD]' has id 4, expected its id 0 in the vocabulary"));
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
  CHECK(cased.options.added.front().id == 5);
  put(folder / "tokenizer_config.json", R"({"sep_token":"</s>"})");
  CHECK(has(sentence([&] { read_tokenizer(folder.path()); }), "no piece </s>"));
  put(folder / "tokenizer_config.json", R"({"do_lower_case":"yes"})");
  CHECK(has(sentence([&] { read_tokenizer(folder.path()); }), "'do_lower_case' is the string 'yes'"));
  put(folder / "tokenizer.json", whole);
  CHECK(has(sentence([&] { read_tokenizer(folder.path()); }), "'do_lower_case' is the string 'yes'"));
  std::filesystem::remove(folder / "tokenizer_config.json");
  CHECK(has(sentence([&] { read_tokenizer(folder.path()); }), "vocab.txt:5: piece '[MASK]', expected 'a' with id 4"));
  std::filesystem::remove(folder / "vocab.txt");
  CHECK(has(sentence([&] { read_tokenizer(folder.path()); }), "no piece [MASK]"));
  put(folder / "tokenizer_config.json", R"({"mask_token":null})");
  CHECK(has(sentence([&] { read_tokenizer(folder.path()); }), "added token '<new>' has id 9, expected 7"));
  put(folder / "tokenizer.json", with(R"(,"##b":6,"vocab":7)", R"(,"##b":5,"vocab":6,"b":7,"c":8)"));
  CHECK(read_tokenizer(folder.path()).vocabulary.size() == 9);
}

TEST_CASE("tokenizer_config.json: what would change the pieces and is not done is refused") {
  const auto refused = [](const std::string& text) {
    return sentence([&] { parse_tokenizer_config(text, "tokenizer_config.json"); });
  };
  const std::string where = "tokenizer_config.json: ";
  CHECK(refused(R"({"do_basic_tokenize":true,"never_split":null,"added_tokens_decoder":null})").empty());
  CHECK(refused(R"({"never_split":[],"added_tokens_decoder":{}})").empty());
  CHECK(refused(R"({"do_lower_case": true, "unk_token": "[UNK]", "sep_token": "[SEP]", "pad_token": "[PAD]",
    "cls_token": "[CLS]", "mask_token": "[MASK]", "tokenize_chinese_chars": true, "strip_accents": null,
    "name_or_path": "nreimers/MiniLM-L6-H384-uncased", "do_basic_tokenize": true, "never_split": null,
    "tokenizer_class": "BertTokenizer", "model_max_length": 512})")
            .empty());  // all-MiniLM-L6-v2
  CHECK(refused(R"({"do_basic_tokenize":false})") ==
        "entrain.checkpoint.50: " + where +
            "do_basic_tokenize false, expected true: words end at spaces and punctuation before they are cut into "
            "pieces; use a model whose tokenizer does so");
  CHECK(refused(R"({"never_split":["<e>","x"]})") ==
        "entrain.checkpoint.50: " + where +
            "never_split with the string '<e>', expected no tokens in it; name them as added tokens in tokenizer.json");
  CHECK(refused(R"({"never_split":"<e>"})") ==
        "entrain.checkpoint.32: " + where + "key 'never_split' is the string '<e>', expected an array");
  CHECK(refused(R"({"added_tokens_decoder":[]})") ==
        "entrain.checkpoint.32: " + where + "key 'added_tokens_decoder' is an array, expected an object");
  for (const char* id : {"x", "-1", "1.5", "99999999999", ""})
    CHECK(refused(R"({"added_tokens_decoder":{")" + std::string(id) + R"(":{"content":"a"}}})") ==
          "entrain.checkpoint.32: " + where + "added_tokens_decoder has the key '" + id +
              "', expected an id, a number from 0");
  for (const char* token : {"[]", "{}", R"({"content":1})"})
    CHECK(has(refused(R"({"added_tokens_decoder":{"7":)" + std::string(token) + "}}"), "'added_tokens_decoder.7' is "));
  CHECK(refused(R"({"added_tokens_decoder":{"7":"a"}})") ==
        "entrain.checkpoint.32: " + where +
            "key 'added_tokens_decoder.7' is the string 'a', expected an object with a string, content");
  CHECK(refused(R"({"added_tokens_decoder":{"7":{"content":"a","lstrip":1}}})") ==
        "entrain.checkpoint.32: " + where +
            "key 'added_tokens_decoder.7.lstrip' is the number 1, expected true or false");
  CHECK(refused(R"({"added_tokens_decoder":{"7":{"content":"a","normalized":true}}})") ==
        "entrain.checkpoint.50: " + where +
            "added token 'a' with normalized: true, expected false: added tokens are matched in the original text");
}

TEST_CASE("a folder's vocab.txt: added_tokens_decoder agrees with it, or continues it") {
  const test::Scratch folder;
  const std::string path = folder / "vocab.txt";
  put(path, "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n##b\n");
  const auto with = [&](const std::string& entries) {
    put(folder / "tokenizer_config.json", R"({"added_tokens_decoder":{)" + entries + "}}");
    return read_tokenizer(folder.path());
  };
  const TokenizerFile file =
      with(R"("4":{"content":"[MASK]","lstrip":true,"rstrip":false,"normalized":false,"special":true},)"
           R"("5":{"content":"a","single_word":true,"normalized":false},)"
           R"("7":{"content":"<new>","rstrip":true,"special":true})");
  CHECK(file.vocabulary.size() == 7);
  REQUIRE(file.options.added.size() == 7);  // these three, and four more special ones
  CHECK(file.options.added[0].text == "[MASK]");
  CHECK(file.options.added[0].lstrip);
  CHECK(file.options.added[1].single_word);
  CHECK(file.options.added[2].text == "<new>");
  CHECK(file.options.added[2].id == 7);
  CHECK(file.options.added[2].rstrip);

  const std::string end = ", as in added_tokens_decoder of tokenizer_config.json; use both files of the same model";
  CHECK(sentence([&] { with(R"("6":{"content":"a"})"); }) ==
        "entrain.checkpoint.51: " + path + ": 'a' has id 5, expected 'a' with id 6" + end);
  CHECK(sentence([&] { with(R"("6":{"content":"<new>"})"); }) ==
        "entrain.checkpoint.51: " + path + ": '##b' has id 6, expected '<new>' with id 6" + end);
  CHECK(sentence([&] { with(R"("7":{"content":"<new>"},"8":{"content":"<new>"})"); }) ==
        "entrain.checkpoint.51: " + path + ": '<new>' has id 7, expected '<new>' with id 8" + end);
}

TEST_CASE("a folder's added_tokens.json: nothing new is taken, anything else is refused") {
  const test::Scratch folder;
  const std::string path = folder / "added_tokens.json";
  put(folder / "vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n##b\n");
  put(folder / "tokenizer_config.json", R"({"added_tokens_decoder":{"7":{"content":"<new>","normalized":false}}})");
  const auto refused = [&](const std::string& text) {
    put(path, text);
    return sentence([&] { read_tokenizer(folder.path()); });
  };
  CHECK(refused("{}").empty());
  CHECK(refused(R"({"<new>":7})").empty());
  const std::string end =
      ", expected tokens that are also in added_tokens_decoder of tokenizer_config.json, which sets how they are "
      "matched; "
      "load the folder in transformers and save it: that writes tokenizer.json";
  CHECK(refused(R"({"<new>":7,"<other>":8})") ==
        "entrain.checkpoint.50: " + path + ": token '<other>' with id 8" + end);
  CHECK(refused(R"({"<new>":8})") == "entrain.checkpoint.50: " + path + ": token '<new>' with id 8" + end);
  CHECK(refused("[7]") == "entrain.checkpoint.32: " + path + ": it is an array, expected an object");
  for (const char* id : {"-1", "1.5", "\"7\"", "1000000001"})
    CHECK(has(refused(R"({"<new>":)" + std::string(id) + "}"), "entrain.checkpoint.32: " + path + ": key '<new>' is "));
  CHECK(has(refused(R"({"<new>":7,"<new>":7})"), "entrain.checkpoint.31: " + path));
  put(folder / "tokenizer.json", whole);
  std::filesystem::remove(folder / "tokenizer_config.json");
  std::filesystem::remove(folder / "vocab.txt");
  CHECK(refused(R"({"<other>":8})") ==
        "entrain.checkpoint.55: " + path +
            ": token '<other>' with id 8, expected a token in added_tokens of tokenizer.json; use both files of the "
            "same model, or load the folder in transformers and save it");
}

TEST_CASE("a folder's vocab.txt: a piece that occurs twice is refused with the file and both lines") {
  const test::Scratch folder;
  put(folder / "vocab.txt", "[PAD]\n[UNK]\n\n\n[CLS]\n[SEP]\n[MASK]\na\n##b\na\n");
  CHECK(sentence([&] { read_tokenizer(folder.path()); }) ==
        "entrain.checkpoint.54: " + (folder / "vocab.txt") +
            ":10: piece 'a', as in line 8, expected each piece once; restore the file");
}

}  // namespace tokenizer_test
