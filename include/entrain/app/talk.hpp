// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// What a command says to the person who runs it, on standard error. Data goes elsewhere: output.hpp.
#pragma once
#include <chrono>
#include <cstddef>
#include <string_view>

#include "entrain/core/config.hpp"  // ENTRAIN_PART
#include "entrain/report/progress.hpp"
#include "entrain/report/terminal.hpp"

namespace entrain::app {

/// Lines, warnings (counted) and a progress bar; nothing of it when quiet. What stands in files is made harmless for a
/// terminal.
class Talk {
 public:
  explicit Talk(bool quiet) : quiet_(quiet), at_(report::Stream().terminal()) {}

  void say(std::string_view line);
  void fact(std::string_view name, std::string_view text);  // `name        text`, names in one column
  void warn(std::string_view text);
  void insist(std::string_view line);  // also when quiet
  void say_warnings();                 // how many there were

  /// Inside a training step: allocates nothing.
  void progress(const report::Progress& now);
  void finish(const report::Progress& now);

  bool quiet() const { return quiet_; }
  const report::Terminal& terminal() const { return at_; }

 private:
  using Clock = std::chrono::steady_clock;
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  bool quiet_;
  Clock::time_point start_ = Clock::now();
  report::Terminal at_;
  report::ProgressBar<> bar_;
  std::size_t warnings_ = 0;
};

}  // namespace entrain::app

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/app/talk.ipp"
#endif
