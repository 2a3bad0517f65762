// tests > [checkpoint]
#include "entrain/checkpoint/atomic_file.hpp"

#include <doctest/doctest.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <cstring>
#include <vector>

#include "tests/checkpoint/faulty.hpp"
#include "tests/scratch.hpp"

namespace atomic_file_test {
using namespace entrain::checkpoint;
using test::Fault;
using test::Faulty;
using test::get;
using test::has;
using test::put;
using test::Scratch;
using test::sentence;

TEST_CASE("write_file: creates, replaces, and leaves no other file") {
  const Scratch folder;
  write_file(folder / "a", "one");
  CHECK(get(folder / "a") == "one");
  write_file(folder / "a", "");
  CHECK(get(folder / "a").empty());
  const std::string long_text(3'000'001, 'x');
  write_file(folder / "a", long_text);
  CHECK(get(folder / "a") == long_text);
  CHECK(folder.names() == std::set<std::string>{"a"});
}

TEST_CASE("AtomicFile: nothing shows before publish, and nothing stays after an abandoned write") {
  const Scratch folder;
  put(folder / "a", "old");
  {
    AtomicFile file(folder / "a");
    file.write("new");
    CHECK(get(folder / "a") == "old");
    file.finish();
    CHECK(get(folder / "a") == "old");
  }
  CHECK(get(folder / "a") == "old");
  CHECK(folder.names() == std::set<std::string>{"a"});
}

TEST_CASE("AtomicFile: two writers of one path do not share a temporary file; the last to publish wins whole") {
  const Scratch folder;
  AtomicFile one(folder / "a"), two(folder / "a");
  one.write("one");
  two.write("two");
  one.commit();
  CHECK(get(folder / "a") == "one");
  two.commit();
  CHECK(get(folder / "a") == "two");
  CHECK(folder.names() == std::set<std::string>{"a"});
}

TEST_CASE("AtomicFile: leftovers of killed programs") {
  const Scratch folder;
  for (const char* name : {"a.tmp0", "a.tmp1", "a.tmp2", "a.tmp4"}) put(folder / name, "left");
  {
    const AtomicFile running(folder / "a");  // takes a.tmp0
    CHECK(folder.names() == std::set<std::string>{"a.tmp0", "a.tmp4"});
    write_file(folder / "a", "new");
    CHECK(get(folder / "a") == "new");
    CHECK(folder.names() == std::set<std::string>{"a", "a.tmp0", "a.tmp4"});
  }
  CHECK(folder.names() == std::set<std::string>{"a", "a.tmp4"});
  REQUIRE(::mkfifo((folder / "a.tmp0").c_str(), 0600) == 0);  // not waited for
  write_file(folder / "a", "again");
  CHECK(get(folder / "a") == "again");
  std::filesystem::remove(folder / "a.tmp0");
  std::vector<AtomicFile<>> running;
  for (int i = 0; i < 100; ++i) running.emplace_back(folder / "a");
  const std::string said = sentence([&] { write_file(folder / "a", "newer"); });
  CHECK(said == "entrain.checkpoint.4: " + (folder / "a") +
                    ": 100 temporary files next to it, expected fewer; remove those that no running program writes: " +
                    (folder / "a.tmp*"));
  running.clear();
  CHECK(folder.names() == std::set<std::string>{"a"});
  put(folder / "b.tmp", "left");
  AtomicFile<> file(folder / "b", {}, Temporary::replace);
  file.write("new");
  file.commit();
  CHECK(get(folder / "b") == "new");
  CHECK(!std::filesystem::exists(folder / "b.tmp"));
}

TEST_CASE("AtomicFile: permissions of a replaced file are kept") {
  const Scratch folder;
  put(folder / "a", "secret");
  REQUIRE(::chmod((folder / "a").c_str(), 0600) == 0);
  write_file(folder / "a", "new secret");
  struct stat s {};
  REQUIRE(::stat((folder / "a").c_str(), &s) == 0);
  CHECK((s.st_mode & 0777) == 0600);
}

TEST_CASE("AtomicFile: what cannot be written is said") {
  const Scratch folder;
  CHECK(sentence([&] { write_file(folder / "none/a", "x"); }) ==
        "entrain.checkpoint.1: " + (folder / "none/a") +
            ": cannot create a file next to it: No such file or directory; create the folder first");
  CHECK(sentence([&] { write_file(folder.path(), "x"); }) ==
        "entrain.checkpoint.2: " + folder.path() + ": a folder, expected a file to write; give a file name");
  // A rename over a device would replace the device.
  CHECK(sentence([&] { write_file("/dev/null", "x"); }) ==
        "entrain.checkpoint.2: /dev/null: not a regular file, expected a file to write; give a file name");
  put(folder / "a", "x");
  CHECK(has(sentence([&] { write_file(folder / "a/b", "x"); }), "Not a directory"));
  CHECK(has(sentence([&] { write_file(folder / std::string(300, 'n'), "x"); }), "File name too long"));
  CHECK(folder.names() == std::set<std::string>{"a"});
}

TEST_CASE("AtomicFile: every call in turn fails; the old file or the new one is there, and nothing else") {
  const std::string old_text = "old content", new_text = "the new content, longer than the old";
  const int calls = [&] {
    const Scratch folder;
    const Faulty counting(Fault::none, 0);
    write_file(folder / "a", new_text, counting);
    return counting.calls();
  }();
  REQUIRE(calls > 7);
  for (const Fault fault : {Fault::no_space, Fault::io_error, Fault::interrupted, Fault::half, Fault::killed}) {
    int refused = 0;
    for (int at = 0; at < calls; ++at) {
      const Scratch folder;
      put(folder / "a", old_text);
      const Faulty system(fault, at);
      const std::string said = sentence([&] { write_file(folder / "a", new_text, system); });
      refused += !said.empty();
      CAPTURE(static_cast<int>(fault));
      CAPTURE(at);
      CAPTURE(said);
      const std::string now = get(folder / "a");
      CHECK((now == old_text || now == new_text));
      if (said.empty()) CHECK(now == new_text);
      if (fault == Fault::half) CHECK(said.empty());
      if (fault == Fault::no_space && !said.empty()) CHECK(has(said, "No space left on device; "));
      if (!said.empty()) CHECK(has(said, folder.path()));
      if (fault != Fault::killed) CHECK(folder.names() == std::set<std::string>{"a"});
    }
    if (fault == Fault::io_error) CHECK(refused >= 7);
  }
}

TEST_CASE("AtomicFile: interruptions go unnoticed in open, write, sync and close") {
  const Scratch folder;
  int noticed = 0;
  for (int at = 0; at < 20; ++at)
    noticed += !sentence([&] { write_file(folder / "a", "text", Faulty(Fault::interrupted, at)); }).empty();
  CHECK(noticed <= 2);  // stat and rename: the system never interrupts those two
}

TEST_CASE("AtomicFile: a disk that is really full") {
  const Scratch folder;
  if (::mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=64k") != 0) {
    MESSAGE("skipped: no right to mount a small disk: " << std::strerror(errno));
    return;
  }
  put(folder / "a", "old");
  const std::string said = sentence([&] { write_file(folder / "a", std::string(1 << 20, 'x')); });
  const std::string now = get(folder / "a");
  const auto names = folder.names();
  const std::string room_left = sentence([&] { write_file(folder / "a", std::string(20'000, 'y')); });
  const std::string then = get(folder / "a");
  // Read-only.
  REQUIRE(::mount("tmpfs", folder.path().c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, "size=64k") == 0);
  const std::string read_only = sentence([&] { write_file(folder / "a", "z"); });
  REQUIRE(::umount(folder.path().c_str()) == 0);

  CHECK(
      said ==
      "entrain.checkpoint.1: " + (folder / "a") +
          ": cannot write: No space left on device; free some space or save elsewhere; the previous file is unchanged");
  CHECK(now == "old");
  CHECK(names == std::set<std::string>{"a"});
  CHECK(room_left.empty());
  CHECK(then == std::string(20'000, 'y'));
  CHECK(has(read_only, "Read-only file system; save to a writable folder"));
}

}  // namespace atomic_file_test
