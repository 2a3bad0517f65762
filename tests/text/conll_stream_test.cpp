// tests > [text]
#include "entrain/text/conll/conll_stream.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "entrain/text/conll/conll.hpp"
#include "tests/scratch.hpp"

namespace conll_stream_test {
using namespace entrain;
using namespace entrain::text;
using test::Scratch;
using test::sentence;

namespace {

/// One line a token, one a sentence: file:line token tag.
std::string shown(const Corpus& c) {
  std::string s;
  for (std::size_t k = 0; k < c.sentences(); ++k) {
    for (std::size_t i = c.sentence[k]; i < c.sentence[k + 1]; ++i)
      s.append(c.where(i)).append(" ").append(c.token(i)).append(" ").append(c.tag_name(i)).append("\n");
    s += "\n";
  }
  return s;
}

template <class Source> std::string streamed(Source& source, const FileCursor& at = {}, Met* met = nullptr) {
  source.start(0, at);
  typename Source::Raw raw;
  Corpus corpus;
  std::string all;
  for (auto work = source.work(); source.read(raw);) {
    work(raw, corpus);
    all += shown(corpus);
    if (met)
      met->lines += corpus.met.lines, met->comments += corpus.met.comments, met->crlf += corpus.met.crlf,
          met->bom += corpus.met.bom, met->malformed += corpus.met.malformed;
  }
  return all;
}

const std::string plain = "EU B-ORG\nrejects O\n\nGerman B-MISC\ncall O\n\n\nto O\n";

TEST_CASE("records end after lines that hold nothing") {
  CHECK(BlankLine::cut("") == 0);
  CHECK(BlankLine::cut("a O\nb O\n") == 0);
  CHECK(BlankLine::cut("a O\n\nb O\n") == 5);
  CHECK(BlankLine::cut("a O\n\nb O") == 5);
  CHECK(BlankLine::cut("a O\n\n") == 5);
  CHECK(BlankLine::cut("a O\r\n\r\nb O\r\n") == 7);
  CHECK(BlankLine::cut("a O\n \t\nb O\n") == 7);
  CHECK(BlankLine::cut("\n") == 0);  // of no record: it stays with what follows
  CHECK(BlankLine::cut("\n\n") == 2);
}

TEST_CASE("blocks of any size hold what the whole file holds, with its lines") {
  const Scratch folder;
  const std::string one = folder.file("one.conll", plain),
                    two = folder.file("two.conll", "Peter\tB-PER\r\n\r\nx\tO\r\n");
  const std::string whole = shown(read_conll(one)) + shown(read_conll(two));
  for (std::size_t bytes = 1; bytes < 40; ++bytes) {
    Conll<Bio> source({one, two}, {}, bytes);
    Met met;
    CHECK(streamed(source, {}, &met) == whole);
    CHECK(met.lines == 8 + 3);
    CHECK(met.crlf == 3);
    CHECK(streamed(source) == whole);  // once more
  }
}

TEST_CASE("a cursor resumes after what was read, also in another program") {
  const Scratch folder;
  const std::string one = folder.file("one.conll", "\xEF\xBB\xBF" + plain), two = folder.file("two.conll", plain);
  const std::string whole = shown(read_conll(one)) + shown(read_conll(two));
  for (const std::size_t bytes : {3u, 17u, 100u}) {
    Conll<Bio> source({one, two}, {}, bytes);
    source.start(0, {});
    typename Conll<Bio>::Raw raw;
    Corpus corpus;
    std::string before;
    for (;;) {
      const FileCursor at = source.cursor();
      Conll<Bio> other({one, two}, {}, bytes);
      CHECK(before + streamed(other, at) == whole);
      if (!source.read(raw)) break;
      auto work = source.work();
      work(raw, corpus);
      before += shown(corpus);
    }
    CHECK(before == whole);
  }
}

TEST_CASE("what is wrong with a file is said with its line, wherever its block begins") {
  const Scratch folder;
  const std::string bad = folder.file("bad.conll", plain + "\nfive B-X y\n"), empty = folder.file("empty.conll", ""),
                    nul = folder.file("nul.conll", plain + std::string("\0", 1)),
                    cr = folder.file("cr.conll", "a O\rb O\r"), untagged = folder.file("untagged.conll", "a\nb\n");
  const auto read = [](const std::vector<std::string>& files, const ConllOptions& options = {}) {
    return sentence([&] {
      Conll<Bio> source(files, options, 8);
      streamed(source);
    });
  };
  CHECK(read({bad}) ==
        "entrain.text.11: " + bad +
            ":10: 3 columns, expected 2 separated by blanks; check --list all lists every such line: correct them, or "
            "skip them with --lenient");
  ConllOptions lenient;
  lenient.lenient = true;
  Conll<Bio> source({bad}, lenient, 8);
  Met met;
  CHECK(streamed(source, {}, &met) == shown(read_conll(bad, lenient)));
  CHECK(met.malformed == 1);
  CHECK(read({empty}) == "entrain.text.4: " + empty + ": empty, expected text");
  CHECK(read({nul}) == "entrain.text.5: " + nul + ": a NUL byte at offset " + std::to_string(plain.size()) +
                           ", expected text in UTF-8; this looks like a binary file");
  CHECK(read({cr}).starts_with("entrain.text.10: " + cr));
  CHECK(read({untagged}).starts_with("entrain.text.8: " + untagged));
  CHECK(read({untagged + "x"}) == "entrain.text.1: " + untagged + "x: no such file; check the path");
  CHECK(read({"/"}).starts_with("entrain.text.2: /: a directory"));
}

TEST_CASE("a pipe that takes the place of a file between two epochs is refused, not waited for") {
  const Scratch folder;
  const std::string one = folder.file("one.conll", plain), two = folder.file("two.conll", plain);
  Conll<Bio> source({one, two}, {}, 1000);
  CHECK(streamed(source).size() > 10);
  std::filesystem::remove(two);
  REQUIRE(::mkfifo(two.c_str(), 0666) == 0);
  CHECK(sentence([&] { streamed(source); }) ==
        "entrain.text.32: " + two +
            ": now a pipe, a device or a folder, expected a regular file, as at the start; "
            "the file has changed: start again");
}

TEST_CASE("lines with # are judged one by one") {
  const Scratch folder;
  const std::string file = folder.file("hash.conll", "# text = x\nx O\n\n# O\n");
  Conll<Bio> source({file}, {}, 4);
  Met met;
  CHECK(streamed(source, {}, &met) == file + ":2 x O\n\n" + file + ":4 # O\n\n");
  CHECK(met.comments == 1);
}

TEST_CASE("comments before the first word are passed over, however many there are") {
  const Scratch folder;
  const std::string few = folder.file("few.conll", "# a\n\n#b\n");
  Conll<Bio> comments({few}, {}, 4);
  Met met;
  CHECK(streamed(comments, {}, &met).empty());
  CHECK(met.comments == 2);
  CHECK(met.malformed == 0);
  std::string bytes;
  while (bytes.size() < std::size_t{300'000}) bytes += "# a comment\n#\n\n";
  const std::string many = folder.file("many.conll", bytes + "x NN B-X\n# one more\ny NN O\n\nz NN O\n");
  for (const std::size_t block : {std::size_t{1000}, std::size_t{1} << 18, std::size_t{1} << 20}) {
    Conll<Bio> source({many}, {}, block);
    CHECK(streamed(source) == shown(read_conll(many)));
  }
}

TEST_CASE("the corpora, in blocks, are those that are read whole") {
  const char* data = std::getenv("ENTRAIN_DATA");
  if (!data) {
    MESSAGE("skipped: ENTRAIN_DATA is not set");
    return;
  }
  const std::string root = data;
  for (const char* name : {"wnut17/train.conll", "wnut17/dev.conll"}) {
    const std::string path = root + "/" + name;
    REQUIRE(std::filesystem::exists(path));
    Conll<Bio> source({path}, {}, 10'000);
    CHECK(streamed(source) == shown(read_conll(path)));
  }
}

}  // namespace

}  // namespace conll_stream_test
