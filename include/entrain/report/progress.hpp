// core > [report]
//
// One line about running work: a bar that moves on a terminal, or a plain line from time to time in a log. The caller
// owns the numbers and the clock; this file only decides when to print and how. It never throws and never allocates, so
// it may be called inside a training step.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

#include "entrain/report/colour.hpp"
#include "entrain/report/number.hpp"
#include "entrain/report/terminal.hpp"
#include "entrain/report/width.hpp"  // columns

namespace entrain::report {

inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// The state of the work, updated by the caller. Unknown values are not shown.
struct Progress {
  std::string_view stage;  // "epoch 3/20"
  std::int64_t done = 0;   // steps of `total`; the remaining time is counted in them
  std::int64_t total = 0;  // 0: unknown
  std::int64_t items = 0;  // counted by the rate
  std::string_view unit = "words";
  double loss = unknown;
  double score = unknown;  // the best so far, a ratio: 0.6123 is shown as F1 61.23
  const char* score_name = "F1";
  std::int64_t skipped = 0;        // steps that changed nothing; shown if there were any
  double trained = 0, waited = 0;  // seconds of training, and those of them without a batch; shown as a share
  double busy = 0, idle = 0;       // seconds that a GPU computed and was idle, if it reports them; shown as a share
};

struct Throttle {
  double live = 0.1;     // seconds between two lines on a terminal
  double plain = 30.0;   // the same in a log
  double smooth = 10.0;  // seconds over which the rate is averaged
};

namespace detail {

/// A line of limited length in a fixed buffer.
class Line {
 public:
  void add(std::string_view text) noexcept {
    const std::size_t n = std::min(text.size(), text_.size() - length_);
    std::copy_n(text.begin(), n, text_.begin() + static_cast<std::ptrdiff_t>(length_));
    length_ += n;
  }
  std::string_view view() const noexcept { return {text_.data(), length_}; }

 private:
  std::array<char, 2048> text_;
  std::size_t length_ = 0;
};

}  // namespace detail

/// On a terminal     epoch 3/20 ━━━━━━━━━╸           1,200/4,000  15.2k words/s  loss 0.4123  F1 61.23  2:31 left
/// in a log          epoch 3/20  1,200/4,000  15.2k words/s  loss 0.4123  F1 61.23  2:31 left
///
///   ProgressBar bar;                       // standard error; data goes to standard output
///   bar.update(progress, seconds);         // as often as you like, seconds of any clock that runs forward
///   bar.say("epoch 3: dev F1 61.23", s);   // a whole line that stays, above the bar
///   bar.finish(progress, seconds);
template <class Sink = Stream> class ProgressBar {
 public:
  explicit ProgressBar(Sink sink = {}, Throttle throttle = {}) noexcept : sink_(std::move(sink)), throttle_(throttle) {}

  void update(const Progress& now, double seconds) noexcept {
    try {
      const bool first = std::isnan(printed_);
      if (first) start(now, seconds);
      // A log shows nothing about work that ends within the first interval; a terminal shows the bar at once.
      if (!first && seconds - printed_ < (live_ ? throttle_.live : throttle_.plain)) return;
      measure(now, seconds);
      if (live_ || !first) print(now, remaining(now), live_ ? "" : "\n");
    } catch (...) {  // the user's sink throws
    }
  }

  /// The last line: the time that was used, not what remains.
  void finish(const Progress& now, double seconds) noexcept {
    try {
      if (std::isnan(printed_)) start(now, seconds);
      const double took = seconds - started_;
      rate_ = took > 0 ? static_cast<double>(now.items - first_items_) / took : unknown;
      idle_share_ = share(now.busy - first_busy_, now.idle - first_idle_);
      const double trained = now.trained - first_trained_;
      wait_share_ = trained > 0 ? (now.waited - first_waited_) / trained : unknown;
      print(now, Short("in %s", duration(took).c_str()), "\n");
      printed_ = unknown;
    } catch (...) {
    }
  }

  void say(std::string_view line, double seconds) noexcept {
    try {
      const bool bar_stands = live_ && !std::isnan(printed_);
      if (bar_stands) sink_.write("\r\x1b[K");
      sink_.write(line);
      sink_.write("\n");
      if (bar_stands) printed_ = seconds - throttle_.live;  // the next update draws it again
    } catch (...) {
    }
  }

 private:
  void start(const Progress& now, double seconds) {
    live_ = sink_.terminal().live;
    started_ = printed_ = measured_ = seconds;
    first_items_ = items_ = now.items;
    first_busy_ = busy_ = now.busy;
    first_idle_ = idle_ = now.idle;
    first_trained_ = trained_ = now.trained;
    first_waited_ = waited_ = now.waited;
    steps_ = now.done;
    rate_ = pace_ = idle_share_ = wait_share_ = unknown;
  }

  /// Rates and shares since the last line, averaged with earlier ones by their age.
  void measure(const Progress& now, double seconds) {
    const double passed = seconds - measured_;
    printed_ = measured_ = seconds;
    if (passed > 0) {
      const double weight = 1 - std::exp(-passed / throttle_.smooth);
      const auto blend = [&](double& average, double latest) {
        average = std::isnan(average) ? latest : average + weight * (latest - average);
      };
      const auto rate = [&](double& average, std::int64_t before, std::int64_t after) {
        if (after >= before) blend(average, static_cast<double>(after - before) / passed);  // else a new stage began
      };
      rate(rate_, items_, now.items);
      rate(pace_, steps_, now.done);
      if (now.trained > trained_) blend(wait_share_, (now.waited - waited_) / (now.trained - trained_));
      if (now.busy > busy_) blend(idle_share_, share(now.busy - busy_, now.idle - idle_));
    }
    busy_ = now.busy;
    idle_ = now.idle;
    trained_ = now.trained;
    waited_ = now.waited;
    items_ = now.items;
    steps_ = now.done;
  }
  static double share(double busy, double idle) { return busy > 0 ? idle / (busy + idle) : unknown; }

  Short remaining(const Progress& now) const {
    if (now.total <= now.done || !(pace_ > 0)) return Short("");
    return Short("%s left", duration(static_cast<double>(now.total - now.done) / pace_).c_str());
  }

  void print(const Progress& now, const Short& time, std::string_view end) {
    const Terminal at = sink_.terminal();
    std::array<Short, 8> parts;
    parts[0] =
        now.total > 0 ? Short("%s/%s", grouped(now.done).c_str(), grouped(now.total).c_str()) : grouped(now.done);
    if (std::isfinite(rate_)) parts[1] = Short("%s %.20s/s", scaled(rate_).c_str(), Short(now.unit).c_str());
    if (!std::isnan(now.loss)) parts[2] = Short("loss %.4g", now.loss);
    if (!std::isnan(now.score)) parts[3] = Short("%s %s", now.score_name, percent(now.score).c_str());
    if (now.skipped > 0) parts[4] = Short("%s skipped", grouped(now.skipped).c_str());
    if (wait_share_ >= 0.01) parts[5] = Short("waited %.1f %%", 100 * wait_share_);
    if (!std::isnan(idle_share_)) parts[6] = Short("GPU idle %.1f %%", 100 * idle_share_);
    parts[7] = time;

    // One column stays free: a full line makes some terminals scroll. Parts that do not fit are left out, from the end.
    const std::size_t room = at.live ? static_cast<std::size_t>(std::max(at.columns - 1, 1)) : 1000;
    detail::Line line;
    if (at.live) line.add("\r");
    std::size_t used = columns(now.stage), shown = 0;
    if (used <= room) line.add(now.stage);
    std::size_t parts_width = 0;
    for (const Short& part : parts) {
      if (used + parts_width + columns(part) + 2 > room) break;
      if (!part.view().empty()) parts_width += columns(part) + 2;
      ++shown;
    }
    if (at.live && now.total > 0 && used + parts_width + 12 <= room)
      draw(line, now, std::min<std::size_t>(room - used - parts_width - 1, 40), at);
    for (std::size_t i = 0; i < shown; ++i) {
      if (parts[i].view().empty()) continue;
      line.add("  ");
      line.add(parts[i]);
    }
    if (at.live) line.add("\x1b[K");
    line.add(end);
    sink_.write(line.view());
  }

  static void draw(detail::Line& line, const Progress& now, std::size_t width, const Terminal& at) {
    const double ratio = std::clamp(static_cast<double>(now.done) / static_cast<double>(now.total), 0.0, 1.0);
    const auto halves = static_cast<std::size_t>(ratio * 2 * static_cast<double>(width));
    line.add(" ");
    line.add(on(Style::green, at));
    for (std::size_t i = 0; i < width; ++i) {
      if (2 * i + 1 < halves)
        line.add(at.unicode ? "━" : "=");
      else if (2 * i < halves)
        line.add(at.unicode ? "╸" : "-");
      else
        line.add(" ");
    }
    line.add(off(Style::green, at));
  }

  Sink sink_;
  Throttle throttle_;
  bool live_ = false;
  double started_ = 0, measured_ = 0, printed_ = unknown;  // seconds; printed_ is unknown while no work runs
  double rate_ = unknown, pace_ = unknown;                 // items and steps a second
  std::int64_t first_items_ = 0, items_ = 0, steps_ = 0;
  double first_busy_ = 0, first_idle_ = 0, busy_ = 0, idle_ = 0, idle_share_ = unknown;
  double first_trained_ = 0, first_waited_ = 0, trained_ = 0, waited_ = 0, wait_share_ = unknown;
};

}  // namespace entrain::report
