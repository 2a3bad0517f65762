// tests > [text]
//
// The bytes of files, plain and packed, against what gzip and zstd made of a text that is known (golden/packed).
#include "entrain/text/files/byte_stream.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "entrain/text/conll/conll.hpp"
#include "entrain/text/conll/conll_stream.hpp"
#include "entrain/text/files/file.hpp"
#include "tests/scratch.hpp"

namespace byte_stream_test {
using namespace entrain;
using namespace entrain::text;
using test::get;
using test::Scratch;
using test::sentence;

namespace {

#if defined(ENTRAIN_ZLIB)
constexpr bool has_zlib = true;
#else
constexpr bool has_zlib = false;
#endif
#if defined(ENTRAIN_ZSTD)
constexpr bool has_zstd = true;
#else
constexpr bool has_zstd = false;
#endif

const std::string golden = std::string(ENTRAIN_SOURCE_DIR) + "/tests/text/golden/packed/";

/// What scripts/golden/packed.sh packed.
std::string lines(int count) {
  std::string all;
  for (long i = 0; i < count; ++i) all += "word" + std::to_string(i * i % 977) + (i % 7 == 6 ? " O\n\n" : " O\n");
  return all;
}
const std::string whole = lines(60000), brief = lines(39);

/// All that is left, asked for n bytes at a time; 0: at random.
std::string rest_of(ByteStream& stream, std::size_t step) {
  std::mt19937 draw(3);
  std::string all, part;
  for (;;) {
    part.resize(step > 0 ? step : 1 + draw() % 5000);
    const std::size_t got = stream.read(part.data(), part.size());
    all.append(part, 0, got);
    if (got < part.size()) break;
  }
  CHECK(stream.read(part.data(), part.size()) == 0);  // and stays over
  return all;
}
std::string read(const std::string& path, std::size_t step = 1 << 16) {
  ByteStream stream = ByteStream::open(path);
  return rest_of(stream, step);
}

/// A pipe that a thread fills, `step` bytes at a time.
class Pipe {
 public:
  Pipe(std::string bytes, std::size_t step) {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    from_ = ends[0];
    writer_ = std::thread([to = ends[1], bytes = std::move(bytes), step] {
      for (std::size_t at = 0; at < bytes.size(); at += step)
        if (::write(to, bytes.data() + at, std::min(step, bytes.size() - at)) < 0) break;
      ::close(to);
    });
  }
  ~Pipe() {
    writer_.join();
    ::close(from_);
  }
  std::string path() const { return "/dev/fd/" + std::to_string(from_); }

 private:
  int from_ = -1;
  std::thread writer_;
};

std::vector<std::pair<std::string, const std::string*>> packed_files() {
  std::vector<std::pair<std::string, const std::string*>> all;
  if (has_zlib)
    all.insert(all.end(), {{"one.gz", &whole}, {"members.gz", &whole}, {"short.gz", &brief}, {"padded.gz", &brief}});
  if (has_zstd) all.insert(all.end(), {{"one.zst", &whole}, {"frames.zst", &whole}, {"short.zst", &brief}});
  return all;
}

TEST_CASE("a plain file, every byte, whatever is asked for at once") {
  const Scratch folder;
  for (const std::size_t size : {0u, 1u, 3u, 9u, 10u, 11u, 5000u, 300'000u}) {
    const std::string bytes = whole.substr(0, size), path = folder.file("plain", bytes);
    for (const std::size_t step : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{1} << 18}) {
      if (step == 1 && size > 5000) continue;
      CHECK((read(path, step) == bytes));
    }
    const Pipe pipe(bytes, 4096);
    CHECK((read(pipe.path(), 0) == bytes));
  }
  const std::string parens = "(a bracket, BZh, P*M: no magic\n";
  CHECK(read(folder.file("parens", parens)) == parens);
}

TEST_CASE("how a file is packed is told as soon as it is known") {
  using namespace std::string_view_literals;
  struct Case {
    std::string_view begin;
    Compression compression;
    bool open;
  };
  for (const Case& c : {Case{"", Compression::none, true},
                        Case{"a", Compression::none, false},
                        Case{"\n", Compression::none, false},
                        Case{"\x1F", Compression::none, true},
                        Case{"\x1F\x8B", Compression::gzip, false},
                        Case{"\x1F\x8C", Compression::none, false},
                        Case{"(", Compression::none, true},
                        Case{"(a", Compression::none, false},
                        Case{"(\xB5/", Compression::none, true},
                        Case{"(\xB5/\xFD", Compression::zstd, false},
                        Case{"(\xB5/\xFC", Compression::none, false},
                        Case{"P", Compression::none, true},
                        Case{"_*M", Compression::none, true},
                        Case{"P*M\x18", Compression::zstd, false},
                        Case{"_*M\x18", Compression::zstd, false},
                        Case{"`*M\x18", Compression::none, false},
                        Case{"O*M\x18", Compression::none, false},
                        Case{"P*M\x19", Compression::none, false},
                        Case{"\xFD"
                             "7zXZ",
                             Compression::none, true},
                        Case{"\xFD"
                             "7zXZ\0"sv,
                             Compression::xz, false},
                        Case{"BZh91AY&S", Compression::none, true},
                        Case{"BZh11AY&SY", Compression::bzip2, false},
                        Case{"BZh91AY&SX", Compression::none, false}}) {
    CAPTURE(std::string(c.begin));
    CHECK(compression_of(c.begin) == c.compression);
    CHECK(may_be_compressed(c.begin) == c.open);
    const std::string more = std::string(c.begin) + "0123456789";
    if (!c.open) CHECK(compression_of(more) == c.compression);
  }
}

TEST_CASE("what is there is given without waiting for more") {
  for (const std::string& line : {std::string("x\n"), std::string("(x\n"), std::string("Px\n"), std::string("B\n")}) {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    ByteStream stream = ByteStream::open("/dev/fd/" + std::to_string(ends[0]));
    char got[100];
    for (int k = 0; k < 3; ++k) {
      REQUIRE(::write(ends[1], line.data(), line.size()) == static_cast<ssize_t>(line.size()));
      std::string all;
      while (all.size() < line.size()) all.append(got, stream.read_some(got, sizeof got));
      CHECK(all == line);
    }
    ::close(ends[1]);
    CHECK(stream.read_some(got, sizeof got) == 0);
    ::close(ends[0]);
  }
  for (const auto& [name, text] : packed_files()) {
    ByteStream stream = ByteStream::open(golden + name);
    std::string all, part(700, '\0');
    for (std::size_t got; (got = stream.read_some(part.data(), part.size())) > 0;) all.append(part, 0, got);
    CHECK((all == *text));
  }
}

TEST_CASE("what gzip and zstd compressed, member after member and frame after frame, by its content") {
  const Scratch folder;
  for (const auto& [name, text] : packed_files()) {
    CAPTURE(name);
    for (const std::size_t step : {std::size_t{0}, std::size_t{3}, std::size_t{1000}, std::size_t{1} << 20})
      CHECK((read(golden + name, step) == *text));
    CHECK((read_file(golden + name) == *text));
    const std::string bytes = get(golden + name);
    CHECK((read(folder.file("train.conll", bytes)) == *text));  // the name says nothing
    for (const std::size_t step : {std::size_t{1}, std::size_t{700}, std::size_t{1} << 16}) {
      if (step == 1 && bytes.size() > 2000) continue;
      const Pipe pipe(bytes, step);
      CHECK((read(pipe.path(), 0) == *text));
    }
  }
  if (has_zlib) CHECK(read(golden + "empty.gz").empty());
  if (has_zstd) CHECK(read(golden + "empty.zst").empty());
  if (has_zlib)
    CHECK(sentence([&] { read_file(golden + "empty.gz"); }) ==
          "entrain.text.4: " + golden + "empty.gz: empty, expected text");
  CHECK((read(folder.file("named.gz", brief)) == brief));
}

TEST_CASE("skip is as if one had read, in plain files, packed ones and pipes; it says where they end") {
  const Scratch folder;
  auto files = packed_files();
  for (auto& [name, text] : files) name = golden + name;
  files.emplace_back(folder.file("plain", whole), &whole);
  std::mt19937 draw(11);
  for (const auto& [path, text] : files)
    for (int k = 0; k < 12; ++k) {
      CAPTURE(path);
      const std::size_t first = k == 0 ? 0 : draw() % (k == 1 ? 20 : text->size()), jump = draw() % (text->size() / 2);
      ByteStream stream = ByteStream::open(path);
      std::string head(first, '\0');
      const std::size_t met = stream.read(head.data(), first);
      CHECK((head == text->substr(0, first)));
      ByteStream moved = std::move(stream);
      CHECK_FALSE(stream.is_open());
      const std::size_t left = text->size() - met;
      CHECK(moved.skip(jump) == std::min(jump, left));
      CHECK((rest_of(moved, 0) == text->substr(std::min(met + jump, text->size()))));
      CHECK(moved.skip(1) == 0);
      ByteStream far = ByteStream::open(path);
      CHECK(far.skip(text->size() + 5) == text->size());
      CHECK(rest_of(far, 10).empty());
    }
  const Pipe pipe(whole, 1000);
  ByteStream stream = ByteStream::open(pipe.path());
  CHECK(stream.skip(200'001) == 200'001);
  CHECK((rest_of(stream, 0) == whole.substr(200'001)));
}

TEST_CASE("a file that may be packed says its size only when it is plain") {
  const Scratch folder;
  CHECK(ByteStream::open(folder.file("plain", whole)).size() == static_cast<std::int64_t>(whole.size()));
  if (has_zlib) CHECK(ByteStream::open(golden + "one.gz").size() == -1);
  const Pipe pipe(brief, 100);
  ByteStream stream = ByteStream::open(pipe.path());
  CHECK(stream.size() == -1);
  CHECK((rest_of(stream, 7) == brief));
}

TEST_CASE("standard input may be packed, and may be a file") {
  const Scratch folder;
  std::vector<std::pair<std::string, const std::string*>> inputs{{folder.file("plain", whole), &whole}};
  for (const auto& [name, text] : packed_files()) inputs.emplace_back(golden + name, text);
  for (const auto& [path, text] : inputs) {
    REQUIRE(std::freopen(path.c_str(), "rb", stdin) != nullptr);
    CHECK((read("-", 0) == *text));
    REQUIRE(std::freopen(path.c_str(), "rb", stdin) != nullptr);
    ByteStream stream = ByteStream::open("-");
    CHECK(stream.skip(100) == 100);
    CHECK((rest_of(stream, 0) == text->substr(100)));
  }
}

TEST_CASE("a file that was cut off is refused wherever that was") {
  const Scratch folder;
  for (const auto& [name, text] : packed_files()) {
    if (text != &brief) continue;
    const bool gzip = name.ends_with("gz");
    const std::string bytes = get(golden + name), packer = gzip ? "gzip" : "zstd";
    const std::size_t magic = gzip ? 2 : 4, end = name == "padded.gz" ? bytes.size() - 700 : bytes.size();
    for (std::size_t size = 0; size < end; ++size) {
      const std::string path = folder.file("cut", bytes.substr(0, size));
      if (size < magic) {
        CHECK((read(path) == bytes.substr(0, size)));  // nothing tells what it was
        continue;
      }
      const std::string message = sentence([&] { read(path, 50); });
      CHECK(message.starts_with("entrain.text.35: " + path + ": the " + packer + " data is truncated after "));
      CHECK(message.ends_with(" bytes of text, expected a complete file; copy it or create it again"));
    }
    for (std::size_t size = end; size <= bytes.size(); size += 100)
      CHECK((read(folder.file("cut", bytes.substr(0, size))) == brief));
  }
  if (has_zlib) {
    const std::string bytes = get(golden + "members.gz"), path = folder.file("cut", bytes.substr(0, bytes.size() / 2));
    std::string given(1000, '\0');
    ByteStream stream = ByteStream::open(path);
    CHECK(stream.read(given.data(), 1000) == 1000);  // all that is whole is given before
    CHECK((given == whole.substr(0, 1000)));
    CHECK(sentence([&] { rest_of(stream, 100); }).starts_with("entrain.text.35: "));
  }
}

TEST_CASE("a broken file is never another text: one bit is enough to be refused") {
  const Scratch folder;
  for (const std::string& name : {std::string("short.gz"), std::string("short.zst")}) {
    const bool gzip = name.ends_with("gz");
    if (!(gzip ? has_zlib : has_zstd)) continue;
    const std::string bytes = get(golden + name);
    int refused = 0;
    for (std::size_t bit = (gzip ? 2 : 4) * 8; bit < bytes.size() * 8; ++bit) {
      std::string broken = bytes;
      broken[bit / 8] = static_cast<char>(broken[bit / 8] ^ (1 << bit % 8));
      const std::string path = folder.file("broken", broken);
      try {
        CHECK((read(path) == brief));  // a time or a hint in the header
      } catch (const Error& e) {
        ++refused;
        CHECK((e.id() == "entrain.text.34" || e.id() == "entrain.text.35"));
        CHECK(std::string(e.what()).starts_with(e.id() + ": " + path + ": "));
      }
    }
    CHECK(refused > static_cast<int>(bytes.size() - 20) * 8);
  }
}

TEST_CASE("why a file cannot be unpacked, and what to do, in one sentence") {
  const Scratch folder;
  if (has_zlib) {
    std::string broken = get(golden + "short.gz");
    broken[broken.size() - 6] = static_cast<char>(broken[broken.size() - 6] ^ 1);
    std::string path = folder.file("sum.gz", broken);
    CHECK(sentence([&] { read(path); }) == "entrain.text.34: " + path + ": decompression failed after " +
                                               std::to_string(brief.size()) +
                                               " bytes of text: incorrect data check, expected a valid gzip file; gzip "
                                               "-t tests the file; copy it or create it again");
    for (const std::string& after : {std::string("text\n"), std::string("\0\0text", 6), std::string("\0\x1F\x8B", 3)}) {
      path = folder.file("more.gz", get(golden + "short.gz") + after);
      CHECK(sentence([&] {
              read(path);
            }).find(" bytes of text: trailing bytes after a complete gzip member, expected ") != std::string::npos);
    }
    path = folder.file("half.gz", get(golden + "short.gz") + "\x1F");
    CHECK(sentence([&] { read(path); }).starts_with("entrain.text.35: "));
    path = folder.file("head.gz", "\x1F\x8Bxyz");
    CHECK(sentence([&] { read(path); }).find("after 0 bytes of text: unknown compression method, ") !=
          std::string::npos);
  }
  if (has_zstd) {
    // a frame that says it holds 100 bytes, and holds none
    const std::string hollow = folder.file("hollow.zst", std::string("\x28\xB5\x2F\xFD\x30\x64\x05\0\0", 9));
    for (const std::size_t step : {std::size_t{1}, std::size_t{16}, std::size_t{1} << 16})
      CHECK(sentence([&] { read(hollow, step); }).find(": Data corruption detected, expected a valid zstd file;") !=
            std::string::npos);
    // a frame with a dictionary, in which another one seems to begin where the first look at the file ended
    const std::string nested = folder.file(
        "nested.zst", std::string("\x28\xB5\x2F\xFD\x67\x2C\x93\x04\0\x14", 10) + get(golden + "short.zst"));
    for (const std::size_t step : {std::size_t{1}, std::size_t{16}, std::size_t{1} << 16})
      CHECK(sentence([&] { read(nested, step); }).find(" after 0 bytes of text: Dictionary mismatch, ") !=
            std::string::npos);
    const std::string path = folder.file("more.zst", get(golden + "short.zst") + "text\n");
    CHECK(sentence([&] { read(path); }) == "entrain.text.34: " + path + ": decompression failed after " +
                                               std::to_string(brief.size()) +
                                               " bytes of text: Unknown frame descriptor, expected a valid zstd file; "
                                               "zstd -t tests the file; copy it or create it again");
    CHECK(sentence([&] {
            read(golden + "wide.zst");
          }).ends_with("its window is larger than 128 MiB; compress it again without --long or --ultra"));
    CHECK(sentence([&] {
            read(golden + "dictionary.zst");
          }).ends_with("it was compressed with a dictionary; compress it again without one"));
  }
  const std::string xz = folder.file("a.xz", std::string("\xFD"
                                                         "7zXZ\0\0\4",
                                                         8));
  CHECK(sentence([&] { read(xz); }) ==
        "entrain.text.33: " + xz +
            ": compressed with xz, expected plain text, or text compressed with gzip or zstd; decompress it with "
            "xz -d");
  const std::string bzip2 = folder.file("a.bz2", "BZh91AY&SY\x12\x34");
  CHECK(sentence([&] { read(bzip2); }).find(": compressed with bzip2, expected ") != std::string::npos);
}

TEST_CASE("a program without a library says what to install and what to link") {
  if (!has_zlib)
    CHECK(sentence([&] { read(golden + "short.gz"); }) ==
          "entrain.text.33: " + golden +
              "short.gz: compressed with gzip, but this program was built without zlib, expected plain text; "
              "decompress it with "
              "gzip -d, or install zlib1g-dev (the Debian package) and rebuild: CMake's targets entrain::compiled and "
              "entrain::zlib then link it");
  if (!has_zstd)
    CHECK(sentence([&] { read(golden + "short.zst"); }) ==
          "entrain.text.33: " + golden +
              "short.zst: compressed with zstd, but this program was built without zstd, expected plain text; "
              "decompress it with "
              "zstd -d, or install libzstd-dev (the Debian package) and rebuild: CMake's targets entrain::compiled and "
              "entrain::zstd then link it");
}

TEST_CASE("one sentence for each way to fail before the first byte") {
  const Scratch folder;
  const std::string none = folder.file("x", "x") + ".none";
  CHECK(sentence([&] { read(none); }) == "entrain.text.1: " + none + ": no such file; check the path");
  CHECK(sentence([&] { read(golden); }) ==
        "entrain.text.2: " + golden + ": a directory, expected a file; name one file in it");
  if (std::filesystem::exists("/proc/self/mem"))
    CHECK(sentence([&] { read("/proc/self/mem"); }) ==
          "entrain.text.3: /proc/self/mem: cannot be read: Input/output error");
}

TEST_CASE("a packed corpus is the plain one, in blocks of any size, from any block on") {
  const Scratch folder;
  const auto shown = [](Conll<Bio>& source, const FileCursor& at, std::vector<FileCursor>* cursors) {
    source.start(0, at);
    typename Conll<Bio>::Raw raw;
    Corpus corpus;
    std::string all;
    for (auto work = source.work(); source.read(raw);) {
      work(raw, corpus);
      for (std::size_t i = 0; i < corpus.size(); ++i)
        all.append(std::to_string(corpus.line[i])).append(corpus.token(i)).append(" ");
      if (cursors) cursors->push_back(source.cursor());
    }
    return all;
  };
  for (const auto& [name, packed] : packed_files()) {
    const std::string plain = folder.file("plain", *packed);
    for (const std::size_t block : {std::size_t{90}, std::size_t{30'000}, std::size_t{1} << 18}) {
      if (packed == &whole && block == 90) continue;
      Conll<Bio> source({golden + name, plain}, {}, block), twice({plain, plain}, {}, block);
      std::vector<FileCursor> cursors{{}}, expected{{}};
      const std::string all = shown(source, {}, &cursors);
      CHECK(all == shown(twice, {}, &expected));
      CHECK(cursors == expected);
      CHECK(cursors.size() > (packed == &whole || block == 90 ? 5 : 2));
      for (const FileCursor& at : cursors) {
        const std::string rest = shown(source, at, nullptr);
        CHECK(all.ends_with(rest));
        CHECK(rest == shown(twice, at, nullptr));
      }
    }
  }
}

TEST_CASE("a file that got shorter than a cursor") {
  const Scratch folder;
  const std::string path = folder.file("a", "a O\n\nb O\n");
  Conll<Bio> source({path}, {}, 4);
  typename Conll<Bio>::Raw raw;
  source.start(0, {0, 9, 3});
  CHECK_FALSE(source.read(raw));  // at its end
  source.start(0, {0, 10, 3});
  CHECK(sentence([&] { source.read(raw); }) == "entrain.text.32: " + path +
                                                   ": ends after byte 9, expected at least 10 bytes, the position to "
                                                   "resume from; the file has changed: start again");
}

}  // namespace

}  // namespace byte_stream_test
