// tests > [app]: caches that are cut while they are in use, and what has their names and is no file.
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/app/killed.hpp"
#include "tests/app/program.hpp"

namespace cache_faults_test {
using namespace test;

namespace {

/// Ends the program where it would wait for ever.
void alarmed(bool begins) { ::alarm(begins ? 60 : 0); }

struct Cached {
  Scratch folder;
  std::string cache = folder / "cache";
  std::vector<std::string> arguments;

  explicit Cached(const std::vector<std::string>& more) {
    put(folder / "a.conll", sentences(60));
    arguments = {"train",     "--train", folder / "a.conll", "--dev", in_home("dev.conll"), "--output", folder / "m",
                 "--threads", "1",       "--cache",          cache,   "--no-calibrate"};
    arguments.insert(arguments.end(), more.begin(), more.end());
  }
  /// The path of the one file with that ending.
  std::string with(std::string_view ending) const {
    std::string found;
    for (const auto& entry : std::filesystem::directory_iterator(cache))
      if (entry.path().string().ends_with(ending)) found = entry.path().string();
    REQUIRE(!found.empty());
    return found;
  }
  Ran trained() const {
    const Ran ran = run(arguments, {.in_child = alarmed});
    CAPTURE(ran.err);
    REQUIRE(ran.exit == 0);
    return ran;
  }
  std::string weights() const { return get(folder / "m/model.safetensors"); }
};

}  // namespace

TEST_CASE("app: a cache that is cut while it is in use ends the program with a sentence, not with SIGBUS") {
  const Cached of({"--epochs", "100000", "--save-steps", "1"});
  std::fflush(nullptr);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::alarm(60);
    if (std::freopen((of.folder / "out").c_str(), "w", stdout) == nullptr) ::_exit(77);
    if (std::freopen((of.folder / "err").c_str(), "w", stderr) == nullptr) ::_exit(77);
    detail::be_program(of.arguments, {});
  }
  int status = 0;
  while (!std::filesystem::exists(of.folder / ("m/" + state)) && ::waitpid(child, &status, WNOHANG) == 0) ::usleep(500);
  REQUIRE(::truncate(of.with(".entrain").c_str(), 0) == 0);
  REQUIRE(::waitpid(child, &status, 0) == child);
  const std::string err = get(of.folder / "err");
  CAPTURE(err);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 1);
  CHECK(has(err, "error: entrain.app.70: " + of.cache +
                     ": a file of the cache became shorter while it was in use, expected files that no other program "
                     "changes; remove that file: it is rebuilt from the corpus; --resume continues from the last "
                     "state\n"));
  CHECK(err.ends_with("state\n"));
}

TEST_CASE("app: a changed byte of a survey is found, said and repaired") {
  const Cached of({"--epochs", "2"});
  of.trained();
  const std::string survey = of.with(".survey"), plain = of.weights(), bytes = get(survey);
  for (const char* part : {"type ", "words ", "PER", "scheme "}) {
    CAPTURE(part);
    std::string changed = bytes;
    char& byte = changed[changed.find(part) + std::string_view(part).size() - 1];
    byte = static_cast<char>(byte ^ 1);
    put(survey, changed);
    const Ran ran = of.trained();
    CHECK(has(ran.err, "warning: entrain.app.71: " + survey +
                           ": a first-pass result with a wrong checksum, expected the written content; the file is "
                           "corrupt; remove it; it was rebuilt\n"));
    CHECK(of.weights() == plain);
    CHECK(get(survey) == bytes);
  }
  CHECK(!has(of.trained().err, "made again"));
}

TEST_CASE("app: a pipe, a device or a folder under the name of a cache or of a survey is refused at once") {
  const Cached of({"--epochs", "2"});
  of.trained();
  const std::string plain = of.weights();
  for (const char* ending : {".survey", ".entrain"}) {
    const std::string path = of.with(ending), bytes = get(path);
    for (const std::string what : {"pipe", "device", "folder"}) {
      CAPTURE(path);
      CAPTURE(what);
      std::filesystem::remove(path);
      if (what == "pipe")
        REQUIRE(::mkfifo(path.c_str(), 0666) == 0);
      else if (what == "device")
        REQUIRE(::symlink("/dev/zero", path.c_str()) == 0);
      else
        REQUIRE(::mkdir(path.c_str(), 0777) == 0);
      std::vector<std::string> quiet = of.arguments;
      quiet.push_back("--quiet");
      check_refused(run(quiet, {.in_child = alarmed}), "entrain.train.51: " + path + ": " +
                                                           (what == "folder" ? "a folder" : "a pipe or a device") +
                                                           ", expected a cache file, or no file; remove it, or "
                                                           "name another folder\n");
    }
    std::filesystem::remove(path);
    of.trained();
    CHECK(of.weights() == plain);
    CHECK(get(path) == bytes);
  }
}

}  // namespace cache_faults_test
