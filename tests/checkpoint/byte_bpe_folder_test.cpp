// tests > [checkpoint]
//
// The folder of a ModernBERT's tokenizer: its ids are those of transformers' AutoTokenizer
// (scripts/golden/modernbert_tokenizer.py), and files that contradict each other are refused.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <sstream>
#include <string>
#include <vector>

#include "entrain/checkpoint/byte_bpe_files.hpp"
#include "tests/checkpoint/opened_folder.hpp"
#include "tests/scratch.hpp"
#include "tests/text/pieces_in_words.hpp"  // from_hex

namespace byte_bpe_folder_test {
using namespace entrain;
using namespace entrain::checkpoint;
using test::get;
using test::has;
using test::put;
using Ids = std::vector<std::int32_t>;

namespace {

const std::string golden = ENTRAIN_SOURCE_DIR "/tests/checkpoint/golden/modernbert/";
constexpr std::int32_t unknown = 386, cls = 387, sep = 388, mask = 390;

/// The golden folder's files, of which some may be left out.
void copy_to(const test::Scratch& folder,
             std::initializer_list<const char*> names = {"config.json", "tokenizer.json", "tokenizer_config.json",
                                                         "special_tokens_map.json"}) {
  for (const char* const name : names) put(folder / name, get(golden + name));
}
void change(const test::Scratch& folder, const char* name, const std::string& from, const std::string& to) {
  std::string text = get(folder / name);
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  put(folder / name, text.replace(at, from.size(), to));
}
test::OpenedFolder open(const test::Scratch& folder, const std::string& text = "") {
  return test::open_folder<text::ByteBpe>(folder, text, "m");
}
std::string refusal(const test::Scratch& folder) {
  return test::sentence([&] { open(folder); });
}

/// Compares the ids of all texts of expected.txt; returns how many there are.
int check_expected(const test::Scratch& folder) {
  const auto texts = test::texts_of<text::ByteBpe>(folder);
  std::vector<std::string> notes;
  const auto made = TokenizerOf<text::ByteBpe>::open(texts, "m", notes);
  text::ByteBpe::Reader reader(made.tokenizer);
  std::ifstream expected(golden + "expected.txt");
  int count = 0;
  for (std::string line; std::getline(expected, line);) {
    if (line[0] == '#') continue;
    CAPTURE(line);
    std::istringstream fields(line.starts_with("w ") ? line.substr(2) : line);
    std::string words;
    fields >> words;
    Ids ids;
    for (std::int32_t id = 0; fields >> id;) ids.push_back(id);
    text::Pieces pieces;
    std::istringstream parts(words);
    for (std::string word; std::getline(parts, word, '|');) reader.encode(test::from_hex(word), pieces);
    Ids found = made.before;
    found.insert(found.end(), pieces.id.begin(), pieces.id.end());
    found.insert(found.end(), made.after.begin(), made.after.end());
    CHECK(found == ids);
    ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("modernbert's folder: ids are those of AutoTokenizer") {
  const test::Scratch folder;
  copy_to(folder);
  CHECK(check_expected(folder) == 363);
  const auto opened = open(folder, "a [MASK]");
  CHECK(opened.before == Ids{cls});
  CHECK(opened.after == Ids{sep});
  CHECK(opened.unknown == unknown);
  CHECK(opened.ids.back() == mask);
  REQUIRE(opened.notes.size() == 1);
  CHECK(has(opened.notes[0],
            "/tokenizer.json: pre_tokenizer.add_prefix_space is false: transformers puts no space before the first "
            "word of a text; here every word has one, as with add_prefix_space true"));
}

TEST_CASE("modernbert's folder: a trained model's files say add_prefix_space true") {
  const test::Scratch folder, trained;
  copy_to(folder);
  for (const KeptFile& file : TokenizerOf<text::ByteBpe>::keep(test::texts_of<text::ByteBpe>(folder)))
    put(trained / file.name, file.text);
  copy_to(trained, {"config.json"});
  CHECK(open(trained).notes.empty());
  CHECK(check_expected(trained) == 363);
  CHECK(has(get(trained / "tokenizer.json"), "\"add_prefix_space\": true"));
  CHECK(!has(get(trained / "tokenizer.json"), "\"add_prefix_space\": false"));
  change(folder, "tokenizer_config.json", "{", R"({"add_prefix_space":true,)");  // which transformers does not read
  CHECK(open(folder).notes.size() == 1);
}

TEST_CASE("modernbert's folder: as transformers 5 saves it, and with fewer files") {
  const test::Scratch folder;
  copy_to(folder, {"config.json", "tokenizer.json"});
  put(folder / "tokenizer_config.json", get(golden + "saved/tokenizer_config.json"));
  CHECK(check_expected(folder) == 363);
  CHECK(open(folder).unknown == unknown);
  std::filesystem::remove(folder / "tokenizer_config.json");
  CHECK(check_expected(folder) == 363);
  CHECK(open(folder).unknown == unknown);
  copy_to(folder, {"special_tokens_map.json"});
  CHECK(check_expected(folder) == 363);
  std::filesystem::remove(folder / "tokenizer.json");
  CHECK(refusal(folder) ==
        "entrain.checkpoint.53: m: no tokenizer.json, expected a tokenizer's file; copy tokenizer.json from the folder "
        "of the pretrained model");
  put(folder / "vocab.json", "{}"), put(folder / "merges.txt", "#version: 0.2\n");
  CHECK(has(refusal(folder), "entrain.checkpoint.53: m: no tokenizer.json"));  // as in transformers
}

TEST_CASE("modernbert's folder: whatever class it names, transformers follows tokenizer.json") {
  for (const std::string name :
       {"TokenizersBackend", "RobertaTokenizer", "BertTokenizer", "GPTNeoXTokenizerFast", "Nonsense"}) {
    CAPTURE(name);
    const test::Scratch folder;
    copy_to(folder);
    change(folder, "tokenizer_config.json", "PreTrainedTokenizerFast", name);
    CHECK(check_expected(folder) == 363);
    change(folder, "config.json", "{", R"({"tokenizer_class":"BertTokenizer",)");
    CHECK(refusal(folder) == "");
    change(folder, "config.json", "\"modernbert\"", "\"roberta\"");
    CHECK((refusal(folder) == "") == (name == "TokenizersBackend"));
  }
}

TEST_CASE("byte bpe's folder: RobertaTokenizer does not normalize") {
  const test::Scratch folder;
  copy_to(folder);
  change(folder, "config.json", "\"modernbert\"", "\"roberta\"");
  CHECK(check_expected(folder) == 363);  // PreTrainedTokenizerFast
  change(folder, "tokenizer_config.json", "PreTrainedTokenizerFast", "RobertaTokenizer");
  CHECK(has(refusal(folder),
            "entrain.checkpoint.50: " + folder / "tokenizer.json" +
                ": normalizer of type 'NFC', expected null, as transformers' RobertaTokenizer; load the folder in "
                "transformers and save it, or state the tokenizer_class PreTrainedTokenizerFast"));
  change(folder, "tokenizer.json", R"("type": "NFC")", R"("type": "Lowercase")");
  CHECK(has(refusal(folder), "normalizer of type 'Lowercase', expected NFC or null; this tokenizer is not RoBERTa's"));
}

TEST_CASE("modernbert's tokenizer.json: what is wrong with it") {
  const auto with = [](const std::string& from, const std::string& to) {
    const test::Scratch folder;
    copy_to(folder);
    change(folder, "tokenizer.json", from, to);
    return refusal(folder);
  };
  const std::string nfc = "{\n  \"type\": \"NFC\"\n }",
                    not_ours = "; this tokenizer is not ModernBERT's byte-level BPE";
  const std::string bad_normalizer = "normalizer of type 'Lowercase', expected NFC or null" + not_ours;
  CHECK(has(with(nfc, R"({"type":"Lowercase"})"), "entrain.checkpoint.50: "));
  CHECK(has(with(nfc, R"({"type":"Lowercase"})"), bad_normalizer));
  CHECK(has(with(nfc, R"({"type":"Sequence","normalizers":[{"type":"NFC"},{"type":"Lowercase"}]})"), bad_normalizer));
  CHECK(has(with(nfc, R"({"type":"NFKC"})"), "normalizer of type 'NFKC', expected NFC or null" + not_ours));
  CHECK(with(nfc, R"({"type":"Sequence","normalizers":[{"type":"NFC"}]})") == "");
  CHECK(has(with("\"use_regex\": true", "\"use_regex\": false"),
            "pre_tokenizer.use_regex false, expected true" + not_ours));
  CHECK(has(with("\"ignore_merges\": false", "\"ignore_merges\": true"),
            "model.ignore_merges true, expected false" + not_ours));
  CHECK(has(with("\"type\": \"BPE\"", "\"type\": \"Unigram\""), not_ours));
  const std::string ids = "\"ids\": [\n     387\n    ]";
  CHECK(
      has(with(ids, "\"ids\": [388]"), "post_processor.special_tokens gives '[CLS]' the id 388, expected its id 387"));
}

TEST_CASE("modernbert's tokenizer.json: two added tokens that are one text after NFC") {
  const test::Scratch folder;
  copy_to(folder, {"config.json", "tokenizer.json"});
  const auto add = [&](const std::string& first, const std::string& second, const std::string& normalized) {
    copy_to(folder, {"tokenizer.json"});
    const std::string flags = R"(","single_word":false,"lstrip":false,"rstrip":false,"special":false,"normalized":)";
    change(folder, "tokenizer.json", "\n ],\n \"normalizer\"",
           ",{\"id\":394,\"content\":\"" + first + flags + "true},{\"id\":395,\"content\":\"" + second + flags +
               normalized + "}\n ],\n \"normalizer\"");
    return refusal(folder);
  };
  CHECK(add("<\u00e9>", "<e\u0301>", "true") ==
        "entrain.checkpoint.31: " + folder / "tokenizer.json" +
            ": added tokens '<\u00e9>' and '<e\u0301>' are the same text after NFC, expected a text for each; remove "
            "one of them, or state normalized: false");
  CHECK(add("<\u00e9>", "<e\u0301>", "false") == "");
  CHECK(open(folder, "<e\u0301><\u00e9>").ids == Ids{395, 394});
  CHECK(add("<\u00e9>", "<e>", "true") == "");
  CHECK(open(folder, "<e\u0301><e>").ids == Ids{394, 395});
}

TEST_CASE("modernbert's folder: files that contradict each other") {
  const auto with = [](const char* name, const std::string& from, const std::string& to) {
    const test::Scratch folder;
    copy_to(folder);
    change(folder, name, from, to);
    return refusal(folder);
  };
  const char* const config = "tokenizer_config.json";
  CHECK(has(with(config, R"("cls_token": "[CLS]")", R"("cls_token": "[MASK]")"),
            "tokenizer_config.json: cls_token '[MASK]', expected '[CLS]', as in post_processor of tokenizer.json"));
  CHECK(has(with(config, R"("sep_token": "[SEP]")", R"("sep_token": "<|endoftext|>")"),
            "sep_token '<|endoftext|>', expected '[SEP]'"));
  CHECK(has(with(config, R"("pad_token": "[PAD]")", R"("pad_token": "<pad>")"), "entrain.checkpoint.52: "));
  CHECK(has(with("special_tokens_map.json", "[SEP]", "[CLS]"),
            "special_tokens_map.json: sep_token '[CLS]', expected '[SEP]', as in post_processor of tokenizer.json"));
  CHECK(has(with(config, R"("content": "[MASK]",
   "single_word": false,
   "lstrip": true)",
                 R"("content": "[MASK]","lstrip": false)"),
            "token '[MASK]' with id 390 and a different lstrip, rstrip or single_word"));
  CHECK(has(with(config, R"("390": {)", R"("394": {"content":"[unused9]"},"390": {)"),
            "token '[unused9]' with id 394, expected a token in added_tokens of tokenizer.json"));
  CHECK(has(with(config, R"("mask_token": "[MASK]")", R"("mask_token": {"content":"[MASK]","lstrip":false})"),
            "mask_token '[MASK]' and a different lstrip, rstrip or single_word"));
  CHECK(with(config, R"("mask_token": "[MASK]")", R"("mask_token": {"content":"[MASK]","lstrip":true})") == "");
  CHECK(has(with(config, "{", R"({"split_special_tokens":true,)"), "split_special_tokens true"));
  CHECK(with(config, R"("unk_token": "[UNK]")", R"("unk_token": "[PAD]")") == "");

  const test::Scratch folder;
  copy_to(folder);
  put(folder / "added_tokens.json", R"({"[MASK]":390})");
  CHECK(refusal(folder) == "");
  put(folder / "added_tokens.json", R"({"[MASK]":389})");
  CHECK(has(refusal(folder), "added_tokens.json: token '[MASK]' with id 389, expected id 390"));
}

}  // namespace byte_bpe_folder_test
