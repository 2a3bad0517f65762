// tests > [checkpoint]
//
// Files of a folder that state the same thing: as transformers 4.57.6 and 5.24.0 take them (AutoTokenizer).
#include "entrain/checkpoint/tokenizer_agreement.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/scratch.hpp"

namespace tokenizer_agreement_test {
using namespace entrain;
using namespace entrain::checkpoint;
using test::has;
using test::sentence;

namespace {
const std::string vocabulary = "[PAD]\n[UNK]\n[CLS]\n[SEP]\na\n##b\n[MASK]\n";

std::string tokenizer_json(const std::string& lowercase, const std::string& strip_accents = "null",
                           const std::string& chinese = "true") {
  return R"({"added_tokens":[{"id":2,"content":"[CLS]","special":true},{"id":3,"content":"[SEP]","special":true},{"id":7,"content":"<new>","normalized":false}],
"normalizer":{"type":"BertNormalizer","handle_chinese_chars":)" +
         chinese + R"(,"strip_accents":)" + strip_accents + R"(,"lowercase":)" + lowercase + R"(},
"pre_tokenizer":{"type":"BertPreTokenizer"},
"post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"[CLS]"}},{"Sequence":{"id":"A"}},
{"SpecialToken":{"id":"[SEP]"}}]},
"model":{"type":"WordPiece","unk_token":"[UNK]","vocab":{"[PAD]":0,"[UNK]":1,"[CLS]":2,"[SEP]":3,"a":4,"##b":5,"[MASK]":6}}})";
}

struct Folder {
  std::vector<FolderText> texts;
  Folder& with(const std::string& name, const std::string& text) {
    texts.push_back({name, "m/" + name, text});
    return *this;
  }
  std::vector<std::string> notes() const {
    std::vector<std::string> notes;
    read_tokenizer(texts, "m", notes);
    return notes;
  }
  std::string refusal() const {
    return sentence([&] { notes(); });
  }
  std::optional<std::string> agreeing() const {
    return agreeing_tokenizer_config(parse_tokenizer(texts.front().text, "t"), texts);
  }
};
Folder with(const std::string& lowercase, const std::string& config) {
  return Folder().with("tokenizer.json", tokenizer_json(lowercase)).with("tokenizer_config.json", config);
}
using Notes = std::vector<std::string>;
}  // namespace

TEST_CASE("agreement: tokenizer_config.json states another do_lower_case, strip_accents or tokenize_chinese_chars") {
  const std::string remedy =
      "; transformers uses tokenizer_config.json: set both to the value that the model was trained with";
  for (const char* of :
       {"", R"("tokenizer_class":"BertTokenizer",)", R"("tokenizer_class":"DistilBertTokenizerFast",)"}) {
    CHECK(with("true", "{" + std::string(of) + R"("do_lower_case":false})").refusal() ==
          "entrain.checkpoint.55: m/tokenizer_config.json: do_lower_case false, expected true, as in "
          "normalizer.lowercase of tokenizer.json" +
              remedy);
    CHECK(with("true", "{" + std::string(of) + R"("do_lower_case":true})").notes().empty());
    CHECK(with("false", "{" + std::string(of) + R"("do_lower_case":false})").notes().empty());
  }
  CHECK(with("false", R"({"do_lower_case":false,"strip_accents":true})").refusal() ==
        "entrain.checkpoint.55: m/tokenizer_config.json: strip_accents true, expected false, as in "
        "normalizer.strip_accents of tokenizer.json" +
            remedy);
  CHECK(with("true", R"({"tokenize_chinese_chars":false})").refusal() ==
        "entrain.checkpoint.55: m/tokenizer_config.json: tokenize_chinese_chars false, expected true, as in "
        "normalizer.handle_chinese_chars of tokenizer.json" +
            remedy);
  CHECK(with("true", R"({"do_lower_case":"no"})").refusal() ==
        "entrain.checkpoint.32: m/tokenizer_config.json: key 'do_lower_case' is the string 'no', expected true or "
        "false");
  // Accents go where letters are lowered, in both files: null states nothing.
  CHECK(with("true", R"({"do_lower_case":true,"strip_accents":null})").notes().empty());
}

TEST_CASE("agreement: PreTrainedTokenizerFast follows tokenizer.json, as we do: a note") {
  CHECK(with("true", R"({"tokenizer_class":"PreTrainedTokenizerFast","do_lower_case":false})").notes() ==
        Notes{"m/tokenizer_config.json: do_lower_case false, but normalizer.lowercase of tokenizer.json is true, which "
              "is used here and by transformers' PreTrainedTokenizerFast"});
}

TEST_CASE("agreement: a default of transformers is not what tokenizer.json says: a note, and the saved file says it") {
  const Folder silent = with("false", R"({"model_max_length":512})");
  CHECK(silent.notes() ==
        Notes{"m/tokenizer_config.json: no do_lower_case: transformers uses do_lower_case true, but "
              "normalizer.lowercase of tokenizer.json is false, which is used here: add \"do_lower_case\": false",
              "m/tokenizer_config.json: no strip_accents: transformers uses strip_accents true, but "
              "normalizer.strip_accents of tokenizer.json is false, which is used here: add \"strip_accents\": false"});
  CHECK(silent.agreeing() == "{\n  \"model_max_length\": 512,\n  \"do_lower_case\": false\n}\n");
  const Folder none = Folder().with("tokenizer.json", tokenizer_json("false", "null", "false"));
  CHECK(none.notes().size() == 3);
  CHECK(has(none.notes()[0], "m/tokenizer_config.json: no such file: transformers uses do_lower_case true"));
  CHECK(none.agreeing() == "{\n  \"do_lower_case\": false,\n  \"tokenize_chinese_chars\": false\n}\n");
  const Folder accents = Folder()
                             .with("tokenizer.json", tokenizer_json("false", "true"))
                             .with("tokenizer_config.json", R"({"do_lower_case":false})");
  CHECK(accents.agreeing() == "{\n  \"do_lower_case\": false,\n  \"strip_accents\": true\n}\n");
  for (const Folder& folder : {silent, none, accents}) {  // what is written agrees
    Folder written;
    for (const FolderText& text : folder.texts)
      if (text.name != "tokenizer_config.json") written.texts.push_back(text);
    written.with("tokenizer_config.json", *folder.agreeing());
    CHECK(written.notes().empty());
    CHECK(!written.agreeing());
  }
  CHECK(!with("true", "{}").agreeing());
  CHECK(!with("false", R"({"tokenizer_class":"PreTrainedTokenizerFast"})").agreeing());
  CHECK(with("false", R"({"tokenizer_class":"PreTrainedTokenizerFast"})").notes().empty());
  CHECK(!agreeing_tokenizer_config({}, Folder().with("vocab.txt", vocabulary).texts));
}

TEST_CASE("agreement: special pieces, added tokens and the vocabulary") {
  const std::string both = "; use both files of the same model, or load the folder in transformers and save it";
  for (const char* name : {"tokenizer_config.json", "special_tokens_map.json"}) {
    const auto refusal = [&](const std::string& text) {
      return Folder().with("tokenizer.json", tokenizer_json("true")).with(name, text).refusal();
    };
    const std::string where = "entrain.checkpoint.55: m/" + std::string(name) + ": ";
    CHECK(refusal(R"({"cls_token":"[CLS]","sep_token":{"content":"[SEP]"},"unk_token":"[UNK]"})").empty());
    CHECK(refusal(R"({"cls_token":"<s>"})") ==
          where + "cls_token '<s>', expected '[CLS]', as in post_processor of tokenizer.json" + both);
    CHECK(refusal(R"({"sep_token":{"content":"</s>"}})") ==
          where + "sep_token '</s>', expected '[SEP]', as in post_processor of tokenizer.json" + both);
    CHECK(refusal(R"({"unk_token":"<unk>"})") ==
          where + "unk_token '<unk>', expected '[UNK]', as in model.unk_token of tokenizer.json" + both);
  }
  const auto added = [&](const std::string& token) {
    return with("true", R"({"added_tokens_decoder":{)" + token + "}}").refusal();
  };
  const std::string where = "entrain.checkpoint.55: m/tokenizer_config.json: ";
  CHECK(added(R"("7":{"content":"<new>","special":true},"2":{"content":"[CLS]"})").empty());
  CHECK(added(R"("8":{"content":"<new>"})") ==
        where + "token '<new>' with id 8, expected id 7, as in added_tokens of tokenizer.json" + both);
  CHECK(added(R"("7":{"content":"<other>"})") ==
        where + "token '<other>' with id 7, expected a token in added_tokens of tokenizer.json" + both);
  CHECK(added(R"("7":{"content":"<new>","single_word":true})") ==
        where +
            "token '<new>' with id 7 and a different lstrip, rstrip or single_word, expected those in added_tokens of "
            "tokenizer.json" +
            both);
  const auto beside = [&](const std::string& text) {
    return Folder().with("tokenizer.json", tokenizer_json("true")).with("vocab.txt", text).refusal();
  };
  const std::string wrong = "; use both files of the same model, or remove the one that is wrong";
  CHECK(beside(vocabulary).empty());
  CHECK(beside(vocabulary + "<new>\r\n").empty());
  CHECK(beside("[PAD]\n[UNK]\n[CLS]\n[SEP]\n##b\na\n") ==
        "entrain.checkpoint.55: m/vocab.txt:5: piece '##b', expected 'a' with id 4, as in tokenizer.json" + wrong);
  CHECK(beside("[PAD]\n[UNK]\n[CLS]\n[SEP]\na\n") ==
        "entrain.checkpoint.55: m/vocab.txt: 5 pieces, expected '##b' with id 5, as in tokenizer.json" + wrong);
  CHECK(beside(vocabulary + "<new>\nmore\n") ==
        "entrain.checkpoint.55: m/vocab.txt:9: piece 'more', expected no piece with id 8, as in tokenizer.json" +
            wrong);
}

TEST_CASE("agreement: vocab.txt alone takes its special pieces from both files, which must not contradict each other") {
  const std::string words = "<pad>\n<unk>\n<s>\n</s>\n<mask>\na\n";
  const std::string map =
      R"({"unk_token":"<unk>","cls_token":"<s>","sep_token":"</s>","pad_token":"<pad>","mask_token":"<mask>"})";
  std::vector<std::string> notes;
  const auto read =
      read_tokenizer(Folder().with("vocab.txt", words).with("special_tokens_map.json", map).texts, "m", notes);
  CHECK(read.options.unk_token == "<unk>");
  CHECK(read.before == std::vector<std::int32_t>{2});
  CHECK(read.after == std::vector<std::int32_t>{3});
  CHECK(Folder()
            .with("vocab.txt", words)
            .with("special_tokens_map.json", map)
            .with("tokenizer_config.json", R"({"cls_token":"[CLS]"})")
            .refusal() ==
        "entrain.checkpoint.55: m/special_tokens_map.json: cls_token '<s>', expected '[CLS]', as in "
        "tokenizer_config.json; use both files of the same model");
}

TEST_CASE("agreement: texts longer than the model has positions") {
  const auto notes = [](const std::string& length) {
    return with("true", R"({"model_max_length":)" + length + "}")
        .with("config.json", R"({"max_position_embeddings":512})")
        .notes();
  };
  CHECK(notes("512").empty());
  CHECK(notes("256").empty());
  CHECK(notes("1000000000000000019884624838656").empty());
  CHECK(notes("513") == Notes{"m/tokenizer_config.json: model_max_length 513, but config.json has "
                              "max_position_embeddings 512, which is used; transformers fails on longer texts"});
}

}  // namespace tokenizer_agreement_test
