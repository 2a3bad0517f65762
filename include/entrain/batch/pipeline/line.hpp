// text > [batch] > embed > encode > head > optim > checkpoint
//
// The state that the threads of Workers share: the stage that they read, and the line of items that were begun and not
// taken. This file is the side of the threads; workers.hpp is the side of the consumer.
#pragma once
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "entrain/batch/pipeline/cost.hpp"
#include "entrain/batch/pipeline/stage.hpp"
#include "entrain/batch/pipeline/tuning.hpp"

namespace entrain::batch {

/// Measurements of a stage so far. Times are seconds, of all threads together; estimated if items are so cheap that not
/// each of them is measured.
struct WorkersMeasured {
  int threads = 0;             // that may read and work now; 0: the consumer makes the items
  int most_threads = 0;        // the most that were allowed at once
  int depth = 0;               // items that may be begun before they are taken
  std::uint64_t items = 0;     // taken
  Cost cost;                   // of items
  double waited_for_item = 0;  // by the consumer; time in which it makes items itself is in `cost` alone
  double waited_for_room = 0;  // by threads: they are as far ahead as allowed
  double waited_for_turn = 0;  // by threads: another one read, or there was nothing to read
};

/// From: Divided. All members after `mutex` are changed only by the thread that holds it.
template <class From> class Line {
 public:
  using Raw = typename From::Raw;
  using Item = typename From::Item;
  using Tool = decltype(std::declval<From&>().work());

  struct Place {
    Raw raw{};
    Item item{};
    typename From::Cursor before{};
    std::exception_ptr error;
    bool ready = false;
    double weight = 0;  // items that this measurement counts for; 0: not measured
    Cost cost;
    // For an item of many samples.
    int samples = 0;            // 0: not such an item, or not known yet
    int hands = 0;              // threads at work on it
    int failed = 0;             // the sample that `error` is of
    bool open = false;          // some samples were not begun, as far as is known
    std::atomic<int> begun{0};  // the next sample
  };

  Line(From stage, int workers, int most_items)
      : from(std::move(stage)), threads(workers), depth(most_items), line_(static_cast<std::size_t>(most_items)) {
    places_.reserve(line_.size());
    free_.reserve(line_.size());
  }

  // --- For the consumer.

  Place& here() { return *at(taken); }
  int room_left() const { return depth - static_cast<int>(read - taken); }
  int most() const { return static_cast<int>(line_.size()); }
  bool next_is_there() { return taken < read ? here().ready : over || (threads == 0 && !reading); }
  /// Removes the first item from the line.
  void take() {
    free_.push_back(&here());
    ++taken;
  }
  /// Makes as many places as may be in use.
  void make_room() {
    while (static_cast<int>(places_.size()) < depth) {
      places_.push_back(std::make_unique<Place>());
      free_.push_back(places_.back().get());
    }
  }
  /// Ends the epoch: no further item or sample is begun.
  void drop() {
    over = dropped = true;
    for (std::uint64_t i = taken; i < read; ++i) at(i)->begun = at(i)->samples;
  }
  enum class Wants { nothing, item, anything };
  template <class Ready> void wait_for(Wants what, std::unique_lock<std::mutex>& lock, Ready ready) {
    wants_ = what;
    done_.wait(lock, ready);
    wants_ = Wants::nothing;
  }

  /// Counts the waiting of threads until now.
  void count_rest() {
    const double now = seconds_now(), since = now - std::exchange(rested_, now);
    measured.waited_for_room += full_ * since;
    measured.waited_for_turn += (resting - full_) * since;
  }
  /// Items that the measurement of the next one counts for; 0: it is not measured. Except for the first items, a thread
  /// is measured at most once in 400 microseconds of work; a measurement is one percent of that.
  double weight() {
    if (++unmeasured_ <= skipped) return 0;
    return static_cast<double>(std::exchange(unmeasured_, 0));
  }
  void measure(Cost cost, double items) {
    tuning.item(cost);
    skipped = tuning.knows_items() ? static_cast<int>(std::min(4096.0, 400e-6 / std::max(tuning.cost(), 1e-9))) : 0;
    measured.cost += cost * items;
  }

  // --- For a thread.

  /// Runs until `stop`. me: its number; threads from `threads` on are parked. lane: of this thread; null without a
  /// timeline. An exception that is not kept for the consumer must not leave this function: it would end the program.
  void work(int me, Lane* lane) noexcept {
    std::optional<Tool> tool;
    const RunDelay delay;
    std::unique_lock lock(mutex);
    while (!stop) {
      if (me >= threads) {
        if (lane) lane->end();
        parked.wait(lock, [&] { return stop || me < threads; });
        if (lane) lane->begin(Activity::idle);
      } else if (may_read()) {
        read_one(tool, lane, delay, lock);
      } else if (Place* place = tool || !reading ? with_samples() : nullptr) {
        help(tool, *place, lane, delay, lock);
      } else {
        const bool full = room_left() <= 0;
        count_rest();
        ++resting;
        full_ += full;
        room.wait(lock);
        count_rest();
        --resting;
        full_ -= full;
      }
    }
    if (lane) lane->end();
  }

  From from;
  std::mutex mutex;
  std::condition_variable room, parked;  // for threads at work; for the others
  int threads;
  int depth;                          // items that may be begun before they are taken
  std::uint64_t read = 0, taken = 0;  // items, of all epochs
  int busy = 0, resting = 0;          // threads at work; threads that wait for room
  bool reading = false, stop = false;
  bool over = true;      // the epoch has ended; no more reads
  bool dropped = false;  // the items in the line are not needed
  bool guesses = false;  // the cost of the first item, while it is made
  bool guessed = false;
  int item_samples = 1;  // of an item that threads share
  int skipped = 0;       // items between two that are measured
  Tuning tuning;
  WorkersMeasured measured;
  Timeline* timeline = nullptr;  // if it measures the threads, under this stage
  std::size_t timeline_stage = 0;

 private:
  static constexpr bool divisible = divides<Tool, Raw, Item>();

  Place*& at(std::uint64_t number) { return line_[number % line_.size()]; }
  bool may_read() const { return !over && !reading && room_left() > 0; }
  /// Wakes the consumer, if it waits for what just happened.
  void tell() {
    if (wants_ == Wants::anything || (wants_ == Wants::item && (guessed || next_is_there()))) done_.notify_one();
  }
  void wake_another() {
    if (resting > 0) room.notify_one();
  }

  void read_one(std::optional<Tool>& tool, Lane* lane, const RunDelay& delay, std::unique_lock<std::mutex>& lock) {
    Place& place = *free_.back();
    free_.pop_back();
    place.ready = false;
    place.error = nullptr;
    place.samples = place.begun = 0;
    place.weight = weight();
    place.cost = {};
    reading = true;
    ++busy;
    lock.unlock();
    bool more = true;
    try {
      if (!tool) tool.emplace(from.work());
      place.before = from.cursor();
    } catch (...) {
      place.error = std::current_exception();
    }
    Stopwatch watch(place.weight > 0 ? &delay : nullptr);
    if (!place.error) more = read_into(place, lane);
    watch.has_read();
    watch.pause();
    lock.lock();
    reading = false;
    if (more && !over) {
      at(read++) = &place;
      over = place.ready = place.error != nullptr;
      tell();
      if (!over) {
        // The reader of cheap items is back before another thread has woken.
        if (may_read() && (!tuning.knows_items() || tuning.work() > Tuning::hand_over)) wake_another();
        make(*tool, place, watch, lane, lock);
      }
    } else {  // there are no more, or they are not needed
      free_.push_back(&place);
      over = true;
    }
    --busy;
    tell();
  }

  bool read_into(Place& place, Lane* lane) {
    try {
      const InTurnOnly turn(lane);
      return read_from(from, place.raw, lane);
    } catch (...) {
      place.error = std::current_exception();
      return true;
    }
  }

  /// Makes an item from what was read.
  void make(Tool& tool, Place& place, Stopwatch& watch, Lane* lane, std::unique_lock<std::mutex>& lock) {
    place.hands = 1;
    lock.unlock();
    watch.go_on();
    int samples = 0;
    try {
      if constexpr (divisible)
        samples = begin_by<From>(tool, place.raw, place.item, lane);
      else
        work_by<From>(tool, place.raw, place.item, lane);
    } catch (...) {
      place.error = std::current_exception();
    }
    if (samples > 0) {
      watch.pause();
      lock.lock();
      place.samples = place.failed = item_samples = samples;
      place.begun = dropped ? samples : 0;
      ++open_;
      place.open = true;
      if (samples > 1) wake_another();
      lock.unlock();
      watch.go_on();
      make_samples(tool, place, watch, lane, lock);
    } else {
      leave(place, watch, lock);
    }
  }
  /// Helps with another thread's item. A thread that has no tool yet makes one first, while no thread reads.
  void help(std::optional<Tool>& tool, Place& place, Lane* lane, const RunDelay& delay,
            std::unique_lock<std::mutex>& lock) {
    ++busy;
    ++place.hands;
    if (place.begun + 1 < place.samples) wake_another();
    const bool asks = !tool;
    reading = reading || asks;
    lock.unlock();
    try {
      if (asks) tool.emplace(from.work());
    } catch (...) {  // then the next reader reports it
    }
    if (asks) {
      lock.lock();
      reading = false;
      wake_another();
      tell();
      lock.unlock();
    }
    const Stopwatch watch(place.weight > 0 ? &delay : nullptr);
    if (tool) {
      make_samples(*tool, place, watch, lane, lock);
    } else {
      leave(place, watch, lock);
    }
    --busy;
    tell();
  }
  /// Makes samples of an item in the line, while there are some that no thread has begun.
  void make_samples(Tool& tool, Place& place, const Stopwatch& watch, Lane* lane, std::unique_lock<std::mutex>& lock) {
    if constexpr (divisible) {
      std::exception_ptr error;
      int sample = 0;
      bool guess = guesses && place.weight > 0;
      const Doing now(lane, activity_of<From>(lane, Activity::map));
      try {
        for (int made = 1; (sample = place.begun.fetch_add(1)) < place.samples; ++made) {
          tool.sample(place.raw, place.item, sample);
          if (guess && watch.seconds() > 1e-3) guess = guess_cost(place, watch, made, lock);
        }
      } catch (...) {
        error = std::current_exception();
        place.begun = place.samples;  // all samples before this one were begun
      }
      leave(place, watch, lock);
      if (std::exchange(place.open, false)) --open_;
      if (error && sample < place.failed) {
        place.failed = sample;
        place.error = error;
      }
    }
  }
  /// A thread has done its part of an item. Takes the lock.
  void leave(Place& place, const Stopwatch& watch, std::unique_lock<std::mutex>& lock) {
    const Cost mine = watch.cost();
    lock.lock();
    place.cost += mine;
    if (--place.hands > 0) return;
    place.ready = true;
    if (place.weight > 0) measure(place.cost, place.weight);
  }

  /// The first item with samples that no thread has begun.
  Place* with_samples() {
    if constexpr (divisible)
      for (std::uint64_t i = open_ > 0 ? taken : read; i < read; ++i)
        if (at(i)->begun < at(i)->samples) return at(i);
    return nullptr;
  }
  bool guess_cost(Place& place, const Stopwatch& watch, int made, std::unique_lock<std::mutex>& lock) {
    const double whole = double(place.samples) / made;
    Cost guess = watch.cost() * whole;
    guess.reading /= whole;
    lock.lock();
    if (!tuning.knows_items()) {
      measure(guess, 0);
      guessed = true;
      tell();
    }
    lock.unlock();
    return false;
  }

  std::condition_variable done_;  // for the consumer
  Wants wants_ = Wants::nothing;
  std::vector<Place*> line_;  // begun items, by their numbers
  std::vector<Place*> free_;
  std::vector<std::unique_ptr<Place>> places_;
  int open_ = 0;        // items with samples that no thread has begun, as far as is known
  int unmeasured_ = 0;  // items
  int full_ = 0;        // threads that wait because the limit of begun items is reached
  double rested_ = 0;   // their waiting is counted until then
};

}  // namespace entrain::batch
