// tests > [ptx]
//
// What an instruction is once it is read, and what it works on: 32 lanes whose registers are next to each other.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/ptx/machine.hpp"

namespace ptx {

inline constexpr unsigned lanes = 32;
inline constexpr std::uint32_t everyone = ~0u;
using Slot = std::uint32_t;  // where a register's 32 values begin, in bytes

enum class Space : std::uint8_t { generic, global, shared, local, param };

struct Warp;
struct Instruction;
using Run = void (*)(Warp&, const Instruction&);

struct Instruction {
  /// Those that are not `plain` change which lanes continue where; `meeting` ones wait for all lanes that they name.
  enum class Kind : std::uint8_t { plain, branch, exit, barrier, meeting, warp_barrier };
  Kind kind = Kind::plain;
  Space space = Space::generic;
  std::uint8_t width = 0;  // bytes of an address
  std::uint8_t many = 1;   // numbers that are read or written
  bool guarded = false, unless = false;
  bool writes = false;
  bool atomic = false;  // or volatile, relaxed: races with no access
  Run run = nullptr;
  Slot guard = 0;
  std::array<Slot, 8> to{};
  std::array<Slot, 10> from{};
  std::array<bool, 10> negated{};
  std::int64_t offset = 0;  // of an address; of a branch, where it leads
  std::int64_t other = 0;   // of a second address
  int choice = 0;           // what an instruction's `run` makes of it
  std::size_t place = 0;    // among the kernel's instructions
  int line = 0;
  int file = 0, source_line = 0;  // of what it was compiled from, where nvcc says so (-lineinfo)
};
/// How often a warp came by an instruction, and what it asked of memory beyond the least for as many bytes.
struct Excess {
  std::uint64_t times = 0, sectors = 0, waves = 0;
};

/// A number of the text: the same in all lanes.
struct Constant {
  Slot slot;
  std::size_t bytes;
  std::uint64_t bits;
};

/// A kernel, ready to run.
struct Code {
  std::vector<Instruction> instructions;
  std::vector<Constant> constants;
  std::size_t image = 0;  // bytes of a warp's registers and constants
  std::size_t static_shared = 0, local = 0;
  std::map<std::string, Slot, std::less<>> special;  // %tid.x and its like, 4 bytes a lane
  mutable std::vector<Excess> excess;                // of each instruction
  mutable std::vector<std::byte> params;             // of the launch that runs: instructions know the place
};

struct Block {
  const Kernel* kernel;
  const Code* code;
  Dim index, size, grid;
  std::byte* shared;
  std::size_t shared_bytes;
  std::array<std::uint32_t, 16> arrived{};     // threads at each barrier
  std::array<std::uint32_t, 16> any{}, all{};  // of their predicates
  std::array<bool, 16> voted{};
  std::uint32_t serial = 0;                         // among all blocks of all launches
  std::uint32_t launch = 0, number = 0, epoch = 0;  // how many barriers it has after it
};

/// Lanes that are at the same instruction.
struct Group {
  std::uint32_t mask;
  std::size_t at;
  bool waits = false;  // for other lanes of its warp
};

struct Places {
  std::byte* of[lanes];
};

/// cp.async that is under way: of which lanes, how many bytes, and of these how many are read; zeros after them.
struct UnderWay {
  const Instruction* begun_by;
  std::uint32_t mask;
  Places to, from;
  std::array<std::uint32_t, lanes> read;
};

struct Warp {
  Block* block = nullptr;
  std::byte* image = nullptr;  // registers and constants
  std::byte* local = nullptr;  // each lane's, one after the other
  std::uint32_t alive = 0;
  std::uint32_t mask = 0;  // who carries out the present instruction
  unsigned first_thread = 0;
  int at_barrier = -1;
  std::uint32_t epoch = 0;  // how many barriers of the warp it has after it
  std::vector<Group> groups;
  std::vector<UnderWay> under_way;
  Counts* counts = nullptr;

  template <class T> T* reg(Slot slot) { return reinterpret_cast<T*>(image + slot); }
  [[noreturn]] void fail(const Instruction&, const std::string& what, int lane = -1) const;
};

template <class F> inline void each_lane(std::uint32_t mask, F f) {
  if (mask == everyone) {
    for (unsigned l = 0; l < lanes; ++l) f(l);
  } else {
    for (; mask != 0; mask &= mask - 1) f(static_cast<unsigned>(std::countr_zero(mask)));
  }
}

}  // namespace ptx
