// core > [device], precision > tensor > kernel > layer
//
// The CPU as a device: a thread pool, and one workspace for each worker for packed operands. The library that
// multiplies matrices is a type (kernel/gemm/cpu.hpp).
#pragma once
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "entrain/core/config.hpp"
#include "entrain/device/huge_pages.hpp"
#include "entrain/device/pool.hpp"
#include "entrain/device/reading.hpp"

namespace entrain {
namespace kernel {
struct AmxGemm;
struct AmxPanelGemm;
struct Bf16Gemm;
struct Bf16PanelGemm;
struct EigenGemm;
struct OneDnnGemm;
struct PackedGemm;
struct PanelGemm;
}  // namespace kernel

namespace device {

/// The products with which models predict that were trained with GemmPolicy.
template <class GemmPolicy> struct PredictsBy { using type = kernel::PanelGemm; };
template <> struct PredictsBy<kernel::AmxGemm> { using type = kernel::AmxPanelGemm; };
#if ENTRAIN_BF16_PRODUCTS  // without the instruction, prediction in fp32 is faster
template <> struct PredictsBy<kernel::Bf16Gemm> { using type = kernel::Bf16PanelGemm; };
#endif

/// Cpu<kernel::EigenGemm>, Cpu<kernel::PackedGemm>, Cpu<kernel::OneDnnGemm> or, rounding to bf16,
/// Cpu<kernel::Bf16Gemm> or Cpu<kernel::AmxGemm>; for prediction only, Cpu<kernel::PanelGemm>,
/// Cpu<kernel::Bf16PanelGemm> or Cpu<kernel::AmxPanelGemm>.
template <class GemmPolicy = kernel::EigenGemm> class Cpu {
 public:
  using Gemm = GemmPolicy;
  /// The device on which models that were trained here predict: it reorders weights once, as they do not change.
  using ToPredict = Cpu<typename PredictsBy<GemmPolicy>::type>;
  static constexpr std::string_view name = "cpu";
  static constexpr std::size_t workspace_bytes = std::size_t(4) << 20;

  explicit Cpu(int threads = 1) : pool_(std::make_unique<Pool>(threads < 1 ? 1 : threads)) {
    if constexpr (requires { GemmPolicy::prepare(); }) GemmPolicy::prepare();
    for (int i = 0; i < pool_->threads(); ++i) workspaces_.push_back(huge_pages(workspace_bytes));
  }

  /// Whether this device can multiply and sum the numbers of a precision. Products take and give one type.
  template <class P> static constexpr bool computes =
      (std::is_same_v<typename P::Weight, float> || std::is_same_v<typename P::Weight, double>)&&std::is_same_v<
          typename P::Weight, typename P::Activation>&& std::is_same_v<typename P::Weight, typename P::Gradient>&& std::
          is_same_v<typename P::Weight, typename P::Sum>&& std::is_same_v<
              typename P::Weight, typename P::Master>&& std::is_same_v<typename P::Weight, typename P::Product>;

  /// Zeroed memory that stays allocated: parameters, gradients, moments, the arena.
  template <class T> class Buffer {
   public:
    Buffer() = default;
    explicit Buffer(std::size_t size) : bytes_(huge_pages(size * sizeof(T) + 64)), size_(size) {
      std::memset(bytes_.get(), 0, size * sizeof(T) + 64);
    }
    T* data() { return reinterpret_cast<T*>(bytes_.get()); }
    const T* data() const { return reinterpret_cast<const T*>(bytes_.get()); }
    std::size_t size() const { return size_; }

   private:
    Pages bytes_;
    std::size_t size_ = 0;
  };

  /// Copies from the host to this device, back, and inside it: here it is all one memory.
  static constexpr bool in_host_memory = true;
  template <class T> void upload(T* to, const T* from, std::size_t count) const {
    if (count > 0) std::memcpy(to, from, count * sizeof(T));
  }
  template <class T> void download(T* to, const T* from, std::size_t count) const { upload(to, from, count); }
  template <class T> void copy(T* to, const T* from, std::size_t count) const { upload(to, from, count); }

  /// replay(dev, key, work): calls work(), as this device has no graph to save.
  struct Replay {
    void operator()(const Cpu&, auto&&, auto&& work) const { work(); }
    static constexpr std::size_t graphs() { return 0; }
    static void pause() {}
    static constexpr TimeSpent time_spent() { return {}; }
  };

  int threads() const { return pool_->threads(); }
  int workspaces() const { return threads(); }
  static constexpr GpuReading reading() { return {}; }
  /// The device for a program that may use `threads` threads.
  static Cpu with(int threads) { return Cpu(threads); }
  std::string describe() const {
    return std::string(name) + ", " + std::to_string(threads()) + (threads() == 1 ? " thread" : " threads");
  }

  /// f(tile, worker) for every tile in [0, tiles), in any order, on any worker.
  template <class F> void parallel(int tiles, F&& f) const { pool_->run(tiles, f); }

  /// Whether a worker begins with this tile of `tiles`.
  bool begins_share(int tile, int tiles) const { return pool_->begins_share(tile, tiles); }

  /// f(first, last) for blocks of `block` rows out of n.
  template <class F> void rows(int n, int block, F&& f) const {
    const int tiles = (n + block - 1) / block;
    parallel(tiles, [&](int tile, int) {
      const int first = tile * block;
      f(first, n - first < block ? n : first + block);
    });
  }

  /// The memory of one worker, for the duration of one tile.
  std::byte* workspace(int worker) const { return workspaces_[static_cast<std::size_t>(worker)].get(); }

 private:
  std::unique_ptr<Pool> pool_;
  std::vector<Pages> workspaces_;
};

}  // namespace device
}  // namespace entrain
