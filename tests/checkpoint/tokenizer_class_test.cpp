// tests > [checkpoint]
//
// Keys of tokenizer_config.json and config.json by which transformers makes another tokenizer, for all tokenizers.
// unigram_folder_test.cpp has the same for XLM-RoBERTa's alone.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/checkpoint/all_tokenizers.hpp"
#include "tests/checkpoint/opened_folder.hpp"
#include "tests/scratch.hpp"

namespace tokenizer_class_test {
using namespace entrain;
using namespace entrain::checkpoint;
using test::get;
using test::has;
using test::put;

namespace {

const std::string golden = ENTRAIN_SOURCE_DIR "/tests/train/golden/";

/// A golden folder's files with a tokenizer_config.json of these keys, opened: what refuses it, or nothing.
template <class Tokenizer> std::string refusal(const std::string& of, const std::string& tokenizer_config,
                                               const std::string& config = "{}", const std::string& from = "",
                                               const std::string& to = "") {
  const test::Scratch folder;
  for (const std::string name : {"vocab.txt", "tokenizer.json"})
    if (std::filesystem::exists(golden + of + "/" + name)) {
      std::string text = get(golden + of + "/" + name);
      if (const auto at = text.find(from); !from.empty() && at != text.npos) text.replace(at, from.size(), to);
      put(folder / name, text);
    }
  put(folder / "config.json", config);
  if (!tokenizer_config.empty()) put(folder / "tokenizer_config.json", tokenizer_config);
  return test::sentence([&] { test::open_folder<Tokenizer>(folder, "", folder.path()); });
}
std::string of_class(const std::string& name) { return "{\"tokenizer_class\":\"" + name + "\"}"; }

template <class Tokenizer> void check(const std::string& folder, std::initializer_list<std::string> accepted,
                                      std::initializer_list<std::string> refused) {
  CAPTURE(folder);
  for (const std::string& name : accepted) {
    CAPTURE(name);
    CHECK(refusal<Tokenizer>(folder, of_class(name)) == "");
    CHECK(refusal<Tokenizer>(folder, of_class(name + "Fast")) == "");
    CHECK(refusal<Tokenizer>(folder, "", of_class(name)) == "");
  }
  const std::string first = *accepted.begin();
  for (const std::string& name : refused) {
    CAPTURE(name);
    CHECK(has(refusal<Tokenizer>(folder, of_class(name)),
              "tokenizer_config.json: tokenizer_class '" + name + "', expected " + first +
                  " or PreTrainedTokenizerFast; load the folder in transformers and save it as one of these"));
    CHECK(has(refusal<Tokenizer>(folder, "", of_class(name)),
              "/config.json: tokenizer_class '" + name + "', expected " + first +
                  "; state the tokenizer_class in tokenizer_config.json"));
    CHECK(refusal<Tokenizer>(folder, of_class(first), of_class(name)) == "");  // config.json is then not read
  }
  for (const std::string key : {R"("split_special_tokens":true)", R"("fast_tokenizer_files":["tokenizer.2.0.json"])"})
    CHECK(has(refusal<Tokenizer>(folder, "{" + key + "}"), "entrain.checkpoint.50: "));
  CHECK(refusal<Tokenizer>(folder, R"({"split_special_tokens":false,"fast_tokenizer_files":["tokenizer.json"]})") ==
        "");
}

}  // namespace

TEST_CASE("tokenizer_class: another tokenizer than the family's is refused") {
  check<text::WordPiece>("bert", {"BertTokenizer", "DistilBertTokenizer", "ElectraTokenizer"},
                         {"BertJapaneseTokenizer", "RobertaTokenizer", "PreTrainedTokenizer", "Fast"});
  check<text::ByteBpe>("roberta", {"RobertaTokenizer", "BartTokenizer"},
                       {"GPT2Tokenizer", "BertTokenizer", "XLMRobertaTokenizer"});
  check<text::Unigram>("xlm_roberta", {"XLMRobertaTokenizer"}, {"CamembertTokenizer", "T5Tokenizer"});
}

TEST_CASE("added_tokens_decoder: RobertaTokenizer has no other added tokens") {
  const std::string decoder = R"({"added_tokens_decoder":{"0":{"content":"<s>"},"1":{"content":"<pad>"},
"2":{"content":"</s>"},"3":{"content":"<unk>"}},"tokenizer_class":")";
  CHECK(has(refusal<text::ByteBpe>("roberta", decoder + "RobertaTokenizer\"}"),
            "tokenizer_config.json: no '<mask>' in added_tokens_decoder, expected all of added_tokens in "
            "tokenizer.json: transformers has no others"));
  CHECK(refusal<text::ByteBpe>("roberta", decoder + "PreTrainedTokenizerFast\"}") == "");
}

TEST_CASE("tokenizer.json: the template around a text has the text once") {
  const std::string fast = of_class("PreTrainedTokenizerFast"), text = "\"single\": [";
  const auto with = [&](const std::string& more) {
    return refusal<text::Unigram>("xlm_roberta", fast, "{}", text, text + more);
  };
  CHECK(with("") == "");
  CHECK(has(with(R"({"Sequence":{"id":"A","type_id":0}},)"), "entrain.checkpoint.50: "));
  CHECK(has(with(R"({"Sequence":{"id":"A","type_id":0}},)"), "expected one Sequence, with the id A"));
}

}  // namespace tokenizer_class_test
