// tests > [app]: training files that change while they are read each epoch are an error that names the file.
#include "entrain/app/train/unchanged.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "entrain/app/input/text_source.hpp"
#include "entrain/batch/pipeline/stage.hpp"
#include "entrain/task/survey.hpp"
#include "tests/app/killed.hpp"
#include "tests/app/names.hpp"
#include "tests/app/program.hpp"

namespace unchanged_test {
namespace app = entrain::app;
namespace batch = entrain::batch;
namespace task = entrain::task;
namespace text = entrain::text;
using namespace test;

namespace {

constexpr std::size_t block_bytes = 256;

std::shared_ptr<app::Unchanged> looked_through(const std::vector<std::string>& files) {
  auto same = std::make_shared<app::Unchanged>(files, app::Reading{}, block_bytes);
  task::Surveyor look;
  batch::InTurn blocks(app::TextSource(files, {}, block_bytes));
  blocks.start(0, {});
  for (text::Corpus block; blocks.next(block);) look.see(block);
  same->looked_through(std::move(look).done().identity);
  return same;
}

std::size_t words_of_epoch(batch::InTurn<app::TextSource>& source, std::uint32_t epoch) {
  std::size_t words = 0;
  source.start(epoch, {});
  for (text::Corpus block; source.next(block);) words += block.size();
  return words;
}

/// The sentence of what is thrown.
template <class F> std::string thrown(F&& f) {
  try {
    f();
  } catch (const entrain::Error& e) {
    return e.what();
  }
  return "nothing";
}

const std::string remedy =
    ", as in the first pass; the file changed during a training that reads it each epoch: restore it and use --resume, "
    "or start again";

}  // namespace

TEST_CASE("stream: a file that is cut, longer, gone or another between epochs is an error that names it") {
  const Scratch folder;
  const std::string whole = conll(40), a = folder / "a.conll", b = folder / "b.conll";
  const auto length = [](const std::string& bytes) {  // as messages write it
    std::string n = std::to_string(bytes.size());
    if (n.size() > 3) n.insert(n.size() - 3, ",");
    return n + " bytes";
  };
  const auto changed = [&](const std::string& bytes, const std::string& found) {
    put(a, whole);
    put(b, conll(3));
    const auto same = looked_through({b, a});
    batch::InTurn source(app::TextSource({b, a}, {}, block_bytes, {}, same));
    const std::size_t words = words_of_epoch(source, 0);
    CHECK(words_of_epoch(source, 1) == words);
    put(a, bytes);
    CHECK(thrown([&] { words_of_epoch(source, 2); }) ==
          "entrain.app.61: " + a + ": " + found + ", expected " + length(whole) + remedy);
  };
  changed(whole.substr(0, whole.size() / 2), length(whole.substr(0, whole.size() / 2)));
  changed(whole + whole, length(whole + whole));
  changed("", "0 bytes");
  std::string other = whole;
  other.replace(other.find("Word"), 4, "Mord");
  changed(other, "modified or replaced, with other sentences");

  put(a, whole);
  const auto same = looked_through({a});
  batch::InTurn source(app::TextSource({a}, {}, block_bytes, {}, same));
  std::filesystem::remove(a);
  CHECK(thrown([&] { words_of_epoch(source, 0); }) ==
        "entrain.app.61: " + a + ": removed, expected " + length(whole) + remedy);
}

TEST_CASE("a file that is read twice, as convert does: any change is an error") {
  const Scratch folder;
  const std::string a = folder / "a.jsonl";
  const auto found = [&](const std::string& bytes) {
    put(a, "{\"tokens\":[\"Ada\"],\"ner_tags\":[\"B-PER\"]}\n");
    app::Unchanged same({a}, {}, 0);
    same.check();
    put(folder / "b", bytes);
    std::filesystem::rename(folder / "b", a);
    return thrown([&] { same.check(); });
  };
  CHECK(found("{}\n") ==
        "entrain.app.61: " + a +
            ": 3 bytes, expected 40 bytes, as in the first pass; the file changed between two passes: start again");
  CHECK(found("{\"tokens\":[\"Bob\"],\"ner_tags\":[\"B-PER\"]}\n")
            .starts_with("entrain.app.61: " + a + ": modified or replaced, expected 40 bytes"));
}

TEST_CASE("stream: a file that is cut in the middle of an epoch is an error at its end, or where its reader stumbles") {
  const Scratch folder;
  const std::string whole = conll(400), a = folder / "a.conll";
  for (const std::size_t keep : {whole.size() / 2, whole.size() / 2 + 3}) {
    put(a, whole);
    batch::InTurn source(app::TextSource({a}, {}, block_bytes, {}, looked_through({a})));
    source.start(0, {});
    text::Corpus block;
    REQUIRE(source.next(block));
    REQUIRE(::truncate(a.c_str(), static_cast<off_t>(keep)) == 0);
    CHECK(thrown([&] {
            while (source.next(block)) {
            }
          }).starts_with("entrain.app.61: " + a + ": "));
  }
}

TEST_CASE("stream: a file that is touched, or replaced by an equal one, is the same file") {
  const Scratch folder;
  const std::string whole = conll(40), a = folder / "a.conll";
  put(a, whole);
  batch::InTurn source(app::TextSource({a}, {}, block_bytes, {}, looked_through({a})));
  const std::size_t words = words_of_epoch(source, 0);
  std::filesystem::last_write_time(a, std::filesystem::last_write_time(a) + std::chrono::seconds(5));
  CHECK(words_of_epoch(source, 1) == words);
  put(folder / "new", whole);
  std::filesystem::rename(folder / "new", a);
  CHECK(words_of_epoch(source, 2) == words);
  CHECK(words_of_epoch(source, 3) == words);
}

TEST_CASE("stream: a training whose file changes stops, and one that is resumed with another file is refused") {
  const Scratch folder;
  const std::string a = folder / "a.conll";
  put(a, conll(200));
  std::vector<std::string> arguments{"train",
                                     "--train",
                                     a,
                                     "--stream",
                                     "--epochs",
                                     "2000",
                                     "--output",
                                     folder / "m",
                                     "--threads",
                                     "1",
                                     "--save-steps",
                                     "3",
                                     "--token-budget",
                                     "60",
                                     "--shuffle-buffer",
                                     "50",
                                     "--max-steps",
                                     "100000"};
  kill_after_a_state(arguments, folder / "m");
  put(a, conll(100));
  arguments.insert(arguments.end(), {"--resume", "--quiet"});
  const Ran resumed = run(arguments);
  CHECK(resumed.exit == 1);
  CHECK(has(resumed.err, "training file " + a + " of the stopped training: 200 sentences, "));
}

TEST_CASE("train --stream: a file that is cut, doubled or gone while the training runs ends it with its name") {
  const Scratch folder;
  const std::string a = folder / "a.conll", whole = conll(200);
  const auto trained = [&](auto&& change, const std::vector<std::string>& more = {}) {
    put(a, whole);
    std::vector<std::string> line{"train",    "--stream",   "--train",      a,    "--epochs",   "5000",
                                  "--output", folder / "m", "--save-steps", "10", "--overwrite"};
    line.insert(line.end(), more.begin(), more.end());
    Beside program(line);
    program.wait_for_file(folder / ("m/" + state));
    change();
    const Ran ran = program.end({});
    std::filesystem::remove_all(folder / "m");
    return ran;
  };
  const auto refused = [&](const Ran& ran, const std::string& found) {
    CAPTURE(ran.err);
    CHECK(ran.exit == 1);
    CHECK(has(ran.err, "error: entrain.app.61: " + a + ": " + found));
  };
  refused(trained([&] { REQUIRE(::truncate(a.c_str(), static_cast<off_t>(whole.size() / 2)) == 0); }), "");
  refused(trained([&] { put(a, whole + whole); }, {"--loader-workers", "2"}), "");
  refused(trained([&] { std::filesystem::remove(a); }), "removed, expected ");
}

}  // namespace unchanged_test
