// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// What a training leaves for other programs: a trace of its threads, numbers for TensorBoard, a line of JSON a step.
// Nothing that nobody asked for is measured or kept.
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include "entrain/app/settings.hpp"  // RecordFiles
#include "entrain/app/talk.hpp"
#include "entrain/app/training_lock.hpp"
#include "entrain/checkpoint/config.hpp"
#include "entrain/core/activity.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_PART
#include "entrain/core/timeline.hpp"
#include "entrain/report/event.hpp"
#include "entrain/score/scores.hpp"
#include "entrain/train/fit.hpp"

namespace entrain::app {

/// A file that grows while somebody may read it. What cannot be written is said once, and no training stops for it.
class GrowingFile {
 public:
  /// Bytes are added to what is there.
  /// throws    entrain.app.38: it cannot be opened
  void open(const std::string& path);
  bool is_open() const { return file_.is_open(); }
  void write(std::string_view bytes, Talk& talk);
  void flush(Talk& talk);
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::ofstream file_;
};

class Records {
 public:
  /// go_on     lines are added to log_steps; else the first one replaces what it had
  /// signals   of the program; null if no signal is handled
  /// throws    entrain.app.38: a file or folder that cannot be made, or one file for two things
  ///           .80: another training writes into one of them
  Records(const RecordFiles& files, bool go_on, Talk& talk, Signals* signals = nullptr);

  /// Of the training, which it outlives.
  Timeline& timeline() { return timeline_; }

  /// The training goes on behind this step: steps that were logged after it will come again.
  void resumed(std::uint32_t step);
  void step(const train::StepReport& report);
  /// Precision, recall and F1 of all types, and F1 of each.
  void evaluation(std::uint32_t step, const score::Scores& dev);
  /// What the training was told, once, before its first step.
  void settings(const checkpoint::Config& about);
  /// All that was told is in the files, before the state of a training is.
  void flush();
  /// The training is over; finished: else it was stopped.
  void end(bool finished);

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double point_seconds = 0.1;  // between two points of TensorBoard's
  static constexpr double flush_seconds = 1;
  static constexpr std::size_t trace_intervals = std::size_t{1} << 18;  // of a thread

  void log(const train::StepReport& report);
  void point(const train::StepReport& report);

  RecordFiles files_;
  Signals* signals_;
  std::optional<TrainingLock> trace_lock_, events_lock_;
  FileLock steps_lock_;
  Talk& talk_;
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

/// {"step":1,"total_steps":90,"epoch":0,"loss":2.5,...,"spent":{"wait":0.001,...}}: all numbers of a step; of `spent`
/// the seconds that are not 0. A number that is none is null.
ENTRAIN_PART void append_step_line(std::string& line, const train::StepReport& report, const Timeline& timeline);

/// Bytes that the program has read from files and pipes so far; 0 where the system does not say.
ENTRAIN_PART double bytes_read();

}  // namespace entrain::app

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/app/records.ipp"
#endif
