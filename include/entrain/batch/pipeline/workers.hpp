// text > [batch] > embed > encode > head > optim > checkpoint
//
// Threads that work ahead of the consumer. Any number of them gives the same items in the same order, since an item
// depends only on what was read for it. Read stage.hpp first; line.hpp is the work of a thread, tuning.hpp computes how
// many there should be.
#pragma once
#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "entrain/batch/pipeline/cores.hpp"
#include "entrain/batch/pipeline/cost.hpp"
#include "entrain/batch/pipeline/line.hpp"
#include "entrain/batch/pipeline/stage.hpp"
#include "entrain/batch/pipeline/tuning.hpp"
#include "entrain/core/no_thread.hpp"

namespace entrain::batch {

inline constexpr int automatic = -1;  // workers: as many as are useful, by Tuning, at run time

struct WorkersOptions {
  int workers = 1;                         // threads; 0: items are made when requested; automatic
  int ahead = 0;                           // items that may be begun before they are taken; 0: two a worker
  Timeline* timeline = nullptr;            // measures what the threads do; outlives them
  std::shared_ptr<Cores> cores = nullptr;  // shared by automatic stages that compute at the same time; null: not shared
  std::string_view option = "--loader-workers";  // sets `workers`; for the error if a thread does not start
};

/// S: a divided stage, or any stage, which then runs on one thread ahead of the consumer.
///
/// One thread at a time reads; the others work. Finished items wait in a line until they are taken, in the order of
/// reading. When the line is full, no thread reads. No thread owns waiting items: a free thread reads the next one, so
/// there are none to steal. Only a long item could keep one thread busy while others have nothing to do. So threads
/// that have nothing to read share an item of many samples (stage.hpp, Divisible), sample by sample.
///
/// An exception of a thread is thrown by the next() for the item that it prevented, after all items before it. If
/// several samples throw, the exception of the first one is thrown. After it the epoch is over. start() and the
/// destructor wait for begun items, of which no further sample is begun.
///
/// start() and next() throw entrain.batch.41 if the system does not start the requested number of threads.
template <class S> class Workers {
  using From = InParts<S>;
  static_assert(std::is_swappable_v<typename From::Item>,
                "entrain: Workers<S> and Prefetch<S> swap the items of S, but these cannot be moved; let S yield a "
                "std::unique_ptr to each.");
  using Line = batch::Line<From>;
  using Wants = typename Line::Wants;

 public:
  using Item = typename From::Item;
  using Cursor = typename From::Cursor;

  [[gnu::cold]] explicit Workers(S from, const WorkersOptions& o = {})
      : line_(std::make_unique<Line>(From(std::move(from)), o.workers < 0 ? 1 : o.workers, most_items(o))),
        tuned_(o.workers < 0),
        option_(o.option),
        cores_(tuned_ && !o.cores ? std::make_shared<Cores>() : o.cores),
        stage_(cores_ ? cores_->enrol() : 0) {
    if (o.timeline && o.workers != 0) {
      line_->timeline = o.timeline;
      line_->timeline_stage = o.timeline->stage(name_or<S>("loader"));
    }
    if (!tuned_) return;
    line_->depth = std::min(4, line_->depth);
    line_->guesses = true;
  }
  Workers(Workers&&) = default;
  [[gnu::cold]] ~Workers() {
    if (!line_) return;
    {
      const std::lock_guard lock(line_->mutex);
      line_->stop = true;
      line_->drop();
    }
    line_->room.notify_all();
    line_->parked.notify_all();
    for (std::thread& t : threads_) t.join();
    if (cores_) cores_->says(stage_, 0);
  }

  [[gnu::cold]] void start(std::uint32_t epoch, const Cursor& at) {
    std::unique_lock lock(line_->mutex);
    line_->drop();
    line_->wait_for(Wants::anything, lock, [&] { return line_->busy == 0; });
    while (line_->taken < line_->read) line_->take();
    line_->from.start(epoch, at);
    line_->over = line_->dropped = false;
    line_->make_room();
    left_at_ = 0;
    looked_at_ = seconds_now();
    line_->count_rest();
    until_ = line_->measured;
    have_threads(lock);
    line_->room.notify_all();
  }
  /// Before the first item that was not taken.
  [[gnu::cold]] Cursor cursor() {
    std::unique_lock lock(line_->mutex);
    line_->wait_for(Wants::anything, lock, [&] {
      return line_->taken < line_->read || (!line_->reading && (line_->over || line_->threads == 0));
    });
    return line_->taken < line_->read ? line_->here().before : line_->from.cursor();
  }
  bool next(Item& item, Lane* lane = nullptr) {
    Line& l = *line_;
    const double asked = left_at_ > 0 ? seconds_now() : 0;
    std::unique_lock lock(l.mutex);
    if (asked > 0) look(asked, lock);
    if (l.dropped) return false;
    while (l.taken == l.read || !l.here().ready) {
      if (l.taken == l.read && l.over) return false;
      if (l.taken == l.read && l.threads == 0 && !l.reading) return make_now(item, lane);
      const Doing waiting(lane, Activity::wait);
      const double began = seconds_now();
      l.wait_for(Wants::item, lock, [&] { return l.next_is_there() || l.guessed; });
      l.measured.waited_for_item += seconds_now() - began;
      if (std::exchange(l.guessed, false)) tune(lock);
    }
    if (l.here().error) {
      l.drop();
      std::rethrow_exception(l.here().error);
    }
    std::swap(item, l.here().item);
    l.take();
    ++l.measured.items;
    // A waiting thread is woken for several items, not for each: otherwise a cheap item costs two thread switches.
    const bool wake = l.resting > 0 && l.room_left() >= std::max(1, l.depth / 4);
    lock.unlock();
    if (wake) l.room.notify_one();
    leave();
    return true;
  }

  /// Not to be called while next() runs.
  [[gnu::cold]] WorkersMeasured measured() const {
    const std::lock_guard lock(line_->mutex);
    line_->count_rest();
    WorkersMeasured m = line_->measured;
    m.threads = line_->threads;
    m.depth = line_->depth;
    return m;
  }

 private:
  // Seconds between two decisions on the number of threads: before the first one, and after a change of the number;
  // then the interval doubles.
  static constexpr double at_first = 0.3e-3, often = 5e-3;

  static int most_items(const WorkersOptions& o) {
    if (o.ahead > 0) return o.ahead;
    return o.workers < 0 ? 2 * Tuning::most_threads : std::max(1, 2 * o.workers);
  }

  /// An item was taken.
  void leave() {
    if (cores_ && --until_look_ <= 0) left_at_ = seconds_now();
  }
  /// Called between two items: measures how long the consumer was away, and now and then decides whether the number of
  /// threads is right.
  void look(double asked, std::unique_lock<std::mutex>& lock) {
    line_->tuning.taker(asked - std::exchange(left_at_, 0));
    until_look_ = line_->skipped / 8;
    if (line_->tuning.knows_items() && (!decided_ || asked - looked_at_ >= look_every_)) tune(lock);
  }
  [[gnu::cold]] void tune(std::unique_lock<std::mutex>& lock) {
    Line& l = *line_;
    l.count_rest();
    const double now = seconds_now();
    const MeasuredInterval window{now - looked_at_, static_cast<double>(l.measured.items - until_.items),
                                  l.measured.waited_for_item - until_.waited_for_item,
                                  l.measured.waited_for_room - until_.waited_for_room,
                                  l.measured.waited_for_turn - until_.waited_for_turn};
    cores_->says(stage_, l.tuning.busy(l.threads, window));
    if (tuned_) {
      const int before = std::exchange(l.threads, l.tuning.threads(l.threads, window, cores_->left(stage_)));
      l.depth = std::min(l.most(), l.tuning.depth(l.depth, l.threads, l.item_samples, window));
      l.make_room();
      if (l.threads < before) l.room.notify_all();
      if (l.threads > before) have_threads(lock);
      look_every_ = l.threads != before ? at_first : std::min(often, 2 * look_every_);
    }
    decided_ = true;
    looked_at_ = seconds_now();
    until_ = l.measured;
  }
  [[gnu::cold]] void have_threads(std::unique_lock<std::mutex>& lock) {
    Line& l = *line_;
    const int wanted = l.threads;
    l.measured.most_threads = std::max(l.measured.most_threads, wanted);
    lock.unlock();
    bool all = true;
    try {
      while (static_cast<int>(threads_.size()) < wanted) start_thread(static_cast<int>(threads_.size()));
    } catch (const std::system_error& e) {
      if (!tuned_) throw no_thread("entrain.batch.41", static_cast<int>(threads_.size()), wanted, option_, e);
      all = false;  // the existing threads are enough; if there are none, the consumer makes the items
    }
    l.parked.notify_all();
    lock.lock();
    if (!all) l.threads = std::min(l.threads, static_cast<int>(threads_.size()));
  }
  /// All that a thread needs is allocated here, where an exception reaches the consumer.
  [[gnu::cold]] void start_thread(int me) {
    Line& l = *line_;
    Lane* const lane = l.timeline != nullptr ? &l.timeline->lane(l.timeline_stage) : nullptr;
    try {
      threads_.emplace_back([&l, me, lane] { l.work(me, lane); });
    } catch (...) {
      if (lane != nullptr) lane->end();
      throw;
    }
  }

  /// Makes the next item on this thread.
  bool make_now(Item& item, Lane* lane) {
    Line& l = *line_;
    l.over = true;
    if (!own_) own_.emplace(l.from.work());
    const double weight = l.weight();
    std::optional<RunDelay> delay;  // the consumer may be another thread the next time
    if (weight > 0) delay.emplace();
    Stopwatch watch(delay ? &*delay : nullptr);
    if (!read_from(l.from, raw_, lane)) return false;
    watch.has_read();
    work_by<From>(*own_, raw_, item, lane);
    if (weight > 0) l.measure(watch.cost(), weight);
    l.over = false;
    ++l.measured.items;
    leave();
    return true;
  }

  std::unique_ptr<Line> line_;
  std::vector<std::thread> threads_;
  std::optional<typename Line::Tool> own_;
  typename From::Raw raw_{};
  bool tuned_;
  std::string_view option_;
  std::shared_ptr<Cores> cores_;
  std::size_t stage_;     // among those of cores_
  double left_at_ = 0;    // when an item was taken, if the time until the next request is to be measured
  int until_look_ = 0;    // items for which it is not
  double looked_at_ = 0;  // last decision on the number of threads
  double look_every_ = at_first;
  WorkersMeasured until_;  // at that time
  bool decided_ = false;
};

/// One thread that is up to `ahead` items ahead.
template <class S> class Prefetch : public Workers<S> {
 public:
  explicit Prefetch(S from, int ahead = 4, Timeline* timeline = nullptr)
      : Workers<S>(std::move(from), {1, ahead, timeline}) {}
};

}  // namespace entrain::batch
