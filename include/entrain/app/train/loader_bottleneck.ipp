// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of loader_bottleneck.hpp.
#pragma once
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "entrain/app/train/loader_bottleneck.hpp"
#include "entrain/report/number.hpp"

namespace entrain::app {
namespace detail {

inline constexpr double noticed = 0.01;     // a smaller share is not reported
inline constexpr double gpu_is_fed = 0.05;  // a GPU may be idle for this share of its time
inline constexpr double cores_are_busy = 0.9;

inline std::string share_words(double share) { return std::string(report::Short("%.1f %%", 100 * share)); }

/// Whether the activity is work of a loader, on any thread.
inline bool is_loading(std::size_t a) {
  return (a >= static_cast<std::size_t>(Activity::read) && a <= static_cast<std::size_t>(Activity::pack)) ||
         a >= static_cast<std::size_t>(Activity::own);
}

inline void sort_causes(std::vector<Cause>& causes) {
  std::sort(causes.begin(), causes.end(), [](const Cause& a, const Cause& b) {
    return a.share != b.share ? a.share > b.share : a.activity < b.activity;
  });
}

/// `read 29.8 %, parse 1.2 %`
inline std::string listed_causes(const std::vector<Cause>& causes) {
  std::string s;
  for (const Cause& c : causes)
    if (c.share >= noticed) s.append(s.empty() ? "" : ", ").append(c.name + " " + share_words(c.share));
  return s;
}

/// The advice for a cause.
inline std::string remedy(const Cause& c, const Times& times, const LoaderFacts& facts) {
  const std::string cache = facts.cached ? "" : "keep the encoded corpus with --cache";
  const auto or_cache = [&](const std::string& text) { return cache.empty() ? text : text + ", or " + cache; };
  if (c.by_itself && facts.loader_workers < 0) return "the work is too small for another thread";
  if (c.by_itself) return "the training thread does this between its steps: raise --loader-workers (now 0)";
  if (c.activity == Activity::read) {
    const std::string rate =
        facts.bytes_per_second > 0
            ? " delivers " + std::string(report::fixed(facts.bytes_per_second / 1e6, 1).view()) + " MB/s"
            : " is too slow";
    return or_cache("the disk or the pipe" + rate + ": use a faster disk, or compress the files");
  }
  if (c.activity == Activity::shuffle) return "one thread fills the shuffle buffer: lower --shuffle-buffer";
  if (c.in_turn && c.activity == Activity::pack) return "one thread packs the batches: raise --token-budget";
  if (c.in_turn)
    return or_cache("one thread at a time runs the stage: divide it into read() and work() (batch/pipeline/stage.hpp)");
  if (times.wall > 0 && times.cpu / times.wall >= cores_are_busy * facts.cores)
    return cache.empty() ? "all cores are busy: use more cores"
                         : "all cores are busy: " + cache + ", or use more cores";
  if (facts.loader_workers < 0) return or_cache("it has as many threads as are useful: use more cores");
  return or_cache("raise --loader-workers (now " + std::to_string(facts.loader_workers) + ")");
}

}  // namespace detail

ENTRAIN_INLINE LoaderBottleneck loader_bottleneck(const Times& times) {
  LoaderBottleneck s;
  const ActivitySeconds& t = times.training;
  s.seconds = t.total() - t[Activity::evaluate] - t[Activity::save];
  if (!(s.seconds > 0)) return s;
  const double waiting = t[Activity::wait];
  const auto add = [&](std::size_t a, double share, bool in_turn, bool by_itself) {
    if (share > 0) s.causes.push_back({static_cast<Activity>(a), times.names.at(a), share, in_turn, by_itself});
  };
  s.waited = waiting / s.seconds;
  for (std::size_t a = 0; a < activities; ++a)
    if (detail::is_loading(a)) {
      add(a, t.seconds[a] / s.seconds, false, true);
      s.waited += t.seconds[a] / s.seconds;
    }

  const StageTimes* to_blame = nullptr;
  double most = 0, threads_seconds = waiting;
  bool reading = false;
  for (const StageTimes& stage : times.stages) {
    const double there = stage.in_turn_starved.total() + stage.beside_starved.total();
    if (!(waiting > 0) || !(there > 0)) continue;
    const double turns = stage.in_turn_starved.busy() / waiting;
    const double all = (stage.in_turn_starved.busy() + stage.beside_starved.busy()) / std::max(there, waiting);
    if (std::max(turns, all) <= most) continue;
    to_blame = &stage;
    reading = turns > all;
    most = std::max(turns, all);
    threads_seconds = reading ? waiting : std::max(there, waiting);
  }
  if (to_blame != nullptr)
    for (std::size_t a = 0; a < activities; ++a) {
      if (a == static_cast<std::size_t>(Activity::idle) || a == static_cast<std::size_t>(Activity::wait)) continue;
      const double scale = waiting / s.seconds / threads_seconds;
      add(a, to_blame->in_turn_starved.seconds[a] * scale, true, false);
      if (!reading) add(a, to_blame->beside_starved.seconds[a] * scale, false, false);
    }
  detail::sort_causes(s.causes);
  return s;
}

ENTRAIN_INLINE std::string verdict(const Times& times, const device::TimeSpent& gpu, const LoaderFacts& facts) {
  using detail::share_words;
  const LoaderBottleneck s = loader_bottleneck(times);
  const auto data = [&] {
    const std::string causes = detail::listed_causes(s.causes);
    double explained = 0;
    for (const Cause& c : s.causes) explained += c.share;
    return (causes.empty() ? "" : ": " + causes) + "; " +
           (explained < s.waited / 2 ? "its threads were idle, or had no free core: lower --threads"
                                     : detail::remedy(s.causes.front(), times, facts));
  };
  if (!gpu.known()) {
    if (s.waited < detail::noticed) return "training never waited for data (" + share_words(s.waited) + ")";
    return "training waited " + share_words(s.waited) + " of the time for data" + data();
  }
  const double whole = gpu.busy + gpu.idle, waited = s.waited * s.seconds;
  const std::string idle = "the GPU was idle " + share_words(gpu.idle_share()) + " of the time";
  if (gpu.idle_share() < detail::gpu_is_fed)
    return "the GPU was busy: it was idle " + share_words(gpu.idle_share()) + " of the time";
  if (gpu.copying > std::max({waited, gpu.launching, 0.9 * gpu.busy}))
    return idle + ": it waited for copies of batches (copy " + share_words(gpu.copying / whole) +
           "); keep the corpus on the GPU with batch::Resident";
  if (waited > gpu.launching) return idle + ", as training waited " + share_words(s.waited) + " for data" + data();
  return idle + ": it waited for kernel launches (launch " + share_words(gpu.launching / whole) +
         "); raise --token-budget";
}

ENTRAIN_INLINE std::vector<std::string> time_lines(const Times& times) {
  const auto line = [&](std::string name, const ActivitySeconds& seconds, const char* no_activity) {
    std::vector<Cause> parts;
    for (std::size_t a = 0; a < activities; ++a)
      if (seconds.seconds[a] > 0)
        parts.push_back(
            {static_cast<Activity>(a), a == 0 ? no_activity : times.names.at(a), seconds.seconds[a] / seconds.total()});
    detail::sort_causes(parts);
    const std::string words = detail::listed_causes(parts);
    return words.empty() ? std::string() : name + ": " + words;
  };
  std::vector<std::string> lines;
  const auto add = [&](std::string text) {
    if (!text.empty()) lines.push_back(std::move(text));
  };
  ActivitySeconds training = times.training;
  std::string meanwhile;
  for (const Activity a : {Activity::evaluate, Activity::save}) {
    const double seconds = std::exchange(training[a], 0);
    if (seconds >= 0.05)
      meanwhile += (meanwhile.empty() ? "; meanwhile " : ", ") + times.names.at(static_cast<std::size_t>(a)) + " " +
                   std::string(report::fixed(seconds, 1).view()) + " s";
  }
  add(line("train", training, "other") + meanwhile);
  for (const StageTimes& stage : times.stages) {
    ActivitySeconds all = stage.in_turn;
    all += stage.beside;
    add(line(stage.name + (stage.threads == 1 ? "" : ", " + std::to_string(stage.threads) + " threads"), all,
             "nothing"));
  }
  return lines;
}

}  // namespace entrain::app
