// tests > [text]
#include "entrain/text/folder/labelled_folder.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "entrain/batch/pipeline/stage.hpp"
#include "entrain/batch/pipeline/workers.hpp"
#include "tests/scratch.hpp"

namespace labelled_folder_test {
using namespace entrain;
using namespace entrain::text;
using test::Scratch, test::sentence, test::put;

namespace {
static_assert(batch::Divided<LabelledFolder>);

/// reviews/pos with 1.txt, 2.txt and 10.txt, reviews/neg with an empty file.
std::string reviews(const Scratch& folder) {
  const std::string place = folder / "reviews";
  for (const char* label : {"pos", "neg", ".hidden"}) std::filesystem::create_directories(place + "/" + label);
  put(place + "/pos/10.txt", "ten\n");
  put(place + "/pos/2.txt", "\xEF\xBB\xBFtwo\r\nlines\r\n");
  put(place + "/pos/1.txt", "one");
  put(place + "/pos/.DS_Store", "x");
  put(place + "/neg/a.txt", "");
  put(place + "/.hidden/b.txt", "hidden");
  return place;
}
struct Read {
  std::string rows, problems;
  Met met;
};
Read read(const std::string& folder, bool lenient = false, int workers = 0) {
  batch::Workers<LabelledFolder> source(LabelledFolder(folder, lenient), {workers});
  source.start(0, {});
  Read all;
  const auto short_name = [&](const std::string& name) { return name.substr(folder.size() + 1); };
  for (Texts texts; source.next(texts);) {
    for (std::size_t i = 0; i < texts.size(); ++i)
      all.rows +=
          short_name(texts.name) + "|" + std::string(texts.text(i)) + "|" + std::string(texts.label_name(i)) + ";";
    for (const Problem& p : texts.problems) all.problems += short_name(texts.name) + ": " + p.reason + ";";
    all.met += texts.met;
  }
  return all;
}
}  // namespace

TEST_CASE("labelled folder: each file is a text, its folder the label, in the order of names") {
  const Scratch folder;
  const std::string place = reviews(folder);
  for (const int workers : {0, 2}) {
    const Read all = read(place, false, workers);
    CHECK(all.rows == "neg/a.txt||neg;pos/1.txt|one|pos;pos/2.txt|two\r\nlines\r\n|pos;pos/10.txt|ten\n|pos;");
    CHECK(all.problems.empty());
    CHECK(all.met.bom == 1);
    CHECK(all.met.lines == 3);
  }
  CHECK(LabelledFolder(place + "/", false).cursor() == 0);
}

TEST_CASE("labelled folder: what is no text with a label is refused with its place, or left out and counted") {
  const Scratch folder;
  const std::string place = reviews(folder);
  const auto with = [&](const std::string& name, const std::string& bytes, const std::string& reason) {
    CAPTURE(name);
    put(place + "/" + name, bytes);
    const std::string said = sentence([&] { read(place); });
    CHECK(said ==
          "entrain.text.56: " + place + "/" + name + ": " + reason +
              ", expected a text file in the folder of its label; move it, or leave such files out with --lenient");
    const Read rest = read(place, true);
    CHECK(rest.problems == name + ": " + reason + ";");
    CHECK(rest.met.malformed == 1);
    CHECK(rest.rows == "neg/a.txt||neg;pos/1.txt|one|pos;pos/2.txt|two\r\nlines\r\n|pos;pos/10.txt|ten\n|pos;");
    std::filesystem::remove_all(place + "/" + name);
  };
  with("readme.txt", "a", "a file that is in no folder of a label");
  with("pos/labels.csv", "a", "a file whose name does not end in .txt");
  with("pos/x.txt", "\xFF", "bytes that are not UTF-8");
  with("neg/long.txt", std::string(LabelledFolder::longest + 1, 'a'), "a text of 16 MiB, expected at most 16");
  std::filesystem::create_directories(place + "/pos/more");
  CHECK(sentence([&] { read(place); }).starts_with("entrain.text.56: " + place + "/pos/more: a folder in the folder"));
  std::filesystem::remove_all(place + "/pos/more");
  CHECK(sentence([&] { read(place + "/pos"); }) ==
        "entrain.text.55: " + place + "/pos: no folder of a label, expected files as in " + place +
            "/pos/LABEL/1.txt; name a file, if the texts are in files of many");
  CHECK(
      sentence([&] { read(place + "/none"); }).starts_with("entrain.text.3: " + place + "/none: a folder that cannot"));
}

}  // namespace labelled_folder_test
