// text > [batch] > embed > encode > head > optim > checkpoint
//
// Threads that work ahead of whoever takes the items. Any number of them gives the same items in the same order, since
// an item hangs on what was read for it alone. Read stage.hpp first.
#pragma once
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "entrain/batch/stage.hpp"

namespace entrain::batch {

struct WorkersOptions {
  int workers = 1;               // threads; 0: items are made when they are asked for
  int ahead = 0;                 // items that may be begun before they are taken: more wait; 0: two a worker
  Timeline* timeline = nullptr;  // measures what they do; outlives them
};

/// S: what is divided, or any stage, which then is one thread ahead.
///
/// One thread reads at a time, the others work. What is done waits in a ring until it is taken, in the order of
/// reading; when the ring is full, nobody reads. An exception of a thread is thrown by the next() whose item it kept
/// from being made, after all items before it; behind it the epoch is over. start() and the destructor wait for work
/// that was begun.
template <class S> class Workers {
  using From = InParts<S>;
  using Raw = typename From::Raw;

 public:
  using Item = typename From::Item;
  using Cursor = typename From::Cursor;

  explicit Workers(S from, const WorkersOptions& options = {})
      : shared_(std::make_unique<Shared>(From(std::move(from)))),
        workers_(options.workers),
        timeline_(options.timeline),
        stage_(timeline_ && workers_ > 0 ? timeline_->stage(threads_of<S>) : 0) {
    const int ahead = options.ahead > 0 ? options.ahead : workers_ > 0 ? 2 * workers_ : 1;
    shared_->ring.resize(static_cast<std::size_t>(ahead));
  }
  Workers(Workers&&) = default;
  ~Workers() {
    if (!shared_) return;
    {
      const std::lock_guard lock(shared_->mutex);
      shared_->stop = true;
    }
    shared_->room.notify_all();
    for (std::thread& t : threads_) t.join();
  }

  void start(std::uint32_t epoch, const Cursor& at) {
    Shared& s = *shared_;
    std::unique_lock lock(s.mutex);
    s.over = true;
    s.done.wait(lock, [&] { return s.busy == 0; });
    s.from.start(epoch, at);
    s.read = s.taken = 0;
    s.over = false;
    if (workers_ == 0 && !s.own) s.own.emplace(s.from.work());
    while (static_cast<int>(threads_.size()) < workers_)
      threads_.emplace_back(
          [&s, tool = s.from.work(), lane = timeline_ ? &timeline_->lane(stage_) : nullptr]() mutable {
            work(s, tool, lane);
            if (lane) lane->end();
          });
    s.room.notify_all();
  }
  /// Before the first item that was not taken.
  Cursor cursor() {
    Shared& s = *shared_;
    std::unique_lock lock(s.mutex);
    s.done.wait(lock, [&] { return s.taken < s.read || (s.over && !s.reading) || workers_ == 0; });
    return s.taken < s.read ? s.here().before : s.from.cursor();
  }
  bool next(Item& item, Lane* lane = nullptr) {
    Shared& s = *shared_;
    if (workers_ == 0) return make_now(s, item, lane);
    const Doing waiting(lane, Activity::wait);
    std::unique_lock lock(s.mutex);
    s.done.wait(lock, [&] { return s.taken < s.read ? s.here().ready : s.over; });
    if (s.taken == s.read) return false;
    Slot& slot = s.here();
    if (slot.error) {
      s.over = true;
      s.read = s.taken;
      std::rethrow_exception(std::exchange(slot.error, nullptr));
    }
    std::swap(item, slot.item);
    ++s.taken;
    lock.unlock();
    s.room.notify_one();
    return true;
  }

 private:
  using Tool = decltype(std::declval<From&>().work());
  struct Slot {
    Raw raw{};
    Item item{};
    Cursor before{};
    std::exception_ptr error;
    bool ready = false;
  };
  struct Shared {
    explicit Shared(From stage) : from(std::move(stage)) {}
    Slot& here() { return ring[taken % ring.size()]; }

    From from;
    std::optional<Tool> own;  // where there are no threads
    std::vector<Slot> ring;
    std::mutex mutex;
    std::condition_variable room, done;  // for a reader; for who takes items
    std::uint64_t read = 0, taken = 0;   // items of the epoch
    int busy = 0;                        // threads that read or work
    bool reading = false, stop = false;
    bool over = true;  // nothing will be read any more
  };

  static bool make_now(Shared& s, Item& item, Lane* lane) {
    Slot& slot = s.ring[0];
    if (std::exchange(s.over, true)) return false;
    if (!read_from(s.from, slot.raw, lane)) return false;
    work_by<From>(*s.own, slot.raw, item, lane);
    s.over = false;
    return true;
  }

  static void work(Shared& s, Tool& tool, Lane* lane) {
    std::unique_lock lock(s.mutex);
    for (;;) {
      s.room.wait(lock, [&] { return s.stop || (!s.over && !s.reading && s.read - s.taken < s.ring.size()); });
      if (s.stop) return;
      Slot& slot = s.ring[s.read % s.ring.size()];
      slot.ready = false;
      slot.error = nullptr;
      s.reading = true;
      ++s.busy;
      lock.unlock();
      bool more = true;
      try {
        slot.before = s.from.cursor();
        const InTurnOnly turn(lane);
        more = read_from(s.from, slot.raw, lane);
      } catch (...) {
        slot.error = std::current_exception();
      }
      lock.lock();
      s.reading = false;
      const bool mine = more && !s.over;  // else nobody wants it any more
      if (mine) ++s.read;
      if (!more || slot.error) s.over = true;
      if (mine && !slot.error) {
        lock.unlock();
        s.room.notify_one();
        try {
          work_by<From>(tool, slot.raw, slot.item, lane);
        } catch (...) {
          slot.error = std::current_exception();
        }
        lock.lock();
      }
      slot.ready = true;
      --s.busy;
      s.done.notify_all();
    }
  }

  std::unique_ptr<Shared> shared_;
  std::vector<std::thread> threads_;
  int workers_;
  Timeline* timeline_;
  std::size_t stage_;  // of the timeline
};

/// One thread that is `ahead` items ahead.
template <class S> class Prefetch : public Workers<S> {
 public:
  explicit Prefetch(S from, int ahead = 4, Timeline* timeline = nullptr)
      : Workers<S>(std::move(from), {1, ahead, timeline}) {}
};

}  // namespace entrain::batch
