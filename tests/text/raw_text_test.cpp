// tests > [text]
//
// Raw text in blocks: what it holds is what its paragraphs or lines hold, each split alone, whatever the blocks.
#include "entrain/text/raw/raw_text.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "entrain/batch/pipeline/stage.hpp"
#include "entrain/batch/pipeline/workers.hpp"
#include "entrain/text/files/file.hpp"
#include "tests/scratch.hpp"

namespace raw_text_test {
using namespace entrain;
using namespace entrain::text;
using test::Scratch;
using test::sentence;

namespace {

static_assert(batch::Divided<RawText<>> && batch::Divided<RawText<Whitespace, WholeText>>);

/// Sentences as lines of line:word; a document begins with "=".
std::string shown(const Corpus& c) {
  std::string s;
  std::size_t document = 0;
  for (std::size_t k = 0; k < c.sentences(); ++k) {
    if (document < c.document.size() && c.document[document] == k) s += "= ", ++document;
    for (std::size_t i = c.sentence[k]; i < c.sentence[k + 1]; ++i) {
      CHECK(c.tag[i] == -1);
      s.append(std::to_string(c.line[i])).append(":").append(c.token(i)).append(" ");
    }
    s += "\n";
  }
  return s;
}

void add(Met& to, const Met& m) {
  to.lines += m.lines, to.separators += m.separators, to.blank_separators += m.blank_separators, to.crlf += m.crlf;
  to.bom += m.bom, to.invalid_tokens += m.invalid_tokens;
}

template <class S> std::string rest_of(S& stage, Met* met = nullptr) {
  std::string all;
  for (Corpus corpus; stage.next(corpus);) {
    all += shown(corpus);
    if (met) add(*met, corpus.met);
  }
  return all;
}
template <class Source> std::string streamed(Source source, const FileCursor& at = {}, Met* met = nullptr) {
  batch::InTurn<Source> stage(std::move(source));
  stage.start(0, at);
  return rest_of(stage, met);
}

const std::string prose =
    "Ada Lovelace met\nMr. Smith. He was\nlate.\n\nIt rained, e.g. on\nMonday! She left\n \t\n\n\r\nThe end";

TEST_CASE("a paragraph is a text: its lines go on, and its sentences end with it") {
  const Scratch folder;
  const std::string path = folder.file("a", prose);
  CHECK(streamed(RawText<>({path})) ==
        "= 1:Ada 1:Lovelace 1:met 2:Mr. 2:Smith 2:. \n"
        "2:He 2:was 3:late 3:. \n"
        "= 5:It 5:rained 5:, 5:e.g. 5:on 6:Monday 6:! \n"
        "6:She 6:left \n"
        "= 10:The 10:end \n");
  CHECK(streamed(RawText<Whitespace, WholeText>({path})) ==
        "= 1:Ada 1:Lovelace 1:met 2:Mr. 2:Smith. 2:He 2:was 3:late. \n"
        "= 5:It 5:rained, 5:e.g. 5:on 6:Monday! 6:She 6:left \n"
        "= 10:The 10:end \n");
}

TEST_CASE("a line is a text where one says so") {
  const Scratch folder;
  const std::string path = folder.file("a", prose);
  CHECK(streamed(RawText<>({path}, TextUnit::line)) ==
        "= 1:Ada 1:Lovelace 1:met \n"
        "= 2:Mr. 2:Smith 2:. \n"
        "2:He 2:was \n"
        "= 3:late 3:. \n"
        "= 5:It 5:rained 5:, 5:e.g. 5:on \n"
        "= 6:Monday 6:! \n"
        "6:She 6:left \n"
        "= 10:The 10:end \n");
}

TEST_CASE("the same for any size of blocks and any number of workers, from any block on; every line is counted") {
  const Scratch folder;
  const std::vector<std::string> files{folder.file("a", "\xEF\xBB\xBF" + prose),
                                       folder.file("b", "\n\n" + prose + "\r\n\r\n"),
                                       folder.file("c", "One.\r\nTwo \xFF\xC3 three.\r\n \r\nFour.\r\n"),
                                       folder.file("d", "\n \n"), folder.file("e", prose + "\n\n\n" + prose + "\n")};
  for (const TextUnit unit : {TextUnit::paragraph, TextUnit::line}) {
    Met expected;
    const std::string whole = streamed(RawText<>(files, unit), {}, &expected);
    CHECK(expected.lines == 10 + 13 + 4 + 2 + 22);
    CHECK(expected.separators == 4 + 7 + 1 + 2 + 10);
    CHECK(expected.blank_separators == 1 + 1 + 1 + 1 + 2);
    CHECK(expected.crlf == 1 + 3 + 4 + 0 + 2);
    CHECK(expected.bom == 1);
    CHECK(expected.invalid_tokens == 2);
    for (std::size_t bytes = 1; bytes < 130; bytes += bytes < 40 ? 1 : 13) {
      Met met;
      CHECK(streamed(RawText<>(files, unit, bytes), {}, &met) == whole);
      CHECK(met.lines == expected.lines);
      CHECK(met.separators == expected.separators);
      CHECK(met.blank_separators == expected.blank_separators);
      CHECK(met.crlf == expected.crlf);
      CHECK(met.bom == 1);
      CHECK(met.invalid_tokens == 2);
      const int workers = 1 + static_cast<int>(bytes % 4);
      batch::Workers<RawText<>> stage(RawText<>(files, unit, bytes), {workers, 3});
      stage.start(0, {});
      std::string before;
      for (Corpus corpus;;) {
        if (bytes % 5 == 0) {
          batch::Workers<RawText<>> again(RawText<>(files, unit, bytes), {5 - workers});
          again.start(0, stage.cursor());
          CHECK(before + rest_of(again) == whole);
        }
        if (!stage.next(corpus)) break;
        before += shown(corpus);
      }
      CHECK(before == whole);
    }
  }
}

TEST_CASE("a CR at a file's end is no line end in CR LF") {
  Met met;
  each_text("a\rb\r", 1, TextUnit::line, met, [](std::string_view, std::uint64_t) {});
  CHECK(met.lines == 1);
  CHECK(met.crlf == 0);
  each_text("a\r\nb\r", 1, TextUnit::line, met, [](std::string_view, std::uint64_t) {});
  CHECK(met.crlf == 1);
}

TEST_CASE("what is no text is said") {
  const Scratch folder;
  const std::string none = folder.file("none", ""), binary = folder.file("binary", std::string("a\0b", 3));
  CHECK(sentence([&] { streamed(RawText<>({none})); }) == "entrain.text.4: " + none + ": empty, expected text");
  CHECK(sentence([&] {
          streamed(RawText<>({binary}));
        }).starts_with("entrain.text.5: " + binary + ": a NUL byte at offset 1"));
  CHECK(streamed(RawText<>({folder.file("blank", "\n \r\n\t")})).empty());
}

TEST_CASE("a paragraph has a longest length, and a hint for who has texts in lines") {
  const Scratch folder;
  std::string endless;
  while (endless.size() <= TextEnd::longest) endless.append(1 << 20, 'x').append("\n");
  const std::string path = folder.file("endless", "a\n\n" + endless);
  CHECK(sentence([&] { streamed(RawText<Whitespace, WholeText>({path})); }) ==
        "entrain.text.30: " + path + ":3: " + std::to_string(TextEnd::longest) +
            " bytes without the end of a paragraph, expected at most 67108864; if each line is a text, use --text-unit "
            "line");
  RawText<Whitespace, WholeText> lines({path}, TextUnit::line);
  lines.start(0, {});
  typename RawText<Whitespace, WholeText>::Raw raw;
  CHECK(lines.read(raw));
}

TEST_CASE("books in blocks are the books, paragraph by paragraph") {
  const char* data = std::getenv("ENTRAIN_DATA");
  if (!data) {
    MESSAGE("skipped: ENTRAIN_DATA is not set");
    return;
  }
  for (const std::string name : {"moby-dick", "us-inaugural"}) {
    const std::string path = std::string(data) + "/text/" + name + ".txt";
    // paragraphs by the standard library's lines
    std::istringstream lines(read_file(path));
    std::vector<std::string> paragraphs{""};
    for (std::string line; std::getline(lines, line);)
      if (line.find_first_not_of(" \t\r") == line.npos)
        paragraphs.emplace_back();
      else
        paragraphs.back() += line + "\n";
    std::string expected;
    std::size_t tokens = 0;
    for (const std::string& paragraph : paragraphs) {
      std::vector<Token> words;
      UnicodeWords::split(paragraph, words);
      tokens += words.size();
      for (const Token& w : words) expected.append(w.in(paragraph)).append(" ");
    }
    CHECK(tokens > 100'000);
    for (const std::size_t bytes : {std::size_t{3000}, std::size_t{1} << 18}) {
      batch::Workers<RawText<>> stage(RawText<>({path}, TextUnit::paragraph, bytes), {3});
      stage.start(0, {});
      std::string all;
      for (Corpus corpus; stage.next(corpus);)
        for (std::size_t i = 0; i < corpus.size(); ++i) all.append(corpus.token(i)).append(" ");
      CHECK((all == expected));
    }
  }
}

}  // namespace

}  // namespace raw_text_test
