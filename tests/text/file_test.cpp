// tests > [text]
#include "entrain/text/file.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace file_test {
using namespace entrain;
using namespace entrain::text;

namespace {

struct Folder {  // a folder of this test run, gone at the end
  std::filesystem::path path;
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "entrain-file-XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path = pattern;
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string put(const std::string& name, const std::string& bytes) const {
    const auto file = (path / name).string();
    std::ofstream(file, std::ios::binary) << bytes;
    return file;
  }
};

std::string message_of(const std::string& path) {
  try {
    read_file(path);
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("read_file: every byte, whatever the size") {
  const Folder folder;
  for (const std::size_t size : {1u, 100u, (1u << 18) - 1, 1u << 18, (1u << 18) + 1, 3u << 18}) {
    std::string bytes;
    for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(1 + i * 7 % 255);
    CHECK(read_file(folder.put("some", bytes)) == bytes);
  }
}

TEST_CASE("read_file: one sentence for each way to fail") {
  const Folder folder;
  const std::string missing = (folder.path / "none.conll").string();
  CHECK(message_of(missing) == "entrain.text.1: " + missing + ": no such file; check the path");
  const std::string under = folder.put("plain", "x") + "/train.conll";
  CHECK(message_of(under) == "entrain.text.1: " + under + ": no such file; check the path");
  CHECK(message_of(folder.path.string()) ==
        "entrain.text.2: " + folder.path.string() + ": a directory, expected a file; name one file in it");
  const std::string empty = folder.put("empty", "");
  CHECK(message_of(empty) == "entrain.text.4: " + empty + ": nothing in it, expected text");
  const std::string long_name = (folder.path / std::string(5000, 'x')).string();
  CHECK(message_of(long_name) == "entrain.text.3: " + long_name + ": cannot be opened: File name too long");
  if (std::filesystem::exists("/proc/self/mem"))
    CHECK(message_of("/proc/self/mem") == "entrain.text.3: /proc/self/mem: cannot be read: Input/output error");
}

TEST_CASE("read_file: a binary file is named as one, with the offset") {
  const Folder folder;
  const std::string zip = folder.put("a.zip", std::string("PK\3\4\0\0", 6));
  CHECK(message_of(zip) ==
        "entrain.text.5: " + zip + ": a NUL byte at offset 4, expected text in UTF-8; this looks like a binary file");
  const std::string wide = folder.put("wide", std::string("\xFF\xFE"
                                                          "a\0",
                                                          4));
  CHECK(message_of(wide) == "entrain.text.5: " + wide +
                                ": a NUL byte at offset 3, UTF-16 text, expected text in UTF-8; convert it with iconv "
                                "-f UTF-16 -t UTF-8");
}

TEST_CASE("read_file: a file that may not be read") {
  const Folder folder;
  const std::string closed = folder.put("closed", "x");
  std::filesystem::permissions(closed, std::filesystem::perms::none);
  if (std::ifstream(closed).is_open()) {
    MESSAGE("skipped: this user may read everything");
    return;
  }
  CHECK(message_of(closed) == "entrain.text.3: " + closed + ": cannot be opened: Permission denied");
}

TEST_CASE("read_file: - is standard input") {
  const Folder folder;
  REQUIRE(std::freopen(folder.put("in", "a O\n").c_str(), "rb", stdin) != nullptr);
  CHECK(read_file("-") == "a O\n");
  REQUIRE(std::freopen(folder.put("none", "").c_str(), "rb", stdin) != nullptr);
  CHECK(message_of("-") == "entrain.text.4: standard input: nothing in it, expected text");
  CHECK(name_of("a/-") == "a/-");
}

}  // namespace file_test
