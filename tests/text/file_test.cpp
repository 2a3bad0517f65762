// tests > [text]
#include "entrain/text/files/file.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(ENTRAIN_ZLIB)
#include <zlib.h>
#endif

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
  CHECK(message_of(empty) == "entrain.text.4: " + empty + ": empty, expected text");
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

#if defined(ENTRAIN_ZLIB)
/// A gzip member of `bytes` zero bytes.
std::string packed_zeros(std::size_t bytes) {
  const std::string zeros(bytes, '\0');
  std::string packed(bytes / 100 + 1000, '\0');
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(zeros.data()));
  stream.avail_in = static_cast<uInt>(bytes);
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  packed.resize(packed.size() - stream.avail_out);
  deflateEnd(&stream);
  return packed;
}

TEST_CASE("read_file: packed NUL bytes are refused before the rest of them is unpacked") {
  const Folder folder;
  const std::string member = packed_zeros(std::size_t{4} << 20);
  std::string all;
  for (int i = 0; i < 1024; ++i) all += member;  // 4 GiB
  const std::string bomb = folder.put("bomb.conll.gz", all);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const bool right = message_of(bomb) == "entrain.text.5: " + bomb +
                                               ": a NUL byte at offset 0, expected text in UTF-8; this looks like a "
                                               "binary file";
    ::_exit(right ? 0 : 1);
  }
  int status = 0;
  rusage used{};
  REQUIRE(::wait4(child, &status, 0, &used) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(used.ru_maxrss < 1024 * 1024);  // KiB
}
#endif

TEST_CASE("refuse_no_room: a file that memory has no room for, by its size or as it grows") {
  refuse_no_room("a.conll", 1);
  constexpr std::uint64_t much = std::uint64_t{1} << 60;
  const auto message = [](std::uint64_t bytes, std::uint64_t held) {
    try {
      refuse_no_room("a.conll", bytes, held);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK(
      message(much, 0).starts_with("entrain.text.45: a.conll: 1099511627776 MiB to load into memory, expected less "
                                   "than the "));
  CHECK(message(much, much)
            .starts_with("entrain.text.45: a.conll: more than 1099511627776 MiB of text to load into memory, expected "
                         "less than the "));
  CHECK(message(much, 0).ends_with(
      " MiB of free memory; split it into smaller files; train reads files of any size with --stream"));
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
  CHECK(message_of("-") == "entrain.text.4: standard input: empty, expected text");
  CHECK(name_of("a/-") == "a/-");
}

}  // namespace file_test
