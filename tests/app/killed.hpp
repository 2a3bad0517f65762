// tests > [app]: a training that is killed when it has kept a state.
#pragma once
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "tests/app/program.hpp"

namespace test {

inline const std::string state = "training_state.safetensors";

/// Starts the program and kills it as soon as a state is in its folder that is not the one which was there.
inline void kill_after_a_state(const std::vector<std::string>& arguments, const std::string& folder) {
  const std::string before = get(folder + "/" + state);
  std::fflush(nullptr);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    REQUIRE(std::freopen("/dev/null", "w", stdout) != nullptr);
    REQUIRE(std::freopen("/dev/null", "w", stderr) != nullptr);
    detail::be_program(arguments, {});
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

inline void same_model(const std::string& a, const std::string& b) {
  for (const char* file : {"/config.json", "/model.safetensors"}) {
    CAPTURE(file);
    CHECK(get(a + file) == get(b + file));
  }
}

}  // namespace test
