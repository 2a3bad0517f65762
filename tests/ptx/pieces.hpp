// tests > [ptx]
//
// Memory piece by piece as it was asked for: the card's, and that of the host which the card can reach.
#pragma once
#include <cstddef>
#include <cstring>
#include <functional>
#include <iterator>
#include <map>
#include <new>

#include "tests/ptx/machine.hpp"

namespace ptx {

/// Pieces of memory. A fresh one holds poison: what is no number in fp64, fp32, fp16 and bf16, and -1. It has just the
/// bytes that were asked for, and before each is some that is not allocated: an access out of one does not end in the
/// next.
class Pieces {
 public:
  void* take(std::size_t bytes) {
    auto* const whole = static_cast<std::byte*>(::operator new(gap + bytes, alignment, std::nothrow));
    if (whole == nullptr) return nullptr;
    std::memset(whole + gap, 0xFF, bytes);
    memory().add(whole + gap, bytes);
    pieces_[whole + gap] = bytes;
    taken_ += bytes;
    return whole + gap;
  }
  bool give_back(void* p) {
    const auto piece = pieces_.find(static_cast<std::byte*>(p));
    if (piece == pieces_.end()) return false;
    memory().remove(p);
    taken_ -= piece->second;
    ::operator delete(static_cast<std::byte*>(p) - gap, alignment);
    pieces_.erase(piece);
    return true;
  }
  /// Whether a piece has this and what follows.
  bool hold(const void* p, std::size_t bytes) const {
    const auto* const first = static_cast<const std::byte*>(p);
    const auto after = pieces_.upper_bound(first);
    if (after == pieces_.begin()) return false;
    const auto& [begin, size] = *std::prev(after);
    const auto from = static_cast<std::size_t>(first - begin);
    return from < size && bytes <= size - from;
  }
  std::size_t taken() const { return taken_; }

 private:
  static constexpr std::align_val_t alignment{256};  // the least that CUDA promises
  static constexpr std::size_t gap = std::size_t(64) << 10;

  std::map<const std::byte*, std::size_t, std::less<>> pieces_;
  std::size_t taken_ = 0;
};

}  // namespace ptx
