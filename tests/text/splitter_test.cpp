// tests > [text]
#include "entrain/text/split/splitter.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace splitter_test {
using namespace entrain::text;

namespace {

template <WordSplitter S> std::vector<Token> split(std::string_view text) {
  std::vector<Token> tokens;
  S::split(text, tokens);
  return tokens;
}

// The tokens with a bar between: "do|n't".
template <WordSplitter S = UnicodeWords> std::string bars(std::string_view text) {
  std::string out;
  for (const Token& t : split<S>(text)) out.append(out.empty() ? "" : "|").append(t.in(text));
  return out;
}

// The law of every splitter: in order, not empty, nothing but white space between, both kinds of offset right. Walks
// the text by itself, one code point at a time. The first breach, or nothing.
std::string breach(std::string_view text, const std::vector<Token>& tokens) {
  std::size_t at = 0, cp = 0, next = 0;
  while (at < text.size()) {
    const bool begins = next < tokens.size() && tokens[next].begin == at;
    if (!begins) {
      const CodePoint p = decode(text, at);
      if (!is_space(p.cp)) return "byte " + std::to_string(at) + " is in no token";
      at += p.bytes, ++cp;
      continue;
    }
    const Token& t = tokens[next++];
    if (t.begin_cp != cp) return "token at byte " + std::to_string(at) + ": begin_cp";
    if (t.end <= t.begin) return "empty token at byte " + std::to_string(at);
    if (t.end > text.size()) return "token at byte " + std::to_string(at) + " ends behind the text";
    for (; at < t.end; ++cp) at += decode(text, at).bytes;
    if (at != t.end) return "token that ends at byte " + std::to_string(t.end) + " cuts a code point";
    if (t.end_cp != cp) return "token that ends at byte " + std::to_string(t.end) + ": end_cp";
  }
  return next == tokens.size() ? "" : "tokens out of order";
}

}  // namespace

TEST_CASE("Whitespace: what is between white space, of any kind") {
  CHECK(bars<Whitespace>("  a\tbc\r\n d\u00A0e\u3000f\u2028g  ") == "a|bc|d|e|f|g");
  CHECK(bars<Whitespace>("") == "");
  CHECK(bars<Whitespace>(" \t\n") == "");
  CHECK(bars<Whitespace>("zero\u200Bwidth") == "zero\u200Bwidth");
  const std::string text = "\u00E9\u6771 \U0001F600x \xFF\xFE";
  const std::vector<Token> tokens = split<Whitespace>(text);
  REQUIRE(tokens.size() == 3);
  CHECK(tokens[0] == Token{0, 5, 0, 2});
  CHECK(tokens[1] == Token{6, 11, 3, 5});
  CHECK(tokens[2] == Token{12, 14, 6, 8});
}

TEST_CASE("Whitespace: a sentence joined from tokens comes apart into those tokens") {
  std::mt19937 random(5);
  for (int trial = 0; trial < 500; ++trial) {
    std::string text, expected;
    for (auto n = random() % 12; n > 0; --n) {
      std::string word;
      for (auto m = 1 + random() % 5; m > 0; --m) word += "ab.-#\"'"[random() % 7];
      text.append(text.empty() ? "" : " ").append(word);
      expected.append(expected.empty() ? "" : "|").append(word);
    }
    REQUIRE(bars<Whitespace>(text) == expected);
  }
}

TEST_CASE("splitters append, and keep what a vector holds") {
  std::vector<Token> tokens = {{7, 8, 7, 8}};
  UnicodeWords::split("a b", tokens);
  REQUIRE(tokens.size() == 3);
  CHECK(tokens[0] == Token{7, 8, 7, 8});
  CHECK(tokens[2] == Token{2, 3, 2, 3});
}

TEST_CASE("UnicodeWords: addresses") {
  CHECK(bars("see http://x.org/a(b)_(c), ok") == "see|http://x.org/a(b)_(c)|,|ok");
  CHECK(bars("(https://x.org/q?a=1&b=%20#top).") == "(|https://x.org/q?a=1&b=%20#top|)|.");
  CHECK(bars("http://t.co/abc... \"www.x.org/\"") == "http://t.co/abc|...|\"|www.x.org/|\"");
  CHECK(bars("http://t.co/abc\u2026") == "http://t.co/abc|\u2026");
  CHECK(bars("<a href=http://x.org>") == "<|a|href|=|http://x.org|>");
  CHECK(bars("http://x.jp/\u6771\u4EAC") == "http://x.jp/|\u6771|\u4EAC");
  CHECK(bars("git+ssh://host/x HTTP://X.ORG") == "git+ssh://host/x|HTTP://X.ORG");
  CHECK(bars("http:// http://!! www.") == "http|:|/|/|http|:|/|/|!!|www|.");
  CHECK(bars("youtu.be/x?y=1. end.Next google.com") == "youtu.be/x?y=1|.|end|.|Next|google.com");
  CHECK(bars("joe.b+x@mail.example.co.uk!") == "joe.b+x@mail.example.co.uk|!");
  CHECK(bars("To: a@b.org, c_d@e-f.net.") == "To|:|a@b.org|,|c_d@e-f.net|.");
  CHECK(bars("a@b x@y.z q@r.s9") == "a|@b|x|@y|.|z|q|@r|.|s9");
  CHECK(bars("@nasa: #GoTeam #\u6771\u4EAC RT@me @ # #1") == "@nasa|:|#GoTeam|#\u6771\u4EAC|RT|@me|@|#|#1");
  CHECK(bars("@_x_ @__ #a-b") == "@_x_|@|__|#a|-|b");
  CHECK(bars("a &amp; b &#39; c&d &") == "a|&amp;|b|&#39;|c|&|d|&");
}

TEST_CASE("UnicodeWords: numbers and money") {
  CHECK(bars("1,000,000.50 10:30 1/2 12/05/2017 20.000") == "1,000,000.50|10:30|1/2|12/05/2017|20.000");
  CHECK(bars("$5, US$5 R$10 \u20AC3.50 5% 7\u00B0") == "$|5|,|US$|5|R$|10|\u20AC|3.50|5|%|7|\u00B0");
  CHECK(bars("-5 +1 .5 (-3) 3-4 a-5 x -y $.50") == "-5|+1|.5|(|-3|)|3-4|a-5|x|-|y|$|.50");
  CHECK(bars("1990s 10am 2nd C3PO km\u00B2 555-1234") == "1990s|10am|2nd|C3PO|km\u00B2|555-1234");
  CHECK(bars("1, 2. 3: 4/ x") == "1|,|2|.|3|:|4|/|x");
  CHECK(bars("\u0663\u0664,\u0665") == "\u0663\u0664,\u0665");
}

TEST_CASE("UnicodeWords: faces and pictures") {
  CHECK(bars(":-) :) ;P :'( >:( =D :))) <3 </3 xD XD ^_^ -_- T_T o_O 8-)") ==
        ":-)|:)|;P|:'(|>:(|=D|:)))|<3|</3|xD|XD|^_^|-_-|T_T|o_O|8-)");
  CHECK(bars("lol:) (see: x) list:(a) f(x) 10:3 a:b <30") == "lol|:)|(|see|:|x|)|list|:|(|a|)|f|(|x|)|10:3|a|:|b|<|30");
  CHECK(bars("\u00AF\\_(\u30C4)_/\u00AF") == "\u00AF\\_(\u30C4)_/\u00AF");
  const std::string family = "\U0001F468\u200D\U0001F469\u200D\U0001F467", thumb = "\U0001F44D\U0001F3FD";
  CHECK(bars(family + thumb + thumb + "!") == family + "|" + thumb + "|" + thumb + "|!");
  CHECK(bars("\U0001F1E9\U0001F1F0\U0001F1F5\U0001F1F9\U0001F1F5") ==
        "\U0001F1E9\U0001F1F0|\U0001F1F5\U0001F1F9|\U0001F1F5");
  CHECK(bars("I\u2764\uFE0Fyou\u2122") == "I|\u2764\uFE0F|you|\u2122");
  CHECK(bars("\U0001F600\U0001F600") == "\U0001F600|\U0001F600");
}

TEST_CASE("UnicodeWords: words, clitics and abbreviations") {
  CHECK(bars("I don't, can't've, SHE'S we\u2019ll O'Brien's rock'n'roll") ==
        "I|do|n't|,|ca|n't|'ve|,|SHE|'S|we|\u2019ll|O'Brien|'s|rock'n'roll");
  CHECK(bars("John 's did n't they 're n\u2019t") == "John|'s|did|n't|they|'re|n\u2019t");
  CHECK(bars("James' 'quoted' l'homme ''x'' ``y''") == "James|'|'|quoted|'|l'homme|''|x|''|``|y|''");
  CHECK(bars("state-of-the-art -- x- -y a\u2010b 1990\u20131995") ==
        "state-of-the-art|--|x|-|-|y|a\u2010b|1990|\u2013|1995");
  CHECK(bars("and/or A/S w/o AT&T Q&A a&b") == "and|/|or|A/S|w/o|AT&T|Q&A|a|&|b");
  CHECK(bars("_word_ foo_bar __init__ a__b") == "_|word|_|foo_bar|__|init|__|a__b");
  CHECK(bars("the U.S. Army, e.g. Mr. J. R. Smith (Ph.D.) etc.") ==
        "the|U.S.|Army|,|e.g.|Mr.|J.|R.|Smith|(|Ph.D.|)|etc.");
  CHECK(bars("f.eks. bl.a. kr. p\u00E1g. 3 i maj. Maj. X") == "f.eks.|bl.a.|kr.|p\u00E1g.|3|i|maj|.|Maj.|X");
  CHECK(bars("No. 5 No. I said no. Than I. Then B.") == "No.|5|No|.|I|said|no|.|Than|I|.|Then|B|.");
  CHECK(bars("wait... what?!? no!! \u2026 \u2026\u2026 U.S... .. kr..") ==
        "wait|...|what|?!?|no|!!|\u2026|\u2026\u2026|U.S|...|..|kr.|.");
  CHECK(bars("== ** >> $$$ ___ ((( *_*") == "==|**|>>|$$$|___|(|(|(|*|_|*");
  CHECK(bars("(a) [b] {c} \u201Chi\u201D \u00ABja\u00BB *x* ~ ^") ==
        "(|a|)|[|b|]|{|c|}|\u201C|hi|\u201D|\u00AB|ja|\u00BB|*|x|*|~|^");
  CHECK(bars("e\u0301te\u0301 na\u00EFve \u0928\u092E\u0938\u094D\u0924\u0947 \uC11C\uC6B8\uC740 "
             "\u041C\u043E\u0441\u043A\u0432\u0430.") ==
        "e\u0301te\u0301|na\u00EFve|\u0928\u092E\u0938\u094D\u0924\u0947|\uC11C\uC6B8\uC740|"
        "\u041C\u043E\u0441\u043A\u0432\u0430|.");
  CHECK(bars("\u6771\u4EAC\u90FD\u3002\u30AB\u30BF abc\u6771") ==
        "\u6771|\u4EAC|\u90FD|\u3002|\u30AB|\u30BF|abc|\u6771");
  CHECK(bars("\u0E27\u0E31\u0E14\u0E35") == "\u0E27\u0E31|\u0E14\u0E35");
  CHECK(bars("a\u200Bb \uFEFFc d\u00ADe") == "a|\u200B|b|\uFEFF|c|d\u00ADe");
  CHECK(bars("a\xFF\xFE"
             "b") == "a|\xFF|\xFE|b");
}

TEST_CASE("splitters: the law holds on random Unicode, valid and not") {
  std::mt19937 random(6);
  const std::string_view joints = " .,:;/'@#&-_()<>=!?$%*~^\\|\"\n\t";
  for (int trial = 0; trial < 4000; ++trial) {
    std::string text;
    for (auto n = random() % 60; n > 0; --n) {
      char bytes[4];
      switch (random() % 8) {
        case 0:
        case 1:
          text += joints[random() % joints.size()];
          break;
        case 2:
        case 3:
          text += "abtsnxDUSOo013"[random() % 14];
          break;
        case 4:
          text.append(bytes, encode(static_cast<char32_t>(random() % 0x3100), bytes));
          break;
        case 5:
          text.append(bytes, encode(static_cast<char32_t>(0x1F1E0 + random() % 0x800), bytes));
          break;
        case 6:
          text += "\u200D\uFE0F\u2019\u2026\u6771";
          break;
        default:
          text += static_cast<char>(random() % 256);
          break;
      }
    }
    REQUIRE(breach(text, split<UnicodeWords>(text)) == "");
    REQUIRE(breach(text, split<Whitespace>(text)) == "");
  }
}

TEST_CASE("UnicodeWords: a token splits into itself when it is alone, for most of what people write") {
  for (const std::string_view token :
       {"http://x.org/a", "a@b.org", "@x", "#x", "1,000.5", ":-)", "U.S.", "e.g.", "Mr.", "well-known", "AT&T", "n't",
        "'s", "...", "--", "\u2026", "\u6771", "\U0001F468\u200D\U0001F469"})
    CHECK(bars(token) == token);
}

TEST_CASE("UnicodeWords: the short way through plain text gives the tokens that the rules give") {
  std::size_t differ = 0;
  const auto check = [&](std::string_view text) {
    std::vector<Token> rules;
    UnicodeWords::split_by<false>(text, rules);
    if (split<UnicodeWords>(text) == rules) return;
    INFO(text);
    CHECK(++differ == 0);
  };
  const std::string_view letters = "aAxDTo18 .,:;/'@#&-_()<>=!?$%*~^\\|\"n`{}[]+\n\x01";
  for (const char a : letters)
    for (const char b : letters)
      for (const char c : letters) {
        const std::string three{a, b, c};
        for (const std::string& text : {three, "a" + three, "w" + three + "\u0301", "x " + three + " 9"}) check(text);
      }
  std::mt19937 random(8);
  const std::vector<std::string> atoms{"www",    "http",   "://",    "xD",         "o_O",   "T_T",       "n't",
                                       "'s",     "Ph.D",   "Mr.",    "U.S.",       "com",   "a@b.org",   "AT&T",
                                       "US",     "\u0301", "\u2019", "\u2026",     "10",    "3.5",       "\xFF",
                                       "\u00A0", "\u6771", "\u0663", "\U0001F600", "co.uk", "well-known"};
  for (int trial = 0; trial < 60000; ++trial) {
    std::string text;
    for (auto n = random() % 12; n > 0; --n) {
      switch (random() % 4) {
        case 0:
          text += atoms[random() % atoms.size()];
          break;
        case 1:
          text += letters[random() % letters.size()];
          break;
        default:
          for (auto m = 1 + random() % 20; m > 0; --m)
            text += "abcdefghijklmnopqrstuvwxyzABCIX0123456789"[random() % 41];
      }
      if (random() % 2 == 0) text += ' ';
    }
    check(text);
  }
  for (char32_t cp = 1; cp < 0x400; ++cp) {
    char bytes[4];
    const std::string one(bytes, encode(cp, bytes));
    for (const std::string& text : {"a" + one + "b", "1," + one, one + "a", "," + one, "ab " + one, "(" + one})
      check(text);
  }
}

TEST_CASE("UnicodeWords: linear time on 200,000 of one kind") {
  const auto seconds = [](std::string_view text) {
    std::vector<Token> tokens;
    tokens.reserve(text.size());
    const auto start = std::chrono::steady_clock::now();
    UnicodeWords::split(text, tokens);
    const double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    CHECK(breach(text, tokens) == "");
    return s;
  };
  for (const std::string_view kind : {"a",
                                      "A",
                                      "1",
                                      ".",
                                      ",",
                                      "-",
                                      "'",
                                      "_",
                                      "@",
                                      "#",
                                      "&",
                                      "/",
                                      ":",
                                      "(",
                                      ")",
                                      "<",
                                      ">",
                                      "=",
                                      "\\",
                                      "!",
                                      "\u2026",
                                      "\u0301",
                                      "\u200D",
                                      "\u6771",
                                      "\U0001F468",
                                      "\U0001F1E9",
                                      "\xFF",
                                      "\xE2",
                                      "a.",
                                      "a@",
                                      "a@b.",
                                      "a%",
                                      "a-",
                                      "a'",
                                      "a's",
                                      "'s",
                                      "n't",
                                      "a_",
                                      "_a",
                                      "a&",
                                      "A&",
                                      "a/",
                                      "http://",
                                      "http://a",
                                      "www.",
                                      "www.a!",
                                      "a://",
                                      "://",
                                      "a.b/",
                                      "x.uk/",
                                      ":(",
                                      ":((((((",
                                      ";-",
                                      ">:",
                                      ":'",
                                      "&amp",
                                      "#a",
                                      "@a",
                                      "1.",
                                      "1,",
                                      "1:",
                                      "-1",
                                      ".5",
                                      "A$",
                                      "Ph.D",
                                      "U.S.",
                                      "\U0001F468\u200D",
                                      "x\u200D",
                                      "a\u2019",
                                      "([",
                                      ")]",
                                      "http://(",
                                      "T_T",
                                      "^_^"}) {
    std::string text;
    while (text.size() < 200000) text += kind;
    INFO(kind);
    CHECK(seconds(text) < 2.0);  // some 10 ms here; quadratic would be minutes
    CHECK(seconds("http://" + text) < 2.0);
    CHECK(seconds("x@" + text) < 2.0);
  }
}

TEST_CASE("splitters: every token of every data file rejoins to its offsets") {
  const char* folder = std::getenv("ENTRAIN_DATA");
  if (folder == nullptr) {
    MESSAGE("skipped: ENTRAIN_DATA is not set");
    return;
  }
  std::size_t files = 0, words = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    INFO(entry.path().string());
    const std::vector<Token> tokens = split<UnicodeWords>(text);
    CHECK(breach(text, tokens) == "");
    CHECK(breach(text, split<Whitespace>(text)) == "");
    ++files, words += tokens.size();
  }
  CHECK(files > 30);
  MESSAGE(files << " files, " << words << " tokens");
}

TEST_CASE("splitters: every sentence of every corpus, joined with spaces, comes apart into its tokens") {
  const char* folder = std::getenv("ENTRAIN_DATA");
  if (folder == nullptr) {
    MESSAGE("skipped: ENTRAIN_DATA is not set");
    return;
  }
  std::size_t words = 0, left_out = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string kind = entry.path().extension().string();
    if (kind != ".conll" && kind != ".tsv" && kind != ".iob2") continue;
    INFO(entry.path().string());
    std::ifstream file(entry.path(), std::ios::binary);
    std::string text;
    std::vector<std::string> expected;
    const auto check = [&] {
      const std::vector<Token> tokens = split<Whitespace>(text);
      REQUIRE(tokens.size() == expected.size());
      for (std::size_t i = 0; i < tokens.size(); ++i) REQUIRE(tokens[i].in(text) == expected[i]);
      REQUIRE(breach(text, tokens) == "");
      REQUIRE(breach(text, split<UnicodeWords>(text)) == "");
      words += tokens.size();
      text.clear(), expected.clear();
    };
    for (std::string line; std::getline(file, line);) {
      const std::size_t first_tab = line.find('\t');
      if (first_tab == std::string::npos || line == "\t") {
        check();
        continue;
      }
      const std::string token = kind == ".iob2"
                                    ? line.substr(first_tab + 1, line.find('\t', first_tab + 1) - first_tab - 1)
                                    : line.substr(0, first_tab);
      bool has_space = token.empty();  // a few tokens of btc are empty or hold a space, which no splitter can give back
      for (std::size_t at = 0; at < token.size(); at += decode(token, at).bytes)
        has_space |= is_space(decode(token, at).cp);
      if (has_space) {
        ++left_out;
        continue;
      }
      text.append(text.empty() ? "" : " ").append(token);
      expected.push_back(token);
    }
    check();
  }
  CHECK(words > 700000);
  MESSAGE(words << " tokens; left out, as empty or with a space inside: " << left_out);
}

}  // namespace splitter_test
