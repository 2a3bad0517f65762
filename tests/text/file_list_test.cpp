// tests > [text]
#include "entrain/text/files/file_list.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "entrain/core/error.hpp"

namespace file_list_test {
using namespace entrain;
using namespace entrain::text;

namespace {

using Names = std::vector<std::string>;

/// A folder with empty files in it, which is the working folder for as long as it lives.
class Folder {
 public:
  explicit Folder(const Names& files) {
    std::filesystem::create_directories(path_);
    std::filesystem::current_path(path_);
    for (const std::string& file : files) {
      if (const auto folder = std::filesystem::path(file).parent_path(); !folder.empty())
        std::filesystem::create_directories(folder);
      std::ofstream(file, std::ios::binary) << "";
    }
  }
  ~Folder() {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(path_);
  }

 private:
  std::filesystem::path before_ = std::filesystem::current_path();
  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("entrain-list-" + std::to_string(std::random_device{}()));
};

std::string said(const Names& patterns) {
  try {
    file_list(patterns);
  } catch (const Error& e) {
    return e.what();
  }
  return "nothing";
}

TEST_CASE("natural order: digits are numbers, all else is bytes") {
  const Names order{"",
                    "-",
                    "a",
                    "a0",
                    "a00",
                    "a01",
                    "a1",
                    "a1b",
                    "a2",
                    "a10",
                    "a10a",
                    "a10b2",
                    "a10b11",
                    "a11",
                    "a100",
                    "aa",
                    "part-9",
                    "part-09.x",
                    "part-10.x",
                    "part-99999999999999999999998",
                    "part-99999999999999999999999",
                    "\xC3\xA9"};
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = 0; j < order.size(); ++j) {
      CAPTURE(order[i]);
      CAPTURE(order[j]);
      CHECK(in_natural_order(order[i], order[j]) == (i < j));
    }
}

TEST_CASE("natural order is an order: of three, whatever they are") {
  std::mt19937 draw(5);
  Names all;
  for (int i = 0; i < 60; ++i) {
    std::string s;
    for (int n = static_cast<int>(draw() % 5); n >= 0; --n) s += "019ab-"[draw() % 6];
    all.push_back(s);
  }
  for (const auto& a : all)
    for (const auto& b : all) {
      CHECK((in_natural_order(a, b) + in_natural_order(b, a)) == (a != b));
      for (const auto& c : all)
        if (in_natural_order(a, b) && in_natural_order(b, c)) CHECK(in_natural_order(a, c));
    }
}

TEST_CASE("patterns mean what they mean in a shell, one after the other, shards in their order") {
  const Folder folder({"data/part-10.conll", "data/part-2.conll", "data/part-1.conll", "data/dev.jsonl",
                       "data/.hidden.conll", "data/b.gz", "data/a.gz", "data/c.gz", "data/d.gz", "more/part-3.conll",
                       "plain", "a[1].conll", "x{y}.conll", "s*.conll"});
  CHECK(file_list(Names{"plain"}) == Names{"plain"});
  CHECK(file_list(Names{"data/*.conll"}) == Names{"data/part-1.conll", "data/part-2.conll", "data/part-10.conll"});
  CHECK(file_list(Names{"data/part-?.conll"}) == Names{"data/part-1.conll", "data/part-2.conll"});
  CHECK(file_list(Names{"data/[b-c].gz"}) == Names{"data/b.gz", "data/c.gz"});
  CHECK(file_list(Names{"data/[!b-c].gz"}) == Names{"data/a.gz", "data/d.gz"});
  CHECK(file_list(Names{"*/part-[13].conll"}) == Names{"data/part-1.conll", "more/part-3.conll"});
  CHECK(file_list(Names{"data/.*.conll"}) == Names{"data/.hidden.conll"});
  CHECK(file_list(Names{"data/{part-2,dev}.*"}) == Names{"data/part-2.conll", "data/dev.jsonl"});
  CHECK(file_list(Names{"{data/b,data/{c,d}}.gz"}) == Names{"data/b.gz", "data/c.gz", "data/d.gz"});
  CHECK(file_list(Names{"data/{a,b}.gz"}) == Names{"data/a.gz", "data/b.gz"});
  CHECK(file_list(Names{"data/d.gz", "-", "data/[ab].gz", "plain"}) ==
        Names{"data/d.gz", "-", "data/a.gz", "data/b.gz", "plain"});
  const std::string whole = std::filesystem::current_path().string();
  CHECK(file_list(Names{whole + "/data/a*"}) == Names{whole + "/data/a.gz"});
}

TEST_CASE("a file whose name has signs of patterns in it is that file") {
  const Folder folder({"a[1].conll", "a1.conll", "x{y,z}.conll", "s*.conll", "st.conll", "q{r}.c"});
  CHECK(file_list(Names{"a[1].conll"}) == Names{"a[1].conll"});
  CHECK(file_list(Names{"a\\[1].conll"}) == Names{"a[1].conll"});
  CHECK(file_list(Names{"x{y,z}.conll"}) == Names{"x{y,z}.conll"});
  CHECK(file_list(Names{"s*.conll"}) == Names{"s*.conll"});
  CHECK(file_list(Names{"q{r}.*"}) == Names{"q{r}.c"});
  CHECK(file_list(Names{"x\\{y,z}.*"}) == Names{"x{y,z}.conll"});
}

TEST_CASE("what no file is, or is none, is said") {
  const Folder folder({"data/a.conll", "data/b.conll", "data/inner/c.conll"});
  CHECK(said({}) == "entrain.text.38: no files, expected at least one; name files, or - for standard input");
  CHECK(said({"data/*.gz"}) ==
        "entrain.text.36: data/*.gz: no file matches this pattern; check the folder and the pattern");
  CHECK(said({"nowhere/*"}) ==
        "entrain.text.36: nowhere/*: no file matches this pattern; check the folder and the pattern");
  CHECK(said({"data/[ab].conll", "*.x"}).starts_with("entrain.text.36: *.x: "));
  CHECK(said({"data/{a,z}*"}) ==
        "entrain.text.36: data/z*: no file matches this pattern; it is part of the pattern 'data/{a,z}*'");
  CHECK(said({"data/{a,z}.conll"}) == "entrain.text.1: data/z.conll: no such file; check the path");
  CHECK(said({"data/z.conll"}) == "entrain.text.1: data/z.conll: no such file; check the path");
  CHECK(said({""}) == "entrain.text.1: no such file; check the path");
  CHECK(said({"data"}) ==
        "entrain.text.2: data: a directory, expected files; name the files in it, as in 'data/*.conll'");
  CHECK(said({"data/"}) ==
        "entrain.text.2: data/: a directory, expected files; name the files in it, as in 'data/*.conll'");
  CHECK(said({"data/*"}) ==
        "entrain.text.2: data/inner: a directory, expected files; 'data/*' matches it too: make the pattern more "
        "specific");
}

TEST_CASE("a file that is named twice is found out, by whatever way") {
  const Folder folder({"data/a.conll", "data/b.conll"});
  CHECK(said({"data/a.conll", "data/*"}) ==
        "entrain.text.37: data/a.conll: named twice, by 'data/a.conll' and by 'data/*', expected each file once; "
        "remove one of them");
  CHECK(said({"data/a.conll", "./data/../data/a.conll"}).starts_with("entrain.text.37: ./data/../data/a.conll: "));
  std::filesystem::create_symlink("a.conll", "data/link");
  CHECK(
      said({"data/[al]*"}).starts_with("entrain.text.37: data/link: named twice, by 'data/[al]*' and by 'data/[al]*'"));
  CHECK(said({"-", "-"}).starts_with("entrain.text.37: standard input: named twice, by '-' and by '-'"));
}

TEST_CASE("what can be read once is known, and refused where two want it") {
  const Folder folder({"a.conll"});
  REQUIRE(::mkfifo("pipe", 0600) == 0);
  std::filesystem::create_symlink("pipe", "link");
  CHECK(can_be_read_once("-"));
  CHECK(can_be_read_once("pipe"));
  CHECK(can_be_read_once("link"));
  CHECK(can_be_read_once("/dev/null"));
  CHECK(!can_be_read_once("a.conll"));
  CHECK(!can_be_read_once("."));
  CHECK(!can_be_read_once("nowhere"));
  const auto refused = [](std::vector<std::pair<std::string, std::string>> named) -> std::string {
    try {
      refuse_read_twice(named);
    } catch (const Error& e) {
      return e.what();
    }
    return "nothing";
  };
  CHECK(refused({{"--train", "-"}, {"--dev", "a.conll"}, {"--test", "-"}}) ==
        "entrain.text.39: standard input: named twice, by --train and by --test, expected only one of them, as it can "
        "be read only once; save it in a file");
  CHECK(refused({{"--train", "{a.conll,pipe}"}, {"--dev", ""}, {"--test", "link"}})
            .starts_with("entrain.text.39: link: named twice, by --train and by --test"));
  CHECK(refused({{"--train", "pipe"}, {"--dev", "-"}, {"--test", "a.conll"}}) == "nothing");
  CHECK(refused({{"--train", "a.conll"}, {"--dev", "a.conll"}}) == "nothing");
  CHECK(said({"pipe", "link"}).starts_with("entrain.text.37: link: named twice, by 'pipe' and by 'link'"));
}

TEST_CASE("a folder that may not be read is not passed over") {
  const Folder folder({"shut/a.conll", "open/a.conll"});
  if (::geteuid() == 0) {
    MESSAGE("skipped: this user may read everything");
    return;
  }
  ::chmod("shut", 0);
  CHECK(said({"*/a*"}) == "entrain.text.3: */a*: a folder that cannot be read; check its permissions");
  ::chmod("shut", 0700);
}

}  // namespace

}  // namespace file_list_test
