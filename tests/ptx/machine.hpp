// tests > [ptx]
//
// A GPU on paper: the assembly that nvcc makes, carried out on the CPU instruction by instruction, 32 lanes at a
// time. It knows nothing of entrain and shares nothing with the host harness, so that what both say is said twice:
// that the harness's version of a kernel is right, and that what nvcc makes of the kernel itself is.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ptx {

struct Dim {
  unsigned x = 1, y = 1, z = 1;
};
struct Failure : std::runtime_error {
  using runtime_error::runtime_error;
};

/// Where kernels may read and write: pieces of memory, by address.
class Memory {
 public:
  void add(const void* begin, std::size_t bytes) { ends_[address(begin)] = address(begin) + bytes; }
  void remove(const void* begin) {
    ends_.erase(address(begin));
    latest_ = {};
  }
  bool holds(const void* p, std::size_t bytes) const {
    const std::uintptr_t first = address(p), end = first + bytes;
    for (const Piece& piece : latest_)
      if (first >= piece.begin && end <= piece.end) return true;
    const auto after = ends_.upper_bound(first);
    if (after == ends_.begin()) return false;
    const Piece piece{std::prev(after)->first, std::prev(after)->second};
    latest_[turn_++ % latest_.size()] = piece;
    return end <= piece.end;
  }

 private:
  struct Piece {
    std::uintptr_t begin = 0, end = 0;
  };
  static std::uintptr_t address(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }
  std::map<std::uintptr_t, std::uintptr_t> ends_;  // of the piece that begins there
  mutable std::array<Piece, 4> latest_{};          // that were asked for last
  mutable std::size_t turn_ = 0;
};
Memory& memory();

/// What a kernel did, summed over its launches. An instruction is one of a warp, however many of its lanes take part.
struct Counts {
  std::uint64_t launches = 0, blocks = 0, warps = 0, instructions = 0, lanes = 0;
  std::uint64_t mma = 0, barriers = 0, shuffles = 0;
  std::uint64_t global_requests = 0;             // instructions that read or write the GPU's memory
  std::uint64_t sectors = 0, least_sectors = 0;  // pieces of 32 bytes that they touch; the least for as many bytes
  std::uint64_t shared_requests = 0;
  std::uint64_t waves = 0, least_waves = 0;  // turns of the 32 banks; and were no two lanes to want one bank
};

struct Param {
  std::string name;
  std::size_t offset, bytes;
};
struct Code;

/// An .entry.
struct Kernel {
  std::string name;
  std::vector<Param> params;
  std::size_t static_shared = 0;             // bytes
  unsigned max_threads = 0;                  // of a block; 0: not said
  int registers = 64;                        // of a thread: not known here
  std::size_t begin = 0, end = 0;            // of its body among the module's words
  mutable std::shared_ptr<const Code> code;  // from the first launch on
  mutable Counts counts;
};

class Text;
/// What one file of assembly has.
class Module {
 public:
  explicit Module(std::string_view text);
  ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  /// nullptr: not there
  const Kernel* kernel(std::string_view name) const;
  void* variable(std::string_view name);
  const std::map<std::string, Kernel, std::less<>>& kernels() const;
  /// What its kernels did, to be read by people; and by which lines of their sources.
  std::string report() const;

  /// Runs it to its end. `params` as cudaLaunchKernel has them.
  ///
  /// errors    Failure: which instruction of which block did what it may not
  void launch(const Kernel&, Dim grid, Dim block, std::size_t dynamic_shared, const void* const* params);

 private:
  std::unique_ptr<Text> text_;
};

}  // namespace ptx
