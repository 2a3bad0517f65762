// tests > [app]: a whole program, run as a process of its own: what it prints, how it ends, how much memory it took.
#pragma once
#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/scratch.hpp"

namespace test {

/// The light model, very small, after the same command line. In program_test.cpp.
int program(int argc, const char* const* argv);

struct Ran {
  int exit = -1;         // its exit code; 1000 + n if signal n ended it
  std::string out, err;  // standard output, standard error
  std::size_t peak = 0;  // bytes that were in memory at the highest moment
};

/// The environment of a run.
struct Around {
  std::string input = {};        // standard input
  int standard_input = -1;       // or a descriptor that is it
  std::size_t longest_file = 0;  // bytes that a file may have: the disk is full then
  bool terminal = false;         // standard output is one
  bool closed_output = false;    // there is none
  const char* output = nullptr;  // standard output is this file
  bool closed_error = false;     // nor a standard error
  std::vector<std::pair<const char*, const char*>> environment = {};
  std::function<void(bool)> in_child = {};  // called in the process of the program: true before it, false after it
  int (*main)(int argc, const char* const* argv) = program;
};

namespace detail {

[[noreturn]] inline void be_program(const std::vector<std::string>& arguments, const Around& around) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {  // doctest handles some of them
    struct sigaction now {};
    ::sigaction(number, nullptr, &now);
    if (now.sa_handler != SIG_IGN) ::signal(number, SIG_DFL);
  }
  for (const auto& [name, value] : around.environment) ::setenv(name, value, 1);
  if (around.longest_file > 0) {
    const rlimit limit{around.longest_file, around.longest_file};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  std::vector<const char*> argv{"tiny"};
  for (const std::string& a : arguments) argv.push_back(a.c_str());
  argv.push_back(nullptr);
  if (around.in_child) around.in_child(true);
  const int code = around.main(static_cast<int>(argv.size()) - 1, argv.data());
  if (around.in_child) around.in_child(false);
  std::fflush(nullptr);
  ::_exit(code);
}

/// Reads both ends until both are closed.
inline void drain(int out, int err, Ran& ran) {
  std::array<pollfd, 2> ends{pollfd{out, POLLIN, 0}, pollfd{err, POLLIN, 0}};
  std::array<std::string*, 2> texts{&ran.out, &ran.err};
  std::array<char, 1 << 16> piece;
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    ::poll(ends.data(), ends.size(), -1);
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (ends[i].fd < 0 || ends[i].revents == 0) continue;
      const auto got = ::read(ends[i].fd, piece.data(), piece.size());
      if (got > 0)
        texts[i]->append(piece.data(), static_cast<std::size_t>(got));
      else  // a terminal says EIO when its last user has left
        ::close(std::exchange(ends[i].fd, -1));
    }
  }
}

}  // namespace detail

/// Runs the program with these arguments.
inline Ran run(const std::vector<std::string>& arguments, const Around& around = {}) {
  std::array<int, 2> out{}, err{};
  if (around.terminal)
    REQUIRE(::openpty(&out[0], &out[1], nullptr, nullptr, nullptr) == 0);
  else
    REQUIRE(::pipe2(out.data(), O_CLOEXEC) == 0);
  REQUIRE(::pipe2(err.data(), O_CLOEXEC) == 0);
  std::FILE* const input = std::tmpfile();
  REQUIRE(input != nullptr);
  std::fwrite(around.input.data(), 1, around.input.size(), input);
  std::rewind(input);
  std::fflush(nullptr);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::dup2(around.standard_input >= 0 ? around.standard_input : ::fileno(input), STDIN_FILENO);
    ::dup2(out[1], STDOUT_FILENO);
    ::dup2(err[1], STDERR_FILENO);
    for (const int end : {out[0], out[1], err[0], err[1]}) ::close(end);
    if (around.closed_output) ::close(STDOUT_FILENO);
    if (around.output != nullptr) ::dup2(::open(around.output, O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
    if (around.closed_error) ::close(STDERR_FILENO);
    detail::be_program(arguments, around);
  }
  std::fclose(input);
  ::close(out[1]);
  ::close(err[1]);
  Ran ran;
  detail::drain(out[0], err[0], ran);
  int status = 0;
  rusage used{};
  REQUIRE(::wait4(child, &status, 0, &used) == child);
  ran.exit = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  ran.peak = static_cast<std::size_t>(used.ru_maxrss) * 1024;
  return ran;
}

/// Runs another program than `program`.
inline Ran run_of(int (*main)(int, const char* const*), const std::vector<std::string>& arguments,
                  const std::string& input = {}) {
  Around around{.input = input};
  around.main = main;
  return run(arguments, around);
}

/// A training that must end well; what it printed stays in the folder as train.out and train.err.
inline void keep_training(const Scratch& folder, const Ran& ran) {
  CAPTURE(ran.err);
  REQUIRE(ran.exit == 0);
  put(folder / "train.out", ran.out);
  put(folder / "train.err", ran.err);
}

/// How many times a part occurs in a text.
inline std::size_t times(const std::string& text, std::string_view part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++n;
  return n;
}

/// One message and nothing else: `error: ...`, on one line, no data.
inline void check_refused(const Ran& ran, std::string_view sentence, int exit = 1) {
  CAPTURE(ran.err);
  CHECK(ran.exit == exit);
  CHECK(ran.out.empty());
  CHECK(times(ran.err, "error: ") == 1);
  CHECK(has(ran.err, "error: " + std::string(sentence)));
  CHECK(ran.err.ends_with('\n'));
  CHECK(ran.err.find('\n', ran.err.find("error: ")) == ran.err.size() - 1);
}

/// The same for options that contradict each other, or the program.
inline void check_wrong_usage(const Ran& ran, std::string_view sentence) { check_refused(ran, sentence, 2); }

// corpora

/// Sentences that a very small model learns: a person meets another one in a place.
inline std::string sentences(int count, int first = 0) {
  constexpr std::array<const char*, 5> people{"Ada", "Bo", "Chen", "Dara", "Emre"};
  constexpr std::array<const char*, 4> places{"Oslo", "Lima", "Kyoto", "Accra"};
  std::string s;
  for (int i = first; i < first + count; ++i) {
    const auto k = static_cast<std::size_t>(i);
    s.append(people[k % 5]).append("\tB-PER\nmet\tO\n").append(people[(k + k / 5 + 1) % 5]).append("\tB-PER\nin\tO\n");
    s.append(places[k % 4]).append("\tB-LOC\n.\tO\n\n");
  }
  return s;
}

/// A folder with train.conll, dev.conll, test.conll and, as `model`, what was trained on them; made once.
const std::string& home();
inline std::string in_home(std::string_view name) { return home() + "/" + std::string(name); }

}  // namespace test
