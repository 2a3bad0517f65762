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
#include <thread>
#include <utility>
#include <vector>

#include "entrain/batch/stage.hpp"

namespace entrain::batch {

struct WorkersOptions {
  int workers = 1;  // threads
  int ahead = 0;    // items that may be begun before they are taken: more wait; 0: two a worker
};

/// S: what is divided, or any stage, which then is one thread ahead.
///
/// The threads start with an epoch. One of them reads at a time, the others work. What is done waits in a ring until it
/// is taken, in the order of reading; when the ring is full, nobody reads. An exception of a thread is thrown by the
/// next() whose item it kept from being made, after all items before it; behind it the epoch is over. The destructor
/// waits for work that was begun.
template <class S> class Workers {
  using From = InParts<S>;
  using Raw = typename From::Raw;

 public:
  using Item = typename From::Item;
  using Cursor = typename From::Cursor;

  explicit Workers(S from, const WorkersOptions& options = {})
      : shared_(std::make_unique<Shared>(From(std::move(from)))), workers_(options.workers < 1 ? 1 : options.workers) {
    shared_->ring.resize(static_cast<std::size_t>(options.ahead < 1 ? 2 * workers_ : options.ahead));
  }
  Workers(Workers&&) = default;
  ~Workers() {
    if (shared_) halt();
  }

  void start(std::uint32_t epoch, const Cursor& at) {
    halt();
    Shared& s = *shared_;
    s.from.start(epoch, at);
    s.read = s.taken = 0;
    s.reading = s.over = s.stop = false;
    for (int i = 0; i < workers_; ++i) threads_.emplace_back([&s, tool = s.from.work()]() mutable { work(s, tool); });
  }
  /// Before the first item that was not taken.
  Cursor cursor() {
    Shared& s = *shared_;
    std::unique_lock lock(s.mutex);
    s.done.wait(lock, [&] { return s.taken < s.read || (s.over && !s.reading) || threads_.empty(); });
    return s.taken < s.read ? s.here().before : s.from.cursor();
  }
  bool next(Item& item) {
    Shared& s = *shared_;
    std::unique_lock lock(s.mutex);
    s.done.wait(lock, [&] { return s.taken < s.read ? s.here().ready : s.over || threads_.empty(); });
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
    std::vector<Slot> ring;
    std::mutex mutex;
    std::condition_variable room, done;  // to read, an item is
    std::uint64_t read = 0, taken = 0;   // items of the epoch
    bool reading = false, over = false, stop = false;
  };

  static void work(Shared& s, auto& tool) {
    std::unique_lock lock(s.mutex);
    for (;;) {
      s.room.wait(lock, [&] { return s.stop || s.over || (!s.reading && s.read - s.taken < s.ring.size()); });
      if (s.stop || s.over) return;
      s.reading = true;
      Slot& slot = s.ring[s.read % s.ring.size()];
      lock.unlock();
      bool more = true;
      slot.ready = false;
      slot.error = nullptr;
      try {
        slot.before = s.from.cursor();
        more = s.from.read(slot.raw);
      } catch (...) {
        slot.error = std::current_exception();
      }
      lock.lock();
      s.reading = false;
      if (more && !s.over) ++s.read;
      if (s.over || !more || slot.error) {
        s.over = slot.ready = true;
        s.room.notify_all();
        s.done.notify_one();
        return;
      }
      lock.unlock();
      s.room.notify_one();
      try {
        tool(slot.raw, slot.item);
      } catch (...) {
        slot.error = std::current_exception();
      }
      lock.lock();
      slot.ready = true;
      s.done.notify_one();
    }
  }

  void halt() {
    {
      const std::lock_guard lock(shared_->mutex);
      shared_->stop = true;
    }
    shared_->room.notify_all();
    for (std::thread& t : threads_) t.join();
    threads_.clear();
  }

  std::unique_ptr<Shared> shared_;
  std::vector<std::thread> threads_;
  int workers_;
};

/// One thread that is `ahead` items ahead.
template <class S> class Prefetch : public Workers<S> {
 public:
  explicit Prefetch(S from, int ahead = 4) : Workers<S>(std::move(from), {1, ahead}) {}
};

}  // namespace entrain::batch
