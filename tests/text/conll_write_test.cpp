// tests > [text]
#include "entrain/text/conll/conll_write.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <random>
#include <string>

#include "entrain/text/conll/conll.hpp"

namespace conll_write_test {
using namespace entrain;
using namespace entrain::text;

namespace {

void check_round_trip(const Corpus& c) {
  const auto text = to_conll(c);
  const Corpus back = parse_conll("back", text, {.tags = false}).corpus;
  REQUIRE(back.bytes == c.bytes);
  REQUIRE(back.begin == c.begin);
  REQUIRE(back.sentence == c.sentence);
  REQUIRE(back.document == c.document);
  REQUIRE(back.met.malformed == 0);
  for (std::size_t i = 0; i < c.size(); ++i) REQUIRE(back.tag_name(i) == c.tag_name(i));
}

std::string message_of(const Corpus& c) {
  try {
    to_conll(c);
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("to_conll: token TAB tag, an empty line after each sentence") {
  Corpus c;
  c.push("Ada", "B-PER", 1);
  c.push("", "O", 2);
  c.end_sentence();
  c.push("x y", "O", 3);
  c.end_sentence();
  CHECK(to_conll(c) == "Ada\tB-PER\n\tO\n\nx y\tO\n\n");
  check_round_trip(c);
  CHECK(to_conll(Corpus{}).empty());
}

TEST_CASE("to_conll: documents and untagged tokens") {
  Corpus c;
  for (int k = 0; k < 2; ++k) {
    c.start_document();
    c.push("#", 1);
    c.push("a b", 1);
    c.end_sentence();
  }
  CHECK(to_conll(c) == "-DOCSTART-\n\n#\na b\n\n-DOCSTART-\n\n#\na b\n\n");
}

TEST_CASE("to_conll: refuses a token that would be read as something else") {
  const auto one = [](std::string_view token, bool tagged, std::string_view tag = "O") {
    Corpus c;
    c.name = "raw.txt";
    if (tagged)
      c.push(token, tag, 7);
    else
      c.push(token, 7);
    c.end_sentence();
    return message_of(c);
  };
  CHECK(one("a\tb", true) ==
        "entrain.text.12: raw.txt:7: a token with a TAB or a line end in it, expected a token that a line of CoNLL can "
        "hold");
  CHECK(one("a\nb", true).find("entrain.text.12") == 0);
  CHECK(one("a\r", true).find("entrain.text.12") == 0);
  CHECK(one(std::string_view("a\0b", 3), true) ==
        "entrain.text.12: raw.txt:7: a token with a NUL in it, expected a token that a line of CoNLL can hold");
  CHECK(one("a", true, std::string_view("B-\0", 3)).find("entrain.text.12: raw.txt:7: a tag with a NUL in it") == 0);
  CHECK(one(" ", true) == "no error");
  CHECK(one("a", true, "B-X\r").find("entrain.text.12: raw.txt:7: a tag with a TAB or a line end in it") == 0);
  CHECK(one(" ", false).find("entrain.text.12: raw.txt:7: a blank token without a tag") == 0);
  CHECK(one("", false).find("entrain.text.12: raw.txt:7: a blank token without a tag") == 0);
  CHECK(one("", true, " ").find("entrain.text.12: raw.txt:7: a blank token with a blank tag") == 0);
  CHECK(one("-DOCSTART-", true).find("entrain.text.12: raw.txt:7: a token that starts like a document marker") == 0);
  CHECK(one("-DOCSTART- b", false).find("entrain.text.12") == 0);
  CHECK(one("-DOCSTART-s", true) == "no error");
}

TEST_CASE("to_conll: random corpora come back") {
  std::mt19937 random(3);
  const char* const tokens[] = {"a", "#", "# a",      "#b",  "",    " ",  "x y", "1",
                                "-", "O", "\xC3\xA4", "B-X", "1-2", "\"", "\xFF"};
  const char* const tags[] = {"O", "B-X", "I-X", "B-a-b"};
  for (int round = 0; round < 500; ++round) {
    Corpus c;
    const auto sentences = 1 + random() % 6;
    for (std::size_t s = 0; s < sentences; ++s) {
      if (random() % 4 == 0) c.start_document();
      for (auto n = 1 + random() % 5; n > 0; --n) c.push(tokens[random() % 15], tags[random() % 4], 1);
      c.end_sentence();
    }
    check_round_trip(c);
  }
}

TEST_CASE("to_conll: the corpora come back") {
  const char* const data = std::getenv("ENTRAIN_DATA");
  if (!data) {
    MESSAGE("skipped: ENTRAIN_DATA is not set");
    return;
  }
  for (const char* file : {"wnut17/train.conll", "btc/dev.conll", "btc/test.conll", "uner-portuguese/dev.iob2"}) {
    CAPTURE(file);
    check_round_trip(read_conll(std::string(data) + "/" + file));
  }
}

}  // namespace conll_write_test
