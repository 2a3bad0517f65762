// tests > [app]
//
// Where data goes: files by name, and files that are open already.
#include "entrain/app/output/output.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "entrain/core/error.hpp"
#include "tests/scratch.hpp"

namespace output_test {
using namespace entrain;
using test::get;

TEST_CASE("output: a file that is open already is continued, and keeps its name") {
  const test::Scratch folder;
  const int fd = ::open((folder / "log").c_str(), O_CREAT | O_WRONLY, 0644);
  REQUIRE(fd >= 0);
  REQUIRE(::write(fd, "before ", 7) == 7);
  std::filesystem::create_symlink("/proc/self/fd/" + std::to_string(fd), folder / "first");
  std::filesystem::create_symlink("first", folder / "second");
  for (const std::string& name :
       {"/dev/fd/" + std::to_string(fd), "/proc/self/fd/" + std::to_string(fd), folder / "second"}) {
    app::Output out(name);
    CHECK_FALSE(out.is_standard());
    out.write("data ");
    out.close();
  }
  REQUIRE(::write(fd, "after", 5) == 5);  // the caller's own is still open
  ::close(fd);
  CHECK(get(folder / "log") == "before data data data after");
  CHECK(std::filesystem::is_symlink(folder / "second"));
  CHECK(app::Output("/dev/stdout").is_standard());
  CHECK(app::Output("-").is_standard());
  CHECK_FALSE(app::Output("/dev/stderr").is_standard());
  CHECK(std::filesystem::is_symlink("/dev/stdout"));
}

TEST_CASE("output: a descriptor that is not open is refused by its name") {
  try {
    app::Output("/dev/fd/999");
    FAIL("not refused");
  } catch (const Error& e) {
    CHECK(std::string(e.what()) == "entrain.app.1: /dev/fd/999: cannot write: Bad file descriptor");
  }
}

TEST_CASE("output: a file that is replaced as a whole is not a name of an open file") {
  const test::Scratch folder;
  const int fd = ::open((folder / "log").c_str(), O_CREAT | O_WRONLY, 0644);
  REQUIRE(fd >= 0);
  const std::string name = "/proc/self/fd/" + std::to_string(fd);
  try {
    checkpoint::AtomicFile<> file(name);
    FAIL("not refused");
  } catch (const Error& e) {
    CHECK(std::string(e.what()) ==
          "entrain.checkpoint.2: " + name + ": not a regular file, expected a file to write; give a file name");
  }
  ::close(fd);
}

}  // namespace output_test
