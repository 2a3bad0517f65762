// tests > [checkpoint]
#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/checkpoint/unigram_files.hpp"
#include "tests/checkpoint/opened_folder.hpp"
#include "tests/checkpoint/whole_unigram.hpp"
#include "tests/scratch.hpp"

namespace unigram_folder_test {
using namespace entrain;
using namespace entrain::checkpoint;
using namespace test;
using namespace whole_unigram;
using Ids = std::vector<std::int32_t>;

namespace {

/// The files of a folder, without their ending .json. An empty text: no such file.
struct Folder {
  std::string tokenizer = WholeUnigram().text(), tokenizer_config = "", special_tokens_map = "", added_tokens = "";
  std::string config = R"({"model_type":"xlm-roberta","max_position_embeddings":42})";
};
using Opened = test::OpenedFolder;
Opened open(const Folder& files, std::string_view text = "") {
  const Scratch folder;
  const std::map<std::string, std::string> all{{"tokenizer.json", files.tokenizer},
                                               {"tokenizer_config.json", files.tokenizer_config},
                                               {"special_tokens_map.json", files.special_tokens_map},
                                               {"added_tokens.json", files.added_tokens},
                                               {"config.json", files.config}};
  for (const auto& [name, bytes] : all)
    if (!bytes.empty()) put(folder / name, bytes);
  return open_folder<text::Unigram>(folder, text, "folder");
}
Ids ids(const Folder& files, std::string_view text) { return open(files, text).ids; }
std::string refused(const Folder& files) {
  return sentence([&] { open(files); });
}
std::string of_class(const std::string& name) { return "{\"tokenizer_class\":\"" + name + "\"}"; }
const std::string fast = of_class("PreTrainedTokenizerFast");
/// Metaspace alone, white space at the ends left out, two or more spaces joined.
WholeUnigram spaced() {
  return {
      .normalizer = steps({R"({"type":"Strip"})", R"({"type":"Replace","pattern":{"Regex":" {2,}"},"content":" "})"}),
      .pre = metaspace};
}

}  // namespace

TEST_CASE("unigram's folder: the files of XLM-RoBERTa") {
  const Folder files{.tokenizer_config = of_class("XLMRobertaTokenizer")};
  const Opened opened = open(files, "ab a\tb <mask>q");
  CHECK(opened.ids == Ids{4, 8, 7, 4, 6, 9, 4, 3});
  CHECK(opened.before == Ids{0});
  CHECK(opened.after == Ids{2});
  CHECK(opened.unknown == 3);
  CHECK(opened.notes.empty());
  CHECK(ids({}, "ab a") == Ids{4, 8, 7});
  CHECK(has(refused({.tokenizer = ""}),
            "entrain.checkpoint.53: folder: no tokenizer.json, expected a tokenizer's file; load the folder in "
            "transformers and save it: that writes tokenizer.json"));
  CHECK(has(refused({.tokenizer = "[]"}), "tokenizer.json: it is an array, expected an object"));
  CHECK(has(refused({.tokenizer = std::string(3, '\0')}), "tokenizer.json: a NUL byte"));
  for (const char* const wrong : {"[]", "7"}) {
    CHECK(has(refused({.tokenizer_config = wrong}), "entrain.checkpoint.32: "));
    CHECK(has(refused({.special_tokens_map = wrong}), "special_tokens_map.json: it is "));
    CHECK(has(refused({.added_tokens = wrong}), "added_tokens.json: it is "));
  }
  CHECK(has(refused({.tokenizer_config = R"({"tokenizer_class":7})"}), "key 'tokenizer_class' is the number 7"));
  WholeUnigram broken;
  broken.normalizer = R"({"type":"Precompiled","precompiled_charsmap":"AAH/"})";
  CHECK(has(refused({.tokenizer = broken.text()}), "entrain.text.18: folder: a map of characters of 3 bytes"));
  CHECK(has(refused({.tokenizer = with("[\"b\",", "[\"a\",").text()}), "entrain.text.14: folder: 'a' has ids 5 and 6"));
}

TEST_CASE("unigram's folder: whether transformers takes the steps from tokenizer.json") {
  const std::string text = spaced().text();
  const Ids from_json{7, 3, 6, 7}, by_class{7, 4, 6, 7};  // of a VT b: it is white space to WhitespaceSplit alone
  const std::string_view sample = "a\vb  a ";
  for (const char* const name : {"PreTrainedTokenizerFast", "TokenizersBackend"})
    CHECK(ids({.tokenizer = text, .tokenizer_config = of_class(name)}, sample) == from_json);
  for (const char* const name : {"XLMRobertaTokenizer", "XLMRobertaTokenizerFast"}) {
    CHECK(ids({.tokenizer = text, .tokenizer_config = of_class(name)}, sample) == by_class);
    const std::string config = R"({"model_type":"xlm-roberta","tokenizer_class":")" + std::string(name) + "\"}";
    CHECK(ids({.tokenizer = text, .config = config}, sample) == by_class);
  }
  CHECK(ids({.tokenizer = text}, sample) == by_class);
  CHECK(ids({.tokenizer = text, .tokenizer_config = "{}"}, sample) == by_class);
  CHECK(ids({.tokenizer = text, .tokenizer_config = R"({"tokenizer_class":null})"}, sample) == by_class);
  WholeUnigram added = spaced();
  added.added += R"(,{"id":10,"content":"a b","normalized":true})";
  CHECK(ids({.tokenizer = added.text(), .tokenizer_config = fast}, "a  b") == Ids{10});
  CHECK(ids({.tokenizer = added.text()}, "a b") == Ids{10});
  CHECK(ids({.tokenizer = added.text()}, "a  b") == Ids{7, 4, 6});  // spaces are not joined
  // transformers makes these, or takes the steps from tokenizer.json if it does not know the name.
  for (const std::string name : {"CamembertTokenizer", "RobertaTokenizer", "PreTrainedTokenizer", "NoTokenizer"}) {
    CHECK(has(refused({.tokenizer_config = of_class(name)}), "tokenizer_config.json: tokenizer_class '" + name + "'"));
    const std::string in_config = R"({"model_type":"xlm-roberta","tokenizer_class":")" + name + "\"}";
    CHECK(has(refused({.config = in_config}), "config.json: tokenizer_class '" + name + "', expected XLMRoberta"));
    CHECK(!open({.tokenizer_config = fast, .config = in_config}, "a").ids.empty());
  }
  CHECK(has(refused({.config = R"({"model_type":"xlm-roberta","tokenizer_class":"PreTrainedTokenizerFast"})"}),
            "expected XLMRobertaTokenizer; state the tokenizer_class in tokenizer_config.json"));
  CHECK(has(refused({.tokenizer_config = of_class("CamembertTokenizer")}),
            "expected XLMRobertaTokenizer or PreTrainedTokenizerFast; load the folder in transformers"));
}

TEST_CASE("unigram's folder: what XLMRobertaTokenizer does, whatever tokenizer.json says") {
  const std::string by_class =
      ", as transformers' XLMRobertaTokenizer; load the folder in transformers and save it, or "
      "state the tokenizer_class PreTrainedTokenizerFast";
  const std::string other_unknown = with("\"unk_id\":3", "\"unk_id\":5").text();
  CHECK(has(refused({.tokenizer = other_unknown}), "entrain.checkpoint.55: "));
  CHECK(has(refused({.tokenizer = other_unknown}), "tokenizer.json: model.unk_id is not 3, expected 3" + by_class));
  CHECK(open({.tokenizer = other_unknown, .tokenizer_config = fast}, "q").unknown == 5);
  const WholeUnigram few{.vocab = R"(["<s>",0.0],["a",-1.0],["</s>",0.0])",
                         .model = R"("unk_id":1,"vocab":[["<s>",0.0],["a",-1.0],["</s>",0.0]])",
                         .added = ""};
  CHECK(has(refused({.tokenizer = few.text()}), "model.unk_id is not 3"));
  CHECK(ids({.tokenizer = few.text(), .tokenizer_config = fast}, "q") == Ids{1});

  const auto with_post = [](const std::string& post) { return WholeUnigram{.post = post}.text(); };
  const std::string none = with_post("null"), wanted = ": other pieces around a text in post_processor, expected ";
  CHECK(
      has(refused({.tokenizer = none}), "tokenizer.json" + wanted + "'<s>' before it and '</s>' after it" + by_class));
  CHECK(open({.tokenizer = none, .tokenizer_config = fast}).before.empty());
  CHECK(
      has(refused({.tokenizer_config = R"({"bos_token":"<pad>"})"}), wanted + "'<pad>' before it and '</s>' after it"));
  CHECK(has(refused({.special_tokens_map = R"({"eos_token":"<pad>"})"}),
            wanted + "'<s>' before it and '<pad>' after it"));
  const std::string others = with_post(R"({"type":"BertProcessing","cls":["<pad>",1],"sep":["ab",8]})");
  const std::string bos = R"("bos_token":"<pad>","eos_token":"ab")";
  const Opened opened = open({.tokenizer = others, .tokenizer_config = "{" + bos + "}"});
  CHECK(opened.before == Ids{1});
  CHECK(opened.after == Ids{8});
  CHECK(open({.tokenizer = others, .special_tokens_map = "{" + bos + "}"}).after == Ids{8});
  CHECK(has(refused({.tokenizer = others, .tokenizer_config = "{" + bos + R"(,"cls_token":"<s>"})"}),
            "cls_token '<s>', expected '<pad>', as in post_processor of tokenizer.json"));

  CHECK(has(refused({.tokenizer_config = R"({"add_prefix_space":false})"}), "entrain.checkpoint.50: "));
  CHECK(has(refused({.tokenizer_config = R"({"add_prefix_space":false})"}),
            "tokenizer_config.json: add_prefix_space false, expected true: every word begins with U+2581"));
  CHECK(has(refused({.tokenizer_config = R"({"add_prefix_space":1})"}), "key 'add_prefix_space' is the number 1"));
  for (const char* const same : {R"({"add_prefix_space":true})", R"({"add_prefix_space":null})",
                                 R"({"add_prefix_space":false,"tokenizer_class":"TokenizersBackend"})"})
    CHECK(ids({.tokenizer_config = same}, "a") == Ids{7});
}

TEST_CASE("unigram's folder: special pieces are found in a text as transformers finds them") {
  const Ids apart{7, 9}, whole{4, 8};
  CHECK(ids({}, "a <mask>") == apart);
  const std::string none = WholeUnigram{.added = ""}.text();
  for (const char* const piece : {"<s>", "</s>", "<pad>", "<unk>", "<mask>"})
    CHECK(ids({.tokenizer = none}, std::string(piece) + "a").size() == 2);
  CHECK(ids({.tokenizer = none, .tokenizer_config = fast}, "<s>") != Ids{0});
  CHECK(ids({.tokenizer = none, .tokenizer_config = R"({"mask_token":{"content":"b","lstrip":true}})"}, "a b") ==
        Ids{7, 6});
  CHECK(ids({.tokenizer_config = R"({"mask_token":"b"})"}, "aba") == Ids{7, 6, 7});
  for (const char* const key : {"additional_special_tokens", "extra_special_tokens"})
    for (const char* const list : {"[\"ab\"]", "{\"x\":\"ab\"}"}) {
      const std::string stated = "{\"" + std::string(key) + "\":" + list + "}";
      CHECK(ids({.tokenizer_config = stated}, "abab") == Ids{8, 8});
      CHECK(ids({.special_tokens_map = stated}, "abab") == Ids{8, 8});
    }
  CHECK(ids({.tokenizer_config = R"({"extra_special_tokens":["ab"],"additional_special_tokens":["b"]})"}, "abb") ==
        Ids{8, 4, 6});
  CHECK(ids({.tokenizer_config = R"({"extra_special_tokens":[],"additional_special_tokens":["b"]})"}, "ab") ==
        Ids{7, 6});
  CHECK(ids({.tokenizer_config = R"({"image_token":"ab","add_bos_token":true,"x_token":null})"}, "abab") == Ids{8, 8});
  CHECK(ids({.tokenizer_config = R"({"image_token":{"__type":"AddedToken","content":"ab","lstrip":true}})"}, "a ab") ==
        Ids{7, 8});
  CHECK(ids({.tokenizer_config = R"({"image_token":{"content":"ab"}})"}, "a ab") == ids({}, "a ab"));
  CHECK(ids({.special_tokens_map = R"({"image_token":{"content":"ab","lstrip":true}})"}, "a ab") == Ids{7, 8});
  WholeUnigram spaces = spaced();
  spaces.model = with(R"(["<mask>",0.0])", R"(["<mask>",0.0],["a b",-9.0])").model;
  for (const bool changed : {false, true}) {
    const std::string stated = R"("cls_token":"<s>","mask_token":{"content":"a b","normalized":)" +
                               std::string(changed ? "true" : "false") + "}}";
    CHECK((ids({.tokenizer = spaces.text(), .tokenizer_config = fast.substr(0, fast.size() - 1) + "," + stated},
               "a  b") == Ids{10}) == changed);
  }
  CHECK(ids({}, "ab") == whole);
  CHECK(has(refused({.tokenizer_config = R"({"mask_token":"<m>"})"}), "entrain.checkpoint.52: "));
  CHECK(has(refused({.tokenizer_config = R"({"mask_token":"<m>"})"}),
            "mask_token '<m>', which is no piece, expected a piece of the vocabulary, or an added token"));
  const std::string unmasked = with(R"(,["<mask>",0.0])", "").text();
  const std::string without_mask =
      std::string(unmasked).replace(unmasked.find(",{\"id\":9"), WholeUnigram().mask.size() + 1, "");
  CHECK(
      has(refused({.tokenizer = without_mask}), "tokenizer.json: no piece <mask>, expected one, as transformers' XLM"));
  CHECK(ids({.tokenizer = without_mask, .tokenizer_config = fast}, "a") == Ids{7});
  CHECK(ids({.tokenizer = without_mask, .tokenizer_config = R"({"mask_token":"b"})"}, "ab") == Ids{7, 6});
  CHECK(has(refused({.special_tokens_map = R"({"mask_token":{"content":"<mask>","lstrip":false}})"}),
            "mask_token '<mask>' and a different lstrip, rstrip or single_word"));
  CHECK(ids({.special_tokens_map = R"({"mask_token":{"content":"<mask>","lstrip":true}})"}, "a <mask>") == apart);
}

TEST_CASE("unigram's folder: files that contradict each other") {
  CHECK(has(refused({.tokenizer_config = R"({"unk_token":"a"})"}), "entrain.checkpoint.55: "));
  CHECK(has(refused({.tokenizer_config = R"({"unk_token":"a"})"}),
            "tokenizer_config.json: unk_token 'a', expected '<unk>', as in model.unk_token of tokenizer.json"));
  CHECK(has(refused({.special_tokens_map = R"({"sep_token":"<pad>"})"}),
            "special_tokens_map.json: sep_token '<pad>', expected '</s>', as in post_processor of tokenizer.json"));
  CHECK(has(refused({.tokenizer_config = R"({"pad_token":"<pad>"})", .special_tokens_map = R"({"pad_token":"a"})"}),
            "special_tokens_map.json: pad_token 'a', expected '<pad>', as in tokenizer_config.json"));
  CHECK(has(refused({.added_tokens = R"({"<new>":10})"}),
            "added_tokens.json: token '<new>' with id 10, expected a token in added_tokens of tokenizer.json"));
  CHECK(
      has(refused({.added_tokens = R"({"<mask>":8})"}), "added_tokens.json: token '<mask>' with id 8, expected id 9"));
  CHECK(ids({.added_tokens = R"({"<mask>":9})"}, "<mask>") == Ids{9});
  const auto decoder = [](const std::string& mask) {
    return R"({"added_tokens_decoder":{"0":{"content":"<s>"},"2":{"content":"</s>"})" + mask + "}}";
  };
  const std::string mask = R"(,"9":{"content":"<mask>","lstrip":true})";
  CHECK(ids({.tokenizer_config = decoder(mask)}, "<mask>") == Ids{9});
  CHECK(has(refused({.tokenizer_config = decoder(R"(,"9":{"content":"<mask>"})")}),
            "token '<mask>' with id 9 and a different lstrip, rstrip or single_word, expected those in added_tokens"));
  CHECK(has(refused({.tokenizer_config = decoder(R"(,"8":{"content":"<mask>","lstrip":true})")}),
            "token '<mask>' with id 8, expected id 9, as in added_tokens of tokenizer.json"));
  CHECK(has(refused({.tokenizer_config = decoder(mask + R"(,"10":{"content":"x"})")}),
            "token 'x' with id 10, expected a token in added_tokens of tokenizer.json"));
  // XLMRobertaTokenizer has the added tokens of tokenizer_config.json alone, if it lists any.
  const std::string missing = decoder("");
  CHECK(has(refused({.tokenizer_config = missing}), "entrain.checkpoint.55: "));
  CHECK(has(refused({.tokenizer_config = missing}),
            "tokenizer_config.json: no '<mask>' in added_tokens_decoder, expected"));
  CHECK(ids({.tokenizer_config = missing.substr(0, missing.size() - 1) + "," + fast.substr(1)}, "<mask>") == Ids{9});
  // If it is there, transformers does not read the other file.
  const std::string map = R"({"additional_special_tokens":["ab"]})";
  CHECK(ids({.special_tokens_map = map}, "abab") == Ids{8, 8});
  CHECK(ids({.tokenizer_config = decoder(mask), .special_tokens_map = map}, "abab") != Ids{8, 8});
  // Both take from it whether a token is searched in the changed text. Here spaces are changed, so "a b" is found.
  WholeUnigram two = spaced();
  two.added += R"(,{"id":10,"content":"a b","normalized":false})";
  for (const bool changed : {false, true}) {
    const std::string added = R"(,"10":{"content":"a b","normalized":)" + std::string(changed ? "true" : "false") + "}";
    const std::string config = decoder(mask + added);
    CAPTURE(config);
    CHECK(
        (ids({.tokenizer = two.text(), .tokenizer_config = config.substr(0, config.size() - 1) + "," + fast.substr(1)},
             "a  b") == Ids{10}) == changed);
  }
}

TEST_CASE("unigram's folder: keys by which transformers finds other pieces") {
  CHECK(has(refused({.tokenizer_config = R"({"split_special_tokens":true})"}),
            "tokenizer_config.json: split_special_tokens true, expected false: special pieces are found in a text"));
  CHECK(has(refused({.tokenizer_config = R"({"fast_tokenizer_files":["tokenizer.4.0.0.json"]})"}),
            "tokenizer_config.json: fast_tokenizer_files with the string 'tokenizer.4.0.0.json', expected "
            "tokenizer.json alone"));
  CHECK(
      has(refused({.tokenizer_config = R"({"fast_tokenizer_files":[7]})"}), "fast_tokenizer_files with the number 7"));
  CHECK(has(refused({.tokenizer_config = R"({"split_special_tokens":1})"}), "'split_special_tokens' is the number 1"));
  for (const char* const same : {R"({"split_special_tokens":false})", R"({"fast_tokenizer_files":["tokenizer.json"]})",
                                 R"({"fast_tokenizer_files":[],"split_special_tokens":null})"})
    CHECK(ids({.tokenizer_config = same}, "a") == Ids{7});
}

TEST_CASE("unigram's folder: a model_max_length that is more than the model has") {
  const auto notes = [](const std::string& length, const Folder& other = {}) {
    Folder files = other;
    files.tokenizer_config = "{\"model_max_length\":" + length + "}";
    return open(files).notes;
  };
  const auto noted = notes("41");
  REQUIRE(noted.size() == 1);
  CHECK(has(noted[0],
            "tokenizer_config.json: model_max_length 41, but config.json has max_position_embeddings 42, of "
            "which 2 are reserved, which is used; transformers fails on longer texts"));
  for (const char* const fits : {"40", "1", "1000000000000000019884624838656", "1e30", "null", "\"512\""})
    CHECK(notes(fits).empty());
  CHECK(notes("1000000000").size() == 1);
  CHECK(notes("41", {.config = R"({"model_type":"xlm-roberta"})"}).empty());
  CHECK(notes("41", {.config = ""}).empty());
  CHECK(notes("42", {.config = R"({"max_position_embeddings":42})"}).empty());  // nothing is reserved
}

}  // namespace unigram_folder_test
