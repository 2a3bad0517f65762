// tests > [app]: threads that do not start and memory that is not given, each at every place where the program asks:
// the program says so in one line and exits with 1, or does without and says what it would have said.
#include <dlfcn.h>
#include <doctest/doctest.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <string>
#include <vector>

#include "tests/app/program.hpp"
#include "tests/sanitized.hpp"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // whose own these would replace

namespace faults_test {
namespace {

/// A call is counted while `counts`; the one whose number is `fails_at` fails, and with `stays` those after it too.
struct Fault {
  std::atomic<long> seen{0};
  long fails_at = -1;
  bool counts = false, stays = false;

  bool now() {
    if (!counts) return false;
    const long me = seen.fetch_add(1, std::memory_order_relaxed);
    return fails_at >= 0 && (me == fails_at || (stays && me > fails_at));
  }
};
Fault memory, threads;

void* allocated(std::size_t bytes, std::size_t alignment) {
  void* const p =
      memory.now() ? nullptr : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}

}  // namespace
}  // namespace faults_test

void* operator new(std::size_t n) { return faults_test::allocated(n == 0 ? 1 : n, 16); }
void* operator new(std::size_t n, std::align_val_t alignment) {
  return faults_test::allocated(n == 0 ? 1 : n, static_cast<std::size_t>(alignment));
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*),
                              void* argument) noexcept {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto create = reinterpret_cast<Create>(::dlsym(RTLD_NEXT, "pthread_create"));
  return faults_test::threads.now() ? EAGAIN : create(thread, attributes, work, argument);
}

namespace faults_test {
namespace {
using namespace test;

struct Asked {
  long memory, threads;
};

/// A run of which one thing fails. Asked: how often it asked for memory and for a thread.
struct Run {
  Ran ran;
  Asked asked{};
};
Run run_with(const std::vector<std::string>& arguments, long memory_fails_at, long thread_fails_at,
             bool stays = false) {
  static auto* const shared =
      static_cast<Asked*>(::mmap(nullptr, sizeof(Asked), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  *shared = {};
  Around around;
  around.in_child = [=](bool begins) {
    if (begins) {
      ::alarm(20);  // where it would wait for ever
      memory.fails_at = memory_fails_at;
      threads.fails_at = thread_fails_at;
      memory.stays = threads.stays = stays;
    } else {
      *shared = {memory.seen, threads.seen};
    }
    memory.counts = threads.counts = begins;
  };
  Run run{test::run(arguments, around)};
  run.asked = *shared;
  return run;
}

/// The commands whose runs are tried, each with its output.
struct Command {
  std::vector<std::string> arguments;
  std::string option;  // that sets the number of its threads
};
std::vector<Command> commands(const Scratch& folder) {
  const std::vector<std::string> train{"train", "--data", home(), "--output", folder / "model", "--epochs", "1"};
  const auto with = [&](std::vector<std::string> all, const std::vector<std::string>& more) {
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  return {{with(train, {"--threads", "4", "--loader-workers", "0"}), "--threads"},
          {with(train, {"--threads", "1", "--loader-workers", "3"}), "--loader-workers"},
          {with(train, {"--threads", "1", "--loader-workers", "2", "--stream"}), "--"},
          {{"predict", "-m", in_home("model"), in_home("test.conll"), "--threads", "3"}, "--threads"},
          {{"evaluate", "-m", in_home("model"), "--data", home(), "--threads", "3"}, "--threads"}};
}

TEST_CASE("app: where the k-th thread does not start, one line names the option and the limits, at once") {
  const Scratch folder;
  for (const Command& command : commands(folder)) {
    CAPTURE(command.arguments);
    const Run whole = run_with(command.arguments, -1, -1);
    REQUIRE(whole.ran.exit == 0);
    REQUIRE(whole.asked.threads >= 2);
    for (const bool stays : {false, true})
      for (long k = 0; k < whole.asked.threads; ++k) {
        CAPTURE(k);
        const Run run = run_with(command.arguments, -1, k, stays);
        CAPTURE(run.ran.err);
        if (k == 0 && !stays) {  // that waits for signals (app/output/signals.hpp): the program does without it
          CHECK(run.ran.exit == 0);
          continue;
        }
        CHECK(run.ran.exit == 1);
        CHECK(times(run.ran.err, "error: ") == 1);
        CHECK(has(run.ran.err, " (Resource temporarily unavailable); lower " + command.option));
        CHECK(has(run.ran.err, ", or raise the limits of processes (ulimit -u) and of address space (ulimit -v)\n"));
      }
  }
}

TEST_CASE("app: --loader-workers auto does with the threads that there are, or with none") {
  const Scratch folder;
  const std::vector<std::string> train{"train", "--data",    home(), "--output",         folder / "model", "--epochs",
                                       "1",     "--threads", "1",    "--loader-workers", "auto",           "--json"};
  const Run whole = run_with(train, -1, -1);
  REQUIRE(whole.ran.exit == 0);
  const std::string model = get(folder / "model/model.safetensors");
  std::filesystem::remove_all(folder / "model");
  const Run run = run_with(train, -1, 0, true);
  CAPTURE(run.ran.err);
  CHECK(run.ran.exit == 0);
  CHECK(get(folder / "model/model.safetensors") == model);
}

/// No signal, and one line; or, where the program does without, the same result.
///
/// One allocation fails, not all from the k-th on, as what unwinds gives memory back. ENTRAIN_EVERY_ALLOCATION=n tries
/// each n-th k (the tier `long`: each), else some dozen of each command.
TEST_CASE("app: where the k-th allocation fails, one line says so, or nothing is other than it was") {
  const Scratch folder;
  const char* const every = std::getenv("ENTRAIN_EVERY_ALLOCATION");
  for (const Command& command : commands(folder)) {
    std::string line;
    for (const std::string& a : command.arguments) line += a + " ";
    CAPTURE(line);
    std::filesystem::remove_all(folder / "model");
    const Run whole = run_with(command.arguments, -1, -1);
    REQUIRE(whole.ran.exit == 0);
    const std::string model = get(folder / "model/model.safetensors");
    const long all = whole.asked.memory, step = std::max(1L, every != nullptr ? std::atol(every) : all / 48);
    REQUIRE(all > 100);
    for (long k = 0; k < all; k += step) {
      CAPTURE(k);
      std::filesystem::remove_all(folder / "model");
      const Run run = run_with(command.arguments, k, -1);
      CAPTURE(run.ran.err);
      if (run.ran.exit == 0) {
        if (command.arguments[0] == "predict") CHECK(run.ran.out == whole.ran.out);
        CHECK(get(folder / "model/model.safetensors") == model);
      } else {
        CHECK(run.ran.exit == 1);
        CHECK(times(run.ran.err, "error: ") == 1);
      }
    }
  }
}

}  // namespace
}  // namespace faults_test

#endif
