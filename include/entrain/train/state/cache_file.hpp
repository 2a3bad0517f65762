// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// Writes the file of a cache array by array. Read batch/pack/cache_layout.hpp first.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "entrain/batch/pack/cache_layout.hpp"
#include "entrain/core/fingerprint.hpp"
#include "entrain/train/state/locked_file.hpp"

namespace entrain::train {

/// A cache being written: its arrays, in their order, then publish().
template <class System> class CacheFile {
 public:
  CacheFile(const std::string& path, System system) : file_(path, system) {
    const batch::CacheOpening opening;
    file_.write(std::as_bytes(std::span(&opening, 1)));
  }
  /// Opens the next array; add() appends numbers to it until the next begin().
  void begin(std::size_t item_bytes) {
    end();
    static constexpr std::array<std::byte, batch::cache_alignment> zeros{};
    file_.write(std::span(zeros).first((zeros.size() - file_.size() % zeros.size()) % zeros.size()));
    array().offset = file_.size();
    array().item_bytes = item_bytes;
    sum_ = {};
    open_ = true;
  }
  template <class T> void add(std::span<const T> numbers) {
    array().items += numbers.size();
    add_bytes(std::as_bytes(numbers));
  }
  /// Appends all numbers of another file.
  void add(const LockedFile<System>& numbers) {
    array().items += numbers.size() / array().item_bytes;
    numbers.each([&](std::span<const std::byte> bytes) { add_bytes(bytes); });
  }
  std::uint64_t size() const { return file_.size(); }
  const std::string& path() const { return file_.path(); }

  /// Writes the numbers that are in no array: key, cut, labels, unknown_word_copies.
  void publish(batch::CacheClosing numbers) {
    end();
    while (next_ < batch::cache_parts) begin(0), end();  // arrays that these features do not have
    numbers.arrays = arrays_;
    numbers.file_bytes = file_.size() + sizeof numbers;
    numbers.sum = batch::sum_of(numbers);
    file_.write(std::as_bytes(std::span(&numbers, 1)));
    file_.publish();
  }

 private:
  batch::CacheArray& array() { return arrays_[next_]; }
  void add_bytes(std::span<const std::byte> bytes) {
    sum_.add(bytes);
    file_.write(bytes);
  }
  void end() {
    if (!std::exchange(open_, false)) return;
    array().sum = sum_.value();
    ++next_;
  }

  LockedFile<System> file_;
  std::array<batch::CacheArray, batch::cache_parts> arrays_{};
  std::size_t next_ = 0;  // the array that is open, or the next one
  bool open_ = false;
  Fingerprint sum_;
};

}  // namespace entrain::train
