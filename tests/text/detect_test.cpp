// tests > [text]
#include "entrain/text/tags/detect.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace detect_test {
using namespace entrain;
using namespace entrain::text;

namespace {

using Sentence = std::vector<std::string>;

Detection detect(const std::vector<Sentence>& sentences) {
  Detector detector;
  for (const auto& s : sentences) detector.sentence(s);
  return detector.finding();
}

// A reader for these tests only: the tag is column `column`, blank lines end sentences, '# ' lines are skipped if
// asked.
Detection detect_file(const std::string& path, std::size_t column, char separator, bool comments) {
  std::ifstream in(path);
  REQUIRE_MESSAGE(in.good(), path);
  Detector detector;
  Sentence sentence;
  for (std::string line; std::getline(in, line);) {
    if (comments && line.starts_with("#")) continue;
    std::vector<std::string> columns(1);
    for (char c : line) {
      if (c == separator)
        columns.emplace_back();
      else
        columns.back().push_back(c);
    }
    const bool blank = line.find_first_not_of(" \t") == std::string::npos;
    if (blank) {
      detector.sentence(sentence);
      sentence.clear();
    } else if (columns.size() > column) {
      sentence.push_back(columns[column]);
    }
  }
  detector.sentence(sentence);
  return detector.finding();
}

}  // namespace

TEST_CASE("Detector: each scheme, from its own evidence") {
  CHECK(detect({{"B-X", "I-X", "O"}}).taken == SchemeId::bio);
  CHECK(detect({{"B-X", "B-Y", "O"}}).taken == SchemeId::bio);   // B alone opens every entity
  CHECK(detect({{"I-X", "I-X", "O"}}).taken == SchemeId::iob1);  // and IO fits: the same entities
  CHECK(detect({{"I-X", "B-X", "O"}}).taken == SchemeId::iob1);
  CHECK(detect({{"B-X", "I-X", "E-X", "S-Y"}}).taken == SchemeId::bioes);
  CHECK(detect({{"S-X", "O"}}).taken == SchemeId::bioes);
  CHECK(detect({{"B-X", "E-X"}}).taken == SchemeId::bioes);
  CHECK(detect({{"B-X", "L-X", "O"}, {"U-X"}}).taken == SchemeId::bilou);
  CHECK(detect({{"B-X", "M-X", "E-X"}}).taken == SchemeId::bmes);
  CHECK(detect({{"O", "O"}}).taken == SchemeId::bio);
  CHECK(detect({}).taken == SchemeId::bio);
}

TEST_CASE("Detector: the finding as a sentence, and for who asks what does not fit the other schemes") {
  const auto i = detect({{"I-X", "O"}, {"I-X", "I-X"}});
  CHECK(describe(i, "train.conll") == "train.conll: fits IOB1, IO; read as IOB1 (only I- occurs)");
  CHECK(describe_all(i, "train.conll") ==
        "train.conll: fits IOB1, IO; read as IOB1 (only I- occurs); not BIO (2 lines), BIOES (3), BILOU (3), BMES (3)");
  const auto bi = detect({{"B-X", "I-X"}});
  CHECK(describe(bi, "a") == "a: fits BIO; read as BIO (B- and I- occur)");
  CHECK(describe_all(bi, "a") ==
        "a: fits BIO; read as BIO (B- and I- occur); not BIOES (1 line), BILOU (1), IOB1 (1), IO (1), BMES (2)");
  CHECK(describe(bi, "a", SchemeId::bioes) == "a: fits BIO; read as BIOES (as --scheme names)");
  const std::string none = "a: fits BIO, BIOES, BILOU, IOB1, IO, BMES; read as BIO (no entity occurs)";
  CHECK(describe(detect({{"O"}}), "a") == none);
  CHECK(describe_all(detect({{"O"}}), "a") == none);
  CHECK(describe(detect({{"B-X", "I-X", "E-X"}, {"S-X"}}), "a") ==
        "a: fits BIOES; read as BIOES (B-, I-, E- and S- occur)");
  const auto broken = detect({{"B-X", "I-X"}, {"I-X", "v"}});
  CHECK(describe(broken, "a") ==
        "a: fits no scheme; read as BIO (the nearest, but 2 lines disagree); 1 line is not a tag");
  CHECK(describe_all(broken, "a") ==
        "a: fits no scheme; read as BIO (the nearest, but 2 lines disagree); 1 line is not a tag; not BIOES (3 lines), "
        "BILOU (3), IOB1 (2), IO (2), BMES (4)");
}

TEST_CASE("Detector: says where a scheme is broken first") {
  const auto d = detect({{"B-X", "I-X"}, {"O", "B-Y", "I-X"}, {"I-X"}});
  CHECK(d.taken == SchemeId::bio);
  CHECK_FALSE(d.fits());
  CHECK(d.agreement(SchemeId::bio).disagreeing == 2);
  CHECK(d.agreement(SchemeId::bio).first_sentence == 1);
  CHECK(d.agreement(SchemeId::bio).first_token == 2);
}

TEST_CASE("Detector: the shared corpora, against the counts of their README") {
  const char* folder = std::getenv("ENTRAIN_DATA");
  if (folder == nullptr) {
    MESSAGE("skipped: ENTRAIN_DATA is not set");
    return;
  }
  struct Case {
    const char* file;
    std::size_t column;
    char separator;
    bool comments;
    SchemeId taken;
    std::size_t disagreeing;
  };
  for (const Case& c : {Case{"wnut17/train.conll", 1, '\t', false, SchemeId::bio, 0},
                        Case{"wnut17/test.conll", 1, '\t', false, SchemeId::bio, 0},
                        Case{"btc/train.conll", 1, '\t', false, SchemeId::bio, 0},
                        Case{"ncbi-disease/train.tsv", 1, '\t', false, SchemeId::bio, 0},
                        Case{"uner-danish/train.iob2", 2, '\t', true, SchemeId::bio, 6},
                        Case{"uner-danish/dev.iob2", 2, '\t', true, SchemeId::bio, 0},
                        Case{"uner-danish/test.iob2", 2, '\t', true, SchemeId::bio, 1},
                        Case{"uner-portuguese/train.iob2", 2, '\t', true, SchemeId::bio, 0},
                        Case{"europeana/enp_DE.lft.bio", 1, ' ', false, SchemeId::bio, 130},
                        Case{"europeana/enp_DE.onb.bio", 1, ' ', false, SchemeId::bio, 41},
                        Case{"europeana/enp_FR.bnf.bio", 1, ' ', false, SchemeId::iob1, 0},
                        Case{"europeana/enp_NL.kb.bio", 1, ' ', false, SchemeId::bio, 92}}) {
    const auto d = detect_file(std::string(folder) + "/" + c.file, c.column, c.separator, c.comments);
    INFO(describe(d, c.file));
    CHECK(d.taken == c.taken);
    CHECK(d.agreement(c.taken).disagreeing == c.disagreeing);
  }
}

}  // namespace detect_test
