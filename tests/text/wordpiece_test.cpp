// tests > [text]
#include "entrain/text/tokenizer/wordpiece.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "entrain/text/files/file.hpp"
#include "tests/text/pieces_in_words.hpp"

namespace wordpiece_test {
using namespace entrain::text;
using test::from_hex, test::in_words, test::read;

namespace {
const char* const special[] = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};

WordPieceOptions options_for(const std::vector<std::string>& vocabulary, const std::string& mode) {
  WordPieceOptions options;
  options.normalizer = {.clean_text = mode != "unclean",
                        .handle_chinese_chars = mode != "joined",
                        .strip_accents = mode != "cased" && mode != "accents",
                        .lowercase = mode != "cased" && mode != "bare"};
  for (const char* text : special)
    for (std::size_t i = 0; i < vocabulary.size(); ++i)
      if (vocabulary[i] == text) options.added.push_back({.text = text, .id = static_cast<std::int32_t>(i)});
  return options;
}

WordPiece small(WordPieceOptions options = {}) {
  return WordPiece({"[PAD]", "[UNK]", "un", "##aff", "##able", "a", "##b", "!", "new", "york", "new york"},
                   std::move(options));
}
/// The lists of numbers of a JSON list of lists.
std::vector<std::vector<std::int32_t>> lists_of(const std::string& json) {
  std::vector<std::vector<std::int32_t>> all;
  for (std::size_t at = 1; (at = json.find('[', at)) != json.npos; ++at) {
    std::istringstream numbers(json.substr(at + 1, json.find(']', at) - at - 1));
    auto& list = all.emplace_back();
    for (std::string number; std::getline(numbers, number, ',');) list.push_back(std::stoi(number));
  }
  return all;
}

/// The values of a key that is a text, in a JSON file without surprises.
std::vector<std::string> texts_of(const std::string& json, const std::string& key) {
  std::vector<std::string> all;
  for (std::size_t at = 0; (at = json.find('"' + key + "\":", at)) != json.npos;) {
    at = json.find('"', at + key.size() + 3) + 1;
    std::string& text = all.emplace_back();
    for (; json[at] != '"'; ++at) {
      if (json[at] != '\\') {
        text += json[at];
      } else if (json[++at] == 'u') {
        char bytes[4];
        text.append(bytes, encode(static_cast<char32_t>(std::stoi(json.substr(at + 1, 4), nullptr, 16)), bytes));
        at += 4;
      } else {
        text += json[at] == 'n' ? '\n' : json[at] == 't' ? '\t' : json[at];
      }
    }
  }
  return all;
}
}  // namespace

TEST_CASE("wordpiece: ids and offsets are those of tokenizers") {
  std::ifstream golden(ENTRAIN_SOURCE_DIR "/tests/text/golden/wordpiece.txt");
  REQUIRE(golden.is_open());
  std::vector<std::string> vocabulary;
  std::string mode;
  int cases = 0;
  std::vector<WordPiece> made;
  for (std::string line; std::getline(golden, line);) {
    if (line[0] == '#') continue;
    if (line.starts_with("v ")) {
      vocabulary.push_back(line.substr(2));
      continue;
    }
    std::istringstream fields(line);
    std::string now, hex, expected;
    fields >> now >> hex;
    std::getline(fields >> std::ws, expected);
    if (now != mode) made.assign(1, WordPiece(vocabulary, options_for(vocabulary, mode = now)));
    CAPTURE(mode);
    CAPTURE(hex);
    CHECK(read(made[0], from_hex(hex)) == expected);
    ++cases;
  }
  CHECK(cases == 2400);
}

TEST_CASE("wordpiece: words that are cut, unknown, too long, and their offsets") {
  const WordPiece w = small();
  CHECK(read(w, "unaffable") == "2:0-2 3:2-5 4:5-9");
  CHECK(read(w, " unaffable\t!\n") == "2:1-3 3:3-6 4:6-10 7:11-12");
  CHECK(read(w, "unaffables") == "1:0-10");
  CHECK(read(w, "") == "");
  CHECK(read(w, " \n ") == "");
  CHECK(read(w,
             "A\xCC\x81"
             "b") == "5:0-1 6:2-3");  // the accent goes, its place stays
  CHECK(read(w, "\xC3\x81") == "5:0-1");
  CHECK(read(w, "new york") == "8:0-3 9:4-8");  // a piece with a space in it never occurs
  CHECK(read(w,
             "\xFF"
             "a") == "5:1-2");  // a stray byte is U+FFFD, and that goes
  const std::string longest = "a" + std::string(99, 'b');
  CHECK(read(w, longest).starts_with("5:0-1 6:1-2"));
  CHECK(read(w, longest + "b") == "1:0-101");
  WordPieceOptions brief;
  brief.max_input_chars_per_word = 2;
  CHECK(read(small(brief), "ab abb") == "5:0-1 6:1-2 1:3-6");
}

TEST_CASE("wordpiece: the place in the text continues from call to call") {
  const WordPiece w = small();
  WordPiece::Reader reader(w);
  Pieces p;
  const auto next = reader.encode("a !", p, 7);
  CHECK(next == 10);
  reader.encode("ab", p, next);
  CHECK(in_words(p) == "5:7-8 7:9-10 5:10-11 6:11-12");
}

TEST_CASE("wordpiece: added pieces are found before anything else") {
  WordPieceOptions options;
  options.added = {{.text = "<e>", .id = 90},
                   {.text = "<e>!", .id = 91},
                   {.text = "<m>", .id = 92, .lstrip = true, .rstrip = true},
                   {.text = "xy", .id = 93, .single_word = true}};
  const WordPiece w = small(options);
  CHECK(read(w, "a<e>a") == "5:0-1 90:1-4 5:4-5");
  CHECK(read(w, "<e>!<e>") == "91:0-4 90:4-7");
  CHECK(read(w, "a \xC2\xA0<m>\n a") == "5:0-1 92:1-8 5:8-9");
  CHECK(read(w, "<m><m>") == "92:0-3 92:3-6");
  CHECK(read(w, "xy xy! xyz axy _xy") == "93:0-2 93:3-5 7:5-6 1:7-10 1:11-14 1:15-16 1:16-18");
  CHECK(read(w, "<<e>") == "1:0-1 90:1-4");
}

TEST_CASE("wordpiece: a small cache forgets and still gives the same") {
  const WordPiece w = small();
  std::string text;
  for (int i = 0; i < 500; ++i)
    text += "a" + std::string(static_cast<std::size_t>(i % 40), 'b') + (i % 3 == 0 ? "! " : " ");
  Pieces large, tiny;
  WordPiece::Reader(w).encode(text, large);
  WordPiece::Reader(w, 3).encode(text, tiny);
  CHECK(in_words(large) == in_words(tiny));
}

TEST_CASE("wordpiece: the cache keeps words apart that differ in one byte or in length") {
  std::string text;
  for (std::size_t length = 1; length <= WordKey::most_bytes + 1; ++length)
    for (std::size_t other = 0; other <= length; ++other) {
      std::string word(length, 'a');
      if (other < length) word[other] = 'b';
      text += word + ' ';
    }
  std::vector<std::string> letters{"[UNK]", "a", "##a", "b", "##b"};
  const WordPiece w(letters);
  WordPiece::Reader keeps(w), cuts(w, 2);
  Pieces expected;
  cuts.encode(text, expected);
  for (int pass = 0; pass < 2; ++pass) {
    Pieces kept;
    keeps.encode(text, kept);
    CHECK(in_words(kept) == in_words(expected));
  }

  PieceCache cache(2);  // where all words share a place
  for (std::size_t at = 0; at < text.size(); at = text.find(' ', at) + 1) {
    const std::string_view word = std::string_view(text).substr(at, text.find(' ', at) - at);
    if (word.size() > WordKey::most_bytes) break;
    CachedWord& place = cache.place(word);
    CAPTURE(word);
    CHECK(place.bytes == 0);  // not that of another word
    place.bytes = static_cast<std::uint8_t>(word.size());
    CHECK(&cache.place(word) == &place);
  }
}

TEST_CASE("wordpiece: vocabularies that are wrong") {
  CHECK_THROWS_WITH(WordPiece({"[UNK]", "a", "b", "a"}),
                    "entrain.text.14: vocabulary: 'a' has ids 1 and 3, expected one id per piece");
  CHECK_THROWS_WITH(WordPiece({"a", "b"}, {}, "folder"),
                    "entrain.text.15: folder: no piece [UNK] among 2, expected a piece for unknown words");
}

TEST_CASE("wordpiece: BERT's own vocabulary, against Google's tokenizer and llama.cpp's cases") {
  const char* const data = std::getenv("ENTRAIN_DATA");
  if (data == nullptr) {
    MESSAGE("skipped: ENTRAIN_DATA is not set");
    return;
  }
  const std::string folder = data, golden = folder + "/wordpiece-golden/";
  std::vector<std::string> vocabulary;
  std::ifstream file(folder + "/bert-uncased/vocab.txt");
  for (std::string piece; std::getline(file, piece);) vocabulary.push_back(piece);
  REQUIRE(vocabulary.size() == 30522);
  const WordPiece w(vocabulary);
  WordPiece::Reader reader(w);
  Pieces p;

  const auto questions = texts_of(read_file(golden + "squad_question_tokens.json"), "original");
  const auto ids = lists_of(read_file(golden + "squad_question_ids.json"));
  REQUIRE(questions.size() == 10570);
  REQUIRE(ids.size() == questions.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    p.clear();
    reader.encode(questions[i], p);
    if (p.id != ids[i]) FAIL_CHECK("question ", i, ": ", questions[i]);
  }

  const std::string inputs = read_file(golden + "edge_cases.inp"), between = "\n__ggml_vocab_test__\n";
  std::istringstream outputs(read_file(golden + "edge_cases.out"));
  int cases = 0;
  std::size_t at = 0;
  for (std::string expected; at < inputs.size() && std::getline(outputs, expected); ++cases) {
    const std::size_t end = std::min(inputs.find(between, at), inputs.size());
    p.clear();
    reader.encode(std::string_view(inputs).substr(at, end - at), p);
    std::string found;
    for (const auto id : p.id) found += (found.empty() ? "" : " ") + std::to_string(id);
    while (!expected.empty() && expected.front() == ' ') expected.erase(0, 1);
    while (!expected.empty() && (expected.back() == ' ' || expected.back() == '\r')) expected.pop_back();
    CAPTURE(cases);
    CHECK(found == expected);
    at = end + between.size();
  }
  CHECK(cases == 46);  // nothing follows the last separator
}

}  // namespace wordpiece_test
