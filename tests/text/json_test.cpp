// tests > [text]
#include "entrain/text/records/json.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "entrain/text/unicode/utf8.hpp"

namespace json_test {
using namespace entrain;
using text::Json;

namespace {
using Oracle = nlohmann::json;

/// Taken apart by ours, put together by theirs.
Oracle rebuilt(Json& json) {
  switch (json.peek()) {
    case Json::Kind::object: {
      Oracle all = Oracle::object();
      json.object([&](std::string_view key) {
        const std::string name(key);  // before the next one is read
        all[name] = rebuilt(json);
        return true;
      });
      return all;
    }
    case Json::Kind::array: {
      Oracle all = Oracle::array();
      json.array([&] { all.push_back(rebuilt(json)); });
      return all;
    }
    case Json::Kind::string: {
      std::string s;
      json.string(s);
      return s;
    }
    case Json::Kind::number:
      return json.integer();
    case Json::Kind::boolean:
      return json.boolean();
    default:
      json.skip();
      return nullptr;
  }
}

Oracle random_value(std::mt19937& draw, int depth) {
  switch (draw() % (depth > 0 ? 7 : 5)) {
    case 0:
      return nullptr;
    case 1:
      return draw() % 2 == 0;
    case 2:
      return static_cast<std::int64_t>(draw()) * (draw() % 2 ? -1 : 1) >> draw() % 32;
    case 3:
    case 4: {
      std::string s;
      for (int n = static_cast<int>(draw() % 8); n > 0; --n) {
        static const std::vector<std::string> letters{"a",  "\"", "\\", "\n",   "\t", "é",
                                                      "猫", "😀",  "/",  "\x01", " ",  "}"};
        s += letters[draw() % letters.size()];
      }
      return s;
    }
    case 5: {
      Oracle all = Oracle::array();
      for (int n = static_cast<int>(draw() % 4); n > 0; --n) all.push_back(random_value(draw, depth - 1));
      return all;
    }
    default: {
      Oracle all = Oracle::object();
      for (int n = static_cast<int>(draw() % 4); n > 0; --n)
        all[random_value(draw, 0).dump()] = random_value(draw, depth - 1);
      return all;
    }
  }
}

std::string said(std::string_view bytes, auto&& what) {
  try {
    Json json(bytes, "f.jsonl", 3);
    what(json);
    return "nothing";
  } catch (const Error& e) {
    return e.what();
  }
}
std::string skipped(std::string_view bytes) {
  return said(bytes, [](Json& json) {
    json.skip();
    json.end();
  });
}

TEST_CASE("values come out as nlohmann-json reads them, whatever the spaces and escapes") {
  std::mt19937 draw(3);
  for (int i = 0; i < 3000; ++i) {
    const Oracle value = random_value(draw, 4);
    for (const std::string& text : {value.dump(), value.dump(2), value.dump(-1, ' ', true)}) {
      Json json(text, "", 1);
      CHECK(rebuilt(json) == value);
      json.end();
      CHECK(skipped(text) == "nothing");
    }
  }
}

TEST_CASE("what nlohmann-json refuses is refused, and nothing else") {
  std::mt19937 draw(4);
  int refused = 0;
  for (int i = 0; i < 30'000; ++i) {
    std::string text = random_value(draw, 3).dump();
    for (int n = static_cast<int>(draw() % 3); n >= 0; --n) {
      static const std::string letters = "{}[]\",:\\0019.-+eEtfn u/d8\x1f\t";
      const std::size_t at = draw() % (text.size() + 1);
      switch (draw() % 3) {
        case 0:
          text.insert(at, 1, letters[draw() % letters.size()]);
          break;
        case 1:
          text.erase(at, 1);
          break;
        default:
          if (at < text.size()) text[at] = letters[draw() % letters.size()];
      }
    }
    if (!text::is_valid_utf8(text)) continue;             // who reads a line looks at that
    if (text.find("\\u") != text.npos) continue;          // halves of pairs: see below
    if (text.find_first_of("eE") != text.npos) continue;  // numbers that no double holds are no error here
    CAPTURE(text);
    const bool fine = Oracle::accept(text);
    refused += !fine;
    CHECK((skipped(text) == "nothing") == fine);
  }
  CHECK(refused > 10'000);
}

TEST_CASE("escapes of four digits, pairs of them, and halves") {
  const auto string = [](std::string_view bytes) {
    Json json(bytes, "", 1);
    std::string s = ">";
    json.string(s);
    json.end();
    return s;
  };
  CHECK(string(R"("\u0041\u00e9\u732B")") == ">Aé猫");
  CHECK(string(R"("\ud83d\ude00 x")") == ">😀 x");
  CHECK(string(R"("\ud83d x")") == ">\xEF\xBF\xBD x");
  CHECK(string(R"("\ude00")") == ">\xEF\xBF\xBD");
  CHECK(string(R"("\ud83d\u0041")") ==
        ">\xEF\xBF\xBD"
        "A");
  CHECK(string(R"("a\"b\\c\/d\b\f\n\r\t")") == ">a\"b\\c/d\b\f\n\r\t");
  CHECK(skipped(R"("\u00g0")") ==
        "entrain.text.40: f.jsonl:3: '00g0\"', expected four hexadecimal digits; byte 4 of the line");
  CHECK(skipped(R"("\x")") ==
        "entrain.text.40: f.jsonl:3: 'x\"', expected one of \"\\/bfnrtu after the backslash; byte 3 of the line");
  CHECK(skipped("[-1.5e+3, 0.25E-2, 1e5, true, false, null]") == "nothing");
  for (const char* bad : {"01", "-", "1.", ".5", "1e", "1e+", "+1", "tru", "nul"}) CHECK(skipped(bad) != "nothing");
  CHECK(said(R"("\u00g0")", [](Json& j) {
          std::string s;
          j.string(s);
        }) == "entrain.text.40: f.jsonl:3: '00g0\"', expected four hexadecimal digits; byte 4 of the line");
}

TEST_CASE("the end of a string is found wherever it is among eight bytes, and nothing else is taken for it") {
  for (int byte = 1; byte < 256; ++byte)
    for (std::size_t before = 0; before < 20; ++before)
      for (const std::size_t after : {0u, 1u, 7u, 16u}) {
        const char c = static_cast<char>(byte);
        const std::string inside = std::string(before, 'x') + c + std::string(after, '\x7F');
        std::string found;
        const std::string bytes = '"' + inside + "\"" + std::string(after, ' ');
        const std::string error = said(bytes, [&](Json& json) {
          json.string(found);
          json.end();
        });
        CAPTURE(byte);
        CAPTURE(before);
        if (byte < 0x20) {
          CHECK(error.find("expected the end of the string; byte " + std::to_string(before + 2) + " ") != error.npos);
        } else if (c == '"') {
          CHECK(found == std::string(before, 'x'));
        } else if (c == '\\') {
          CHECK(error != "nothing");
        } else {
          CHECK(error == "nothing");
          CHECK(found == inside);
        }
      }
}

TEST_CASE("keys may be escaped, and a value may be passed over by saying no") {
  Json json(R"( {"a\u0062" : [1, {"x": [2]}], "b": "c", "": 7} )", "", 1);
  std::vector<std::string> keys;
  std::int64_t seven = 0;
  json.object([&](std::string_view key) {
    keys.emplace_back(key);
    if (!key.empty()) return false;
    seven = json.integer();
    return true;
  });
  json.end();
  CHECK(keys == std::vector<std::string>{"ab", "b", ""});
  CHECK(seven == 7);
}

TEST_CASE("whole numbers of every length are read, and what only begins like one is refused") {
  const auto read = [](const std::string& bytes) { return Json(bytes, "f", 1).integer(); };
  std::string digits;
  std::int64_t value = 0;
  for (int n = 1; n <= 18; ++n) {
    digits += static_cast<char>('0' + n % 10), value = 10 * value + n % 10;
    CHECK(read(digits) == value);
    CHECK(read(digits + "]") == value);
    CHECK(read("-" + digits + ",") == -value);
    for (const std::string more : {".5", "e1", "E1", ".", "e"})
      CHECK(said(digits + more, [](Json& j) { j.integer(); }).starts_with("entrain.text.40: f.jsonl:3: "));
  }
  CHECK(read("0") == 0);
  CHECK(read("-0") == 0);
  CHECK(read("1234567890123456789") == 1234567890123456789);
  CHECK(said("[01]", [](Json& j) { j.array([&] { j.integer(); }); }) ==
        "entrain.text.40: f.jsonl:3: '1]', expected ',' or ']'; byte 3 of the line");
}

TEST_CASE("what is wrong is said with its line and column") {
  const auto number = [](std::string_view bytes) { return said(bytes, [](Json& j) { j.integer(); }); };
  CHECK(number("12") == "nothing");
  CHECK(number("-9223372036854775808") == "nothing");
  CHECK(number("9223372036854775808") ==
        "entrain.text.40: f.jsonl:3: '9223372036854775808', expected a whole number below 2^63; byte 1 of the line");
  CHECK(number(" 1.5") == "entrain.text.40: f.jsonl:3: '1.5', expected a whole number below 2^63; byte 2 of the line");
  CHECK(number("\"1\"") == "entrain.text.40: f.jsonl:3: '\"1\"', expected a whole number; byte 1 of the line");
  CHECK(number("") == "entrain.text.40: f.jsonl:3: the end of the line, expected a whole number; byte 1 of the line");
  CHECK(skipped("{\"a\" 1}") == "entrain.text.40: f.jsonl:3: '1}', expected ':'; byte 6 of the line");
  CHECK(skipped("{1: 2}") == "entrain.text.40: f.jsonl:3: '1: 2}', expected a key; byte 2 of the line");
  CHECK(skipped("[1 2]") == "entrain.text.40: f.jsonl:3: '2]', expected ',' or ']'; byte 4 of the line");
  CHECK(skipped("{} x") == "entrain.text.40: f.jsonl:3: 'x', expected the end of the line; byte 4 of the line");
  CHECK(skipped("\"ab") ==
        "entrain.text.40: f.jsonl:3: the end of the line, expected the end of the string; byte 4 of the line");
  CHECK(skipped(std::string(600, '[')).find("expected at most 512 nested arrays and objects") != std::string::npos);
  CHECK(skipped(std::string(500, '[') + std::string(500, ']')) == "nothing");
  CHECK(said("truth", [](Json& j) { j.boolean(); }).find("expected true;") != std::string::npos);
  CHECK(said("1", [](Json& j) { j.boolean(); }).find("expected true or false") != std::string::npos);
  CHECK(said("1", [](Json& j) { j.object([](auto) { return false; }); }).find("expected an object") !=
        std::string::npos);
  CHECK(said("1", [](Json& j) { j.array([] {}); }).find("expected an array") != std::string::npos);
}
}  // namespace

}  // namespace json_test
