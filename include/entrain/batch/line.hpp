// text > [batch] > embed > encode > head > optim > checkpoint
//
// What the threads of Workers share: the stage that they read, and the line of items that were begun and not yet taken.
// Here is what a thread does; workers.hpp is the side of who takes items.
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

#include "entrain/batch/cost.hpp"
#include "entrain/batch/stage.hpp"
#include "entrain/batch/tuning.hpp"

namespace entrain::batch {

/// What a stage has come to so far. Times are seconds, of all threads together; estimated where items are so cheap that
/// not each of them is measured.
struct WorkersMeasured {
  int threads = 0;             // that may read and work now; 0: items are made by who takes them
  int most_threads = 0;        // that there may have been at once
  int depth = 0;               // items that may be begun before they are taken
  std::uint64_t items = 0;     // taken
  Cost cost;                   // of items
  double waited_for_item = 0;  // by who takes them; the time in which it makes them itself is in `cost` alone
  double waited_for_room = 0;  // by threads: they are as far ahead as they may
  double waited_for_turn = 0;  // by threads: another one read, or there was nothing to read
};

/// From: Divided. All that follows `mutex` is changed by who holds it alone.
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
    double weight = 0;  // items that this one is measured for; 0: it is not
    Cost cost;
    // Of an item of many samples.
    int samples = 0;            // 0: it is not one, or not yet
    int hands = 0;              // threads at work on it
    int failed = 0;             // the sample that `error` is of
    bool open = false;          // there are samples that nobody has begun, as far as is known
    std::atomic<int> begun{0};  // the next of them
  };

  Line(From stage, int workers, int most_items)
      : from(std::move(stage)), threads(workers), depth(most_items), line_(static_cast<std::size_t>(most_items)) {
    places_.reserve(line_.size());
    free_.reserve(line_.size());
  }

  // --- For who takes items.

  Place& here() { return *at(taken); }
  int room_left() const { return depth - static_cast<int>(read - taken); }
  int most() const { return static_cast<int>(line_.size()); }
  bool next_is_there() { return taken < read ? here().ready : over || (threads == 0 && !reading); }
  /// The first one leaves the line.
  void take() {
    free_.push_back(&here());
    ++taken;
  }
  /// As many places as may be in use.
  void make_room() {
    while (static_cast<int>(places_.size()) < depth) {
      places_.push_back(std::make_unique<Place>());
      free_.push_back(places_.back().get());
    }
  }
  /// No item and no sample is begun any more.
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

  /// So that what threads waited is counted until now.
  void count_rest() {
    const double now = seconds_now(), since = now - std::exchange(rested_, now);
    measured.waited_for_room += full_ * since;
    measured.waited_for_turn += (resting - full_) * since;
  }
  /// Items that the next one is measured for; 0: it is not. A thread is measured once in 400 microseconds of work at
  /// most, but for the first items: that is one percent of it.
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

  /// Until `stop`. me: its number; those from `threads` on are parked. lane: of this thread; null without a timeline.
  /// Nothing here may throw but where it is kept for who takes items: it would end the program.
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
  bool over = true;      // nothing is read any more
  bool dropped = false;  // nobody wants what is in the line
  bool guesses = false;  // at what the first item costs, while it is made
  bool guessed = false;
  int item_samples = 1;  // of an item that threads share
  int skipped = 0;       // items between two that are measured
  Tuning tuning;
  WorkersMeasured measured;
  Timeline* timeline = nullptr;  // if it measures what the threads do, under this stage of it
  std::size_t timeline_stage = 0;

 private:
  static constexpr bool divisible = Divisible<Tool, Raw, Item>;

  Place*& at(std::uint64_t number) { return line_[number % line_.size()]; }
  bool may_read() const { return !over && !reading && room_left() > 0; }
  /// To who takes items, if it waits for what just happened.
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
        // Who reads cheap items is back before another thread has woken.
        if (may_read() && (!tuning.knows_items() || tuning.work() > Tuning::hand_over)) wake_another();
        make(*tool, place, watch, lane, lock);
      }
    } else {  // there is no more, or nobody wants it any more
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

  /// What was read becomes an item.
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
  /// Another thread's item. Who has no tool yet asks for one first, while nobody reads.
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
    } catch (...) {  // then who reads next says so
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
  /// Of an item in the line, as long as there are some that nobody has begun.
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
        place.begun = place.samples;  // whatever comes before this sample was begun
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

  /// The first item with samples that nobody has begun.
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

  std::condition_variable done_;  // for who takes items
  Wants wants_ = Wants::nothing;
  std::vector<Place*> line_;  // items that were begun, by their numbers
  std::vector<Place*> free_;
  std::vector<std::unique_ptr<Place>> places_;
  int open_ = 0;        // items with samples that nobody has begun, as far as is known
  int unmeasured_ = 0;  // items
  int full_ = 0;        // threads that wait since as many items were begun as may be
  double rested_ = 0;   // until then their waiting is counted
};

}  // namespace entrain::batch
