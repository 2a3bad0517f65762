// tests > [text]
#include "entrain/text/records/jsonl_stream.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "entrain/text/conll/conll.hpp"
#include "entrain/text/tags/detect.hpp"
#include "tests/scratch.hpp"
#include "tests/text/one_block.hpp"

namespace jsonl_stream_test {
using namespace entrain;
using namespace entrain::text;
using test::problems;
using test::sentence;
using test::shown;

namespace {

using Source = Jsonl<Bio, Whitespace, WholeText>;

Corpus read(std::string_view bytes, const RecordOptions& options = {}) {
  return test::corpus_of<Source>(bytes, options);
}
std::string tagged(std::string_view bytes, const RecordOptions& options = {}) { return shown(read(bytes, options)); }
std::string refused(std::string_view bytes, const RecordOptions& options = {}) {
  const std::string error = sentence([&] { read(bytes, options); });
  const std::string remedy = "; check --list all lists every such line: correct them, or skip them with --lenient";
  if (!error.ends_with(remedy)) return error;
  return error.substr(0, error.size() - remedy.size());
}
RecordOptions lenient() {
  RecordOptions options;
  options.lenient = true;
  return options;
}

TEST_CASE("a text with entities in every shape that is read") {
  const std::string expected = "Ada/B-PER Lovelace/I-PER wrote/O it/B-WORK";
  for (
      const char* line : {
          R"({"text": "Ada Lovelace wrote it", "entities": [{"start": 0, "end": 12, "label": "PER"}, {"start": 19, "end": 21, "label": "WORK"}]})",
          R"({"text":"Ada Lovelace wrote it","entities":[[19,21,"WORK"],[0,12,"PER"]]})",
          // Prodigy
          R"({"text": "Ada Lovelace wrote it", "meta": {"score": 0.5, "x": [null, {}]}, "_input_hash": -1706859234, "_task_hash": 1436032353,)"
          R"( "_is_binary": false, "spans": [{"start": 0, "end": 12, "token_start": 0, "token_end": 1, "label": "PER"},)"
          R"( {"start": 19, "end": 21, "token_start": 3, "token_end": 3, "label": "WORK", "score": 1e-3}], "_view_id": "ner_manual",)"
          R"( "answer": "accept", "_timestamp": 1.7e9, "_session_id": null})",
          R"({"text": "Ada Lovelace wrote it", "tokens": [{"text": "Ada", "start": 0, "end": 3, "id": 0, "ws": true},)"
          R"( {"text": "Lovelace", "start": 4, "end": 12, "id": 1, "ws": true}, {"text": "wrote", "start": 13, "end": 18, "id": 2},)"
          R"( {"text": "it", "start": 19, "end": 21, "id": 3, "ws": false}], "spans": [{"start": 0, "end": 12, "label": "PER"},)"
          R"( {"start": 19, "end": 21, "label": "WORK"}], "answer": "accept"})",
          // doccano, of three ages
          R"({"id": 1, "text": "Ada Lovelace wrote it", "label": [[0, 12, "PER"], [19, 21, "WORK"]], "Comments": []})",
          R"({"id": 1, "text": "Ada Lovelace wrote it", "labels": [[0, 12, "PER"], [19, 21, "WORK"]], "meta": {}})",
          R"({"id": 1, "text": "Ada Lovelace wrote it", "relations": [], "entities": [{"id": 7, "label": "PER",)"
          R"( "start_offset": 0, "end_offset": 12}, {"id": 8, "label": "WORK", "start_offset": 19, "end_offset": 21}]})",
          // Hugging Face
          R"({"id": "0", "tokens": ["Ada", "Lovelace", "wrote", "it"], "ner_tags": ["B-PER", "I-PER", "O", "B-WORK"]})",
          R"({"tags": ["B-PER", "I-PER", "O", "B-WORK"], "tokens": ["Ada", "Lovelace", "wrote", "it"], "lang": "en"})",
          R"({"text": "said twice", "tokens": ["Ada", "Lovelace", "wrote", "it"], "labels": ["B-PER", "I-PER", "O", "B-WORK"]})",
          // GLiNER
          R"({"tokenized_text": ["Ada", "Lovelace", "wrote", "it"], "ner": [[0, 1, "PER"], [3, 3, "WORK"]]})",
          R"({"ner": [[3, 3, "WORK"], [0, 1, "PER"]], "tokens": ["Ada", "Lovelace", "wrote", "it"], "text": "said twice"})",
          R"({"tokenized_text": ["Ada", "Lovelace", "wrote", "it"], "ner": [{"start": 0, "end": 1, "label": "PER"}, [3, 3, "WORK"]]})",
          // entrain
          R"({"text":"Ada Lovelace wrote it","tokens":[[0,3],[4,12],[13,18],[19,21]],"sentences":[4],)"
          R"("entities":[{"start":0,"end":12,"label":"PER","text":"Ada Lovelace"},{"start":19,"end":21,"label":"WORK","text":"it"}]})",
          R"({"text": "Ada Lovelace wrote it", "tokens": [[0,3],[4,12],[13,18],[19,21]], "tags": ["B-PER", "I-PER", "O", "B-WORK"]})",
          R"({"text": " Ada Lovelace wrote it", "tokens": ["Ada", "Lovelace", "wrote", "it"], "entities": [[1, 13, "PER"], [20, 22, "WORK"]]})",
      }) {
    CAPTURE(line);
    CHECK(tagged(line) == expected);
    CHECK(tagged(std::string(line) + "\n\n \t\r\n" + line) == expected + "||" + expected);
    CHECK(read(line).met.unlabelled == 0);
  }
}

TEST_CASE("tags are numbers where names are given") {
  RecordOptions options;
  options.tag_names = {"O", "B-PER", "I-PER"};
  CHECK(tagged(R"({"tokens": ["Ada", "L", "x"], "ner_tags": [1, 2, 0]})", options) == "Ada/B-PER L/I-PER x/O");
  CHECK(tagged(R"({"tokens": ["Ada", "L", "x"], "ner_tags": [1, "I-PER", 0]})", options) == "Ada/B-PER L/I-PER x/O");
  CHECK(refused(R"({"tokens": ["Ada"], "ner_tags": [3]})", options) ==
        "entrain.text.42: f:1: tag 3, expected 0 to 2; name the numeric tags: --tag-names O,B-PER,I-PER,...");
  CHECK(refused(R"({"tokens": ["Ada"], "ner_tags": [-1]})", options).starts_with("entrain.text.42: f:1: tag -1"));
  CHECK(refused(R"({"tokens": ["Ada"], "ner_tags": [1]})") ==
        "entrain.text.42: f:1: tag 1, expected tags as strings; name the numeric tags: --tag-names O,B-PER,I-PER,...");
  CHECK(refused(R"({"tokens": ["Ada"], "ner_tags": [1.0]})", options) ==
        "entrain.text.40: f:1: '1.0]}', expected a whole number below 2^63; byte 34 of the line");
}

TEST_CASE("what is no entity: none, null, no list at all") {
  const auto counts = [](std::string_view line) {
    const Corpus c = read(line);
    CHECK(shown(c) == "so/O what/O");
    return c.met.unlabelled;
  };
  CHECK(counts(R"({"text": "so what", "entities": []})") == 0);
  CHECK(counts(R"({"text": "so what", "spans": null})") == 0);
  CHECK(counts(R"({"text": "so what", "label": []})") == 0);
  CHECK(counts(R"({"text": "so what", "label": [], "entities": null, "spans": []})") == 0);
  CHECK(counts(R"({"tokenized_text": ["so", "what"], "ner": []})") == 0);
  CHECK(counts(R"({"tokenized_text": ["so", "what"], "ner": null})") == 0);
  CHECK(counts(R"({"ner": null, "tokens": ["so", "what"], "text": "said twice"})") == 0);
  CHECK(counts(R"({"tokens": ["so", "what"], "ner_tags": ["O", "O"]})") == 0);
  CHECK(counts(R"({"text": "so what"})") == 1);
  CHECK(counts(R"({"text": "so what", "tokens": null, "sentences": null, "answer": null, "tags": null})") == 1);
  CHECK(counts(R"({"text": "so what", "tokens": ["so", "what"]})") == 1);
  CHECK(refused(R"({"text": null, "entities": []})").starts_with("entrain.text.42: f:1: neither text nor words"));
  CHECK(refused(R"({"tokens": ["so", "what"]})") ==
        "entrain.text.42: f:1: words without tags, expected text and entities, spans or label; or tokens and ner_tags; "
        "or "
        "tokenized_text and ner");
  CHECK(refused(R"({"tokens": ["so", "what"], "ner_tags": null})")
            .starts_with("entrain.text.42: f:1: words without tags"));
}

TEST_CASE("records without a word are no sentences, and are counted") {
  const Corpus c = read(R"({"text": "", "entities": []}
{"text": " \n\t ", "entities": []}
{"tokens": [], "ner_tags": []}
{"tokenized_text": [], "ner": []}
{"text": "", "tokens": [], "entities": null}
{"text": "x", "entities": []}
)");
  CHECK(shown(c) == "x/O");
  CHECK(c.met.wordless == 5);
  CHECK(c.met.unlabelled == 0);
  CHECK(c.met.lines == 6);
  CHECK(refused(R"({"text": "", "entities": [[0, 0, "X"]]})").find("X is empty") != std::string::npos);
}

TEST_CASE("what an annotator did not accept is left out and counted") {
  const Corpus c = read(R"({"text": "a", "spans": [], "answer": "accept"}
{"text": "b", "spans": [], "answer": "reject"}
{"answer": "ignore", "text": "c", "spans": [[0, 9, "wrong"]]}
{"answer": null, "text": "d", "spans": []}
{"text": "e", "answer": "Accept"})");
  CHECK(shown(c) == "a/O||d/O");
  CHECK(c.met.unaccepted == 3);
}

TEST_CASE("words may be anything") {
  const Corpus c = read(
      R"({"tokens": ["", "New York", "a\nb", "\ud83d", "\u0000", "\ud83d\ude00"], "tags": ["O", "B-X", "O", "O", "O", "O"]})");
  CHECK(c.size() == 6);
  CHECK(c.token(0) == "");
  CHECK(c.token(1) == "New York");
  CHECK(c.token(2) == "a\nb");
  CHECK(c.token(3) == "\uFFFD");
  CHECK(c.token(4) == std::string_view("\0", 1));
  CHECK(c.token(5) == "😀");
  CHECK(c.met.empty_tokens == 1);
  CHECK(c.sentences() == 1);
  CHECK(read(R"({"tokenized_text": ["", "a"], "ner": [[0, 1, "X"]]})").met.empty_tokens == 1);
  // a half of a pair counts as one, as it does for who wrote the offsets
  CHECK(tagged(R"({"text": "a\ud83d b", "entities": [[3, 4, "X"]]})") == "a\uFFFD/O b/B-X");
  RecordOptions utf16;
  utf16.unit = OffsetUnit::utf16;
  CHECK(tagged(R"({"text": "a\ud83d b", "entities": [[3, 4, "X"]]})", utf16) == "a\uFFFD/O b/B-X");
  CHECK(tagged(R"({"text": "a\ud83d\ude00 b", "entities": [[4, 5, "X"]]})", utf16) == "a😀/O b/B-X");
}

TEST_CASE("what a record must not say is refused with its line") {
  const auto wrong = [](std::string_view line, std::string_view expected) {
    CAPTURE(line);
    CHECK(refused(std::string("\n") + std::string(line)) == expected);
  };
  wrong(R"({"text": "a", "text": "b"})", "entrain.text.42: f:2: \"text\" twice, expected one");
  wrong(R"({"tokens": ["a"], "tokenized_text": ["a"], "tags": ["O"]})",
        "entrain.text.42: f:2: \"tokenized_text\" twice, expected one");
  wrong(R"({"answer": "accept", "answer": "accept"})", "entrain.text.42: f:2: \"answer\" twice, expected one");
  wrong(R"({"sentences": [], "sentences": []})", "entrain.text.42: f:2: \"sentences\" twice, expected one");
  wrong(R"({"text": "a", "label": [[0, 1, "X"]], "spans": [[0, 1, "X"]]})",
        "entrain.text.42: f:2: two lists of entities, expected one: \"spans\" is the second");
  wrong(R"({"text": "a", "label": [[0, 1, "X"]], "label": [[0, 1, "X"]]})",
        "entrain.text.42: f:2: two lists of entities, expected one: \"label\" is the second");
  wrong(R"({"tokens": ["a"], "ner_tags": ["O"], "tags": ["B-X"]})",
        "entrain.text.42: f:2: two lists of tags, expected one: \"tags\" is the second");
  wrong(R"({"tokens": ["a"], "ner_tags": ["O"], "ner": [[0, 0, "X"]]})",
        "entrain.text.42: f:2: tags and entities, expected one of them");
  wrong(R"({"tokens": ["a"], "ner_tags": ["O", "O"]})", "entrain.text.42: f:2: 2 tags, expected 1, one for each word");
  wrong(R"({"text": "a", "tags": ["O"]})", "entrain.text.42: f:2: tags without words, expected both");
  wrong(R"({"tokens": [[0, 1]], "entities": []})",
        "entrain.text.42: f:2: offsets of words without a text, expected both");
  wrong(R"({"text": "a", "ner": [[0, 1, "X"]]})",
        "entrain.text.42: f:2: entities of words, without words, expected both tokenized_text and ner");
  wrong(R"({"text": "a", "tokens": ["a", [0, 1]]})",
        "entrain.text.42: f:2: words and offsets of words in one list, expected one of them");
  wrong(R"({"text": "a", "tokens": [[0]]})",
        "entrain.text.42: f:2: a token without two offsets, expected start and end");
  wrong(R"({"text": "a", "tokens": [[0, 1, 2]]})",
        "entrain.text.42: f:2: a token without two offsets, expected start and end");
  wrong(R"({"text": "a", "tokens": [{"start": 0}]})",
        "entrain.text.42: f:2: token [0, -1), expected tokens from left to right inside the text");
  wrong(R"({"text": "ab", "tokens": [[1, 2], [0, 1]]})",
        "entrain.text.42: f:2: token [0, 1), expected tokens from left to right inside the text");
  wrong(R"({"text": "ab", "tokens": [[1, 1]]})",
        "entrain.text.42: f:2: token [1, 1), expected tokens from left to right inside the text");
  wrong(R"({"text": "ab", "tokens": [[0, 2], [1, 2]]})",
        "entrain.text.42: f:2: token [1, 2), expected tokens from left to right inside the text");
  wrong(R"({"text": "ab", "tokens": [[1, 3]]})",
        "entrain.text.42: f:2: token [1, 3), expected tokens from left to right inside the text");
  wrong(R"({"text": "ab c", "tokens": ["ab", "d"]})",
        "entrain.text.42: f:2: 'c' in the text, expected the word 'd' there");
  wrong(R"({"text": "ab c", "tokens": ["ab", "c", "d"]})",
        "entrain.text.42: f:2: '' in the text, expected the word 'd' there");
  wrong(R"({"text": "ab c", "tokens": ["ab"]})",
        "entrain.text.42: f:2: 'c' in the text, expected nothing after its last word");
  // the same by places, before, between and after the tokens
  const std::string outside = " in the text, expected only white space outside its tokens";
  wrong(R"({"text": " ab c", "tokens": [[4, 5]]})", "entrain.text.42: f:2: 'ab '" + outside);
  wrong(R"({"text": "ab c  d e", "tokens": [{"text": "ab", "start": 0, "end": 2}, [8, 9]], "spans": []})",
        "entrain.text.42: f:2: 'c  d '" + outside);
  wrong(R"({"text": "ab c ", "tokens": [[0, 2]]})", "entrain.text.42: f:2: 'c '" + outside);
  wrong(R"({"text": "ab", "tokens": [[0, 1]]})", "entrain.text.42: f:2: 'b'" + outside);
  wrong(R"({"text": "ab c", "tokens": []})",
        "entrain.text.42: f:2: 'ab c' in the text, expected nothing after its last word");
  wrong(R"({"text": "ab c d", "tokens": [[0, 2], [5, 6]], "ner_tags": ["O", "B-X"]})",
        "entrain.text.42: f:2: 'c '" + outside);
  wrong(R"({"text": "é b", "tokens": [[0, 2]]})",
        "entrain.text.42: f:2: 'b'" + outside + "; set what offsets count: --offsets code-points, bytes or utf-16");
  wrong(R"({"text": "😀 Bo Al", "tokens": [{"text": "😀", "start": 0, "end": 2}, {"text": "Bo", "start": 3, "end": 5}]})",
        "entrain.text.42: f:2: 'B'" + outside +
            "; token [3, 5) covers 'o ', but its text is given as 'Bo'; offsets seem to count UTF-16 units: use "
            "--offsets utf-16");
  CHECK(tagged("{\"text\": \" ab\\u00a0\\u3000c\\n\", \"tokens\": [[1, 3], [3, 4], [5, 6]]}") == "ab/O c/O");
  wrong(R"({"text": "a b", "sentences": [1]})", "entrain.text.42: f:2: sentence lengths, expected a sum of 2 words");
  wrong(R"({"text": "a b", "sentences": [0, 2]})", "entrain.text.42: f:2: sentence lengths, expected a sum of 2 words");
  wrong(R"({"text": "a b", "sentences": [3]})", "entrain.text.42: f:2: sentence lengths, expected a sum of 2 words");
  wrong(R"({"text": "a", "entities": [[0, 1]]})",
        "entrain.text.42: f:2: an entity without its label, expected start, end and label of each");
  wrong(R"({"text": "a", "entities": [[0]]})",
        "entrain.text.42: f:2: an entity without its end, expected start, end and label of each");
  wrong(R"({"text": "a", "entities": [{}]})",
        "entrain.text.42: f:2: an entity without its start, expected start, end and label of each");
  wrong(R"({"text": "a", "entities": [{"start": 0, "start": 0}]})",
        "entrain.text.42: f:2: \"start\" twice, expected one");
  wrong(R"({"text": "a", "entities": [[0, 1, ""]]})",
        "entrain.text.42: f:2: an entity whose label is empty, expected its type");
  wrong(R"({"text": "a", "label": 1})",
        "entrain.text.42: f:2: a label that is not a list, expected a list of entities; for one label per text, use "
        "--input-format labelled");
  wrong(R"({"id": 1})",
        "entrain.text.42: f:2: neither text nor words, expected text and entities, spans or label; or tokens and "
        "ner_tags; "
        "or tokenized_text and ner");
  wrong(R"([{"text": "a"},)",
        "entrain.text.42: f:2: an array, expected an object per line; convert it to lines: jq -c '.[]'");
  wrong(R"({"text": "a")", "entrain.text.40: f:2: the end of the line, expected ',' or '}'; byte 13 of the line");
  wrong(R"({"text": "a", "spans": {}})", "entrain.text.40: f:2: '{}}', expected an array; byte 24 of the line");
  wrong(R"({"text": "a", "spans": [true]})",
        "entrain.text.40: f:2: 'true]}', expected an entity: a list, or an object with its start; byte 25 of the line");
  wrong(R"({"tokens": ["a"], "ner_tags": [null]})",
        "entrain.text.40: f:2: 'null]}', expected a tag: a string or a number; byte 32 of the line");
  wrong(R"({"tokens": [null], "ner_tags": ["O"]})",
        "entrain.text.40: f:2: 'null], \"ner_tags\": [...', expected a word: a string, or its offsets; byte 13 of the "
        "line");
  wrong(R"({"text": 1})", "entrain.text.40: f:2: '1}', expected a string; byte 10 of the line");
  wrong(R"({"tokens": ["a", 1]})",
        "entrain.text.40: f:2: '1]}', expected a word: a string, or its offsets; byte 18 of the line");
  wrong("{\"text\": \"a\xFF\"}",
        "entrain.text.43: f:2: bytes that are not UTF-8, expected text in UTF-8; convert it with iconv -t UTF-8");
  wrong(R"({"text": "ab c", "entities": [[0, 1, "X"]]})",
        "entrain.text.41: f:2: entity [0, 1) X ends inside a word: '|a|b c', expected [0, 2) 'ab'; correct it, or use "
        "--misaligned snap or --misaligned drop; check --list all lists every such entity");
  // passed over, as it is no list and a list is next to it
  CHECK(tagged(R"({"text": "a", "label": "ORG", "spans": [[0, 1, "X"]]})") == "a/B-X");
}

TEST_CASE("lenient: what cannot be used is left out, listed and counted, and the rest is read") {
  const std::string bytes =
      "{\"text\": \"a\"\n{\"text\": \"b\", \"entities\": [[0, 1, \"X\"]]}\r\n{\"text\": \"c\xFF\"}\nno\n"
      "{\"text\": \"d e\", \"entities\": [[0, 1, \"X\"], [2, 9, \"Y\"]]}\n{\"text\": \"f\", \"entities\": []}\n";
  const Corpus c = read(bytes, lenient());
  CHECK(shown(c) == "b/B-X||f/O");
  CHECK(c.line == std::vector<std::uint32_t>{2, 6});
  CHECK(c.met.malformed == 4);
  CHECK(c.met.lines == 6);
  CHECK(c.met.crlf == 1);
  CHECK(c.met.annotations == 1);
  CHECK(c.met.outside == 0);  // the line counts, not what is in it
  CHECK(problems(c) ==
        "1: the end of the line, expected ',' or '}'; byte 13 of the line\n"
        "3: bytes that are not UTF-8, expected text in UTF-8; convert it with iconv -t UTF-8\n"
        "4: 'no', expected an object; byte 1 of the line\n"
        "5: entity [2, 9) Y extends beyond the text, [0, 3): 'd |e|', expected whole words, without overlap; check "
        "whether offsets count bytes or UTF-16 units\n");
  RecordOptions drop = lenient();
  drop.misaligned = Misaligned::drop;
  const Corpus d = read(bytes, drop);
  CHECK(shown(d) == "b/B-X||d/B-X e/O||f/O");
  CHECK(d.met.malformed == 3);
  CHECK(d.met.outside == 1);
  CHECK(d.problems.size() == 4);
  CHECK(read("[", lenient()).met.malformed == 1);

  RecordOptions few = lenient();
  few.problem_cap = 5;
  std::string many;
  for (int i = 0; i < 100; ++i) many += "no\n";
  CHECK(read(many, few).problems.size() == 5);
  CHECK(read(many, few).met.malformed == 100);
}

TEST_CASE("lenient: a record whose tokens leave words of its text out is skipped and counted") {
  const std::string bytes =
      R"({"text":"Ada met Bo in Paris","tokens":[{"text":"Ada","start":0,"end":3},{"text":"Paris","start":14,"end":19}],)"
      R"("spans":[{"start":0,"end":3,"label":"PER"}]})"
      "\n{\"text\":\"Bo sits\",\"tokens\":[[0,2],[3,7]],\"spans\":[]}\n";
  const std::string why = "'met Bo in ' in the text, expected only white space outside its tokens";
  CHECK(refused(bytes) == "entrain.text.42: f:1: " + why);
  const Corpus c = read(bytes, lenient());
  CHECK(shown(c) == "Bo/O sits/O");
  CHECK(c.met.malformed == 1);
  CHECK(problems(c) == "1: " + why + "\n");
}

TEST_CASE("lines that end in CR alone are said to, where they are no record") {
  const std::string bytes = "{\"text\": \"a\"}\r{\"text\": \"b\"}\r";
  CHECK(refused(bytes) ==
        "entrain.text.10: f: lines end in CR only, expected LF or CR LF; convert them: tr '\\r' '\\n'");
  CHECK(problems(read(bytes, lenient())) ==
        "1: lines end in CR only, expected LF or CR LF; convert them: tr '\\r' '\\n'\n");
  CHECK(tagged("{\"text\":\r\"a\"}") == "a/O");  // JSON, as it is
  CHECK(refused("{\r").starts_with("entrain.text.40: f:1: "));
  CHECK(refused(bytes + "\n").starts_with("entrain.text.40: f:1: "));
}

TEST_CASE("sentences: whose they are, and an entity across their end") {
  using Splitting = Jsonl<Bioes>;
  const auto read = [](std::string_view line) { return test::corpus_of<Splitting>(line); };
  const Corpus plain = read(R"({"text": "He left. She stayed.", "entities": [[0, 2, "P"], [9, 12, "P"]]})");
  CHECK(shown(plain) == "He/S-P left/O ./O|She/S-P stayed/O ./O");
  const Corpus joined = read(R"({"text": "Go. No. On. He left.", "entities": [[0, 6, "A"], [8, 11, "B"]]})");
  CHECK(shown(joined) == "Go/B-A ./I-A No/E-A ./O|On/B-B ./E-B|He/O left/O ./O");
  CHECK(joined.met.joined_sentences == 1);
  const Corpus all = read(R"({"text": "Go. No. On. He left.", "entities": [[0, 14, "A"]]})");
  CHECK(shown(all) == "Go/B-A ./I-A No/I-A ./I-A On/I-A ./I-A He/E-A left/O ./O");
  CHECK(all.met.joined_sentences == 3);
  CHECK(shown(read(R"({"text": "a b c", "sentences": [1, 2], "entities": [[2, 5, "A"]]})")) == "a/O|b/B-A c/E-A");
  CHECK(shown(read(R"({"tokens": ["a", ".", "B", "c"], "sentences": [2, 2], "tags": ["O", "O", "S-A", "O"]})")) ==
        "a/O ./O|B/S-A c/O");
  CHECK(shown(read(R"({"tokens": ["a", ".", "B", "c"], "tags": ["O", "O", "S-A", "O"]})")) == "a/O ./O B/S-A c/O");
  CHECK(shown(read(R"({"tokenized_text": ["a", ".", "B", "c"], "ner": [[1, 2, "A"]], "sentences": [2, 2]})")) ==
        "a/O ./B-A B/E-A c/O");
}

TEST_CASE("words that come with tags or with entities of words are one sentence, whatever text the record has") {
  const auto read = [](std::string_view line) { return shown(test::corpus_of<Jsonl<Bioes>>(line)); };
  CHECK(read(R"({"text": "a. B c", "tokens": ["a", ".", "B", "c"], "ner": [[2, 2, "A"]]})") == "a/O ./O B/S-A c/O");
  CHECK(read(R"({"text": "a. B c", "tokens": ["a", ".", "B", "c"], "tags": ["O", "O", "S-A", "O"]})") ==
        "a/O ./O B/S-A c/O");
  CHECK(read(R"({"text": "a. B c", "tokens": [[0, 1], [1, 2], [3, 4], [5, 6]], "tags": ["O", "O", "S-A", "O"]})") ==
        "a/O ./O B/S-A c/O");
  CHECK(read(R"({"text": "ab. B c", "tokens": ["ab", ".", "B", "c"], "spans": [[4, 5, "A"]]})") ==
        "ab/O ./O|B/S-A c/O");
  CHECK(refused(R"({"tokens": ["a"], "ner": [[0, 9223372036854775807, "A"]]})")
            .find("extends beyond the text, [0, 0]: '|a|'") != std::string::npos);
  CHECK(refused(R"({"tokens": ["a"], "ner": [[-1, 0, "A"]]})").find("extends beyond the text") != std::string::npos);
  CHECK(refused(R"({"tokens": ["a", "b"], "ner": [[1, 0, "A"]]})").find("[1, 0] A is empty") != std::string::npos);
}

TEST_CASE("given words: white space among them, places in every unit") {
  const Corpus c = read(R"({"text": "a \n b", "tokens": [[0, 1], [2, 3], [4, 5]], "spans": [[0, 5, "X"]]})");
  CHECK(shown(c) == "a/B-X b/I-X");
  CHECK(c.met.blank_words == 1);
  CHECK(read(R"({"text": "a \n b", "tokens": ["a", "\n", "b"], "spans": [[0, 1, "X"]]})").met.blank_words == 1);
  CHECK(read(R"({"text": "a \n b", "tokens": [[0, 1], [2, 3], [4, 5]], "tags": ["O", "O", "O"]})").size() == 3);
  const Corpus empty = read(R"({"text": "a  b", "tokens": [[0, 1], [2, 2], [3, 4]], "sentences": [3]})");
  CHECK(shown(empty) == "a/O /O b/O");
  CHECK(empty.met.empty_tokens == 1);
  CHECK(read(R"({"text": "a", "tokens": [[0, 0], [0, 1]], "tags": ["O", "O"]})").met.empty_tokens == 1);
  CHECK(refused(R"({"text": "a", "tokens": [[0, 1], [0, 0]], "tags": ["O", "O"]})").find("token [0, 0), expected ") !=
        std::string::npos);
  RecordOptions options;
  const std::string text = R"({"text": "é😀 猫b", "tokens": )";
  CHECK(tagged(text + R"([[0, 2], [3, 4], [4, 5]], "entities": [[3, 4, "X"]]})") == "é😀/O 猫/B-X b/O");
  options.unit = OffsetUnit::utf16;
  CHECK(tagged(text + R"([[0, 3], [4, 5], [5, 6]], "entities": [[4, 5, "X"]]})", options) == "é😀/O 猫/B-X b/O");
  CHECK(refused(text + R"([[0, 2]]})", options).find("token [0, 2), expected tokens from") != std::string::npos);
  options.unit = OffsetUnit::bytes;
  CHECK(tagged(text + R"([[0, 6], [7, 10], [10, 11]], "entities": [[7, 10, "X"]]})", options) == "é😀/O 猫/B-X b/O");
  CHECK(refused(text + R"([[1, 6]]})", options).find("token [1, 6), expected tokens from") != std::string::npos);
  // an annotation may end between words without white space; text in no word is refused
  CHECK(tagged(R"({"text": "don't", "tokens": [[0, 2], [2, 5]], "entities": [[2, 5, "X"]]})") == "do/O n't/B-X");
  CHECK(refused(R"({"text": "a-b", "tokens": [[0, 1], [2, 3]], "entities": [[0, 3, "X"]]})") ==
        "entrain.text.42: f:1: '-' in the text, expected only white space outside its tokens");
}

TEST_CASE("annotations in every scheme, and tags as they are") {
  const auto all = [](auto scheme) {
    using S = decltype(scheme);
    return shown(test::corpus_of<Jsonl<S, Whitespace, WholeText>>(
        R"({"text": "a b c d e", "entities": [[0, 1, "X"], [2, 5, "X"], [6, 7, "Y"]]})"));
  };
  CHECK(all(Bio{}) == "a/B-X b/B-X c/I-X d/B-Y e/O");
  CHECK(all(Iob1{}) == "a/I-X b/B-X c/I-X d/I-Y e/O");
  CHECK(all(Bioes{}) == "a/S-X b/B-X c/E-X d/S-Y e/O");
  CHECK(all(Bilou{}) == "a/U-X b/B-X c/L-X d/U-Y e/O");
  CHECK(tagged(R"({"tokens": ["a", "b"], "tags": ["whatever", ""]})") == "a/whatever b/");
}

TEST_CASE("a file of many types does not fill the memory") {
  std::string bytes;
  for (int i = 0; i < 30'000; ++i)
    bytes += "{\"text\": \"a\", \"entities\": [[0, 1, \"T" + std::to_string(i) + "\"]]}\n";
  const Corpus c = read(bytes);
  REQUIRE(c.size() == 30'000);
  CHECK(c.tags.size() == 30'001);
  for (std::size_t i = 0; i < c.size(); ++i) REQUIRE(c.tag_name(i) == "B-T" + std::to_string(i));
}
}  // namespace

}  // namespace jsonl_stream_test
