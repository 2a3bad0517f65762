// [core] > device, precision > tensor > kernel > layer
//
// What a thread of a training may be doing, by name, and seconds by activity: plain values. timeline.hpp measures them.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace entrain {

/// Activities without a name here get a number from `own` on (Timeline::named).
enum class Activity : std::uint8_t {
  idle,      // nothing to do
  wait,      // for what other threads produce
  read,      // bytes of files and pipes
  parse,     // bytes into sentences
  tokenise,  // text into numbers
  map,       // a user's stage without a name
  shuffle,
  pack,     // sentences into a batch
  copy,     // to a GPU
  launch,   // queueing work on a GPU
  compute,  // gradients
  update,   // of values from gradients
  evaluate,
  save,
  own,
};
inline constexpr std::size_t activities = 24;  // including those that Timeline::named adds

inline constexpr std::array<std::string_view, static_cast<std::size_t>(Activity::own)> activity_names{
    "idle", "wait", "read",   "parse",   "tokenise", "map",      "shuffle",
    "pack", "copy", "launch", "compute", "update",   "evaluate", "save"};

/// Seconds by activity.
struct ActivitySeconds {
  std::array<double, activities> seconds{};

  double& operator[](Activity a) { return seconds[static_cast<std::size_t>(a)]; }
  double operator[](Activity a) const { return seconds[static_cast<std::size_t>(a)]; }
  ActivitySeconds& operator+=(const ActivitySeconds& more) {
    for (std::size_t a = 0; a < activities; ++a) seconds[a] += more.seconds[a];
    return *this;
  }
  friend ActivitySeconds operator-(ActivitySeconds a, const ActivitySeconds& b) {
    for (std::size_t i = 0; i < activities; ++i) a.seconds[i] -= b.seconds[i];
    return a;
  }
  double total() const {
    double sum = 0;
    for (const double s : seconds) sum += s;
    return sum;
  }
  /// Without idle and waiting time.
  double busy() const { return total() - (*this)[Activity::idle] - (*this)[Activity::wait]; }
};

/// What the threads of one stage did. in_turn: one thread at a time; `beside`: several threads at the same time.
/// starved: while the training waited.
struct StageTimes {
  std::string name;
  int threads = 0;  // the most at the same time
  ActivitySeconds in_turn, beside, in_turn_starved, beside_starved;
};

/// What all threads of a training did.
struct Times {
  ActivitySeconds training;  // of the training thread
  double wall = 0, cpu = 0;  // seconds since training began, and CPU seconds of the whole program since then
  std::vector<StageTimes> stages;
  std::vector<std::string> names;  // of activities by their numbers; those that Timeline::named added come last
};

}  // namespace entrain
