// core > [device], precision > tensor > kernel > layer
//
// An NVIDIA GPU as a device: one stream that all ops queue on, one side stream, one stream for the host's uploads,
// memory that is allocated once, and the handle of cuBLASLt. No op waits for the GPU; a caller that needs a number from
// it downloads the number.
#pragma once
#include <cuda_runtime.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "entrain/core/bf16.hpp"
#include "entrain/core/fp16.hpp"
#include "entrain/device/check.cuh"
#include "entrain/device/clock.cuh"
#include "entrain/device/graph.cuh"
#include "entrain/device/nvml.hpp"
#include "entrain/device/products.cuh"
#include "entrain/device/reading.hpp"
#include "entrain/device/target.hpp"

namespace entrain::device {

/// The hardware and its versions, for the report at start.
struct GpuReport {
  std::string card;
  int major = 0, minor = 0, processors = 0;
  int driver = 0, runtime = 0;  // 13000: CUDA 13.0
  std::size_t free_bytes = 0, total_bytes = 0;
};

/// Cuda<Sm90> unless another target is named. The card must support the target that the program is compiled for.
template <class TargetType = Sm90> class Cuda {
  struct Ends {
    void operator()(cudaStream_t s) const { cudaStreamDestroy(s); }
  };
  struct Free {
    void operator()(void* p) const { cudaFree(p); }
  };
  struct FreeHost {
    void operator()(void* p) const { cudaFreeHost(p); }
  };

  /// A piece of memory, and the function that frees it.
  template <class T, class End> class Piece {
   public:
    T* data() { return memory_.get(); }
    const T* data() const { return memory_.get(); }
    std::size_t size() const { return size_; }

   protected:
    void hold(void* memory, std::size_t size) {
      memory_.reset(static_cast<T*>(memory));
      size_ = size;
    }

   private:
    std::unique_ptr<T, End> memory_;
    std::size_t size_ = 0;
  };

 public:
  using Target = TargetType;
  static constexpr std::string_view name = "cuda";
  static constexpr std::size_t workspace_bytes = std::size_t(32) << 20;  // of cuBLASLt, as it advises for Hopper
  static constexpr std::size_t page_bytes = std::size_t(2) << 20;        // drivers allocate memory in such pages
  /// Callers that fill the memory leave this much free: kernels, ours and cuBLASLt's, are loaded there at first launch.
  static constexpr std::size_t reserve_bytes = std::size_t(512) << 20;

  /// index     of the cards that CUDA_VISIBLE_DEVICES leaves. CUDA keeps the current card for each thread: any other
  ///           thread must call cudaSetDevice before it works with a card that is not the first
  /// throws    entrain.device.2 with the reason why there is no GPU; .3: the card is older than the target, or has less
  ///           shared memory; .5: there is no driver
  explicit Cuda(int index = 0) {
    check(cudaDriverGetVersion(&report_.driver), "cudaDriverGetVersion");
    check(cudaRuntimeGetVersion(&report_.runtime), "cudaRuntimeGetVersion");
    if (report_.driver == 0)
      throw Error("entrain.device.5", "the GPU", "no NVIDIA driver is installed here", {},
                  "install one, or use the program that was compiled for the CPU");
    check(cudaSetDevice(index), "cudaSetDevice");
    cudaDeviceProp card{};
    check(cudaGetDeviceProperties(&card, index), "cudaGetDeviceProperties");
    report_.card = card.name;
    report_.major = card.major, report_.minor = card.minor, report_.processors = card.multiProcessorCount;
    check(cudaMemGetInfo(&report_.free_bytes, &report_.total_bytes), "cudaMemGetInfo");
    if (card.major * 10 + card.minor < Target::major * 10 + Target::minor)
      throw Error("entrain.device.3", card.name,
                  "compute capability " + std::to_string(card.major) + "." + std::to_string(card.minor),
                  "at least " + std::to_string(Target::major) + "." + std::to_string(Target::minor) +
                      ", which the program was compiled for",
                  "compile it with an older device::Cuda<Sm...>");
    int shared = 0;
    check(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, index), "cudaDeviceGetAttribute");
    if (static_cast<std::size_t>(shared) < Target::shared_bytes)  // 12.x has less than 9.0
      throw Error("entrain.device.3", card.name, std::to_string(shared) + " bytes of shared memory per block",
                  "at least " + std::to_string(Target::shared_bytes) + ", which the program was compiled for",
                  "compile it for device::Cuda<device::Sm80>");
    int least = 0, greatest = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "cudaDeviceGetStreamPriorityRange");
    open(stream_, greatest);
    open(copies_, least);
    char bus_id[32] = {};
    check(cudaDeviceGetPCIBusId(bus_id, sizeof bus_id, index), "cudaDeviceGetPCIBusId");
    nvml_ = std::make_unique<Nvml>(bus_id);
    products_ = std::make_shared<Products>(report_.card);
    workspace_ = Buffer<std::byte>(workspace_bytes);
    side_.reset(new Cuda(*this, least));
  }

  /// Whether this device can multiply and sum the numbers of a precision.
  template <class P> static constexpr bool computes = [] {
    using A = typename P::Activation;
    const bool layers = std::is_same_v<A, float> || std::is_same_v<A, bf16> || std::is_same_v<A, fp16>;
    const bool alike = std::is_same_v<A, typename P::Weight> && std::is_same_v<A, typename P::Gradient>;
    const bool sums = std::is_same_v<float, typename P::Sum> && std::is_same_v<float, typename P::Moment>;
    using Product = std::conditional_t<multiplies_in_tf32<Target>, tf32, A>;
    return layers && alike && sums && std::is_same_v<float, typename P::Master> &&
           std::is_same_v<Product, typename P::Product>;
  }();
  /// The same GPU, with products that round their operands to T.
  template <class T> using Multiplying = Cuda<typename TargetOf<Target, T>::type>;
  static constexpr bool has_bf16 = Target::bf16;
  static constexpr bool epilogues = true;                                            // of products: cuBLASLt's
  static constexpr bool works_beside = Target::side_stream;                          // device/side_stream.hpp
  static constexpr bool updates_late = Target::side_stream && Target::late_updates;  // device/forward_updates.hpp

  /// Zeroed memory of the GPU that stays allocated: parameters, gradients, moments, the arena.
  template <class T> struct Buffer : Piece<T, Free> {
    Buffer() = default;
    explicit Buffer(std::size_t size) {
      if (size == 0) return;
      void* p = nullptr;
      check(cudaMalloc(&p, size * sizeof(T)), "cudaMalloc of " + std::to_string(size * sizeof(T)) + " bytes");
      this->hold(p, size);
      check(cudaMemset(p, 0, size * sizeof(T)), "cudaMemset");
      check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");  // no other stream waits for a cudaMemset
    }
  };

  /// Host memory that the GPU reads and writes directly, while the host continues.
  template <class T> struct Pinned : Piece<T, FreeHost> {
    Pinned() = default;
    explicit Pinned(std::size_t size) {
      if (size == 0) return;
      void* p = nullptr;
      const std::string call = "cudaHostAlloc of " + std::to_string(size * sizeof(T)) + " bytes";
      const cudaError_t code = cudaHostAlloc(&p, size * sizeof(T), cudaHostAllocDefault);
      if (code == cudaErrorMemoryAllocation) {  // the same code as for a full GPU
        cudaGetLastError();
        throw Error("entrain.device.2", call, "the system cannot lock more host memory", "page-locked memory",
                    "stop other programs, or raise the limit on locked memory (ulimit -l)");
      }
      check(code, call);
      this->hold(p, size);
    }
  };

  /// A place in the queue. The host can test whether the GPU has passed it. An event that was never recorded is over.
  class Event {
   public:
    void record(const Cuda& dev) { check(cudaEventRecord(event_.get(), dev.stream()), "cudaEventRecord"); }
    /// Records in the queue of send().
    void record_sent(const Cuda& dev) { check(cudaEventRecord(event_.get(), dev.copies_.get()), "cudaEventRecord"); }
    bool over() const { return is_over(event_.get()); }
    void wait() const { check(cudaEventSynchronize(event_.get()), "cudaEventSynchronize"); }

   private:
    friend Cuda;
    OwnEvent event_ = make_event(cudaEventDisableTiming);
  };

  cudaStream_t stream() const { return stream_.get(); }
  Products& products() const { return *products_; }
  std::byte* workspace() const { return const_cast<std::byte*>(workspace_.data()); }
  const GpuReport& report() const { return report_; }
  /// Clocks, power and memory as they are now, as far as the driver's management library gives them.
  GpuReading reading() const { return nvml_->read(); }

  /// The side stream of this device (device/side_stream.hpp). It has a lower priority, as no kernel waits for it yet, a
  /// separate workspace and the same algorithms.
  class Side {
   public:
    explicit Side(const Cuda& dev) : dev_(dev) {}
    /// The device that queues on the side stream; its work from now on runs after what is queued here.
    const Cuda& fork() const {
      if constexpr (!Target::side_stream) return dev_;
      dev_.side_->forked_->record(dev_);
      dev_.side_->begin_after(*dev_.side_->forked_);
      return *dev_.side_;
    }
    void join() const {
      if constexpr (!Target::side_stream) return;
      dev_.side_->joined_->record(*dev_.side_);
      dev_.begin_after(*dev_.side_->joined_);
    }
    /// Marks one of two places in that queue, after all the work it has been given so far.
    void mark(std::size_t place) const {
      if constexpr (Target::side_stream) dev_.side_->marked_[place]->record(*dev_.side_);
    }
    /// What is queued here from now on runs after the place that was marked last.
    void reach(std::size_t place) const {
      if constexpr (Target::side_stream) dev_.begin_after(*dev_.side_->marked_[place]);
    }

   private:
    const Cuda& dev_;
  };

  /// replay(dev, key, work): queues work(), as a graph if the same work has come before. key(): everything that decides
  /// which kernels are launched with which arguments.
  class Replay {
   public:
    void operator()(const Cuda& dev, auto&& key, auto&& work) {
      const auto now = std::chrono::steady_clock::now();
      const Graph* const graph = graphs_.graph(dev.stream(), key(), work);
      clock_->begin(dev.stream());  // after the graph is made, during which the GPU may have nothing to do
      if (graph != nullptr) {
        graph->launch(dev.stream());
      } else {
        work();
      }
      clock_->end(dev.stream());
      launching_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - now).count();
    }
    /// The time until the next piece of work does not count: the host queued nothing.
    void pause() { clock_->pause(); }
    std::size_t graphs() const { return graphs_.graphs(); }
    TimeSpent time_spent() { return {clock_->busy(), clock_->idle(), 0, launching_}; }

   private:
    device::Replay<Target::graphs> graphs_;
    std::unique_ptr<Clock> clock_ = std::make_unique<Clock>();
    double launching_ = 0;
  };

  /// Times the uploads of send(), from begin to end.
  class SendClock {
   public:
    void begin(const Cuda& dev) { clock_->begin(dev.copies_.get()); }
    void end(const Cuda& dev) { clock_->end(dev.copies_.get()); }
    double seconds() { return clock_->busy(); }

   private:
    std::unique_ptr<Clock> clock_ = std::make_unique<Clock>();
  };

  using ToPredict = Cuda;
  int threads() const { return 1; }
  static constexpr int workspaces() { return 2; }  // of this queue and of the side stream
  static Cuda with(int) { return Cuda(); }
  /// `cuda, NVIDIA H200, 139.1 of 139.8 GiB free, driver 13.0, runtime 13.0`
  std::string describe() const {
    const auto gib = [](std::size_t bytes) {
      const std::size_t tenths = (bytes * 10 + (std::size_t(1) << 29)) >> 30;
      return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
    };
    const auto version = [](int v) { return std::to_string(v / 1000) + "." + std::to_string(v % 1000 / 10); };
    return std::string(name) + ", " + report_.card + ", " + gib(report_.free_bytes) + " of " +
           gib(report_.total_bytes) + " GiB free, driver " + version(report_.driver) + ", runtime " +
           version(report_.runtime);
  }

  struct Memory {
    std::size_t free = 0, total = 0;  // bytes
  };
  /// The memory as it is now; what other programs use is not free either.
  Memory memory() const {
    Memory now;
    check(cudaMemGetInfo(&now.free, &now.total), "cudaMemGetInfo");
    return now;
  }

  static constexpr bool in_host_memory = false;
  /// To the GPU, after all that is queued. `from` may change as soon as this returns, even where the GPU reads the
  /// host's memory directly.
  template <class T> void upload(T* to, const T* from, std::size_t count) const {
    if (count == 0) return;
    check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyHostToDevice, stream()), "cudaMemcpyAsync");
    finish();
  }
  /// To the GPU, at the same time as what is queued: in a separate queue, which Events order.
  void send(std::byte* to, const Pinned<std::byte>& from, std::size_t bytes) const {
    check(cudaMemcpyAsync(to, from.data(), bytes, cudaMemcpyHostToDevice, copies_.get()), "cudaMemcpyAsync");
  }
  /// What is queued from now on begins when the event is over; send_after: what is sent from now on.
  void begin_after(const Event& e) const {
    check(cudaStreamWaitEvent(stream(), e.event_.get(), 0), "cudaStreamWaitEvent");
  }
  void send_after(const Event& e) const {
    check(cudaStreamWaitEvent(copies_.get(), e.event_.get(), 0), "cudaStreamWaitEvent");
  }
  /// From the GPU, after all that is queued.
  template <class T> void download(T* to, const T* from, std::size_t count) const {
    if (count != 0)
      check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToHost, stream()), "cudaMemcpyAsync");
    finish();
  }
  /// From the GPU, after what is queued; an Event tells when it is done.
  template <class T> void download_later(Pinned<T>& to, const T* from, std::size_t count) const {
    check(cudaMemcpyAsync(to.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost, stream()), "cudaMemcpyAsync");
  }
  /// From one place of the GPU to another, after what is queued.
  template <class T> void copy(T* to, const T* from, std::size_t count) const {
    if (count == 0) return;
    check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToDevice, stream()), "cudaMemcpyAsync");
  }
  /// Waits until all that is queued is done.
  void finish() const { check(cudaStreamSynchronize(stream()), "cudaStreamSynchronize"); }

 private:
  using Stream = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, Ends>;
  static void open(Stream& to, int priority) {
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, priority), "cudaStreamCreateWithPriority");
    to.reset(stream);
  }
  /// The side stream of another device.
  Cuda(const Cuda& other, int priority)
      : products_(other.products_), workspace_(workspace_bytes), report_(other.report_) {
    open(stream_, priority);
    forked_.emplace(), joined_.emplace();
    for (auto& event : marked_) event.emplace();
  }

  Stream stream_, copies_;
  std::unique_ptr<Nvml> nvml_;
  std::shared_ptr<Products> products_;
  Buffer<std::byte> workspace_;
  GpuReport report_;
  std::unique_ptr<Cuda> side_;
  mutable std::optional<Event> forked_, joined_, marked_[2];  // of a side stream
};

}  // namespace entrain::device
