// tests > [ptx]
//
// Two threads at one byte, at least one of them writing, and nothing that says who comes first: a race, also where it
// happens to end well here. Between blocks of a launch nothing says so, between warps of a block a barrier, between the
// lanes of a warp a barrier of the warp; a shuffle or a product of the warp orders no memory.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

namespace ptx {

/// Who comes to a byte, and when: after how many barriers of the block and of the warp.
struct Visit {
  std::uint32_t launch = 0, block = 0, epoch = 0, warp_epoch = 0;
  std::uint32_t thread = 0;
};

class Races {
 public:
  /// Whom the visitor races with, or nothing.
  std::string see(const Visit&, const void* at, std::size_t bytes, bool writes);

 private:
  enum class Many : std::uint8_t { one, threads, warps, blocks };
  struct Seen {
    Visit visit;
    Many many = Many::one;
  };
  struct Byte {
    Seen writer, reader;
  };
  using Page = std::array<Byte, 1024>;

  static bool ordered(const Seen& before, const Visit& now);
  static void note_reader(Seen& before, const Visit& now);
  Page& page_of(std::uintptr_t number);

  std::unordered_map<std::uintptr_t, std::unique_ptr<Page>> pages_;
  std::uintptr_t last_ = ~std::uintptr_t(0);
  Page* last_page_ = nullptr;
};

/// The race detector: none, unless ENTRAIN_PTX_RACES is set.
std::unique_ptr<Races>& races();

}  // namespace ptx
