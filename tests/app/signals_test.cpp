// tests > [app]
//
// Ctrl-C and SIGTERM: a training stores its state and says how it is resumed; no program leaves a temporary file. Two
// trainings in one folder; outputs that are inputs; closed descriptors.
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "entrain/app/console/console.hpp"
#include "entrain/app/output/output.hpp"
#include "entrain/app/output/signals.hpp"
#include "entrain/app/train/records.hpp"
#include "entrain/app/train/training_lock.hpp"
#include "tests/app/killed.hpp"
#include "tests/app/program.hpp"

namespace signals_test {
using namespace test;

namespace {

std::vector<std::string> train(const std::string& output, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments{"train", "--data", home(), "--output", output, "--threads", "1"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

/// Of a training that a signal stopped: after which step; 0 if it does not say so.
int stopped_after(const Ran& ran, const std::string& signal) {
  const std::string words = "stopped by " + signal + " after step ";
  const std::size_t at = ran.err.find(words);
  return at == ran.err.npos ? 0 : std::atoi(ran.err.c_str() + at + words.size());
}

}  // namespace

TEST_CASE("signals: the first one stops a training after its step, and the command that it names resumes it") {
  const Scratch folder;
  const std::string parts = folder / "parts", quoted = folder / "a log";
  const std::vector<std::string> options{"--epochs", "200", "--eval-steps", "3", "--no-calibrate"};
  REQUIRE(run(train(folder / "whole", options)).exit == 0);
  std::vector<std::string> command = train(parts, options);
  command.insert(command.end(), {"--log-steps", quoted});
  int last = 0;
  for (const auto& [signal, name, code] :
       {std::tuple{SIGINT, "SIGINT", 130}, {SIGTERM, "SIGTERM", 143}, {SIGHUP, "SIGHUP", 129}}) {
    Beside program(command);
    program.wait_for("work  ");
    const Ran ran = program.end({signal});
    CAPTURE(ran.err);
    CHECK(ran.exit == code);
    CHECK(ran.out.empty());
    CHECK(has(ran.err, name + std::string(": the training stops after this step and stores its state; a second signal "
                                          "ends the program at once\n")));
    const int step = stopped_after(ran, name);
    CHECK(step >= std::max(last, 1));
    last = step;
    CHECK(has(ran.err, "; " + parts +
                           " has the state of this step. This command resumes the training:\ntiny train "
                           "--data " +
                           home() + " --output " + parts +
                           " --threads 1 --epochs 200 --eval-steps 3 --no-calibrate --log-steps '" + quoted +
                           "' --resume\n"));
    CHECK(ran.err.ends_with(" --resume\n"));
    CHECK(!get(parts + "/" + state).empty());
    CHECK(get(parts + "/training.lock").empty());
    if (signal == SIGINT) command.push_back("--resume");
  }
  const Ran rest = run(command);
  CAPTURE(rest.err);
  CHECK(rest.exit == 0);
  same_model(folder / "whole", parts);
  CHECK(folder.names() == std::set<std::string>{"whole", "parts", "a log"});
  CHECK(times(get(quoted), "{\"step\":" + std::to_string(last) + ",") == 1);
}

TEST_CASE("signals: the second one ends a training at once") {
  const Scratch folder;
  Beside program({"train", "--train", "-", "--stream", "--labels", "PER,LOC", "--scheme", "iob2", "--max-steps", "9",
                  "--output", folder / "m"});
  program.say("Ada\tB-PER\nmet\tO\n\n");
  program.wait_for("work  ");  // and then it waits for more of standard input
  const Ran ran = program.end({SIGTERM, SIGINT});
  CAPTURE(ran.err);
  CHECK(ran.exit == 1000 + SIGINT);
  CHECK(has(ran.err, "SIGTERM: the training stops after this step"));
  CHECK(folder.names().empty());  // no lock, and not even a folder
}

TEST_CASE("signals: before the first step nothing is saved, and that is said") {
  const Scratch folder;
  const std::string pipe = folder / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  for (const bool quiet : {false, true}) {
    Beside program({"train", "--train", pipe, "--output", folder / "a/m", quiet ? "--quiet" : "--json"});
    program.wait_for_file(folder / "a/m/training.lock");
    ::usleep(20'000);  // opens the pipe, and waits
    const Ran ran = program.end({SIGTERM});
    CAPTURE(ran.err);
    CHECK(ran.exit == 143);
    CHECK(ran.out.empty());
    CHECK(ran.err.ends_with(quiet ? "" : "SIGTERM: stopped before the first step; nothing is saved\n"));
    CHECK(folder.names() == std::set<std::string>{"pipe"});
  }
}

TEST_CASE("signals: predict and convert leave no temporary file, and that of a killed one is removed") {
  const Scratch folder;
  const std::string out = folder / "o";
  const std::vector<std::string> predict{"predict", "--quiet", "-m", in_home("model"), "-o", out},
      convert{"convert", "--quiet", "-", "--input-format", "jsonl", "--format", "jsonl", "-o", out};
  for (const auto& command : {predict, convert}) {
    CAPTURE(command[0]);
    for (const int signal : {SIGINT, SIGTERM}) {
      Beside program(command);
      program.wait_for_file(out + ".tmp0");
      const Ran ran = program.end({signal});
      CHECK(ran.exit == 1000 + signal);  // as any program, so that a shell's loop ends
      CHECK(ran.err.empty());
      CHECK(folder.names().empty());
    }
    Beside running(command);
    running.wait_for_file(out + ".tmp0");
    ::usleep(20'000);  // locks the file: one of two that start together may have to take .tmp2
    Beside killed(command);
    killed.wait_for_file(out + ".tmp1");
    killed.end({SIGKILL});
    CHECK(folder.names() == std::set<std::string>{"o.tmp0", "o.tmp1"});
    CHECK(run({"convert", "--quiet", in_home("test.conll"), "--format", "jsonl", "-o", out}).exit == 0);
    const auto names = folder.names();
    CHECK(names.size() == 2);  // o, and that of the running one
    CHECK(names.contains("o"));
    running.end({SIGTERM});
    CHECK(folder.names() == std::set<std::string>{"o"});
    std::filesystem::remove(out);
  }
}

TEST_CASE("signals: one that comes as soon as a file is there removes it") {
  const Scratch folder;
  const std::string lock = folder / "lock", trace = folder / "trace";
  const auto outlives = [](const std::string& name, auto&& make) {
    for (int n = 0; n < 100; ++n) {
      std::fflush(nullptr);
      const pid_t child = ::fork();
      REQUIRE(child >= 0);
      if (child == 0) {
        ::signal(SIGTERM, SIG_DFL);  // which doctest handles
        entrain::app::Signals signals;
        make(signals);
      }
      while (::access(name.c_str(), F_OK) != 0) {
      }
      ::kill(child, SIGTERM);
      int status = 0;
      REQUIRE(::waitpid(child, &status, 0) == child);
      if (!WIFSIGNALED(status) || std::filesystem::exists(name)) return true;
    }
    return false;
  };
  CHECK(!outlives(folder / "o.tmp0", [&](entrain::app::Signals& signals) {
    const entrain::app::Output out(folder / "o", &signals);
    for (;;) ::pause();
  }));
  CHECK(!outlives(lock, [&](entrain::app::Signals& signals) {
    const entrain::app::TrainingLock one(lock, "a test", "wait", &signals);
    for (;;) ::pause();
  }));
  CHECK(!outlives(trace + ".tmp0", [&](entrain::app::Signals& signals) {
    entrain::app::Console console(true);
    for (;;) {
      entrain::app::RecordFiles files;
      files.trace = trace;
      const entrain::app::Records records(files, false, console, &signals);
    }
  }));
  CHECK(folder.names().empty());
}

TEST_CASE("signals: one that comes during what hold() does ends the program afterwards") {
  const Scratch folder;
  std::fflush(nullptr);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::signal(SIGTERM, SIG_DFL);
    entrain::app::Signals signals;
    entrain::app::hold(&signals, [&] {
      put(folder / "a", "");
      ::kill(::getpid(), SIGTERM);
      ::usleep(20'000);
      std::filesystem::remove(folder / "a");
      put(folder / "b", "");
    });
    for (;;) ::pause();
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGTERM);
  CHECK(folder.names() == std::set<std::string>{"b"});
}

TEST_CASE("signals: a training leaves no temporary file of a cache that it makes") {
  const Scratch folder;
  std::string many;
  for (int i = 0; i < 40'000; ++i) many += "Ada\tB-PER\nmet\tO\nword" + std::to_string(i) + "\tO\n.\tO\n\n";
  put(folder / "train.conll", many);
  const auto unfinished = [&] {
    std::error_code none;
    for (std::filesystem::directory_iterator at(folder / "cache", none), end; !none && at != end; at.increment(none))
      if (has(at->path().filename().string(), ".entrain.tmp-")) return true;
    return false;
  };
  for (const int signal : {SIGINT, SIGTERM}) {
    bool stopped_there = false;
    for (int tries = 0; tries < 5 && !stopped_there; ++tries) {  // it may be published before it stops
      std::filesystem::remove_all(folder / "cache");
      Beside program({"train", "--quiet", "--train", folder / "train.conll", "--cache", folder / "cache", "--max-steps",
                      "1", "--output", folder / "m", "--overwrite"});
      for (int i = 0; i < 600'000 && !unfinished(); ++i) ::usleep(100);
      ::kill(program.id(), SIGSTOP);
      ::usleep(20'000);
      stopped_there = unfinished();
      ::kill(program.id(), signal);
      ::kill(program.id(), SIGCONT);
      const Ran ran = program.end({});
      if (stopped_there) CHECK(ran.exit == 128 + signal);
      CHECK(!unfinished());
    }
    CHECK(stopped_there);
  }
}

TEST_CASE("signals: what a program ignores does not stop it") {
  const Scratch folder;
  struct sigaction ignore {
  }, before{};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGHUP, &ignore, &before);  // as nohup does
  Beside program(train(folder / "m", {"--epochs", "3"}));
  ::sigaction(SIGHUP, &before, nullptr);
  program.wait_for("work  ");
  const Ran ran = program.end({SIGHUP});
  CAPTURE(ran.err);
  CHECK(ran.exit == 0);
}

TEST_CASE("output: a second training in a folder is refused at once, and after a kill the folder is free") {
  const Scratch folder;
  const std::string pipe = folder / "pipe", m = folder / "m";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  {
    Beside first({"train", "--train", pipe, "--output", m});
    first.wait_for_file(m + "/training.lock");
    for (int i = 0; i < 1000 && get(m + "/training.lock").empty(); ++i) ::usleep(1000);
    for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--resume"}, {"--overwrite"}}) {
      std::vector<std::string> second = train(m, {"--quiet"});
      second.insert(second.end(), more.begin(), more.end());
      check_refused(run(second), "entrain.app.80: " + m + ": another training is writing to it (process " +
                                     std::to_string(first.id()) +
                                     "), expected one training at a time; wait until it ends, or name another folder "
                                     "with --output\n");
    }
    CHECK(run(train(m, {"--plan"})).exit == 0);
    first.end({SIGKILL});
  }
  CHECK(!get(m + "/training.lock").empty());
  CHECK(run(train(m, {"--max-steps", "2"})).exit == 0);
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(m)) names.insert(entry.path().filename().string());
  CHECK(names == std::set<std::string>{"config.json", "model.safetensors"});
}

TEST_CASE("output: a second training is refused where the first one writes its records") {
  const Scratch folder;
  const std::string pipe = folder / "pipe", log = folder / "log", trace = folder / "trace", board = folder / "board";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  put(log, "{\"step\":1}\n");
  {
    Beside first({"train", "--train", pipe, "--output", folder / "a", "--log-steps", log, "--trace", trace,
                  "--tensorboard", board});
    first.wait_for_file(board + "/tensorboard.lock");
    for (int i = 0; i < 1000 && get(board + "/tensorboard.lock").empty(); ++i) ::usleep(1000);
    const std::string process = " (process " + std::to_string(first.id()) + ")",
                      other = ": another training is writing to it",
                      wait = ", expected one training at a time; wait until it ends, or name another ";
    const auto second = [&](const std::string& option, const std::string& path) {
      return run(train(folder / "b", {"--quiet", option, path}));
    };
    check_refused(second("--log-steps", log), "entrain.app.80: --log-steps " + log + other + wait + "file\n");
    check_refused(second("--trace", trace), "entrain.app.80: --trace " + trace + other + process + wait + "file\n");
    check_refused(second("--tensorboard", board),
                  "entrain.app.80: --tensorboard " + board + other + process + wait + "folder\n");
    CHECK(get(log) == "{\"step\":1}\n");
    first.end({SIGTERM});
    CHECK(!std::filesystem::exists(trace + ".lock"));
    CHECK(!std::filesystem::exists(board + "/tensorboard.lock"));
  }
  CHECK(run(train(folder / "b",
                  {"--quiet", "--max-steps", "1", "--log-steps", log, "--trace", trace, "--tensorboard", folder / "b"}))
            .exit == 0);
  CHECK(!std::filesystem::exists(trace + ".lock"));
  CHECK(!std::filesystem::exists(folder / "b/tensorboard.lock"));
}

TEST_CASE("output: no command writes over what it reads") {
  const Scratch folder;
  const std::string a = folder / "a.conll", link = folder / "link", hard = folder / "hard", m = folder / "m",
                    c = folder / "c.ini", text = sentences(20);
  put(a, text);
  put(folder / "b.conll", sentences(5, 20));
  put(c, "[train]\nepochs = 1\n");
  REQUIRE(::symlink(a.c_str(), link.c_str()) == 0);
  REQUIRE(::link(a.c_str(), hard.c_str()) == 0);
  std::filesystem::copy(in_home("model"), m);
  const std::string config = get(m + "/config.json"), weights = get(m + "/model.safetensors");
  const auto refused = [&](std::vector<std::string> line, const std::string& sentence) {
    line.push_back("--quiet");
    check_refused(run(line), sentence, sentence.starts_with("entrain.app.38") ? 2 : 1);  // contradictory options
    CHECK(get(a) == text);
    CHECK(get(c) == "[train]\nepochs = 1\n");
    CHECK(get(m + "/config.json") == config);
    CHECK(get(m + "/model.safetensors") == weights);
  };
  const auto own = [](const std::string& out, const std::string& in) {
    return "entrain.app.81: " + out + ": the file that is read as " + in +
           ", expected a file of its own; nothing was "
           "written\n";
  };
  const std::string n = folder / "n";
  for (const std::string& name : {a, link, hard, folder.path() + "/../" + a.substr(a.find("entrain-"))})
    for (const char* option : {"--log-steps", "--trace"})
      refused({"train", "--train", a, "--output", n, option, name}, own(option + (" " + name), "--train " + a));
  refused({"train", "--train", folder / "?.conll", "--output", n, "--trace", a}, own("--trace " + a, "--train " + a));
  refused({"train", "--train", folder / "b.conll", "--dev", a, "--output", n, "--log-steps", link},
          own("--log-steps " + link, "--dev " + a));
  refused({"train", "--train", folder / "b.conll", "--test", a, "--output", n, "--log-steps", link},
          own("--log-steps " + link, "--test " + a));
  refused({"train", "--config", c, "--train", a, "--output", n, "--log-steps", c},
          own("--log-steps " + c, "--config " + c));
  refused({"train", "--train", a, "--init", m, "--output", n, "--log-steps", m + "/model.safetensors"},
          own("--log-steps " + m + "/model.safetensors", "--init, file " + m + "/model.safetensors"));
  const Ran same = run({"train", "--train", a, "--init", m, "--output", m + "/.", "--overwrite", "--quiet"});
  check_refused(same, "entrain.app.81: --output, file " + m + "/./");
  CHECK(has(same.err, ", expected another folder; nothing was written\n"));
  refused({"train", "--train", a, "--output", n, "--log-steps", folder / "x", "--trace", folder / "./x"},
          "entrain.app.38: --trace " + (folder / "./x") + ": the file of --log-steps, expected a file of its own\n");
  refused({"train", "--train", a, "--output", n, "--log-steps", n + "/model.safetensors"},
          "entrain.app.38: --log-steps " + n + "/model.safetensors: a file of the model in --output " + n +
              ", expected a file of its own\n");
  refused({"predict", "-m", m, a, "-o", link}, own("--output " + link, a));
  refused({"predict", "-m", m, folder / "b.conll", a, "-o", a}, own("--output " + a, a));
  refused({"predict", "-m", m, a, "-o", m + "/config.json"},
          own("--output " + m + "/config.json", "--model, file " + m + "/config.json"));
  refused({"convert", a, "-o", a}, own("--output " + a, a));
  refused({"convert", folder / "a.*", "-o", hard}, own("--output " + hard, a));
  std::filesystem::create_directory(folder / "fix");
  put(folder / "fix/a.conll", text);
  const Ran fix = run({"check", "--quiet", a, folder / "fix/a.conll", "--fix", folder / "fix"});
  CHECK(fix.exit == 1);
  CHECK(has(fix.err, "error: entrain.app.15: --fix: a copy of " + a + " named " + (folder / "fix/a.conll") +
                         ", which is read as " + (folder / "fix/a.conll")));
  CHECK(get(folder / "fix/a.conll") == text);
  CHECK(!std::filesystem::exists(n));
  // A file that is read and written by two programs, one after the other, is another matter.
  CHECK(run({"convert", "--quiet", a, "-o", folder / "d.conll"}).exit == 0);
  CHECK(run({"convert", "--quiet", a, "-o", folder / "d.conll"}).exit == 0);
}

TEST_CASE("output: standard streams that are files which are read") {
  const Scratch folder;
  const std::string a = folder / "a.conll", text = sentences(20);
  put(a, text);
  const auto appended = [&](const std::vector<std::string>& line, int stream) {
    std::fflush(nullptr);
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      ::dup2(::open(a.c_str(), O_WRONLY | O_APPEND), stream);
      ::dup2(::open((folder / "said").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600),
             stream == STDOUT_FILENO ? STDERR_FILENO : STDOUT_FILENO);
      detail::be_program(line, {});
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    return WEXITSTATUS(status);
  };
  for (const std::vector<std::string>& line : {std::vector<std::string>{"convert", a},
                                               {"check", a},
                                               {"score", a, a},
                                               {"predict", "-m", in_home("model"), a},
                                               {"evaluate", "-m", in_home("model"), "--test", a},
                                               {"train", "--train", a, "--output", folder / "m"}}) {
    CAPTURE(line[0]);
    CHECK(appended(line, STDOUT_FILENO) == 1);
    CHECK(get(a) == text);
    CHECK(has(get(folder / "said"), "error: entrain.app.81: standard output: the file that is read as "));
  }
}

TEST_CASE("descriptors: with standard error or input closed, an output file has what it has otherwise") {
  const Scratch folder;
  const std::string test = in_home("test.conll");
  REQUIRE(run({"convert", test, "-o", folder / "usual", "--format", "jsonl"}).exit == 0);
  const Ran closed = run({"convert", test, "-o", folder / "o", "--format", "jsonl"}, {.closed_error = true});
  CHECK(closed.exit == 0);
  CHECK(closed.out.empty());
  CHECK(get(folder / "o") == get(folder / "usual"));
  const Ran both =
      run({"convert", test, "-o", folder / "p", "--format", "jsonl"}, {.closed_output = true, .closed_error = true});
  CHECK(both.exit == 0);
  CHECK(get(folder / "p") == get(folder / "usual"));
  const Ran trained = run({"train", "--data", home(), "--max-steps", "3", "--output", folder / "m", "--threads", "1"},
                          {.closed_error = true});
  CHECK(trained.exit == 0);
  CHECK(has(trained.out, "strict F1"));
  CHECK(run({"predict", "--quiet", "-m", folder / "m", test}).exit == 0);
}

}  // namespace signals_test
