// tests > [checkpoint]
#include "entrain/checkpoint/byte_bpe_files.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "entrain/text/unicode/utf8.hpp"
#include "tests/checkpoint/opened_folder.hpp"
#include "tests/scratch.hpp"

namespace byte_bpe_files_test {
using namespace entrain;
using namespace entrain::checkpoint;
using test::get;
using test::has;
using test::put;
using test::sentence;

namespace {

/// `"PIECE": ID` for the special pieces, every byte from id 5, and " a", "ab".
std::string vocabulary() {
  std::string s = R"("<s>":0,"<pad>":1,"</s>":2,"<unk>":3,"<mask>":4)";
  for (int b = 0; b < 256; ++b) {
    char bytes[4];
    const std::string letter(bytes, text::encode(text::letter_of_byte(static_cast<unsigned char>(b)), bytes));
    s += ",\"" + (letter == "\"" || letter == "\\" ? "\\" + letter : letter) + "\":" + std::to_string(b + 5);
  }
  return s + ",\"\u0120a\":261,\"ab\":262";
}
/// As transformers writes it for RoBERTa, in small.
std::string whole() {
  return R"({"version":"1.0","truncation":null,"padding":null,
"added_tokens":[{"id":0,"content":"<s>","single_word":false,"lstrip":false,"rstrip":false,"normalized":true,"special":true},
{"id":4,"content":"<mask>","single_word":false,"lstrip":true,"rstrip":false,"normalized":false,"special":true}],
"normalizer":null,
"pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":true},
"post_processor":{"type":"RobertaProcessing","sep":["</s>",2],"cls":["<s>",0],"trim_offsets":true,"add_prefix_space":false},
"decoder":{"type":"ByteLevel","add_prefix_space":true},
"model":{"type":"BPE","dropout":null,"unk_token":null,"continuing_subword_prefix":"","end_of_word_suffix":"",
"fuse_unk":false,"byte_fallback":false,"ignore_merges":false,"vocab":{)" +
         vocabulary() + "},\"merges\":[\"\u0120 a\",[\"a\",\"b\"]]}}";
}
std::string with(std::string_view part, std::string_view instead) {
  std::string text = whole();
  const auto at = text.find(part);
  REQUIRE(at != std::string::npos);
  return text.replace(at, part.size(), instead);
}
std::string refusal(const std::string& text) {
  return sentence([&] { parse_byte_bpe(text, "tokenizer.json"); });
}

using Opened = test::OpenedFolder;
std::vector<FolderText> texts_of(const test::Scratch& folder) { return test::texts_of<text::ByteBpe>(folder); }
Opened open(const test::Scratch& folder, std::string_view text) {
  return test::open_folder<text::ByteBpe>(folder, text, folder.path());
}
std::string refused(const test::Scratch& folder) {
  return sentence([&] { open(folder, ""); });
}
using Ids = std::vector<std::int32_t>;
const std::string merges = "#version: 0.2\n\u0120 a\na b\n";
}  // namespace

TEST_CASE("byte bpe's tokenizer.json: what RoBERTa's says") {
  const ByteBpeFile file = parse_byte_bpe(whole(), "tokenizer.json");
  CHECK(file.vocabulary.size() == 263);
  CHECK(file.vocabulary[261] == "\u0120a");
  CHECK(file.merges == std::vector<text::ByteBpe::Pair>{{"\u0120", "a"}, {"a", "b"}});
  CHECK(file.before == Ids{0});
  CHECK(file.after == Ids{2});
  CHECK(!file.add_prefix_space);
  CHECK(!file.options.nfc);
  CHECK(parse_byte_bpe(with(R"("normalizer":null)", R"("normalizer":{"type":"NFC"})"), "t").options.nfc);
  REQUIRE(file.options.added.size() == 2);
  CHECK(file.options.added[0].normalized);
  CHECK(file.options.added[1].lstrip);
  CHECK(!file.options.added[1].normalized);
  CHECK(parse_byte_bpe(with(R"("type":"ByteLevel","add_prefix_space":false,"trim)",
                            R"("type":"ByteLevel","add_prefix_space":true,"trim)"),
                       "t")
            .add_prefix_space);
  const std::string post =
      R"({"type":"RobertaProcessing","sep":["</s>",2],"cls":["<s>",0],"trim_offsets":true,"add_prefix_space":false})";
  const auto by_template =
      parse_byte_bpe(with(post, R"({"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"<s>"}},{"Sequence":{}},
{"SpecialToken":{"id":"</s>"}},{"SpecialToken":{"id":"<mask>"}}]})"),
                     "t");
  CHECK(by_template.before == Ids{0});
  CHECK(by_template.after == Ids{2, 4});
  CHECK(parse_byte_bpe(with(post, "null"), "t").after.empty());
}

TEST_CASE("byte bpe's tokenizer.json: what is wrong with it") {
  CHECK(has(refusal("[]"), "an object"));
  CHECK(has(refusal(whole().substr(0, 700)), "not JSON"));
  CHECK(has(refusal(with(R"("type":"BPE")", R"("type":"Unigram")")),
            "entrain.checkpoint.50: tokenizer.json: model of type 'Unigram', expected BPE; this tokenizer is not "
            "RoBERTa's byte-level BPE"));
  CHECK(has(refusal(with(R"("type":"ByteLevel","add_prefix_space":false,"trim)",
                         R"("type":"Metaspace","add_prefix_space":false,"trim)")),
            "pre_tokenizer of type 'Metaspace'"));
  CHECK(has(refusal(with(R"("type":"RobertaProcessing")", R"("type":"Other")")),
            "post_processor of type 'Other', expected one TemplateProcessing, RobertaProcessing or BertProcessing"));
  CHECK(has(
      refusal(with(R"("normalizer":null)", R"("normalizer":{"type":"Sequence","normalizers":[{"type":"Lowercase"}]})")),
      "normalizer of type 'Lowercase', expected NFC or null; this tokenizer is not RoBERTa's byte-level BPE"));
  CHECK(has(refusal(with(R"("cls":["<s>",0])", R"("cls":["<s>",7])")),
            "post_processor.cls gives '<s>' the id 7, expected its id 0"));
  CHECK(has(refusal(with(R"("cls":["<s>",0])", R"("cls":["<s>",0,0])")), "'post_processor.cls' is an array"));
  CHECK(has(refusal(with(R"("use_regex":true)", R"("use_regex":false)")), "pre_tokenizer.use_regex false"));
  CHECK(has(refusal(with(R"("dropout":null)", R"("dropout":0.1)")), "model.dropout 0.1, expected null or 0"));
  CHECK_NOTHROW(parse_byte_bpe(with(R"("dropout":null)", R"("dropout":0.0)"), "t"));
  CHECK(has(refusal(with(R"("continuing_subword_prefix":"")", R"("continuing_subword_prefix":"##")")),
            "model.continuing_subword_prefix \"##\", expected null or an empty string"));
  CHECK(has(refusal(with(R"("end_of_word_suffix":"")", R"("end_of_word_suffix":"</w>")")), "model.end_of_word_suffix"));
  CHECK(has(refusal(with(R"("byte_fallback":false)", R"("byte_fallback":true)")), "model.byte_fallback true"));
  CHECK(has(refusal(with(R"("ignore_merges":false)", R"("ignore_merges":true)")), "model.ignore_merges true"));
  CHECK(has(refusal(with(R"("unk_token":null)", R"("unk_token":3)")), "'model.unk_token' is the number 3"));
  CHECK(has(refusal(with(R"("merges":[)", R"("other":[)")), "no key 'model.merges'"));
  CHECK(has(refusal(with("[\"\u0120 a\",[\"a\",\"b\"]]", "{}")), "'model.merges' is an object"));
  for (const char* const wrong : {"\"\u0120a\"", "\" a\"", "\"a \"", "\"a b c\"", "[\"a\"]", "[\"a\",1]", "[1,\"a\"]",
                                  "[\"a\",\"b\",\"c\"]", "7"}) {
    CAPTURE(wrong);
    CHECK(has(refusal(with("\"\u0120 a\"", wrong)), "number 1 of model.merges is "));
  }
  CHECK(has(refusal(with(R"("ab":262)", R"("ab":261)")), "have id 261"));
  CHECK(has(refusal(with(R"("ab":262)", R"("ab":262,"ab":263)")), "piece 'ab' occurs twice in model.vocab"));
  CHECK(has(refusal(with(R"({"id":4,"content":"<mask>")", R"({"id":5,"content":"<mask>")")),
            "'<mask>' has id 5, expected its id 4 in the vocabulary"));
  const std::string second = R"({"id":4,"content":"<mask>")";
  CHECK(has(refusal(with(second, R"({"id":264,"content":"<new>"},)" + second)),
            "'<new>' has id 264, expected the next free id, 263"));
  CHECK(has(refusal(with(second, R"({"id":4,"content":"<new>"},)" + second)), "'<new>' has the id of '<mask>'"));
  CHECK(has(refusal(with(second, R"({"id":4,"content":"<mask>"},)" + second)), "'<mask>' occurs twice"));
  CHECK(has(refusal(with(second, R"({"id":263,"content":"<n>"},{"id":263,"content":"<m>"},)" + second)),
            "'<m>' has id 263 of another one"));
  CHECK(has(refusal(with(second, R"({"id":4)")), "no key 'added_tokens.content'"));
  CHECK(has(refusal(with(second, R"({"content":"<mask>")")), "no key 'added_tokens.id'"));
}

TEST_CASE("byte bpe's folder: tokenizer.json, else vocab.json with merges.txt") {
  const test::Scratch folder;
  put(folder / "config.json", "{}");
  CHECK(has(refused(folder), "no tokenizer.json, and no vocab.json with merges.txt"));
  put(folder / "vocab.json", "{" + vocabulary() + "}");
  CHECK(has(refused(folder), "vocab.json, but no merges.txt"));
  put(folder / "merges.txt", merges);
  const Opened by_two = open(folder, "ab a <mask>");
  CHECK(by_two.ids == Ids{261, 'b' + 5, 261, ' ' + 5, 4});
  CHECK(by_two.before == Ids{0});
  CHECK(by_two.after == Ids{2});
  CHECK(by_two.unknown == 3);
  REQUIRE(by_two.notes.size() == 1);
  CHECK(has(by_two.notes[0], "tokenizer_config.json: no such file: transformers puts no space before the first word"));
  std::filesystem::remove(folder / "vocab.json");
  CHECK(has(refused(folder), "merges.txt, but no vocab.json"));
  put(folder / "vocab.json", "{" + vocabulary() + "}");

  put(folder / "tokenizer.json", whole());
  CHECK(open(folder, "ab a").ids == Ids{261, 'b' + 5, 261});
  CHECK(open(folder, "ab").unknown == 3);  // tokenizer.json names none, and no other file does
  put(folder / "tokenizer.json", with("\"ab\":262", "\"b\u0120\":262"));
  CHECK(has(refused(folder), "vocab.json: 'ab' with id 262, expected 'b\u0120', as in tokenizer.json"));
  put(folder / "tokenizer.json", with("\"ab\":262", "\"ab\":263"));
  CHECK(has(refused(folder), "vocab.json: 'ab' with id 262, expected no piece, as in tokenizer.json"));
  put(folder / "tokenizer.json", with("[\"a\",\"b\"]]", "[\"b\",\"a\"]]"));
  CHECK(has(refused(folder), "merges.txt: merge 'a b' at rank 2, expected merge 'b a', as in tokenizer.json"));
  put(folder / "tokenizer.json", with(",[\"a\",\"b\"]]", "]"));
  CHECK(has(refused(folder), "merges.txt: merge 'a b' at rank 2, expected no merge"));
  put(folder / "tokenizer.json", whole());
  put(folder / "merges.txt", merges.substr(0, merges.size() - 4));
  CHECK(has(refused(folder), "merges.txt: no merge at rank 2, expected merge 'a b'"));
  std::filesystem::remove(folder / "merges.txt");
  CHECK_NOTHROW(open(folder, ""));
  put(folder / "vocab.json", "");
  CHECK(has(refused(folder), "vocab.json: empty"));
}

TEST_CASE("byte bpe's folder: an added token may be in one of the vocabularies alone") {
  const test::Scratch folder;
  put(folder / "config.json", "{}");
  put(folder / "vocab.json", "{" + vocabulary() + "}");
  put(folder / "tokenizer.json", with(R"("<s>":0,)", ""));
  CHECK(open(folder, "<s>a").ids == Ids{0, 261});
  put(folder / "tokenizer.json", with(R"({"id":4,)", R"({"id":263,"content":"<new>"},{"id":4,)"));
  CHECK(open(folder, "<new>a").ids == Ids{263, 261});
}

TEST_CASE("byte bpe's folder: special pieces, and files that contradict each other") {
  const test::Scratch folder;
  const auto two_files = [&](const std::string& config, const std::string& map = {}) {
    put(folder / "config.json", "{\"max_position_embeddings\":10}");
    put(folder / "vocab.json", "{" + vocabulary() + "}");
    put(folder / "merges.txt", merges);
    put(folder / "tokenizer_config.json", config);
    std::filesystem::remove(folder / "special_tokens_map.json");
    if (!map.empty()) put(folder / "special_tokens_map.json", map);
  };
  two_files(R"({"add_prefix_space":true,"cls_token":"ab","sep_token":{"content":"<pad>"},"unk_token":"<mask>"})");
  const Opened opened = open(folder, "<pad>");
  CHECK(opened.before == Ids{262});
  CHECK(opened.after == Ids{1});
  CHECK(opened.ids == Ids{1});
  CHECK(opened.unknown == 4);
  CHECK(opened.notes.empty());
  two_files("{\"cls_token\":\"[CLS]\"}");
  CHECK(has(refused(folder), "entrain.checkpoint.52: "));
  CHECK(has(refused(folder), "tokenizer_config.json: cls_token '[CLS]', which is no piece, expected a piece of the"));
  two_files("{}", R"({"sep_token":"ab"})");
  CHECK(open(folder, "").after == Ids{262});
  two_files(R"({"sep_token":"ab"})", R"({"sep_token":"<pad>"})");
  CHECK(has(refused(folder), "special_tokens_map.json: sep_token '<pad>', expected 'ab', as in tokenizer_config.json"));
  two_files(R"({"added_tokens_decoder":{"263":{"content":"<new>","rstrip":true,"normalized":true}}})");
  CHECK(open(folder, "<new> a").ids == Ids{263, 261});
  two_files(R"({"added_tokens_decoder":{"261":{"content":"<new>"}}})");
  CHECK(has(refused(folder), "added token '<new>' has the id of '\u0120a'"));
  two_files(R"({"added_tokens_decoder":{"300":{"content":"ab"}}})");
  CHECK(has(refused(folder), "added token 'ab' has id 300, expected its id 262 in the vocabulary"));
  two_files("{}");
  put(folder / "added_tokens.json", R"({"<new>":300})");
  CHECK(has(refused(folder), "added_tokens.json: token '<new>' with id 300, expected tokens that are also in"));
  std::filesystem::remove(folder / "added_tokens.json");
  two_files(R"({"add_prefix_space":true,"model_max_length":512})");
  CHECK(has(open(folder, "").notes.at(0), "model_max_length 512, but config.json has max_position_embeddings 10"));

  put(folder / "tokenizer.json", whole());
  two_files(R"({"cls_token":"<pad>"})");
  CHECK(has(refused(folder), "cls_token '<pad>', expected '<s>', as in post_processor of tokenizer.json"));
  two_files("{}", R"({"sep_token":"<pad>"})");
  CHECK(has(refused(folder), "sep_token '<pad>', expected '</s>'"));
  two_files(R"({"added_tokens_decoder":{"4":{"content":"<mask>","lstrip":false}}})");
  CHECK(has(refused(folder), "a different lstrip, rstrip or single_word"));
  two_files(R"({"unk_token":"ab"})");
  CHECK(open(folder, "").unknown == 262);
  two_files("{}", R"({"unk_token":"ab"})");
  CHECK(open(folder, "").unknown == 262);
  put(folder / "tokenizer.json", with(R"("unk_token":null)", R"("unk_token":"<unk>")"));
  CHECK(has(refused(folder), "unk_token 'ab', expected '<unk>', as in model.unk_token"));
}

TEST_CASE("byte bpe's folder: parts in other forms that mean the same") {
  const auto same = [](const std::string& text) {
    const ByteBpeFile file = parse_byte_bpe(text, "tokenizer.json");
    CHECK(file.before == Ids{0});
    CHECK(file.after == Ids{2});
    CHECK(file.vocabulary.size() == 263);
    CHECK(file.merges.size() == 2);
    return file;
  };
  same(with(R"("type":"BPE",)", ""));  // as tokenizers wrote it in 2020
  same(with(R"("normalizer":null)", R"("normalizer":{"type":"Sequence","normalizers":[]})"));
  same(with(R"({"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":true})",
            R"({"type":"Sequence","pretokenizers":[{"type":"ByteLevel"}]})"));
  const ByteBpeFile file = same(with(R"(,"add_prefix_space":false,"trim_offsets":true,"use_regex":true})", "}"));
  CHECK(file.add_prefix_space);
  same(with(R"("type":"RobertaProcessing")", R"("type":"BertProcessing")"));
  const std::string post =
      R"({"type":"RobertaProcessing","sep":["</s>",2],"cls":["<s>",0],"trim_offsets":true,"add_prefix_space":false})";
  same(with(post, R"({"type":"Sequence","processors":[{"type":"ByteLevel"},)" + post + "]}"));
  CHECK(has(refusal(with(post, R"({"type":"Sequence","processors":[)" + post + "," + post + "]}")),
            "post_processor of type 'RobertaProcessing'"));
  CHECK(parse_byte_bpe(with(post, R"({"type":"ByteLevel"})"), "t").after.empty());
  const std::string single = R"({"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"<s>"}},{"Sequence":{}},
{"SpecialToken":{"id":"</s>"}}],"special_tokens":{"<s>":{"id":"<s>","ids":[0]},"</s>":{"id":"</s>","ids":[ID]}}})";
  const auto with_id = [&](const char* id) {
    std::string text = single;
    return with(post, text.replace(text.find("ID]"), 2, id));
  };
  same(with_id("2"));
  CHECK(has(refusal(with_id("3")), "post_processor.special_tokens gives '</s>' the id 3, expected its id 2"));
  CHECK(has(refusal(with_id("2,2")), "gives '</s>' the id -1"));
  // "vocab" elsewhere is no vocabulary.
  same(with(R"("decoder":{"type":"ByteLevel",)", R"("vocab":{"zz":900},"decoder":{"vocab":{"zz":901},)"));
  same(with(R"("merges":)", R"("more":{"vocab":{"zz":902}},"merges":)"));
}

TEST_CASE("byte bpe's folder: special pieces are found in a text as transformers finds them") {
  const test::Scratch folder;
  const auto files = [&](const std::string& tokenizer, const std::string& config, const std::string& map = {}) {
    for (const char* name : {"tokenizer.json", "vocab.json", "merges.txt", "special_tokens_map.json"})
      std::filesystem::remove(folder / name);
    put(folder / "config.json", R"({"model_type":"roberta","max_position_embeddings":42})");
    if (tokenizer.empty()) {
      put(folder / "vocab.json", "{" + vocabulary() + "}");
      put(folder / "merges.txt", merges);
    } else {
      put(folder / "tokenizer.json", tokenizer);
    }
    put(folder / "tokenizer_config.json", config);
    if (!map.empty()) put(folder / "special_tokens_map.json", map);
  };
  const Ids apart{261, ' ' + 5, 4}, stripped{261, 4};
  files("", "{}");
  CHECK(open(folder, "a <mask>").ids == apart);
  for (const char* const key : {"mask_token", "bos_token"}) {
    CAPTURE(key);
    const std::string flags = std::string("{\"") + key + R"(":{"content":"<mask>","lstrip":true}})";
    files("", flags);
    CHECK(open(folder, "a <mask>").ids == stripped);
    files("", "{}", flags);
    CHECK(open(folder, "a <mask>").ids == stripped);
  }
  files("", R"({"mask_token":"<mask>"})", R"({"mask_token":{"content":"<mask>","lstrip":true}})");
  CHECK(open(folder, "a <mask>").ids == stripped);
  for (const char* const key : {"additional_special_tokens", "extra_special_tokens"}) {
    const auto list = [&](const char* value) { return std::string("{\"") + key + "\":" + value + "}"; };
    files("", list(R"(["ab"])"));
    CHECK(open(folder, "xabx").ids == Ids{' ' + 5, 'x' + 5, 262, ' ' + 5, 'x' + 5});
    files("", list(R"(["<new>"])"));
    CHECK(has(refused(folder), std::string(key) + " '<new>', which is no piece, expected a piece of the vocabulary"));
    files(whole(), list(R"(["<new>"])"));
    CHECK(has(refused(folder), std::string(key) + " '<new>', which is no piece"));
    files(whole(), list(R"({"x":"ab"})"));
    CHECK(open(folder, "xabx").ids == Ids{' ' + 5, 'x' + 5, 262, ' ' + 5, 'x' + 5});
    files(whole(), list("7"));
    CHECK(has(refused(folder), "is the number 7, expected an array"));
  }
  const std::string none = with(whole().substr(whole().find("\"added_tokens\""),
                                               whole().find("\"normalizer\"") - whole().find("\"added_tokens\"")),
                                "");
  files(none, "{}");
  CHECK(open(folder, "<s>a</s>").ids == Ids{0, 261, 2});
  files(none, R"({"tokenizer_class":"PreTrainedTokenizerFast"})");
  CHECK(open(folder, "<s>").ids != Ids{0});
  CHECK(open(folder, "").unknown == 3);

  // pieces that are added tokens alone
  std::string text = with(R"("<unk>":3,)", "");
  text.replace(text.find(R"({"id":4,)"), 8, R"({"id":3,"content":"<unk>"},{"id":4,)");
  files(text, "{}");
  CHECK(open(folder, "<unk>").unknown == 3);
  files("", R"({"mask_token":"<m>","added_tokens_decoder":{"263":{"content":"<m>"}}})");
  CHECK(open(folder, "<m>").ids == Ids{263});
}

TEST_CASE("byte bpe's folder: the pieces around a text are those of transformers") {
  const test::Scratch folder;
  const std::string post =
      R"({"type":"RobertaProcessing","sep":["</s>",2],"cls":["<s>",0],"trim_offsets":true,"add_prefix_space":false})";
  put(folder / "config.json", R"({"model_type":"roberta","max_position_embeddings":42})");
  put(folder / "tokenizer.json", with(post, "null"));
  CHECK(has(refused(folder),
            "tokenizer.json: other pieces around a text in post_processor, expected '<s>' before it and "
            "'</s>' after it, as transformers' RobertaTokenizer; load the folder in transformers"));
  put(folder / "tokenizer_config.json", R"({"tokenizer_class":"PreTrainedTokenizerFast"})");
  CHECK(open(folder, "").before.empty());
  put(folder / "tokenizer_config.json", R"({"tokenizer_class":"RobertaTokenizer"})");
  CHECK(has(refused(folder), "other pieces around a text"));
  put(folder / "tokenizer.json", whole());
  CHECK(open(folder, "").before == Ids{0});
  for (const auto& [length, noted] : {std::pair{"41", true}, std::pair{"40", false}}) {
    put(folder / "tokenizer_config.json",
        R"({"add_prefix_space":true,"model_max_length":)" + std::string(length) + "}");
    const auto notes = open(folder, "").notes;
    REQUIRE(notes.size() == noted);
    if (noted)
      CHECK(has(notes[0],
                "model_max_length 41, but config.json has max_position_embeddings 42, of which 2 are reserved"));
  }
  put(folder / "added_tokens.json", R"({"<mask>":4})");
  CHECK_NOTHROW(open(folder, ""));
  put(folder / "added_tokens.json", R"({"<mask>":5})");
  CHECK(has(refused(folder), "added_tokens.json: token '<mask>' with id 5, expected id 4"));
}

TEST_CASE("byte bpe's folder: whether transformers puts a space before the first word") {
  const auto noted = [](bool in_tokenizer_json, const std::string& config) {
    const test::Scratch folder;
    put(folder / "config.json", "{}");
    std::string text = whole();
    if (in_tokenizer_json)
      text = with(R"("ByteLevel","add_prefix_space":false)", R"("ByteLevel","add_prefix_space":true)");
    put(folder / "tokenizer.json", text);
    put(folder / "tokenizer_config.json", config);
    return !open(folder, "").notes.empty();
  };
  CHECK(!noted(false, R"({"add_prefix_space":true})"));
  CHECK(noted(true, "{}"));
  CHECK(noted(true, R"({"add_prefix_space":false,"tokenizer_class":"RobertaTokenizer"})"));
  CHECK(!noted(true, R"({"add_prefix_space":false,"tokenizer_class":"PreTrainedTokenizerFast"})"));
  CHECK(noted(false, R"({"add_prefix_space":true,"tokenizer_class":"TokenizersBackend"})"));

  const test::Scratch two_files;  // no tokenizer.json to follow
  put(two_files / "config.json", "{}");
  put(two_files / "vocab.json", "{" + vocabulary() + "}");
  put(two_files / "merges.txt", merges);
  put(two_files / "tokenizer_config.json", R"({"add_prefix_space":true,"tokenizer_class":"PreTrainedTokenizerFast"})");
  CHECK(open(two_files, "").notes.empty());
}

TEST_CASE("byte bpe's folder: a trained model's files say add_prefix_space true") {
  const test::Scratch folder;
  put(folder / "config.json", "{}");
  put(folder / "vocab.json", "{" + vocabulary() + "}");
  put(folder / "merges.txt", merges);
  put(folder / "tokenizer.json", with(R"("ab":262)", R"("ab":262,"add_prefix_space":263)"));
  put(folder / "vocab.json", "{" + vocabulary() + R"(,"add_prefix_space":263})");
  put(folder / "tokenizer_config.json", R"({"add_prefix_space":false,"model_max_length":512})");
  put(folder / "special_tokens_map.json", "{}");
  std::string spaced = get(folder / "tokenizer.json");  // as transformers writes it
  spaced.replace(spaced.find(R"("add_prefix_space":false)"), 24, R"("add_prefix_space": false)");
  put(folder / "tokenizer.json", spaced);
  const auto kept = TokenizerOf<text::ByteBpe>::keep(texts_of(folder));
  const auto text_of = [&](std::string_view name) {
    for (const KeptFile& file : kept)
      if (file.name == name) return file.text;
    return std::string("none");
  };
  CHECK(text_of("tokenizer_config.json") == "{\n  \"add_prefix_space\": true,\n  \"model_max_length\": 512\n}\n");
  std::string expected = get(folder / "tokenizer.json");
  for (const std::string colon : {":", ": "})
    for (std::size_t at = 0; (at = expected.find("space\"" + colon + "false", at)) != expected.npos;)
      expected.replace(at, 11 + colon.size(), "space\"" + colon + "true");
  CHECK(!has(expected, "false,\"trim_offsets"));
  CHECK(text_of("special_tokens_map.json") == "{}");
  CHECK(text_of("tokenizer.json") == expected);
  CHECK(has(expected, R"("add_prefix_space":263)"));  // a piece
  CHECK(text_of("merges.txt") == merges);
  CHECK(text_of("vocab.json") == get(folder / "vocab.json"));
  CHECK(text_of("config.json") == "none");
  for (const KeptFile& file : kept) put(folder / file.name, file.text);
  CHECK(open(folder, "a").notes.empty());
  std::filesystem::remove(folder / "tokenizer_config.json");
  const auto without = TokenizerOf<text::ByteBpe>::keep(texts_of(folder));
  CHECK(without.back().name == "tokenizer_config.json");
  CHECK(without.back().text == "{\n  \"add_prefix_space\": true\n}\n");
}

TEST_CASE("byte bpe: vocab.json and merges.txt, and what is wrong with them") {
  CHECK(parse_vocabulary(R"({"a":1,"b":0})", "v") == std::vector<std::string>{"b", "a"});
  const auto wrong_vocabulary = [](const std::string& text) {
    return sentence([&] { parse_vocabulary(text, "vocab.json"); });
  };
  CHECK(
      has(wrong_vocabulary(R"({"a":1,"a":0})"), "entrain.checkpoint.31: vocab.json: piece 'a' occurs twice, expected"));
  CHECK(has(wrong_vocabulary(R"({"a":1,"b":1})"), "pieces 'a' and 'b' have id 1"));
  CHECK(has(wrong_vocabulary(R"({"a":-1})"), "piece 'a' has -1, expected an id"));
  CHECK(has(wrong_vocabulary(R"({"a":{}})"), "piece 'a' has an object"));
  CHECK(has(wrong_vocabulary(R"({"a":"x"})"), "piece 'a' has 'x'"));
  CHECK(has(wrong_vocabulary(R"({"a":4000000})"), "piece 'a' has id 4000000"));
  CHECK(has(wrong_vocabulary("[1]"), "no object of pieces and their ids"));
  CHECK(has(wrong_vocabulary("{}"), "no object of pieces and their ids"));
  CHECK(has(wrong_vocabulary("7"), "no object of pieces and their ids"));
  CHECK(has(wrong_vocabulary("{\"a\":1"), "not JSON"));

  using Pairs = std::vector<text::ByteBpe::Pair>;
  CHECK(parse_merges("#version: 0.2\r\na b\r\n# x\n", "m") == Pairs{{"a", "b"}, {"#", "x"}});
  CHECK(parse_merges("#version: 0.2", "m").empty());
  CHECK(parse_merges("#version: 0.2\na b", "m") == Pairs{{"a", "b"}});
  const auto wrong_merges = [](const std::string& text) { return sentence([&] { parse_merges(text, "merges.txt"); }); };
  CHECK(has(wrong_merges("a b\nc d\n"),
            "entrain.checkpoint.54: merges.txt:1: the line 'a b', expected a line that begins"));
  CHECK(has(wrong_merges("#version: 0.2\na b\nab\n"), "merges.txt:3: the line 'ab', expected two pieces"));
  CHECK(has(wrong_merges("#version: 0.2\na b c\n"), "merges.txt:2: the line 'a b c'"));
  CHECK(has(wrong_merges("#version: 0.2\n\na b\n"), "merges.txt:2: the line ''"));
  CHECK(has(wrong_merges("#version: 0.2\n b\n"), "merges.txt:2: the line ' b'"));
  CHECK(has(wrong_merges("#version: 0.2\na \n"), "merges.txt:2: the line 'a '"));
}

}  // namespace byte_bpe_files_test
