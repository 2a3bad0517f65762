// tests > [app]: what turns up in training sentences while they are learned from is said: of standard input all of it.
#include "entrain/app/input/ingest_stats.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "entrain/app/train/unread_places.hpp"
#include "entrain/batch/encode/hashed_words.hpp"
#include "tests/app/names.hpp"
#include "tests/app/program.hpp"

namespace ingest_stats_test {
namespace app = entrain::app;
namespace batch = entrain::batch;
using namespace test;

namespace {

Ran read_once(const std::string& folder, const std::string& input, const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"train",    "--train", "-",        "--stream", "--threads",  "1",
                                     "--output", folder,    "--scheme", "iob2",     "--overwrite"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run(arguments, {.input = input});
}

TEST_CASE("app: what of standard input is not learned is said, and counted at the end") {
  const Scratch folder;
  const Ran ran = read_once(folder / "m", "Ada\tB-PER\nmet\tO\n\nin\tO\nOslo\tB-LOC\n\nin\tO\nRome\tB-LOC\n\n",
                            {"--labels", "PER", "--max-steps", "5"});
  CAPTURE(ran.err);
  CHECK(ran.exit == 0);
  CHECK(has(ran.err, "warning: standard input: label 'LOC' is not among --labels: its entities are learned as O\n"));
  CHECK(has(ran.err, "standard input: 3 sentences, 6 words, 3 entities\n"));
  CHECK(has(ran.err, "warning: standard input: 2 of 3 entities are of types that are not among --labels"));
  CHECK(has(ran.err, "warning: the training file ended after 1 of 5 steps\n"));
  CHECK(has(ran.err, "reloaded    " + (folder / "m") + ": not compared, as there are no words to tag"));

  const Ran all = read_once(folder / "m", "Ada\tB-PER\nmet\tO\n\n", {"--labels", "PER", "--max-steps", "1"});
  CAPTURE(all.err);
  CHECK(!has(all.err, "--labels"));
  CHECK(!has(all.err, "ended after"));
  CHECK(has(read_once(folder / "m", "met\tO\n\n", {"--labels", "PER", "--max-steps", "1"}).err,
            "warning: standard input: no entity in 1 word, which is O\n"));
}

TEST_CASE("app: lines and entities of standard input that are left out are listed and counted") {
  const Scratch folder;
  const std::vector<std::string> lenient{"--input-format", "jsonl", "--lenient", "--labels", "PER", "--max-steps", "1"};
  const Ran ran = read_once(folder / "m", "{\"text\":\"Ada met Bo\",\"spans\":[[0,3,\"PER\"]]}\n{\n", lenient);
  CAPTURE(ran.err);
  CHECK(has(ran.err, "warning: standard input:2: "));
  CHECK(has(ran.err, "met 1 malformed line\n"));
  CHECK(has(ran.err, "warning: standard input: 1 malformed line skipped\n"));
  std::string many;
  for (int i = 0; i < 12; ++i) many += "{\"text\":\"Ada\",\"spans\":[[0,1,\"PER\"]]}\n";
  std::vector<std::string> drop = lenient;
  drop.insert(drop.end(), {"--misaligned", "drop"});
  const Ran dropped = read_once(folder / "m", many, drop);
  CAPTURE(dropped.err);
  CHECK(has(dropped.err, "warning: standard input:10: entity [0, 1) PER ends inside a word"));
  CHECK(!has(dropped.err, "warning: standard input:11: "));
  CHECK(has(dropped.err, "warning: standard input: 12 bad entities; check --list all lists them\n"));
  CHECK(has(read_once(folder / "m", "Ada\tB-PER\nmet\tO\nBo\tB-PER\nalone\n\n",
                      {"--lenient", "--labels", "PER", "--max-steps", "1"})
                .err,
            "warning: standard input:4: "));
}

TEST_CASE("app: words of standard input that are not UTF-8 are told with the first one's line, or refused") {
  const Scratch folder;
  const std::string text = "Ada\tB-PER\nf\xFFo\tO\n\nBo\tB-PER\nb\xC3\tO\n\n",
                    first = "standard input:2: byte 0xFF in the word 'f<FF>o' is not UTF-8";
  const Ran ran = read_once(folder / "m", text, {"--labels", "PER", "--max-steps", "2"});
  CAPTURE(ran.err);
  CHECK(ran.exit == 0);
  CHECK(times(ran.err, "warning: " + first + "; one of 2 such words\n") == 1);
  const Ran strict = run({"train", "--train", "-", "--stream", "--strict", "--scheme", "iob2", "--labels", "PER",
                          "--max-steps", "2", "--output", folder / "n"},
                         {.input = text});
  CAPTURE(strict.err);
  CHECK(strict.exit == 1);
  CHECK(has(strict.err, "error: entrain.text.43: " + first + ", expected text in UTF-8"));
}

TEST_CASE("app: spans become tags of the scheme that --scheme names") {
  const Scratch folder;
  const std::string text = "{\"text\":\"Ada met Bo Ray\",\"spans\":[[0,3,\"PER\"],[8,14,\"PER\"]]}\n";
  put(folder / "a.jsonl", text);
  for (const std::string scheme : {"iob1", "iob2", "iobes", "bilou", "bmes", "io"}) {
    CAPTURE(scheme);
    const Ran checked = run({"check", folder / "a.jsonl", "--scheme", scheme});
    CHECK(has(checked.out, "2 entities"));
    CHECK(!has(checked.out, "against the scheme"));
    CHECK(has(run({"train", "--train", folder / "a.jsonl", "--scheme", scheme, "--repair", "drop", "--stream",
                   "--max-steps", "1", "--output", folder / "m", "--overwrite"})
                  .err,
              "1 sentence, 4 words, 2 entities"));
  }
  put(folder / "b.jsonl", "{\"text\":\"Ada Bo\",\"spans\":[[0,3,\"PER\"],[4,6,\"PER\"]]}\n");
  CHECK(has(run({"check", folder / "b.jsonl", "--scheme", "io"}).out,
            "1 entity that IO cannot separate from the preceding one"));
}

TEST_CASE("app: words of standard input that are not read as a whole are counted at the end, with the first line") {
  app::IngestStats met("standard input", false, false);
  batch::EncodedBlock<batch::SpacyWords> block;
  met.see(block);
  block.sentences.unread.pieceless = 2;
  block.sentences.unread.first_pieceless = {"standard input", "\u200b", 7};
  met.see(block);
  block.sentences.unread.first_pieceless.line = 9;
  block.sentences.unread.cut = 1;
  met.see(block);
  block.sentences.unread.cut = 2;
  block.sentences.unread.first_cut = {"standard input", "longest", 11};
  met.see(block);
  block.sentences.unread.first_cut.line = 15;
  met.see(block);
  const Ran ran = run({"--version"}, {.in_child = [&](bool before) {
                        app::Console console(false);
                        if (before) met.say_total(console);
                      }});
  CAPTURE(ran.err);
  CHECK(has(ran.err,
            "warning: standard input:7: '<U+200B>': 8 words have no piece, as the tokenizer drops all of their "
            "characters: the encoder does not read them; each is O, or part of the entity around it\n"));
  CHECK(has(ran.err,
            "warning: standard input:11: 'longest': 5 distinct words have more pieces than the encoder reads at once: "
            "only the first are read; tags and scores count every word\n"));
}

TEST_CASE("app: a cache stores the first words that are not read as a whole, by their files' numbers") {
  const std::vector<std::string> files{"a.conll", "b.conll"}, renamed{"c.conll", "d.conll"};  // the same bytes
  const batch::FirstUnread none{"b.conll", "x:\u200b", 12}, cut{"a.conll", "many\n:pieces", 7};
  const auto check = [](const batch::FirstUnread& place, const std::string& file, const batch::FirstUnread& is) {
    CHECK(place.file == file);
    CHECK(place.line == is.line);
    CHECK(place.word == is.word);
  };
  const std::string of_none = app::unread_places({0, 1, {}, none}, files);
  CHECK(of_none == "1:12:x:\u200b");
  check(app::unread_from(of_none, renamed).first_pieceless, "d.conll", none);
  CHECK(app::unread_from(of_none, renamed).first_cut.line == 0);

  const std::string of_cut = app::unread_places({1, 0, cut, {}}, files);
  CHECK(of_cut == "cut:16:0:7:many\n:pieces");
  check(app::unread_from(of_cut, renamed).first_cut, "c.conll", cut);
  CHECK(app::unread_from(of_cut, renamed).first_pieceless.line == 0);

  const std::string of_both = app::unread_places({1, 1, cut, none}, files);
  CHECK(of_both == of_cut + of_none);
  check(app::unread_from(of_both, renamed).first_cut, "c.conll", cut);
  check(app::unread_from(of_both, renamed).first_pieceless, "d.conll", none);

  CHECK(app::unread_places({1, 1, {}, {}}, files).empty());
  CHECK(app::unread_places({1, 1, {"e.conll", "x", 1}, {"e.conll", "x", 1}}, files).empty());
  for (const char* no_place : {"", "1", "1:2", "2:1:x", "a:1:x", "cut:", "cut:5", "cut:6:0:7:x", "cut:5:2:7:x"}) {
    CAPTURE(no_place);
    CHECK(app::unread_from(no_place, files).first_cut.line == 0);
    CHECK(app::unread_from(no_place, files).first_pieceless.line == 0);
  }
}

TEST_CASE("a type that turns up in files which were looked through is an error: they have changed") {
  batch::EncodedBlock<batch::SpacyWords> block;
  CHECK_NOTHROW(app::IngestStats("a.conll", true, false).see(block));
  block.gold.unseen = 1;
  block.gold.unseen_names = {"ZEBRA"};
  CHECK_THROWS_WITH_AS(app::IngestStats("a.conll", true, false).see(block),
                       "entrain.app.48: a.conll: an entity of type 'ZEBRA', expected the types that were found before "
                       "training; the file has changed: start again",
                       entrain::Error);
}

}  // namespace
}  // namespace ingest_stats_test
