// tests > [text]
//
// What examples/spacy/export.py made of spaCy's Docs (tests/spacy/golden.py made those) is read as spaCy meant it: its
// tokens are the words, its entities are whole, at the same code points.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "entrain/text/records/jsonl_stream.hpp"

namespace spacy_export_test {
using namespace entrain;

namespace {

/// Words with a blank between two, entities in brackets after their type.
std::vector<std::string> bracketed(const text::Corpus& c) {
  std::vector<std::string> sentences;
  for (std::size_t s = 0; s < c.sentences(); ++s) {
    std::string& line = sentences.emplace_back();
    for (std::size_t i = c.sentence[s]; i < c.sentence[s + 1]; ++i) {
      const std::string tag(c.tag_name(i));
      const bool ends = tag != "O" && (i + 1 == c.sentence[s + 1] || c.tag_name(i + 1)[0] != 'I');
      if (i > c.sentence[s]) line += ' ';
      if (tag[0] == 'B') line += "[" + tag.substr(2) + " ";
      line += std::string(c.token(i)) + (ends ? "]" : "");
    }
  }
  return sentences;
}

}  // namespace

TEST_CASE("spaCy's Docs, as they are exported") {
  text::Jsonl<text::Bio> source({ENTRAIN_SOURCE_DIR "/tests/text/golden/spacy_export.jsonl"});
  source.start(0, {});
  decltype(source)::Raw raw;
  REQUIRE(source.read(raw));
  text::Corpus corpus;
  auto work = source.work();
  work(raw, corpus);
  CHECK_FALSE(source.read(raw));
  const std::vector<std::string> expected{
      "[PER Ada Lovelace] met [PER Babbage] in [LOC London] .",
      "No names here .",
      "Two spaces , tabs and [LOC New York]",
      "😀 [PER José] went to [LOC İstanbul] 🇹 🇷 — “ Ça va ? ”",
      "[PER Zoe\xCC\x88] and [PER 김철수] do n't like [PER O'Brien] ’s \" \\quotes\\ \" .",
      "[LOC U.S.] and U.K.-based [ORG Acme Corp.] 's shares",
      "[work of art AdaBob]",
      "[PER Ada] [PER Bob]",
      "a b c \xE2\x80\x8B"
      "d",
      "[PER Ada] left .",
      "[PER Bob] , of [LOC Rome] , stayed .",
      "He met [PER St. Ada] yesterday",  // where spaCy's sentence ended, inside an entity, ours does not
  };
  CHECK(bracketed(corpus) == expected);
  CHECK(corpus.document == std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11});
  CHECK(corpus.met.misaligned == 0);
  CHECK(corpus.met.overlapping == 0);
  CHECK(corpus.met.empty_annotations == 0);
}

}  // namespace spacy_export_test
