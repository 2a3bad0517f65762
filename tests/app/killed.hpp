// tests > [app]: a training that is killed when it has kept a state, and programs that get signals.
#pragma once
#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <string>
#include <vector>

#include "tests/app/program.hpp"

namespace test {

inline const std::string state = "training_state.safetensors";

/// Starts the program and kills it as soon as a state is in its folder that is not the one which was there. Of `around`
/// only the program and its environment count.
inline void kill_after_a_state(const std::vector<std::string>& arguments, const std::string& folder,
                               const Around& around = {}) {
  const std::string before = get(folder + "/" + state);
  std::fflush(nullptr);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    REQUIRE(std::freopen("/dev/null", "w", stdout) != nullptr);
    REQUIRE(std::freopen("/dev/null", "w", stderr) != nullptr);
    detail::be_program(arguments, around);
  }
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    ::usleep(200);
    if (const std::string now = get(folder + "/" + state); now == before || now.empty()) continue;
    ::kill(child, SIGKILL);
    REQUIRE(::waitpid(child, &status, 0) == child);
  }
  REQUIRE(WIFSIGNALED(status));
  REQUIRE(WTERMSIG(status) == SIGKILL);
}

/// The same command, which resumes what it began.
inline std::vector<std::string> resuming(std::vector<std::string> arguments) {
  std::erase(arguments, "--overwrite");
  arguments.push_back("--resume");
  return arguments;
}

/// A program that runs at the same time as the test. Its standard input is a pipe: what say() wrote, and then nothing,
/// for ever.
class Beside {
 public:
  explicit Beside(const std::vector<std::string>& arguments) {
    int input[2];
    REQUIRE(::pipe2(input, O_CLOEXEC) == 0);
    std::fflush(nullptr);
    child_ = ::fork();
    REQUIRE(child_ >= 0);
    if (child_ == 0) {
      ::dup2(input[0], STDIN_FILENO);
      for (const auto& [path, fd] : {std::pair{out(), STDOUT_FILENO}, {err(), STDERR_FILENO}}) {
        const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        ::dup2(file, fd);
      }
      detail::be_program(arguments, {});
    }
    ::close(input[0]);
    input_ = input[1];
  }
  Beside(const Beside&) = delete;
  ~Beside() {
    if (child_ > 0) {
      ::kill(child_, SIGKILL);
      ::waitpid(child_, nullptr, 0);
    }
    ::close(input_);
  }
  pid_t id() const { return child_; }
  void say(const std::string& text) const {
    REQUIRE(::write(input_, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }
  /// Until it has said this on standard error, or, of a file, until it is there.
  void wait_for(const std::string& words) const {
    for (int i = 0; i < 60'000 && !has(get(err()), words); ++i) ::usleep(1000);
    REQUIRE(has(get(err()), words));
  }
  void wait_for_file(const std::string& path) const {
    struct stat s {};
    for (int i = 0; i < 60'000 && ::stat(path.c_str(), &s) != 0; ++i) ::usleep(1000);
    REQUIRE(::stat(path.c_str(), &s) == 0);
  }
  Ran end(std::initializer_list<int> signals) {
    for (const int number : signals) {
      ::kill(child_, number);
      if (signals.size() > 1) ::usleep(20'000);  // two that are pending are one
    }
    int status = 0;
    REQUIRE(::waitpid(child_, &status, 0) == child_);
    child_ = 0;
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status), get(out()), get(err()), 0};
  }

 private:
  std::string out() const { return streams_ / "out"; }
  std::string err() const { return streams_ / "err"; }

  Scratch streams_;
  pid_t child_ = 0;
  int input_ = -1;
};

inline void same_model(const std::string& a, const std::string& b) {
  for (const char* file : {"/config.json", "/model.safetensors"}) {
    CAPTURE(file);
    CHECK(get(a + file) == get(b + file));
  }
}

}  // namespace test
