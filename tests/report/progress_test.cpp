// tests > [report]
#include "entrain/report/progress.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>

using namespace entrain::report;

namespace {
std::atomic<long> allocations{0};
}
void* operator new(std::size_t n) {
  ++allocations;
  if (void* p = std::malloc(n ? n : 1)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace {

struct Page {  // a sink that keeps the text
  std::string* text;
  Terminal kind;
  void write(std::string_view t) const { text->append(t); }
  Terminal terminal() const { return kind; }
};

const Terminal log_file{};
const Terminal wide{.live = true, .colour = false, .unicode = true, .columns = 120};

Progress at(std::int64_t step) {
  return {.stage = "epoch 3/20", .done = step, .total = 4000, .items = 100 * step, .loss = 0.41234, .score = 0.6123};
}

/// The text of a terminal's last line after `text`: everything since the last return.
std::string last_line(const std::string& text) {
  std::string line = text.substr(text.rfind('\r') + 1);
  if (const auto end = line.find("\x1b[K"); end != std::string::npos) line.erase(end);
  return line;
}

}  // namespace

TEST_CASE("ProgressBar: in a log, a plain line at the interval and one at the end") {
  std::string text;
  ProgressBar bar(Page{&text, log_file});
  for (int step = 0; step <= 400; ++step) bar.update(at(step), 0.1 * step);  // 40 seconds, ten steps in each
  CHECK(text == "epoch 3/20  300/4,000  1.00k words/s  loss 0.4123  F1 61.23  6:10 left\n");
  text.clear();
  bar.finish(at(4000), 400);
  CHECK(text == "epoch 3/20  4,000/4,000  1.00k words/s  loss 0.4123  F1 61.23  in 6:40\n");
  text.clear();
  Progress with_skipped = at(4000);
  with_skipped.skipped = 3;
  bar.finish(with_skipped, 400);
  CHECK(last_line(text).ends_with("loss 0.4123  F1 61.23  3 skipped  in 0:00\n"));
}

TEST_CASE("ProgressBar: of a GPU that says what it does, the share of its time that it had nothing to do") {
  std::string text;
  ProgressBar bar(Page{&text, log_file}, Throttle{.plain = 10, .smooth = 1e-9});
  const auto with = [](std::int64_t step, double busy, double idle) {
    Progress now = at(step);
    now.busy = busy;
    now.idle = idle;
    return now;
  };
  bar.update(with(0, 1, 1), 0);  // resumed: what was before does not count
  bar.update(with(100, 10, 2), 10);
  CHECK(text == "epoch 3/20  100/4,000  1.00k words/s  loss 0.4123  F1 61.23  GPU idle 10.0 %  6:30 left\n");
  text.clear();
  bar.update(with(200, 13, 3), 20);
  CHECK(text == "epoch 3/20  200/4,000  1.00k words/s  loss 0.4123  F1 61.23  GPU idle 25.0 %  6:20 left\n");
  text.clear();
  bar.update(with(300, 13, 3), 30);  // it has not said more yet
  CHECK(last_line(text).ends_with("GPU idle 25.0 %  6:10 left\n"));
  text.clear();
  bar.finish(with(400, 17, 5), 40);
  CHECK(text == "epoch 3/20  400/4,000  1.00k words/s  loss 0.4123  F1 61.23  GPU idle 20.0 %  in 0:40\n");
}

TEST_CASE("ProgressBar: the share of its time that a training waited for batches, if it is worth a word") {
  std::string text;
  ProgressBar bar(Page{&text, log_file}, Throttle{.plain = 10, .smooth = 1e-9});
  const auto with = [](std::int64_t step, double trained, double waited) {
    Progress now = at(step);
    now.trained = trained;
    now.waited = waited;
    return now;
  };
  bar.update(with(0, 5, 5), 0);  // resumed: what was before does not count
  bar.update(with(100, 15, 7), 10);
  CHECK(text == "epoch 3/20  100/4,000  1.00k words/s  loss 0.4123  F1 61.23  waited 20.0 %  6:30 left\n");
  text.clear();
  bar.update(with(200, 25, 7.09), 20);
  CHECK(text == "epoch 3/20  200/4,000  1.00k words/s  loss 0.4123  F1 61.23  6:20 left\n");
  text.clear();
  bar.update(with(300, 25, 7.09), 30);  // an evaluation, say
  CHECK(last_line(text).ends_with("F1 61.23  6:10 left\n"));
  text.clear();
  bar.finish(with(400, 45, 17), 40);
  CHECK(last_line(text) == "epoch 3/20  400/4,000  1.00k words/s  loss 0.4123  F1 61.23  waited 30.0 %  in 0:40\n");
}

TEST_CASE("ProgressBar: on a terminal, one line drawn over, at most ten times a second") {
  std::string text;
  ProgressBar bar(Page{&text, wide});
  bar.update(at(0), 0);
  CHECK(last_line(text).starts_with("epoch 3/20  "));
  CHECK(last_line(text).ends_with("  0/4,000  loss 0.4123  F1 61.23"));  // no rate known yet
  text.clear();
  bar.update(at(1), 0.0625);
  CHECK(text.empty());
  for (int step = 2; step <= 2000; ++step) bar.update(at(step), 0.0625 * step);
  CHECK(text.find('\n') == std::string::npos);
  CHECK(std::count(text.begin(), text.end(), '\r') == 1000);
  CHECK(last_line(text) ==
        "epoch 3/20 ━━━━━━━━━━━━━━━━━━━━                      2,000/4,000  1.60k words/s  loss 0.4123  F1 61.23  2:05 "
        "left");
  text.clear();
  bar.finish(at(4000), 250);
  CHECK(last_line(text.substr(0, text.size() - 1)) ==
        "epoch 3/20 ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━  4,000/4,000  1.60k words/s  loss 0.4123  F1 61.23  in "
        "4:10");
  CHECK(text.ends_with("\n"));
}

TEST_CASE("ProgressBar: never wider than the terminal; what does not fit is left out from the end") {
  for (int width = 1; width < 130; ++width)
    for (const bool unicode : {false, true}) {
      std::string text;
      Terminal t = wide;
      t.columns = width;
      t.unicode = unicode;
      ProgressBar bar(Page{&text, t});
      for (int step = 0; step <= 100; ++step) {
        bar.update(at(step), step);
        CHECK(columns(last_line(text)) < static_cast<std::size_t>(std::max(width, 2)));
      }
      if (width == 40) CHECK(last_line(text) == "epoch 3/20  100/4,000  100 words/s");
    }
}

TEST_CASE("ProgressBar: colour only where the terminal has it") {
  std::string text;
  Terminal t = wide;
  t.unicode = false;
  ProgressBar plain(Page{&text, t});
  plain.update(at(2000), 0);
  CHECK(text.find("\x1b[3") == std::string::npos);
  CHECK(text.find("====") != std::string::npos);
  t.colour = true;
  ProgressBar coloured(Page{&text, t});
  coloured.update(at(2000), 0);
  CHECK(text.find("\x1b[32m==") != std::string::npos);
  CHECK(text.find("\x1b[0m") != std::string::npos);
}

TEST_CASE("ProgressBar: a line said stays above the bar") {
  std::string text;
  ProgressBar bar(Page{&text, wide});
  bar.say("before", 0);
  CHECK(text == "before\n");
  bar.update(at(0), 0);
  bar.update(at(10), 1);
  text.clear();
  bar.say("dev F1 61.23", 1.01);
  CHECK(text == "\r\x1b[Kdev F1 61.23\n");
  text.clear();
  bar.update(at(11), 1.1);  // drawn again at once; the rate is still over real time
  CHECK(last_line(text).find("1.00k words/s") != std::string::npos);

  std::string log;
  ProgressBar plain(Page{&log, log_file});
  plain.update(at(0), 0);
  plain.say("dev F1 61.23", 1);
  CHECK(log == "dev F1 61.23\n");
}

TEST_CASE("ProgressBar: unknown totals, clocks that stop or run back, counts that start again") {
  std::string text;
  ProgressBar bar(Page{&text, log_file}, {.live = 0, .plain = 0, .smooth = 10});
  Progress p{.stage = "reading", .done = 5, .items = 5, .unit = "files"};
  bar.update(p, 10);
  bar.update(p, 10);
  CHECK(text == "reading  5\n");
  text.clear();
  p.done = p.items = 25;
  bar.update(p, 20);
  CHECK(text == "reading  25  2 files/s\n");
  text.clear();
  bar.update(p, 5);  // ignored: not later than the last line
  CHECK(text.empty());
  p.done = p.items = 0;
  p.total = 10;
  bar.update(p, 30);
  CHECK(text == "reading  0/10  2 files/s  0:05 left\n");
  text.clear();
  p.loss = std::numeric_limits<double>::infinity();
  p.items = std::numeric_limits<std::int64_t>::max();
  p.done = 100;
  bar.update(p, 31);
  CHECK(text.find("100/10") != std::string::npos);
  CHECK(text.find("loss inf") != std::string::npos);
  bar.finish({}, 31);
  bar.finish({}, 31);
}

TEST_CASE("ProgressBar: the rate follows a change within its averaging time") {
  std::string text;
  ProgressBar bar(Page{&text, log_file}, {.live = 0.1, .plain = 1, .smooth = 10});
  Progress p{.stage = "s", .total = 1'000'000};
  double seconds = 0;
  const auto run = [&](int rate, int for_seconds) {
    for (int i = 0; i < for_seconds; ++i) {
      p.done += rate, p.items += rate, seconds += 1;
      bar.update(p, seconds);
    }
    return text.substr(text.rfind('\n', text.size() - 2) + 1);
  };
  bar.update(p, 0);
  CHECK(run(1000, 30).find("  1.00k words/s") != std::string::npos);
  CHECK(run(2000, 60).find("  2.00k words/s") != std::string::npos);
}

TEST_CASE("ProgressBar: no allocation, and a sink that throws is swallowed") {
  struct Nowhere {
    void write(std::string_view) const {}
    Terminal terminal() const { return {.live = true, .colour = true, .unicode = true, .columns = 100}; }
  };
  ProgressBar quiet(Nowhere{});
  const long before = allocations;
  for (int step = 0; step < 1000; ++step) quiet.update(at(step), step);
  quiet.say("line", 1000);
  quiet.finish(at(4000), 1001);
  CHECK(allocations == before);

  struct Broken {
    void write(std::string_view) const { throw std::runtime_error("no"); }
    Terminal terminal() const { throw std::runtime_error("no"); }
  };
  ProgressBar broken(Broken{});
  broken.update(at(0), 0);
  broken.update(at(1), 100);
  broken.say("line", 100);
  broken.finish(at(2), 200);
}

TEST_CASE("Stream: a pipe, a full device and a closed descriptor are no reason to stop") {
  const int full = ::open("/dev/full", O_WRONLY);
  if (full >= 0) {
    Stream{full}.write("text");
    ::close(full);
  }
  Stream{-1}.write("text");
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  ProgressBar bar(Stream{ends[1]}, {.live = 1, .plain = 1, .smooth = 10});
  bar.update(at(0), 0);
  bar.update(at(10), 2);
  ::close(ends[1]);
  std::string got(200, '\0');
  got.resize(static_cast<std::size_t>(::read(ends[0], got.data(), got.size())));
  ::close(ends[0]);
  CHECK(got == "epoch 3/20  10/4,000  500 words/s  loss 0.4123  F1 61.23  13:18 left\n");
}

TEST_CASE("look_at: a terminal, its size, NO_COLOR, FORCE_COLOR, TERM=dumb, the locale") {
  const int master = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (master < 0 || ::grantpt(master) != 0 || ::unlockpt(master) != 0) {
    MESSAGE("skipped: no pseudo-terminal here");
    return;
  }
  const int fd = ::open(::ptsname(master), O_RDWR | O_NOCTTY);
  REQUIRE(fd >= 0);
  const winsize size{.ws_row = 24, .ws_col = 97, .ws_xpixel = 0, .ws_ypixel = 0};
  REQUIRE(::ioctl(fd, TIOCSWINSZ, &size) == 0);
  for (const char* name : {"NO_COLOR", "FORCE_COLOR", "LC_ALL", "LC_CTYPE", "LANG"}) ::unsetenv(name);
  ::setenv("TERM", "xterm-256color", 1);
  Terminal t = look_at(fd);
  CHECK((t.live && t.colour && !t.unicode && t.columns == 97));
  ::setenv("LANG", "da_DK.UTF-8", 1);
  CHECK(look_at(fd).unicode);
  ::setenv("LC_ALL", "C", 1);
  CHECK(!look_at(fd).unicode);
  ::setenv("NO_COLOR", "", 1);
  CHECK(look_at(fd).colour);
  ::setenv("NO_COLOR", "1", 1);
  t = look_at(fd);
  CHECK((t.live && !t.colour));
  ::setenv("TERM", "dumb", 1);
  CHECK(!look_at(fd).live);
  ::close(fd);
  ::close(master);

  ::setenv("TERM", "xterm", 1);
  const int file = ::open("/dev/null", O_WRONLY);
  t = look_at(file);
  CHECK((!t.live && !t.colour && !t.unicode && t.columns == 80));
  ::setenv("FORCE_COLOR", "1", 1);
  CHECK(!look_at(file).colour);  // NO_COLOR goes before it
  ::unsetenv("NO_COLOR");
  t = look_at(file);
  CHECK((!t.live && t.colour));
  for (const char* none : {"", "0"}) {
    ::setenv("FORCE_COLOR", none, 1);
    CHECK(!look_at(file).colour);
  }
  ::unsetenv("FORCE_COLOR");
  ::close(file);
}
