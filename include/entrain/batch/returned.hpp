// text > [batch] > embed > encode > head > optim > checkpoint
//
// Large objects that come back to who made them when nobody needs them any more, so that their memory goes round.
#pragma once
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace entrain::batch {

/// take() gives one that came back, as it was left, or a new one. Otherwise it would be made on one thread and freed on
/// another, again and again, and what the program holds would go up and down with it. Any thread may be the last to
/// need one; it may outlive this.
template <class T> class Returned {
 public:
  std::shared_ptr<T> take() {
    std::unique_ptr<T> one;
    {
      const std::lock_guard lock(shelf_->mutex);
      if (!shelf_->free.empty()) {
        one = std::move(shelf_->free.back());
        shelf_->free.pop_back();
      }
    }
    if (!one) one = std::make_unique<T>();
    return {one.release(), [shelf = shelf_](T* back) {
              std::unique_ptr<T> it(back);
              const std::lock_guard lock(shelf->mutex);
              if (shelf->free.size() < shelf->free.capacity())
                shelf->free.push_back(std::move(it));  // it throws nothing
            }};
  }

 private:
  struct Shelf {
    std::mutex mutex;
    std::vector<std::unique_ptr<T>> free;
    Shelf() { free.reserve(most); }
  };
  static constexpr std::size_t most = 16;  // that wait; more than are under way at once
  std::shared_ptr<Shelf> shelf_ = std::make_shared<Shelf>();
};

}  // namespace entrain::batch
