// text > [batch] > embed > encode > head > optim > checkpoint
//
// Large objects that return to their maker after use, so that their memory is reused.
#pragma once
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace entrain::batch {

/// take() gives a returned object, in the state in which it was left, or a new one. Otherwise one thread would allocate
/// it and another one free it, again and again, and the memory of the program would go up and down. Any thread may be
/// the last user of an object, which may outlive this.
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
  static constexpr std::size_t most = 16;  // unused objects; more than are in use at once
  std::shared_ptr<Shelf> shelf_ = std::make_shared<Shelf>();
};

}  // namespace entrain::batch
