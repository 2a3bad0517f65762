// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Files that a training writes for other programs: a trace of its threads, numbers for TensorBoard, a line of JSON per
// step. A training measures and keeps only what the user asked for.
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include "entrain/app/console/console.hpp"
#include "entrain/app/options/settings.hpp"  // RecordFiles
#include "entrain/app/train/training_lock.hpp"
#include "entrain/checkpoint/config.hpp"
#include "entrain/core/activity.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/core/timeline.hpp"
#include "entrain/report/event.hpp"
#include "entrain/score/scores.hpp"
#include "entrain/task/class_scores.hpp"
#include "entrain/train/loop/fit.hpp"

namespace entrain::app {

/// A file that grows while other programs may read it. A failed write is reported once, as an error, and training
/// continues.
class GrowingFile {
 public:
  /// Appends to the file's contents.
  /// throws    entrain.app.38: it cannot be opened
  void open(const std::string& path);
  bool is_open() const { return file_.is_open(); }
  void write(std::string_view bytes, Console& console);
  void flush(Console& console);
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::ofstream file_;
};

class Records {
 public:
  /// go_on     lines are added to log_steps; else the first line replaces its contents
  /// signals   of the program; null if no signal is handled
  /// throws    entrain.app.38: a file or folder that cannot be made, or one file for two things
  ///           .80: another training writes into one of them
  Records(const RecordFiles& files, bool go_on, Console& console, Signals* signals = nullptr);

  /// The timeline of the training. This object outlives the training.
  Timeline& timeline() { return timeline_; }

  /// The training continues after this step: lines of later steps are removed, as these steps will be logged again.
  void resumed(std::uint32_t step);
  void step(const train::StepReport& report);
  /// Precision, recall and F1 of all types, and F1 of each.
  void evaluation(std::uint32_t step, const score::Scores& dev);
  void evaluation(std::uint32_t step, const task::ClassScores& dev);
  /// The options of the training; call it once, before the first step.
  void settings(const checkpoint::Config& about);
  /// Writes everything recorded so far to the files; called before the state of a training is written.
  void flush();
  /// The training is over; finished: it was not stopped.
  void end(bool finished);

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double point_seconds = 0.1;  // between two points of TensorBoard's
  static constexpr double flush_seconds = 1;
  static constexpr std::size_t trace_intervals = std::size_t{1} << 18;  // per thread

  void log(const train::StepReport& report);
  void point(const train::StepReport& report);

  RecordFiles files_;
  Signals* signals_;
  std::optional<TrainingLock> trace_lock_, events_lock_;
  FileLock steps_lock_;
  Console& console_;
  Timeline timeline_;
  GrowingFile events_, steps_;
  std::string line_;
  // since the last point
  ActivitySeconds spent_;
  std::uint64_t tokens_ = 0;
  double seconds_ = 0;
  Clock::time_point flushed_ = Clock::now();
  bool begun_ = false, ended_ = false, replaces_ = false;
};

/// {"step":1,"total_steps":90,"epoch":0,"loss":2.5,...,"spent":{"wait":0.001,...}}: all numbers of a step; `spent` has
/// the seconds that are not 0. A value that is not a number is null.
ENTRAIN_INLINE void append_step_line(std::string& line, const train::StepReport& report, const Timeline& timeline);

/// Bytes that the program has read from files and pipes so far; 0 if the system does not report it.
ENTRAIN_INLINE double bytes_read();

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/train/records.ipp"
#endif
