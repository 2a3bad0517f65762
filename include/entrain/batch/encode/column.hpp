// text > [batch] > embed > encode > head > optim > checkpoint
//
// The arrays of an encoded corpus: numbers in their own memory, or in memory that another object keeps, as a mapped
// file. Readers see no difference and pay nothing: it is one pointer either way.
#pragma once
#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace entrain::batch {

/// The part of std::vector that a corpus needs. A copy always owns its numbers. A moved view remains a view.
///
/// A view's numbers may be written in place, so its memory must be writable. Of a privately mapped file, written pages
/// become the program's own, and the file does not change. A view that grows gets its own memory.
template <class T> class Column {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::max_align_t));

 public:
  using value_type = T;

  Column() = default;
  Column(std::initializer_list<T> numbers) { append({numbers.begin(), numbers.size()}); }
  Column(const std::vector<T>& numbers) { append(numbers); }
  Column(const Column& other) { append(other); }
  Column(Column&& other) noexcept { swap(other); }
  Column& operator=(Column other) noexcept {
    swap(other);
    return *this;
  }
  ~Column() = default;

  /// A view of numbers elsewhere, valid while `keep` lives.
  static Column view(std::span<T> numbers, std::shared_ptr<const void> keep) {
    Column column;
    column.data_ = numbers.data();
    column.size_ = numbers.size();
    column.keep_ = std::move(keep);
    return column;
  }
  bool is_view() const { return keep_ != nullptr; }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T* data() const { return data_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  const T& back() const { return data_[size_ - 1]; }
  T* data() { return data_; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  T& back() { return data_[size_ - 1]; }

  void reserve(std::size_t capacity) {
    if (capacity > capacity_) move_to(std::max(capacity, size_));
  }
  void clear() {
    if (is_view()) *this = {};
    size_ = 0;
  }
  void push_back(T number) {  // a copy: it may be one of these
    if (size_ >= capacity_) grow(size_ + 1);
    data_[size_++] = number;
  }
  void resize(std::size_t size, T number = {}) {
    if (size > capacity_) grow(size);
    for (; size_ < size; ++size_) data_[size_] = number;
    size_ = size;
  }
  void assign(std::size_t size, T number) {
    clear();
    resize(size, number);
  }
  void append(std::span<const T> numbers) {
    if (numbers.empty()) return;
    const bool mine = data_ <= numbers.data() && numbers.data() < data_ + size_;
    const std::ptrdiff_t from = mine ? numbers.data() - data_ : 0;  // growing may move them
    if (size_ + numbers.size() > capacity_) grow(size_ + numbers.size());
    std::memcpy(data_ + size_, mine ? data_ + from : numbers.data(), numbers.size_bytes());
    size_ += numbers.size();
  }
  /// at: the end
  void insert([[maybe_unused]] const T* at, const T* first, const T* last) {
    assert(at == end());
    append({first, last});
  }

  void swap(Column& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    own_.swap(other.own_);
    keep_.swap(other.keep_);
  }
  friend bool operator==(const Column& a, const Column& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  struct Free {
    void operator()(T* memory) const { std::free(memory); }
  };
  void grow(std::size_t least) { move_to(std::max({least, 2 * capacity_, std::size_t{16}})); }
  void move_to(std::size_t capacity) {
    if (capacity > static_cast<std::size_t>(-1) / 2 / sizeof(T)) throw std::bad_alloc();
    T* const memory = static_cast<T*>(std::realloc(static_cast<void*>(own_.get()), capacity * sizeof(T)));
    if (memory == nullptr) throw std::bad_alloc();
    (void)own_.release();
    own_.reset(memory);
    if (is_view() && size_ > 0) std::memcpy(memory, data_, size_ * sizeof(T));
    keep_.reset();
    data_ = memory;
    capacity_ = capacity;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;  // of own memory; a view has none
  std::unique_ptr<T, Free> own_;
  std::shared_ptr<const void> keep_;
};

}  // namespace entrain::batch
