// tests > [text]
#include "entrain/text/split/sentences.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "entrain/text/split/splitter.hpp"

namespace sentences_test {
using namespace entrain::text;

namespace {

// The sentences of a text with a bar between, each as the text from its first token to its last.
template <SentenceSplitter S = UnicodeSentences, WordSplitter W = UnicodeWords>
std::string bars(std::string_view text) {
  std::vector<Token> tokens;
  std::vector<Sentence> sentences;
  W::split(text, tokens);
  S::split(text, tokens, sentences);
  std::string out;
  for (const Sentence& s : sentences) {
    const auto first = tokens[s.begin].begin, last = tokens[s.end - 1].end;
    out.append(out.empty() ? "" : "|").append(text.substr(first, last - first));
  }
  return out;
}

// Marks where sentences should end with a bar in the text itself: "One. |Two." Checks that they do, for both word
// splitters.
template <class W = UnicodeWords> void ends_at_bars(std::string_view marked) {
  std::string text, expected;
  for (const char c : marked) {
    if (c == '|') {
      while (!expected.empty() && static_cast<unsigned char>(expected.back()) <= ' ') expected.pop_back();
    } else {
      text += c;
    }
    expected += c;
  }
  INFO(W::name);
  CHECK(bars<UnicodeSentences, W>(text) == expected);
}

void both(std::string_view marked) {
  ends_at_bars<UnicodeWords>(marked);
  ends_at_bars<Whitespace>(marked);
}

}  // namespace

TEST_CASE("WholeText and Lines") {
  CHECK(bars<WholeText>("One. Two.\n\nThree.") == "One. Two.\n\nThree.");
  CHECK(bars<Lines>("One. Two\nthree\r\nfour\n\n\nfive\u2028six\rseven") == "One. Two|three|four|five|six|seven");
  CHECK(bars<Lines>("") == "");
  CHECK(bars<WholeText>(" \n ") == "");
  CHECK(bars("") == "");
}

TEST_CASE("UnicodeSentences: plain ends") {
  both("He left. |She stayed! |Why? |Nobody knows\u2026 |Then it rained... |The end");
  both("Is it 3.5 or 4,000? |5 people know. |\u00C9ric too. |iPhone sales rose.");
  both("He said \"stop!\" and left. |\"Stop!\" he said. |What?! |Yes!!! |No.");
  both("Read http://x.org/a.b. |Then go.");
  both("a lower-case text. it goes on! does it? yes");
}

TEST_CASE("UnicodeSentences: what closes belongs to the sentence before") {
  both("He said \"I left.\" |She nodded.");
  both("(He left.) |[She stayed.] |\u201CReally?\u201D |\u00ABJa.\u00BB |\u2018No.\u2019 |\u201ESo.\u201C |End.");
  both("He said: \u201CGo (now!).\u201D |We went.");
  ends_at_bars("He left . |\" Yes . \" |She stayed . ) |`` No . '' |End .");
}

TEST_CASE("UnicodeSentences: abbreviations and initials") {
  both("Mr. Smith met Dr. J. R. Jones of the U.S. Army. |They spoke.");
  both("He lives in the U.S. |He likes it. |Acme Inc. |The firm of Jones & Co. Ltd. |It grew.");
  both("Bring pens, paper, etc. |We have none.");
  both("See No. 5 and Fig. 3. |He said no. |Then he left.");
  both("Henry Jr. saw St. Paul on Jan. 5. |It snowed in Jan. |Snow fell.");
  both("It was older than I. |Then he left.");
  both("e.g. Paris, i.e. France. |F.eks. Danmark.");
  both("Den koster ca. 20 kr. |Det er dyrt. |Prof. Hansen kom kl. 5.");
  both("Mr. J. P. Clausen and P. Q. Doe. |See p. 5.");
  both("A stray 7\" disc. |\"Yes,\" he said.");
  both("He has a Ph.D. |She has two.");
}

TEST_CASE("UnicodeSentences: items of a list") {
  both("1. Wash the rice.\n\n|2. Boil it.\n\n|B. Eat.");
  both("It was 1990. |We won.");
}

TEST_CASE("UnicodeSentences: blank lines end, single line ends do not") {
  both("A title\n\n|A line that\ngoes on. |Next");
  both("A title\r\n\r\n|A line that\r\ngoes on");
  both("A title\n \t\n|more\f|page");
  CHECK(bars("a page\u2029and more") == "a page|and more");
  both("Mr.\n\n|Smith");
}

TEST_CASE("UnicodeSentences: scripts with full stops of their own") {
  ends_at_bars("\u4ED6\u8D70\u4E86\u3002|\u5979\u7559\u4E0B\uFF01|\u300C\u4E3A\u4EC0\u4E48\uFF1F\u300D|\u597D\u3002");
  both("\u0930\u093E\u092E \u0917\u092F\u093E\u0964 |\u0938\u0940\u0924\u093E \u0906\u0908\u0964");
  both("\u0644\u0645\u0627\u0630\u0627\u061F |\u0646\u0639\u0645.");
}

TEST_CASE("abbreviations: no word is passed over before the list is asked") {
  const auto asked = [](std::string_view word) {
    const Abbreviation as_written = detail::listed(word);
    return as_written != Abbreviation::none ? as_written : detail::listed(lower(word));
  };
  const auto check = [&](const std::string& word) {
    INFO(word);
    CHECK(abbreviation(word) == asked(word));
  };
  std::mt19937 random(10);
  std::size_t found = 0;
  for (const auto& [word, kind] : detail::abbreviations) {
    CHECK(abbreviation(word) == kind);
    for (int i = 0; i < 50; ++i) {
      std::string changed(word);
      char& letter = changed[random() % changed.size()];
      letter = i % 2 == 0 ? static_cast<char>(letter ^ 0x20) : static_cast<char>('a' + random() % 26);
      found += abbreviation(changed) != Abbreviation::none;
      check(changed);
    }
  }
  CHECK(found > 500);
  for (const char* word : {"", ".", "[r", "{", "\u212Avm", "kvm\u0130", "stk", "ST\u212A", "p\u00C1g", "\xFF"})
    check(word);
}

TEST_CASE("UnicodeSentences: the rules have nothing to say where a token plainly continues") {
  std::mt19937 random(9);
  std::size_t plain = 0, others = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    std::string text;
    for (auto n = random() % 20; n > 0; --n) {
      static const std::vector<std::string> atoms{"Mr.",  "a",      "I",      "9", "U.S.",   "\"", "\n",
                                                  "\n\n", " ",      "  ",     ".", "!",      "''", "The",
                                                  "\f",   "\u00A0", "\u3002", "x", "\u2029", ")"};
      text += atoms[random() % atoms.size()];
      if (random() % 2 == 0) text += ' ';
    }
    std::vector<Token> tokens;
    random() % 2 == 0 ? UnicodeWords::split(text, tokens) : Whitespace::split(text, tokens);
    const detail::StopReader read{text, tokens};
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (!read.goes_on_plainly(i)) {
        ++others;
        continue;
      }
      ++plain;
      INFO(text);
      REQUIRE(i + 1 < tokens.size());
      REQUIRE(read.stop(i, 0) == detail::Stop::none);
      REQUIRE(read.stop(i, i) == detail::Stop::none);
      REQUIRE(read.word(i) != "\"");
      REQUIRE(detail::line_ends(detail::space_behind(text, tokens, i)) == 0);
    }
  }
  CHECK(plain > 10000);
  CHECK(others > 20000);
}

TEST_CASE("UnicodeSentences: each token is in one sentence, whatever the text, in linear time") {
  std::mt19937 random(7);
  const auto whole = [](std::string_view text) {
    std::vector<Token> tokens;
    std::vector<Sentence> sentences;
    UnicodeWords::split(text, tokens);
    UnicodeSentences::split(text, tokens, sentences);
    std::uint32_t next = 0;
    for (const Sentence& s : sentences) {
      if (s.begin != next || s.end <= s.begin) return false;
      next = s.end;
    }
    return next == tokens.size();
  };
  const std::string_view joints = " .!?\"')(\n\n.  ";
  for (int trial = 0; trial < 3000; ++trial) {
    std::string text;
    for (auto n = random() % 50; n > 0; --n) {
      switch (random() % 4) {
        case 0:
          text += "Aab1I"[random() % 5];
          break;
        case 1:
          text += "\u201C\u201D\u3002\u300D\u2026";
          break;
        case 2:
          text += static_cast<char>(random() % 256);
          break;
        default:
          text += joints[random() % joints.size()];
          break;
      }
    }
    REQUIRE(whole(text));
  }
  const auto start = std::chrono::steady_clock::now();
  for (const std::string_view kind : {".", ". ", ". a ", "\"", "\" ", ".\"", "( ", ".) ", "U.S. ", "\u3002", "- ",
                                      ". - ", "\n", "\u201D ", "1. ", "! "}) {
    std::string text;
    while (text.size() < 200000) text += kind;
    INFO(kind);
    CHECK(whole(text));
    CHECK(whole("A. " + text + " B"));
  }
  CHECK(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < 10);  // some 0.2 s here
}

TEST_CASE("UnicodeSentences: books come apart into sentences of a likely length") {
  const char* folder = std::getenv("ENTRAIN_DATA");
  if (folder == nullptr) {
    MESSAGE("skipped: ENTRAIN_DATA is not set");
    return;
  }
  for (const auto& entry : std::filesystem::directory_iterator(std::string(folder) + "/text")) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    std::vector<Token> tokens;
    std::vector<Sentence> sentences;
    UnicodeWords::split(text, tokens);
    UnicodeSentences::split(text, tokens, sentences);
    INFO(entry.path().string());
    const double mean = static_cast<double>(tokens.size()) / static_cast<double>(sentences.size());
    CHECK(mean > 10);
    CHECK(mean < 45);
  }
}

}  // namespace sentences_test
