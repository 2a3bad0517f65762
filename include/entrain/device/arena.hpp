// core > [device], precision > tensor > kernel > layer
//
// Memory is allocated once. An Arena hands out pieces of one block by moving a mark. Without a block it only measures,
// so a step's memory plan is made by running the step's own code on an arena without bytes.
#pragma once
#include <cstddef>

#include "entrain/core/error.hpp"

namespace entrain {

/// Hands out pieces of one block, each aligned to 64 bytes (a cache line, and the widest vector).
///
/// base == nullptr: the arena hands out nothing and only counts `used` and `peak`; `capacity` has no meaning then.
/// throws    entrain.device.1 when the block is too small: the plan was made for another shape
struct Arena {
  static constexpr std::size_t alignment = 64;

  std::byte* base = nullptr;
  std::size_t capacity = 0;
  std::size_t used = 0;
  std::size_t peak = 0;

  template <class T> T* take(std::size_t count) {
    used = (used + alignment - 1) / alignment * alignment;
    T* piece = base != nullptr ? reinterpret_cast<T*>(base + used) : nullptr;
    used += count * sizeof(T);
    if (used > peak) peak = used;
    if (base != nullptr && used > capacity) refuse();
    return piece;
  }

 private:
  [[noreturn, gnu::cold]] void refuse() const {
    throw Error("entrain.device.1", "arena", std::to_string(used) + " bytes requested",
                "at most " + std::to_string(capacity), "plan the memory for the largest batch");
  }
};

/// Gives back, at the end of its scope, everything that was taken from the arena inside it. deferred: leaves that to an
/// outer scope.
class Scratch {
 public:
  explicit Scratch(Arena& arena, bool deferred = false) : arena_(arena), mark_(arena.used), deferred_(deferred) {}
  ~Scratch() {
    if (!deferred_) arena_.used = mark_;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

 private:
  Arena& arena_;
  std::size_t mark_;
  bool deferred_;
};

}  // namespace entrain
