// [core] > device, precision > tensor > kernel > layer
//
// What each thread of a training does, and for how long. A thread records when it begins another activity, and any
// thread may read the sums at the same time. No thread waits for another one, and a thread without a timeline pays only
// a branch. Read activity.hpp first.
#pragma once
#include <time.h>  // CPU time of the process

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/core/activity.hpp"

namespace entrain {

class Timeline;

/// The record of one thread, which does one thing at a time: beginning an activity ends the one before.
class Lane {
 public:
  /// Nanoseconds of a clock that all records share.
  using Ticks = std::int64_t;
  struct Interval {
    Ticks begin, end;
    Activity activity;
  };

  Lane(Timeline& of, std::size_t stage, int number, std::size_t most)
      : of_(of),
        stage_(stage),
        number_(number),
        most_(most),
        kept_(std::make_unique_for_overwrite<Interval[]>(most)),
        since_(now()) {}

  /// Called only by the thread that this records. Returns what it did before.
  Activity begin(Activity activity) noexcept {
    const std::size_t was = state_.load(std::memory_order_relaxed);
    if (was != state(activity)) turn_to(state(activity));
    return static_cast<Activity>(was % activities);
  }
  /// From now on the thread does work that its stage does one thread at a time, or no longer does.
  void in_turn(bool yes) noexcept { in_turn_ = yes; }
  /// The thread has ended.
  void end() noexcept { turn_to(over); }

  /// The number of an activity's name; the name must live as long as the timeline.
  Activity named(std::string_view name) noexcept;

  // called by any thread

  std::size_t stage() const { return stage_; }
  int number() const { return number_; }  // from 1, among the stage's
  /// The intervals kept for a trace, in order, none overlapping. Only the first `most` are kept; later ones are
  /// counted.
  std::span<const Interval> intervals() const { return {kept_.get(), count_.load(std::memory_order_acquire)}; }
  std::size_t left_out() const { return left_out_.load(std::memory_order_relaxed); }

 private:
  friend class Timeline;
  static constexpr std::size_t over = 2 * activities, states = over + 1;  // concurrent, in turn, ended
  using Sums = std::array<Ticks, states>;

  static Ticks now() noexcept {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }
  std::size_t state(Activity activity) const noexcept {
    return static_cast<std::size_t>(activity) + (in_turn_ ? activities : 0);
  }

  void turn_to(std::size_t next) noexcept {
    const std::size_t was = state_.load(std::memory_order_relaxed);
    const Ticks begun = since_.load(std::memory_order_relaxed), end = now();
    const std::uint32_t v = version_.load(std::memory_order_relaxed);
    version_.store(v + 1, std::memory_order_relaxed);  // a thread that sees a later store sees this one too
    sums_[was].store(sums_[was].load(std::memory_order_relaxed) + end - begun, std::memory_order_release);
    state_.store(next, std::memory_order_release);
    since_.store(end, std::memory_order_release);
    version_.store(v + 2, std::memory_order_release);
    if (most_ > 0 && was % activities != 0) keep({begun, end, static_cast<Activity>(was % activities)});
  }
  void keep(const Interval& interval) noexcept {
    const std::size_t at = count_.load(std::memory_order_relaxed);
    if (at == most_) return left_out_.store(left_out() + 1, std::memory_order_relaxed);
    kept_[at] = interval;
    count_.store(at + 1, std::memory_order_release);
  }

  /// When the thread ended; the largest number if it still runs.
  Ticks over_since() const noexcept {
    return state_.load(std::memory_order_acquire) == over ? since_.load(std::memory_order_acquire)
                                                          : std::numeric_limits<Ticks>::max();
  }
  /// The sums until `time`, with the activity that still runs.
  Sums sums(Ticks time) const noexcept {
    Sums sums;
    for (;;) {
      const std::uint32_t before = version_.load(std::memory_order_acquire);
      for (std::size_t s = 0; s < states; ++s) sums[s] = sums_[s].load(std::memory_order_acquire);
      const std::size_t doing = state_.load(std::memory_order_acquire);
      const Ticks since = since_.load(std::memory_order_acquire);
      if (before % 2 == 1 || version_.load(std::memory_order_relaxed) != before) continue;
      sums[doing] += std::max<Ticks>(time - since, 0);
      return sums;
    }
  }

  Timeline& of_;
  std::size_t stage_;
  int number_;
  std::size_t most_;
  std::unique_ptr<Interval[]> kept_;
  bool in_turn_ = false;
  std::atomic<std::uint32_t> version_{0};  // odd: a write is in progress
  std::atomic<std::size_t> state_{0};
  std::atomic<Ticks> since_;
  std::array<std::atomic<Ticks>, states> sums_{};
  std::atomic<std::size_t> count_{0}, left_out_{0};
  Sums before_{}, starved_{};  // at the last starving(true); while it was true. Only the training thread uses them
};

/// During its lifetime the thread does this activity; after that, what it did before. lane: may be null.
class Doing {
 public:
  Doing(Lane* lane, Activity activity) noexcept
      : lane_(lane), before_(lane != nullptr ? lane->begin(activity) : Activity::idle) {}
  Doing(const Doing&) = delete;
  Doing& operator=(const Doing&) = delete;
  ~Doing() {
    if (lane_ != nullptr) lane_->begin(before_);
  }

 private:
  Lane* lane_;
  Activity before_;
};

/// During its lifetime the thread does work that its stage does one thread at a time. lane: may be null.
class InTurnOnly {
 public:
  explicit InTurnOnly(Lane* lane) noexcept : lane_(lane) {
    if (lane_ != nullptr) lane_->in_turn(true);
  }
  InTurnOnly(const InTurnOnly&) = delete;
  InTurnOnly& operator=(const InTurnOnly&) = delete;
  ~InTurnOnly() {
    if (lane_ != nullptr) lane_->in_turn(false);
  }

 private:
  Lane* lane_;
};

/// The records of all threads of a training. It must outlive the threads' use of them.
class Timeline {
 public:
  /// intervals   how many of each thread are kept for a trace
  explicit Timeline(std::size_t intervals = 0) : most_(intervals), begun_(Lane::now()) { stages_.push_back("train"); }
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;

  static constexpr std::size_t training = 0;  // the stage of the training thread

  /// A stage of the loader; all its threads do the same work.
  std::size_t stage(std::string_view name) {
    const std::lock_guard lock(mutex_);
    stages_.emplace_back(name);
    return stages_.size() - 1;
  }
  /// The record of one more thread.
  Lane& lane(std::size_t stage) {
    const std::lock_guard lock(mutex_);
    if (stage == training && begun_cpu_ < 0) trains_since_ = Lane::now(), begun_cpu_ = cpu_seconds();
    const auto before = std::count_if(lanes_.begin(), lanes_.end(), [&](auto& l) { return l->stage() == stage; });
    return *lanes_.emplace_back(std::make_unique<Lane>(*this, stage, static_cast<int>(before) + 1, most_));
  }

  /// The sum over all threads so far: what the training thread did, and what the others did without idle and waiting
  /// time.
  ActivitySeconds spent() {
    ActivitySeconds all;
    each([&](Lane& lane, Lane::Ticks time) {
      const Lane::Sums s = lane.sums(time);
      ActivitySeconds its = of(s, 0);
      its += of(s, activities);
      if (lane.stage() != training) its[Activity::idle] = its[Activity::wait] = 0;
      all += its;
    });
    return all;
  }
  /// From now on the training waits for a batch, or no longer waits.
  void starving(bool yes) {
    each([&](Lane& lane, Lane::Ticks time) {
      const Lane::Sums s = lane.sums(time);
      for (std::size_t i = 0; !yes && i < s.size(); ++i) lane.starved_[i] += s[i] - lane.before_[i];
      lane.before_ = s;
    });
  }
  /// Called by the training thread, or after it ended. Threads that ended before the training began are left out.
  Times times() {
    Times t;
    t.names.assign(activity_names.begin(), activity_names.end());
    for (std::size_t own = 0; own < owned_.load(std::memory_order_acquire); ++own) t.names.emplace_back(own_[own]);
    t.stages.resize(stages() - 1);
    if (begun_cpu_ >= 0) {
      t.wall = static_cast<double>(Lane::now() - trains_since_) / 1e9;
      t.cpu = cpu_seconds() - begun_cpu_;
    }
    each([&](Lane& lane, Lane::Ticks time) {
      if (lane.over_since() < trains_since_) return;
      const Lane::Sums s = lane.sums(time);
      if (lane.stage() == training) {
        t.training += of(s, 0);
        return;
      }
      StageTimes& stage = t.stages[lane.stage() - 1];
      stage.name = stages_[lane.stage()];
      ++stage.threads;
      stage.beside += of(s, 0);
      stage.in_turn += of(s, activities);
      stage.beside_starved += of(lane.starved_, 0);
      stage.in_turn_starved += of(lane.starved_, activities);
    });
    std::erase_if(t.stages, [](const StageTimes& s) { return s.threads == 0; });
    return t;
  }

  /// f(name, lane) for each thread, for a trace.
  template <class F> void each_lane(F&& f) {
    each([&](const Lane& lane, Lane::Ticks) { f(stages_[lane.stage()] + " " + std::to_string(lane.number()), lane); });
  }
  Lane::Ticks begun() const { return begun_; }

  std::string_view name(std::size_t activity) const noexcept {
    if (activity < activity_names.size()) return activity_names[activity];
    const std::size_t own = activity - activity_names.size();
    return own < owned_.load(std::memory_order_acquire) ? own_[own] : std::string_view();
  }
  Activity named(std::string_view name) noexcept {
    for (std::size_t a = 0; a < activity_names.size(); ++a)
      if (activity_names[a] == name) return static_cast<Activity>(a);
    const std::size_t known = owned_.load(std::memory_order_acquire);
    for (std::size_t own = 0; own < known; ++own)
      if (own_[own] == name) return static_cast<Activity>(activity_names.size() + own);
    const std::lock_guard lock(mutex_);
    const std::size_t at = owned_.load(std::memory_order_relaxed);
    for (std::size_t own = known; own < at; ++own)
      if (own_[own] == name) return static_cast<Activity>(activity_names.size() + own);
    if (at == own_.size()) return Activity::map;
    own_[at] = name;
    owned_.store(at + 1, std::memory_order_release);
    return static_cast<Activity>(activity_names.size() + at);
  }

 private:
  static ActivitySeconds of(const Lane::Sums& sums, std::size_t from) {
    ActivitySeconds s;
    for (std::size_t a = 0; a < activities; ++a) s.seconds[a] = static_cast<double>(sums[from + a]) / 1e9;
    return s;
  }
  static double cpu_seconds() {
    timespec t{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
  }
  void each(auto&& f) {
    const std::lock_guard lock(mutex_);
    const Lane::Ticks time = Lane::now();
    for (auto& lane : lanes_) f(*lane, time);
  }
  std::size_t stages() {
    const std::lock_guard lock(mutex_);
    return stages_.size();
  }

  std::size_t most_;
  Lane::Ticks begun_, trains_since_ = 0;
  double begun_cpu_ = -1;  // CPU seconds of the program when training began
  std::mutex mutex_;       // for the lists; not taken where work is done
  std::vector<std::string> stages_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::array<std::string_view, activities - activity_names.size()> own_;
  std::atomic<std::size_t> owned_{0};
};

/// The record of the current thread, during its lifetime; null without a timeline.
class OnLane {
 public:
  OnLane(Timeline* timeline, std::size_t stage) : lane_(timeline != nullptr ? &timeline->lane(stage) : nullptr) {}
  OnLane(const OnLane&) = delete;
  OnLane& operator=(const OnLane&) = delete;
  ~OnLane() {
    if (lane_ != nullptr) lane_->end();
  }
  operator Lane*() const { return lane_; }
  Lane* operator->() const { return lane_; }

 private:
  Lane* lane_;
};

inline Activity Lane::named(std::string_view name) noexcept { return of_.named(name); }

}  // namespace entrain
