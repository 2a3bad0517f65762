// [text] > batch > embed > encode > head > optim > checkpoint
//
// Statistics of the lengths of sentences or texts: any number of lengths, in memory for the distinct ones only.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace entrain::text {

class Lengths {
 public:
  /// line: the line of the sentence or text
  void add(std::size_t length, std::uint64_t line) {
    if (count_ == 0 || length > times_.rbegin()->first) longest_line_ = line;
    ++times_[length];
    ++count_;
    sum_ += length;
  }
  std::uint64_t count() const { return count_; }
  std::uint64_t sum() const { return sum_; }

  /// The smallest length that `of_100` of 100 do not exceed; 0 if there is none.
  std::size_t percentile(std::uint64_t of_100) const {
    std::uint64_t below = 0;
    for (const auto& [length, times] : times_)
      if ((below += times) * 100 >= of_100 * count_) return length;
    return 0;
  }

  std::uint64_t longest_line() const { return longest_line_; }
  /// `min 1, median 9, 99 % 40, max 90 (line 12), mean 11.8`
  std::string words() const { return words("line " + std::to_string(longest_line_)); }
  /// longest    the place of the longest one
  std::string words(const std::string& longest) const {
    if (count_ == 0) return "none";
    const std::uint64_t tenths = (20 * sum_ + count_) / (2 * count_);  // rounded
    return "min " + std::to_string(times_.begin()->first) + ", median " + std::to_string(percentile(50)) + ", 99 % " +
           std::to_string(percentile(99)) + ", max " + std::to_string(times_.rbegin()->first) + " (" + longest +
           "), mean " + std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
  }

 private:
  std::map<std::size_t, std::uint64_t> times_;
  std::uint64_t count_ = 0, sum_ = 0, longest_line_ = 0;
};

}  // namespace entrain::text
