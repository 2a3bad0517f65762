// tests > [train]: one pass over blocks finds what the whole file in memory shows.
#include "entrain/task/survey.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <set>

#include "entrain/batch/pipeline/stage.hpp"
#include "entrain/text/conll/conll_stream.hpp"
#include "entrain/train/data/data.hpp"
#include "entrain/train/data/targets.hpp"
#include "tests/scratch.hpp"

namespace survey_test {
using namespace entrain;
using test::sentence;

namespace {
task::Survey survey_of(const std::vector<std::string>& files, std::size_t block_bytes = std::size_t{1} << 18) {
  batch::InTurn source(text::Conll<text::Bio>(files, {}, block_bytes));
  source.start(0, {});
  task::Surveyor look;
  for (text::Corpus block; source.next(block);) look.see(block);
  return std::move(look).done();
}

void check_same(const std::string& path, std::size_t block_bytes) {
  const train::Tagged whole = train::tagged(text::read_conll(path), {});
  const task::Survey survey = survey_of({path}, block_bytes);
  CHECK(survey.name == path);
  CHECK(survey.types.names() == whole.types.names());
  CHECK(survey.scheme.taken == whole.scheme);
  CHECK(text::describe(survey.scheme, path) == whole.notes[0]);
  CHECK(survey.sentences == whole.corpus.sentences());
  CHECK(survey.words == whole.corpus.size());
  CHECK(survey.met.lines == whole.corpus.met.lines);
  std::vector<std::uint64_t> mentions(whole.types.names().size());
  for (std::size_t s = 0; s < whole.corpus.sentences(); ++s)
    train::entities(whole, s, "conlleval",
                    [&](const text::Span& span) { ++mentions[static_cast<std::size_t>(span.type)]; });
  CHECK(survey.mentions == mentions);
  std::uint64_t all = 0;
  for (const std::uint64_t n : mentions) all += n;
  CHECK(survey.entities == all);
  REQUIRE(survey.first.sentences() > 0);
  CHECK(survey.first.sentences() <= whole.corpus.sentences());
  CHECK(survey.first.token(0) == whole.corpus.token(0));
}

TEST_CASE("a pass over blocks of any size finds what the whole file shows") {
  const test::Scratch folder;
  const std::string path = folder / "a.conll";
  std::string bytes = "\n\n";
  for (int i = 0; i < 300; ++i)
    bytes += "w" + std::to_string(i) +
             (i % 7 == 0   ? " B-T" + std::to_string(i / 70)
              : i % 7 == 1 ? " I-T0"
                           : " O") +
             (i % 5 == 4 ? "\n\n" : "\n");
  test::put(path, bytes);
  for (const std::size_t block : {10u, 100u, 100'000u}) check_same(path, block);
}

TEST_CASE("real corpora, too") {
  const char* const data = std::getenv("ENTRAIN_DATA");
  if (data == nullptr) {
    MESSAGE("skipped: ENTRAIN_DATA is not set");
    return;
  }
  for (const char* name : {"wnut17/train.conll", "uner-danish/train.iob2", "europeana/enp_FR.bnf.bio"})
    check_same(std::string(data) + "/" + name, 10'000);
}

TEST_CASE("a file is known again, and every change of it is seen") {
  const test::Scratch folder;
  const std::string path = folder / "a.conll";
  std::set<std::string> identities;
  const auto identity = [&](const std::string& bytes) {
    test::put(path, bytes);
    return survey_of({path}).identity;
  };
  const std::string usual = "a O\nb B-X\n\nc O\n";
  CHECK(identity(usual).starts_with("2 sentences, 3 words, sha256 "));
  CHECK(identity(usual) == identity(usual));
  for (const char* other : {"a O\nb B-X\n\nc O\n", "a O\nb B-Y\n\nc O\n", "a O\n\nb B-X\nc O\n", "a O\nb O\n\nc B-X\n",
                            "ab O\nb B-X\n\nc O\n", "a O\nb B-X\n\nd O\n", "a O\nb B-X\nc O\n", "a O\nb I-X\n\nc O\n"})
    identities.insert(identity(other));
  CHECK(identities.size() == 8);
}

TEST_CASE("nothing, and words without tags, are refused as in a file that stays") {
  CHECK(sentence([] { task::Surveyor().done(); }) ==
        "entrain.train.1: no sentence, expected at least one token and its tag");
  text::Corpus bare;
  bare.name = "b.conll";
  bare.push("Ada", "O", 1);
  bare.push("Lee", 2);
  bare.end_sentence();
  CHECK(sentence([&] { task::Surveyor().see(bare); }) ==
        "entrain.train.2: b.conll:2: tokens without tags, expected a tag for each token; name the tag column");
}

TEST_CASE("problems keep their file, and are no more than the limit") {
  text::Corpus block;
  block.name = "c.jsonl";
  block.push("Ada", "O", 1);
  block.end_sentence();
  for (int i = 0; i < 600; ++i) block.problems.push_back({static_cast<std::uint32_t>(i), "odd"});
  task::Surveyor look;
  look.see(block);
  look.see(block);
  const task::Survey survey = std::move(look).done();
  CHECK(survey.problems.size() == task::Surveyor::problem_cap);
  CHECK(survey.problems[3].file == "c.jsonl");
  CHECK(survey.problems[603].line == 3);
}
}  // namespace

}  // namespace survey_test
