// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Prints the messages of a command for its user, on standard error. app/output/output.hpp writes data.
#pragma once
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/report/progress.hpp"
#include "entrain/report/terminal.hpp"

namespace entrain::app {

/// Lines, warnings (counted) and a progress bar; none of them when quiet. Text from files is made harmless for a
/// terminal.
class Console {
 public:
  static constexpr std::size_t most_of_a_kind = 20;

  explicit Console(bool quiet) : quiet_(quiet), at_(report::Stream().terminal()) {}
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;
  ~Console() { say_rest(); }

  void say(std::string_view line);
  void fact(std::string_view name, std::string_view text);  // `name        text`, names in one column
  void warn(std::string_view text);
  /// A warning that may occur many times: the first `most_of_a_kind` of a kind are printed, the rest are counted.
  ///
  /// kind      what they are about, in the plural: `labels that were never seen in training`
  void warn_of(std::string_view kind, std::string_view text);
  /// Prints for each kind how many were not printed; at the end of the command at the latest.
  void say_rest();
  void insist(std::string_view line);  // also when quiet
  /// An error that does not end the command, also when quiet. The exit code of the command is then 1.
  void fail(std::string_view text);
  bool failed() const { return failed_; }
  void say_warnings();  // how many there were

  /// Called inside a training step: allocates nothing.
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
  bool failed_ = false;
  struct Kind {
    std::string words;
    std::size_t said = 0, unsaid = 0;
  };
  std::vector<Kind> kinds_;  // for warn_of
};

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/console/console.ipp"
#endif
