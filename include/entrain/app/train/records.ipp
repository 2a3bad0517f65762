// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of records.hpp.
#pragma once
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "entrain/app/console/format_number.hpp"
#include "entrain/app/options/wrong_usage.hpp"
#include "entrain/app/output/system_with_signals.hpp"
#include "entrain/app/train/records.hpp"
#include "entrain/checkpoint/atomic_file.hpp"
#include "entrain/report/hyper_parameters.hpp"
#include "entrain/report/trace.hpp"
#include "entrain/text/corpus/excerpt.hpp"

namespace entrain::app {
namespace detail {

inline std::string errno_words() { return checkpoint::detail::system_words(errno); }

inline void append(std::string& line, const char* name, double value) {
  line.append(line.ends_with('{') ? "\"" : ",\"").append(name).append("\":");
  if (!std::isfinite(value)) {
    line += "null";
    return;
  }
  char text[32];
  line.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

inline double now_seconds() {
  timespec t{};
  ::clock_gettime(CLOCK_REALTIME, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}

inline void make_folder_of_events(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error("entrain.app.38", "--tensorboard " + folder, "cannot be created: " + error.message());
}

/// A name that TensorBoard looks for; the first that does not exist.
inline std::string event_file(const std::string& folder) {
  std::error_code error;
  const std::string path = folder + "/events.out.tfevents." + std::to_string(std::time(nullptr)) + ".entrain." +
                           std::to_string(::getpid()) + ".";
  for (int n = 0;; ++n)
    if (!std::filesystem::exists(path + std::to_string(n), error)) return path + std::to_string(n);
}

/// The lines of a log up to a step, only whole ones: their bytes, and the last of these steps.
struct LoggedSteps {
  std::uintmax_t bytes = 0;
  std::uint32_t last = 0;
};
inline LoggedSteps steps_up_to(std::uint32_t step, const std::string& path) {
  constexpr std::string_view head = "{\"step\":";
  std::ifstream file(path, std::ios::binary);
  LoggedSteps logged;
  for (std::string line; std::getline(file, line) && !file.eof(); logged.bytes += line.size() + 1) {
    std::uint32_t number = 0;
    if (line.starts_with(head)) std::from_chars(line.data() + head.size(), line.data() + line.size(), number);
    if (number > step) break;
    logged.last = std::max(logged.last, number);
  }
  return logged;
}

inline void refuse_one_file_for_two(const RecordFiles& files) {
  if (!files.trace.empty() && files.trace == files.log_steps)
    throw WrongUsage("entrain.app.38", "--trace " + files.trace, "the file of --log-steps", "a file of its own");
  for (const auto& [option, path] : {std::pair{"--trace", &files.trace}, std::pair{"--log-steps", &files.log_steps}})
    if (*path == "-")
      throw WrongUsage("entrain.app.38", option + std::string(" -"), "standard output, which is for scores",
                       "a file to write");
}

}  // namespace detail

ENTRAIN_INLINE void GrowingFile::open(const std::string& path) {
  path_ = path;
  file_.open(path, std::ios::binary | std::ios::app);
  if (!file_) throw Error("entrain.app.38", path, "cannot be opened: " + detail::errno_words(), "a file to write");
}
ENTRAIN_INLINE void GrowingFile::write(std::string_view bytes, Console& console) {
  if (!is_open()) return;
  file_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file_) flush(console);
}
ENTRAIN_INLINE void GrowingFile::flush(Console& console) {
  if (!is_open() || file_.flush()) return;
  console.fail(path_ + ": cannot be written: " + detail::errno_words() + "; training continues without it");
  file_.close();
}

ENTRAIN_INLINE Records::Records(const RecordFiles& files, bool go_on, Console& console, Signals* signals)
    : files_(files),
      signals_(signals),
      console_(console),
      timeline_(files.trace.empty() ? 0 : trace_intervals),
      replaces_(!go_on) {
  detail::refuse_one_file_for_two(files);
  if (!files.trace.empty()) {
    checkpoint::AtomicFile(files.trace, SystemWithSignals<checkpoint::Posix>(signals_));  // checks that it is writable
    trace_lock_.emplace(files.trace + ".lock", "--trace " + files.trace, "name another file", signals_);
  }
  if (!files.log_steps.empty()) {
    steps_.open(files.log_steps);
    steps_lock_.take(files.log_steps, "--log-steps " + files.log_steps);
  }
  if (files.tensorboard.empty()) return;
  detail::make_folder_of_events(files.tensorboard);
  events_lock_.emplace(files.tensorboard + "/tensorboard.lock", "--tensorboard " + files.tensorboard,
                       "name another folder", signals_);
  events_.open(detail::event_file(files.tensorboard));
  events_.write(report::Event::version(detail::now_seconds()).record(), console_);
  events_.flush(console_);
}

ENTRAIN_INLINE void Records::resumed(std::uint32_t step) {
  if (!steps_.is_open()) return;
  std::error_code error;
  if (!std::filesystem::is_regular_file(steps_.path(), error)) return;
  const detail::LoggedSteps logged = detail::steps_up_to(step, steps_.path());
  if (logged.last < step)
    console_.warn(steps_.path() + ": has no lines for steps " + grouped(std::int64_t{logged.last} + 1) + " to " +
                  grouped(std::int64_t{step}) + ", which ran before");
  std::filesystem::resize_file(steps_.path(), logged.bytes, error);
  if (error)
    console_.fail(steps_.path() + ": cannot be cut to step " + grouped(std::int64_t{step}) + ": " + error.message());
}

ENTRAIN_INLINE void Records::step(const train::StepReport& report) {
  log(report);
  if (!std::exchange(begun_, true) && report.step > 1) {  // a resumed training: its last step took an unknown time
    seconds_ = report.seconds;
    tokens_ = report.tokens;
    return;
  }
  spent_ += report.spent;
  if (report.seconds - seconds_ >= point_seconds || report.step == report.total_steps) point(report);
  if (std::chrono::duration<double>(Clock::now() - flushed_).count() >= flush_seconds) flush();
}

ENTRAIN_INLINE void Records::log(const train::StepReport& report) {
  if (!steps_.is_open()) return;
  if (std::exchange(replaces_, false)) {
    std::error_code ignored;  // fails for a device or a pipe
    std::filesystem::resize_file(steps_.path(), 0, ignored);
  }
  line_.clear();
  append_step_line(line_, report, timeline_);
  steps_.write(line_, console_);
}

/// What was measured since the last point, as shares of the training's time; for threads that work at the same time,
/// the sum.
ENTRAIN_INLINE void Records::point(const train::StepReport& report) {
  const double passed = report.seconds - seconds_;
  if (events_.is_open()) {
    report::Event event(detail::now_seconds(), report.step);
    event.scalar("train/loss", report.loss);
    event.scalar("train/learning_rate", report.learning_rate);
    event.scalar("train/grad_norm", report.grad_norm);
    event.scalar("train/epoch", report.epoch + 1);
    if (report.loss_scale != 1) event.scalar("train/loss_scale", report.loss_scale);
    if (report.skipped_steps > 0) event.scalar("train/skipped_steps", report.skipped_steps);
    if (passed > 0) {
      event.scalar("speed/tokens_per_second", static_cast<double>(report.tokens - tokens_) / passed);
      for (std::size_t a = 1; a < activities; ++a) {
        const bool within =
            a != static_cast<std::size_t>(Activity::evaluate) && a != static_cast<std::size_t>(Activity::save);
        if (within && spent_.seconds[a] > 0)
          event.scalar("time/" + std::string(timeline_.name(a)), spent_.seconds[a] / passed);
      }
    }
    if (report.device.known()) event.scalar("time/gpu_idle", report.device.idle_share());
    events_.write(event.record(), console_);
  }
  spent_ = {};
  seconds_ = report.seconds;
  tokens_ = report.tokens;
}

ENTRAIN_INLINE void Records::settings(const checkpoint::Config& about) {
  if (!events_.is_open()) return;
  std::vector<report::HyperParameter> all;
  for (const auto& [name, number] : about.numbers)
    all.push_back({name, std::visit([](auto n) { return static_cast<double>(n); }, number)});
  for (const auto& [name, words] : about.strings) all.push_back({name, text::excerpt(words, std::string_view::npos)});
  events_.write(report::training_started(detail::now_seconds(), std::move(all)).record(), console_);
  flush();
}

ENTRAIN_INLINE void Records::evaluation(std::uint32_t step, const score::Scores& dev) {
  if (events_.is_open()) {
    report::Event event(detail::now_seconds(), step);
    const score::PrecisionRecallF1 all = dev.strict.micro().figures();
    event.scalar("dev/f1", all.f1);
    event.scalar("dev/precision", all.precision);
    event.scalar("dev/recall", all.recall);
    for (const std::int32_t type : dev.order()) {
      const std::string& name = dev.types.name(type);
      event.scalar("dev_f1/" + (name.empty() ? "_" : text::excerpt(name, std::string_view::npos)),
                   dev.strict.of(type).figures().f1);
    }
    events_.write(event.record(), console_);
  }
  flush();
}

ENTRAIN_INLINE void Records::evaluation(std::uint32_t step, const task::ClassScores& dev) {
  if (events_.is_open()) {
    report::Event event(detail::now_seconds(), step);
    event.scalar("dev/accuracy", dev.accuracy());
    event.scalar("dev/macro_f1", dev.macro_f1());
    event.scalar("dev/micro_f1", dev.micro().f1());
    events_.write(event.record(), console_);
  }
  flush();
}

ENTRAIN_INLINE void Records::flush() {
  flushed_ = Clock::now();
  events_.flush(console_);
  steps_.flush(console_);
}

ENTRAIN_INLINE void Records::end(bool finished) {
  if (std::exchange(ended_, true)) return;
  if (events_.is_open()) events_.write(report::training_ended(detail::now_seconds(), finished).record(), console_);
  flush();
  if (files_.trace.empty()) return;
  try {
    checkpoint::AtomicFile file(files_.trace, SystemWithSignals<checkpoint::Posix>(signals_));
    const auto counts = report::write_trace(timeline_, "entrain", [&](std::string_view piece) { file.write(piece); });
    file.commit();
    console_.fact("trace", files_.trace + ": " + counted(counts.written, "interval", "intervals") +
                               (counts.left_out > 0 ? ", " + grouped(counts.left_out) + " later ones dropped" : "") +
                               "; open it with ui.perfetto.dev");
  } catch (const Error& e) {
    console_.fail(e.what());
  }
}

ENTRAIN_INLINE void append_step_line(std::string& line, const train::StepReport& r, const Timeline& timeline) {
  using detail::append;
  line += '{';
  append(line, "step", r.step);
  append(line, "total_steps", r.total_steps);
  append(line, "epoch", r.epoch);
  append(line, "loss", r.loss);
  append(line, "learning_rate", r.learning_rate);
  append(line, "grad_norm", r.grad_norm);
  append(line, "tokens", static_cast<double>(r.tokens));
  append(line, "seconds", r.seconds);
  append(line, "loss_scale", r.loss_scale);
  append(line, "skipped_steps", r.skipped_steps);
  if (r.device.known()) {
    line += ",\"gpu\":{";
    append(line, "busy", r.device.busy);
    append(line, "idle", r.device.idle);
    append(line, "copying", r.device.copying);
    append(line, "launching", r.device.launching);
    line += '}';
  }
  line += ",\"spent\":{";
  for (std::size_t a = 1; a < activities; ++a)
    if (r.spent.seconds[a] > 0)
      append(line, report::detail::json_escaped(timeline.name(a)).c_str(), r.spent.seconds[a]);
  line += "}}\n";
}

ENTRAIN_INLINE double bytes_read() {
  std::ifstream file("/proc/self/io");
  std::string name;
  for (double bytes = 0; file >> name >> bytes;)
    if (name == "rchar:") return bytes;
  return 0;
}

}  // namespace entrain::app
