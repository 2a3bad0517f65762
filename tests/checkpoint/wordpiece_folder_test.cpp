// tests > [checkpoint]
//
// The files of BERT's tokenizer together: where transformers 5.23 (AutoTokenizer) finds other pieces than
// tokenizer.json or vocab.txt says alone. tokenizer_test.cpp and tokenizer_agreement_test.cpp have the rest.
#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/checkpoint/wordpiece_files.hpp"
#include "tests/checkpoint/opened_folder.hpp"
#include "tests/scratch.hpp"

namespace wordpiece_folder_test {
using namespace entrain;
using namespace entrain::checkpoint;
using namespace test;
using Ids = std::vector<std::int32_t>;

namespace {

const std::string lines =
    "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\nb\n##b\nab\nx\n@@b\n[\n]\nmask\n\xC3\xA9\n";  // 0 to 14
const std::string all_added = R"({"id":0,"content":"[PAD]","special":true},{"id":1,"content":"[UNK]","special":true},)"
                              R"({"id":2,"content":"[CLS]","special":true},{"id":3,"content":"[SEP]","special":true},)"
                              R"({"id":4,"content":"[MASK]","normalized":false})";
const std::string usual_post = R"({"type":"BertProcessing","cls":["[CLS]",2],"sep":["[SEP]",3]})";
const std::string usual_model =
    R"("type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":100)";
const std::string all_pieces = R"("[PAD]":0,"[UNK]":1,"[CLS]":2,"[SEP]":3,"[MASK]":4,"a":5,"b":6,"##b":7,"ab":8,"x":9,)"
                               R"("@@b":10,"[":11,"]":12,"mask":13,"é":14)";

/// A tokenizer.json in parts.
struct Whole {
  std::string added = all_added, post = usual_post, model = usual_model, vocab = all_pieces, more = "",
              normalizer = R"("clean_text":true,"handle_chinese_chars":true,"strip_accents":null,"lowercase":true)";
  std::string text() const {
    return "{" + more + "\"added_tokens\":[" + added + "],\"normalizer\":{\"type\":\"BertNormalizer\"," + normalizer +
           "},\"pre_tokenizer\":{\"type\":\"BertPreTokenizer\"},\"post_processor\":" + post + ",\"model\":{" + model +
           ",\"vocab\":{" + vocab + "}}}";
  }
};

/// The files of a folder. An empty text: no such file.
struct Folder {
  std::string tokenizer = Whole().text(), config = "", map = "", added = "", vocab = "";
  std::string model = R"({"model_type":"bert"})";
};
Folder of_lines(const std::string& config = "", const std::string& map = "") {
  return {.tokenizer = "", .config = config, .map = map, .vocab = lines};
}
using Opened = test::OpenedFolder;
Opened open(const Folder& files, std::string_view text = "") {
  const Scratch folder;
  for (const auto& [name, bytes] :
       {std::pair{"tokenizer.json", files.tokenizer}, std::pair{"tokenizer_config.json", files.config},
        std::pair{"special_tokens_map.json", files.map}, std::pair{"added_tokens.json", files.added},
        std::pair{"vocab.txt", files.vocab}, std::pair{"config.json", files.model}})
    if (!bytes.empty()) put(folder / name, bytes);
  return open_folder<text::WordPiece>(folder, text, "folder");
}
Ids ids(const Folder& files, std::string_view text) { return open(files, text).ids; }
std::string refused(const Folder& files) {
  return sentence([&] { open(files); });
}
const std::string fast = R"("tokenizer_class":"PreTrainedTokenizerFast")";
/// Keys of tokenizer_config.json for each class, with each kind of vocabulary: BertTokenizer's,
/// PreTrainedTokenizerFast's with a tokenizer.json, and BertTokenizer's with a vocab.txt.
std::vector<Folder> each(const std::string& keys, const std::string& map = "") {
  return {{.config = "{" + keys + "}", .map = map},
          {.config = "{" + fast + (keys.empty() ? "" : ",") + keys + "}", .map = map},
          of_lines("{" + keys + "}", map)};
}
const std::string decoder = R"("added_tokens_decoder":{"0":{"content":"[PAD]"},"1":{"content":"[UNK]","special":true},)"
                            R"("2":{"content":"[CLS]","normalized":false},"3":{"content":"[SEP]"})";
std::string with_decoder(const std::string& more) {
  return "{" + decoder + R"(,"4":{"content":"[MASK]"})" + (more.empty() ? "" : "," + more) + "}}";
}
const std::string remedy =
    ", as transformers' BertTokenizer; load the folder in transformers and save it, or state the tokenizer_class "
    "PreTrainedTokenizerFast";

}  // namespace

TEST_CASE("wordpiece's folder: the files of BERT") {
  for (const Folder& files : each("")) {
    const Opened opened = open(files, "ab [MASK]xabb q");
    CHECK(opened.ids == Ids{8, 4, 1, 1});
    CHECK(opened.before == Ids{2});
    CHECK(opened.after == Ids{3});
    CHECK(opened.unknown == 1);
    CHECK(opened.notes.empty());
  }
  CHECK(has(refused({.tokenizer = ""}), "entrain.checkpoint.53: folder: no tokenizer.json and no vocab.txt"));
}

TEST_CASE("wordpiece's folder: special pieces are found in a text as transformers finds them") {
  for (const char* const key : {"mask_token", "pad_token", "bos_token", "eos_token", "image_token"}) {
    const std::string stated = "\"" + std::string(key) + "\":\"x\"";
    for (const Folder& files : each(stated)) CHECK(ids(files, "abxab") == Ids{8, 9, 8});
    for (const Folder& files : each("", "{" + stated + "}")) CHECK(ids(files, "abxab") == Ids{8, 9, 8});
    const std::string unknown = "\"" + std::string(key) + "\":\"<new>\"";
    for (const Folder& files : {each(unknown)[1], each("", "{" + unknown + "}")[1]}) {
      CHECK(has(refused(files), "entrain.checkpoint.52: "));
      CHECK(has(refused(files),
                "tokenizer_config.json: " + std::string(key) +
                    " '<new>', which is no piece, expected a piece of the vocabulary, or an added token; load the"));
    }
  }
  for (const char* const key : {"additional_special_tokens", "extra_special_tokens"})
    for (const char* const list : {"[\"x\"]", "{\"role\":\"x\"}"}) {
      const std::string stated = "\"" + std::string(key) + "\":" + list;
      for (const Folder& files : each(stated)) CHECK(ids(files, "abxab") == Ids{8, 9, 8});
      for (const Folder& files : each("", "{" + stated + "}")) CHECK(ids(files, "abxab") == Ids{8, 9, 8});
    }
  // If tokenizer.json does not list them, BertTokenizer has them; PreTrainedTokenizerFast has those that are stated.
  const Folder none{.tokenizer = Whole{.added = ""}.text()};
  CHECK(ids(none, "a[MASK]") == Ids{5, 4});
  CHECK(ids({.tokenizer = none.tokenizer, .config = "{" + fast + "}"}, "a[MASK]") == Ids{5, 11, 13, 12});
  CHECK(ids({.tokenizer = none.tokenizer, .config = "{" + fast + R"(,"mask_token":"[MASK]"})"}, "a[MASK]") ==
        Ids{5, 4});
}

TEST_CASE("wordpiece's folder: which lists of special pieces transformers takes") {
  const std::string both = R"("extra_special_tokens":["x"],"additional_special_tokens":["ab"])";
  for (const Folder& files : each(both)) CHECK(ids(files, "abbx") == Ids{8, 7, 9});
  const std::string empty = R"("extra_special_tokens":[],"additional_special_tokens":["x"])";
  for (const Folder& files : each(empty)) CHECK(ids(files, "abx") == Ids{8, 9});
  // If tokenizer_config.json has extra_special_tokens, additional_special_tokens of the other file are not taken.
  for (const char* const stated : {R"("extra_special_tokens":[])", R"("additional_special_tokens":[])"})
    for (const Folder& files : each(stated, R"({"additional_special_tokens":["x"]})"))
      CHECK(ids(files, "abx") == Ids{1});
  for (const Folder& files : each(R"("extra_special_tokens":["ab"])", R"({"extra_special_tokens":["x"]})"))
    CHECK(ids(files, "abbx") == Ids{8, 6, 9});
  for (const Folder& files : each(R"("extra_special_tokens":["ab"])", R"({"extra_special_tokens":{"role":"x"}})"))
    CHECK(ids(files, "abbx") == Ids{8, 7, 9});
  for (const Folder& files : each(R"("extra_special_tokens":"x")"))
    CHECK(has(refused(files), "key 'extra_special_tokens' is the string 'x', expected an array"));
  // If it has added_tokens_decoder, the other file is not read.
  const std::string map = R"({"additional_special_tokens":["x"],"image_token":"x","mask_token":"x"})";
  CHECK(ids({.config = with_decoder(""), .map = map}, "abx") == Ids{1});
  Folder files = of_lines(with_decoder(""), map);
  CHECK(ids(files, "abx[MASK]") == Ids{1, 4});
  // An object without its type is no token in tokenizer_config.json.
  for (const char* const type : {"", R"("__type":"AddedToken",)"})
    for (const Folder& one : each("\"image_token\":{" + std::string(type) + R"("content":"x"})"))
      CHECK(ids(one, "abx") == (*type == 0 ? Ids{1} : Ids{8, 9}));
  for (const Folder& one : each("", R"({"image_token":{"content":"x"}})")) CHECK(ids(one, "abx") == Ids{8, 9});
  for (const Folder& one : each(R"("model_specific_special_tokens":{"role":"x"})")) {
    CHECK(has(refused(one), "entrain.checkpoint.50: "));
    CHECK(has(refused(one), "tokenizer_config.json: model_specific_special_tokens, expected none; state these pieces"));
  }
}

TEST_CASE("wordpiece's folder: null states that there is no piece") {
  for (const Folder& files : {of_lines(R"({"mask_token":null})"), of_lines("", R"({"mask_token":null})"),
                              of_lines(R"({"mask_token":"[MASK]"})", R"({"mask_token":null})")})
    CHECK(ids(files, "[MASK]") == Ids{11, 13, 12});
  CHECK(ids(of_lines(R"({"mask_token":null})", R"({"mask_token":"x"})"), "abx[MASK]") == Ids{8, 9, 11, 13, 12});
  CHECK(open(of_lines(R"({"cls_token":null})", R"({"cls_token":"x"})")).before == Ids{9});
  CHECK(ids({.config = R"({"mask_token":null})"}, "[MASK]") == Ids{4});  // tokenizer.json has it
  for (const char* const role : {"cls_token", "sep_token", "unk_token"}) {
    const auto folders = each("\"" + std::string(role) + "\":null");
    for (const Folder& files : {folders[0], folders[2]}) {
      CHECK(has(refused(files), "entrain.checkpoint.52: "));
      CHECK(has(refused(files), "tokenizer_config.json: " + std::string(role) +
                                    " null, expected a piece: transformers' BertTokenizer needs one; remove the key"));
    }
    CHECK(ids(folders[1], "a") == Ids{5});
  }
}

TEST_CASE("wordpiece's folder: a special piece that is no piece has an id in transformers alone") {
  const std::string no_mask = R"("[PAD]":0,"[UNK]":1,"[CLS]":2,"[SEP]":3,"q":4,"a":5,"[":6,"mask":7,"]":8)";
  const Whole whole{.added = "", .vocab = no_mask};
  CHECK(has(refused({.tokenizer = whole.text()}),
            "tokenizer.json: no piece [MASK], expected one, as transformers' BertTokenizer; name the right one in "
            "tokenizer_config.json, or state null for it there"));
  CHECK(ids({.tokenizer = whole.text(), .config = R"({"mask_token":null})"}, "[MASK]") == Ids{6, 7, 8});
  CHECK(ids({.tokenizer = whole.text(), .config = R"({"mask_token":"q"})"}, "aqa") == Ids{5, 4, 5});
  CHECK(ids({.tokenizer = whole.text(), .config = "{" + fast + "}"}, "[MASK]") == Ids{6, 7, 8});
  Folder files = of_lines();
  files.vocab = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n";
  CHECK(has(refused(files),
            "vocab.txt: no piece [MASK], expected a line with it; name the right one in tokenizer_config.json"));
  files.config = R"({"mask_token":null})";
  CHECK(ids(files, "a") == Ids{1});
}

TEST_CASE("wordpiece's folder: what BertTokenizer does, whatever tokenizer.json says") {
  const auto check = [&](const Whole& whole, const std::string& message) {
    CAPTURE(message);
    for (const char* const name : {"BertTokenizer", "DistilBertTokenizerFast", "ElectraTokenizer"}) {
      const Folder files{.tokenizer = whole.text(), .config = "{\"tokenizer_class\":\"" + std::string(name) + "\"}"};
      CHECK(has(refused(files), "entrain.checkpoint.55: "));
      CHECK(has(refused(files), "/tokenizer.json: " + message + remedy));
    }
    CHECK(has(refused({.tokenizer = whole.text()}), message + remedy));
    CHECK(refused({.tokenizer = whole.text(), .config = "{" + fast + "}"}) == "");
  };
  const auto model = [](const char* from, const char* to) {
    std::string text = usual_model;
    return Whole{.model = text.replace(text.find(from), std::string_view(from).size(), to)};
  };
  const std::string around =
      "other pieces around a text in post_processor, expected '[CLS]' before it and '[SEP]' after it";
  check(model("##", "@@"), "model.continuing_subword_prefix '@@', expected '##'");
  check(model("##", ""), "model.continuing_subword_prefix '', expected '##'");
  check(model("100", "99"), "model.max_input_chars_per_word 99, expected 100");
  check(model("[UNK]", "x"), "model.unk_token 'x', expected '[UNK]'");
  check({.post = "null"}, around);
  check({.post = R"({"type":"BertProcessing","cls":["x",9],"sep":["[SEP]",3]})"}, around);
  check({.post = R"({"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"[CLS]"}},{"Sequence":{"id":"A"}}]})"},
        around);
  check({.normalizer = R"("clean_text":false,"handle_chinese_chars":true,"strip_accents":null,"lowercase":true)"},
        "normalizer.clean_text false, expected true");
  // The same, if tokenizer_config.json states it.
  CHECK(open({.tokenizer = model("[UNK]", "x").text(), .config = R"({"unk_token":"x"})"}).unknown == 9);
  const Opened other =
      open({.tokenizer = Whole{.post = R"({"type":"BertProcessing","cls":["x",9],"sep":["ab",8]})"}.text(),
            .config = R"({"cls_token":"x","sep_token":"ab"})"});
  CHECK(other.before == Ids{9});
  CHECK(other.after == Ids{8});
}

TEST_CASE("wordpiece's folder: a model without a type") {
  const std::string untyped = usual_model.substr(usual_model.find(',') + 1);
  CHECK(ids({.tokenizer = Whole{.model = untyped}.text()}, "abb") == Ids{8, 7});
  for (const char* const key : {"unk_token", "continuing_subword_prefix", "max_input_chars_per_word"}) {
    std::string less = untyped;
    less.replace(less.find(key), std::string_view(key).size(), "other");
    CHECK(has(refused({.tokenizer = Whole{.model = less}.text()}),
              "tokenizer.json: no key 'model." + std::string(key) + "', expected one, or model.type WordPiece"));
  }
}

TEST_CASE("wordpiece's folder: the tokenizer_class is an empty text") {
  const std::string empty = R"({"tokenizer_class":""})";
  CHECK(has(refused({.config = empty}), "entrain.checkpoint.50: "));
  CHECK(has(refused({.config = empty}), "tokenizer_config.json: tokenizer_class '', expected BertTokenizer or PreTr"));
  CHECK(has(refused({.model = empty}), "/config.json: tokenizer_class '', expected BertTokenizer; state"));
  CHECK(ids({.config = R"({"tokenizer_class":null})"}, "a") == Ids{5});
}

TEST_CASE("wordpiece's folder: added_tokens_decoder lists other tokens than tokenizer.json") {
  const std::string x = R"({"id":9,"content":"x","normalized":false})";
  const std::string text = Whole{.added = all_added + "," + x}.text();
  CHECK(ids({.tokenizer = text}, "abx") == Ids{8, 9});
  const std::string less = with_decoder("");
  CHECK(has(refused({.tokenizer = text, .config = less}), "entrain.checkpoint.55: "));
  CHECK(has(refused({.tokenizer = text, .config = less}),
            "tokenizer_config.json: no 'x' in added_tokens_decoder, expected all of added_tokens in tokenizer.json: "
            "transformers has no others; use both files of the same model"));
  CHECK(ids({.tokenizer = text,
             .config =
                 R"({"mask_token":"[MASK]","pad_token":"[PAD]","sep_token":"[SEP]",)" + fast + "," + less.substr(1)},
            "abx") == Ids{8, 9});
  // Those with a name are found without it, with the flags of that name.
  for (const std::string& few : {"{" + decoder + "}}", std::string(R"({"added_tokens_decoder":{}})")})
    CHECK(ids({.config = few}, "[MASK]a") == Ids{4, 5});
  const Folder alone{.tokenizer =
                         Whole{.added = R"({"id":4,"content":"[MASK]","normalized":false,"single_word":true})"}.text()};
  CHECK(ids(alone, "x[MASK]a") == Ids{9, 11, 13, 12, 5});
  CHECK(ids({.tokenizer = alone.tokenizer, .config = R"({"added_tokens_decoder":{}})"}, "x[MASK]a") == Ids{9, 4, 5});
}

TEST_CASE("wordpiece's folder: a token of which no file says that it is found in the unchanged text") {
  const std::string as_true =
      "added token 'x' without normalized, expected normalized: false, because transformers takes it for true; state "
      "it, if the model was trained with it";
  const std::string bare = Whole{.added = all_added + R"(,{"id":9,"content":"x"})"}.text();
  CHECK(has(refused({.tokenizer = bare}), "entrain.checkpoint.50: "));
  CHECK(has(refused({.tokenizer = bare}), "/tokenizer.json: " + as_true));
  CHECK(ids({.tokenizer = bare, .config = R"({"image_token":"x"})"}, "abx") == Ids{8, 9});  // a name makes it special
  for (const char* const flags : {"", R"(,"special":false)", R"(,"special":true)", R"(,"normalized":false)"}) {
    const std::string config = with_decoder(R"("9":{"content":"x")" + std::string(flags) + "}");
    const bool taken = std::string_view(flags).ends_with(":true") || std::string_view(flags).starts_with(",\"norm");
    CHECK(has(refused(of_lines(config)), "tokenizer_config.json: " + as_true) == !taken);
    if (taken) CHECK(ids(of_lines(config), "abx") == Ids{8, 9});
  }
  Folder listed{.tokenizer = Whole{.added = all_added + R"(,{"id":9,"content":"x","normalized":false})"}.text()};
  listed.config = with_decoder(R"("9":{"content":"x"})");
  CHECK(has(refused(listed), "tokenizer_config.json: " + as_true));
  const std::string typed = R"({"__type":"AddedToken","content":"x")";
  for (const Folder& files : each("\"mask_token\":" + typed + "}")) CHECK(ids(files, "abx") == Ids{8, 9});
  for (const std::string& stated :
       {"\"mask_token\":" + typed + ",\"normalized\":true}", "\"extra_special_tokens\":[" + typed + "}]"})
    for (const Folder& files : each(stated)) {
      CHECK(has(refused(files), "entrain.checkpoint.50: "));
      CHECK(has(refused(files),
                "tokenizer_config.json: special piece 'x' with normalized: true, expected false: special pieces are "
                "found in the unchanged text; state normalized: false"));
    }
  for (const Folder& files : each("\"extra_special_tokens\":[" + typed + ",\"special\":true}]"))
    CHECK(ids(files, "abx") == Ids{8, 9});
  for (const Folder& files : each("", R"({"extra_special_tokens":[{"content":"x"}]})"))
    CHECK(ids(files, "abx") == Ids{8, 9});
  CHECK(has(refused(of_lines(with_decoder(R"("9":{"content":"x","special":1})"))),
            "key 'added_tokens_decoder.9.special' is the number 1, expected true or false"));
}

TEST_CASE("wordpiece's folder: two keys state one piece with different flags") {
  const std::string twice = R"("pad_token":{"__type":"AddedToken","content":"x","single_word":true},"mask_token":"x")";
  for (const Folder& files : each(twice)) {
    CHECK(has(refused(files), "entrain.checkpoint.55: "));
    CHECK(has(refused(files),
              "'x' and a different lstrip, rstrip or single_word, expected those of the other key that "
              "states this piece; load the folder in transformers and save it"));
  }
  // Of tokenizer_config.json and special_tokens_map.json, the latter.
  const std::string alone = R"("mask_token":{"__type":"AddedToken","content":"x","single_word":true})";
  for (const Folder& files : each(alone)) CHECK(ids(files, "abx x") == Ids{1, 9});
  for (const char* const map : {R"({"mask_token":"x"})", R"({"mask_token":{"content":"x","single_word":false}})"})
    for (const Folder& files : each(alone, map)) CHECK(ids(files, "abx x") == Ids{8, 9, 9});
}

TEST_CASE("wordpiece's folder: the ids that the package tokenizers gives to added tokens") {
  const auto token = [](const char* id) { return "\"" + std::string(id) + R"(":{"content":"<n>","special":true})"; };
  const auto wrong = [](const char* id, const char* right) {
    return "added token '<n>' has id " + std::string(id) + ", expected " + right +
           ", which the package tokenizers gives it; restore the file";
  };
  const std::string next = token("15") + R"(,"16":{"content":"<m>","special":true})";
  CHECK(ids(of_lines(with_decoder(next)), "a<n><m>") == Ids{5, 15, 16});
  CHECK(has(refused(of_lines(with_decoder(token("16")))), "entrain.checkpoint.51: "));
  CHECK(has(refused(of_lines(with_decoder(token("16")))), "tokenizer_config.json: " + wrong("16", "15")));
  Folder blank = of_lines(with_decoder(token("16")));  // one empty piece, with the last of the two ids
  blank.vocab += "\n\n";
  CHECK(has(refused(blank), "'' has id 16, expected '<n>' with id 16"));
  blank.config = with_decoder(token("17"));
  CHECK(has(refused(blank), wrong("17", "16")));
  const auto whole = [](const std::string& pieces, const char* id) {
    return Folder{.tokenizer = Whole{.added = all_added + ",{\"id\":" + id + R"(,"content":"<n>","normalized":false})",
                                     .vocab = all_pieces + pieces}
                                   .text()};
  };
  CHECK(ids(whole("", "15"), "a<n>") == Ids{5, 15});
  CHECK(has(refused(whole(R"(,"y":16)", "17")), "tokenizer.json: " + wrong("17", "16")));
  CHECK(has(refused(whole(R"(,"y":16)", "15")), wrong("15", "16")));
  CHECK(ids(whole(R"(,"":15)", "16"), "a<n>") == Ids{5, 16});
  CHECK(has(refused(whole(R"(,"":15)", "15")), wrong("15", "16")));
}

TEST_CASE("wordpiece's folder: the piece of the padding") {
  const auto padded = [](const char* piece, const std::string& keys) {
    return Folder{.tokenizer = Whole{.more = "\"padding\":{\"pad_token\":\"" + std::string(piece) + "\"},"}.text(),
                  .config = "{" + keys + "}"};
  };
  CHECK(has(refused(padded("x", fast)), "entrain.checkpoint.55: "));
  CHECK(has(refused(padded("x", fast)),
            "tokenizer.json: padding.pad_token 'x', expected one of added_tokens: transformers finds it in a text; "
            "state the right pad_token in tokenizer_config.json"));
  CHECK(ids(padded("[PAD]", fast), "abx") == Ids{1});
  CHECK(ids(padded("x", ""), "abx") == Ids{1});
  for (const char* const stated : {R"(,"pad_token":"[PAD]")", R"(,"pad_token":null)"})
    CHECK(ids(padded("x", fast + stated), "abx") == Ids{1});
}

TEST_CASE("wordpiece's folder: lines of vocab.txt end where the package tokenizers ends them") {
  for (const std::string space : {" ", "\t", "\r", "\r\r", "\xC2\xA0", "\xE3\x80\x80", "\xE2\x80\xA8", "\xC2\x85"}) {
    Folder files = of_lines();
    files.vocab.replace(files.vocab.find("x\n"), 1, "x" + space);
    CAPTURE(space);
    CHECK(ids(files, "x ab") == Ids{9, 8});
    files.tokenizer = Whole().text();
    CHECK(refused(files) == "");
    files.tokenizer = "";
    files.vocab.replace(files.vocab.find("x" + space), 1, "ab");
    CHECK(has(refused(files), "entrain.checkpoint.54: "));
    CHECK(has(refused(files), "vocab.txt:10: piece 'ab', as in line 9, expected each piece once"));
  }
  Folder files = of_lines();
  files.vocab.replace(files.vocab.find("x\n"), 1, " x\xE2\x80\x8B");  // at its beginning; the zero-width space
  CHECK(ids(files, "x") == Ids{1});
  for (const Folder& stated : {of_lines(R"({"vocab":{"[UNK]":0}})"), of_lines(R"({"vocab":"other.txt"})")}) {
    CHECK(has(refused(stated), "entrain.checkpoint.50: "));
    CHECK(has(refused(stated),
              "tokenizer_config.json: a key 'vocab', expected none: transformers takes it for the "
              "vocabulary; remove the key"));
  }
  CHECK(ids({.config = R"({"vocab":{"[UNK]":0}})"}, "x") == Ids{9});  // tokenizer.json is taken
}

}  // namespace wordpiece_folder_test
