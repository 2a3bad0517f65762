// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// What a command says to the person who runs it, on standard error. Data goes elsewhere: output.hpp.
#pragma once
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "entrain/report/colour.hpp"
#include "entrain/report/progress.hpp"
#include "entrain/report/terminal.hpp"
#include "entrain/report/width.hpp"

namespace entrain::app {

/// Lines, warnings (counted) and a progress bar; nothing of it when quiet.
class Talk {
 public:
  explicit Talk(bool quiet) : quiet_(quiet), at_(stream_.terminal()) {}

  void say(std::string_view line) {
    if (!quiet_) bar_.say(line, seconds());
  }
  /// `name        text`, names in one column.
  void fact(std::string_view name, std::string_view text) {
    constexpr std::size_t width = 12;
    std::string line(name);
    line.append(width > name.size() ? width - name.size() : 1, ' ').append(report::harmless(text));
    say(line);
  }
  void warn(std::string_view text) {
    ++warnings_;
    say(report::painted("warning: ", report::Style::yellow, at_) + report::harmless(text));
  }
  std::size_t warnings() const { return warnings_; }

  void progress(const report::Progress& now) {
    if (!quiet_) bar_.update(now, seconds());
  }
  void finish(const report::Progress& now) {
    if (!quiet_) bar_.finish(now, seconds());
  }
  const report::Terminal& terminal() const { return at_; }

 private:
  using Clock = std::chrono::steady_clock;
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  bool quiet_;
  Clock::time_point start_ = Clock::now();
  report::Stream stream_;
  report::Terminal at_;
  report::ProgressBar<> bar_;
  std::size_t warnings_ = 0;
};

}  // namespace entrain::app
