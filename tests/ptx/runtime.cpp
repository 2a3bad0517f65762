// tests > [ptx]
//
// The CUDA runtime where there is no GPU: what objects that nvcc made call of it, with the types of NVIDIA's own
// headers. Kernels go to the machine of this folder as the PTX that lies in the objects. All is done at once, in the
// order of the calls; in which order a GPU might do it otherwise is the matter of tests/cuda_on_cpu. What CUDA refuses
// is refused here, and of launches and copies it is said why.
#include <cuda_runtime_api.h>
#include <cxxabi.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tests/ptx/machine.hpp"
#include "tests/ptx/queue.hpp"

// what handles stand for

namespace ptx {
namespace {

using Work = std::function<void()>;
using Works = std::shared_ptr<const std::vector<Work>>;

struct Node {
  Work work;
  std::vector<std::size_t> behind;
};
/// What streams are asked for between cudaStreamBeginCapture and cudaStreamEndCapture: of one stream, and of those that
/// wait for an event in it.
struct Capture {
  cudaStream_t origin;
  cudaStreamCaptureMode mode;
  std::thread::id thread;
  bool blocking;  // its first stream waits for the default one
  std::vector<Node> nodes = {};
  std::set<cudaStream_t> streams = {};
  bool open = true, valid = true;
};
struct Binary;

constexpr std::size_t usual_shared = std::size_t(48) << 10;  // of a block, of who did not ask for more

}  // namespace
}  // namespace ptx

struct CUstream_st {
  int priority = 0;
  bool blocking = true;  // waits for the default stream
  std::shared_ptr<ptx::Capture> capture = {};
  std::vector<std::size_t> last = {};  // nodes of the capture that what comes next is behind
};
struct CUevent_st {
  bool timed = true;
  std::optional<double> nanoseconds = {};  // when it was recorded last
  std::shared_ptr<ptx::Capture> capture = {};
  std::vector<std::size_t> last = {};
};
struct CUgraph_st {
  ptx::Works works;
};
struct CUgraphExec_st {
  ptx::Works works;
};
struct CUkern_st {
  ptx::Binary* binary;
  std::string name;
  const ptx::Kernel* kernel = nullptr;  // once it was asked for
  std::size_t dynamic_shared = 0;       // the most that it may then be launched with
};

namespace ptx {
namespace {

/// A kernel as it stands in the source.
std::string readable(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                         &std::free);
  return text != nullptr ? text.get() : name;
}
cudaError_t refuse(cudaError_t code, const std::string& why) {
  std::fprintf(stderr, "ptx: %s\n", why.c_str());
  return code;
}

// what lies in an object: PTX in a fat binary

struct Wrapper {
  std::uint32_t magic, version;
  const std::byte* data;
  void* more;
};
struct Header {
  std::uint32_t magic;
  std::uint16_t version, header_bytes;
  std::uint64_t bytes;  // behind the header
};
struct Entry {
  std::uint16_t kind, version;
  std::uint32_t header_bytes;
  std::uint64_t bytes;  // behind the header
  std::uint32_t compressed_bytes, unknown;
  std::uint16_t minor, major;  // of the language
  std::uint32_t target;        // 90: sm_90
};
static_assert(sizeof(Wrapper) == 24 && sizeof(Header) == 16 && sizeof(Entry) == 32);
constexpr std::uint32_t wrapper_magic = 0x466243b1, header_magic = 0xba55ed50;
constexpr std::uint16_t kind_ptx = 1;

template <class T> T copy_of(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

/// The GPU's side of one object.
struct Binary {
  struct Text {
    int target;
    std::string_view ptx;
  };
  std::vector<Text> texts;
  int target = 0;  // of the text that is taken
  std::unique_ptr<Module> module = {};
  cudaError_t fault = cudaSuccess;  // why there is no module, from the first time on that it was asked for
};

/// Not read further than to know what there is: programs have more objects than they launch kernels of.
std::vector<Binary::Text> texts_of(const void* fat) {
  std::vector<Binary::Text> texts;
  const auto wrapper = copy_of<Wrapper>(static_cast<const std::byte*>(fat));
  if (wrapper.magic != wrapper_magic) return texts;
  const auto header = copy_of<Header>(wrapper.data);
  if (header.magic != header_magic) return texts;
  const std::byte* at = wrapper.data + header.header_bytes;
  for (const std::byte* const end = at + header.bytes; at < end;) {
    const auto entry = copy_of<Entry>(at);
    const auto* const text = reinterpret_cast<const char*>(at + entry.header_bytes);
    if (entry.kind == kind_ptx) texts.push_back({static_cast<int>(entry.target), {text, entry.bytes}});
    at += entry.header_bytes + entry.bytes;
  }
  return texts;
}

/// Without the zeros that fill it up to whole words.
std::string_view without_end(std::string_view text) { return text.substr(0, text.find('\0')); }

bool is_text(std::string_view ptx) { return without_end(ptx).find(".version") != ptx.npos; }

// the card

/// What GPUs of a compute capability, and of those behind it up to the next, have.
///
/// source    CUDA C++ Programming Guide, table of technical specifications per compute capability
struct Limits {
  int capability;
  std::size_t shared_of_block, shared_of_processor;
  int threads, blocks;  // of a multiprocessor
};
constexpr std::size_t kib = 1024;
constexpr Limits all_limits[] = {
    {70, 96 * kib, 96 * kib, 2048, 32},   {75, 64 * kib, 64 * kib, 1024, 16},    {80, 163 * kib, 164 * kib, 2048, 32},
    {86, 99 * kib, 100 * kib, 1536, 16},  {87, 163 * kib, 164 * kib, 1536, 16},  {89, 99 * kib, 100 * kib, 1536, 24},
    {90, 227 * kib, 228 * kib, 2048, 32}, {100, 227 * kib, 228 * kib, 2048, 32}, {120, 99 * kib, 100 * kib, 1536, 24},
};
constexpr int most_threads = 1024, most_threads_z = 64, most_blocks_x = 0x7fffffff, most_blocks_yz = 65535;
constexpr int registers = 65536, lanes_of_warp = 32, processors = 132, version = 13000;
constexpr int least_priority = 0, greatest_priority = -5;
constexpr std::size_t card_bytes = std::size_t(16) << 30;

/// Things by their handles.
template <class T> class Owned {
 public:
  T* make(T value) {
    auto made = std::make_unique<T>(std::move(value));
    T* const handle = made.get();
    all_.emplace(handle, std::move(made));
    return handle;
  }
  bool has(T* handle) const { return all_.contains(handle); }
  cudaError_t end(T* handle) { return all_.erase(handle) == 1 ? cudaSuccess : cudaErrorInvalidResourceHandle; }

 private:
  std::unordered_map<T*, std::unique_ptr<T>> all_;
};

/// Pieces of memory. A fresh one holds poison: what is no number in fp64, fp32, fp16 and bf16, and -1. It has just the
/// bytes that were asked for, and before each lies some that is nobody's: who walks out of one does not end in the
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

class Card {
 public:
  /// Never ended: objects give their kernels back, and statics their memory, after main() in any order.
  static Card& now() {
    static Card& card = *new Card;
    return card;
  }

  std::mutex one_at_a_time;
  bool lost = false;        // a kernel failed
  bool known_lost = false;  // and a call that waits has said so
  std::vector<std::unique_ptr<Binary>> binaries;
  std::unordered_map<const void*, std::unique_ptr<CUkern_st>> kernels;  // by the function that stands for it
  Owned<CUstream_st> streams;
  Owned<CUevent_st> events;
  Owned<CUgraph_st> graphs;
  Owned<CUgraphExec_st> execs;
  CUstream_st default_stream;
  Pieces device, pinned;

  /// 90: 9.0. ENTRAIN_PTX_CAPABILITY says it; else it is the newest that the program has PTX for.
  int capability() {
    if (capability_ == 0) capability_ = asked_capability();
    return capability_;
  }
  const Limits& limits() {
    const auto* const newer = std::find_if(std::begin(all_limits) + 1, std::end(all_limits),
                                           [&](const Limits& l) { return l.capability > capability(); });
    return *std::prev(newer);
  }
  /// Of shared memory, what each block takes for the system.
  std::size_t reserved_shared() { return capability() >= 80 ? kib : 0; }

  /// nullptr: no such stream. The default streams, of all and of each thread, are one here.
  CUstream_st* stream(cudaStream_t handle) {
    if (handle == nullptr || handle == cudaStreamLegacy || handle == cudaStreamPerThread) return &default_stream;
    return streams.has(handle) ? handle : nullptr;
  }

  void run(const Work& work) {
    if (lost) return;
    try {
      work();
    } catch (const std::exception& e) {
      refuse(cudaErrorLaunchFailure, e.what());
      lost = true;
    }
  }
  cudaError_t queue(cudaStream_t handle, Work work) {
    CUstream_st* const to = stream(handle);
    if (to == nullptr) return cudaErrorInvalidResourceHandle;
    if (to == &default_stream && captures_what_waits()) return cudaErrorStreamCaptureImplicit;
    if (to->capture != nullptr) return record(*to, std::move(work));
    return run(work), cudaSuccess;
  }

  // captures

  cudaError_t begin(cudaStream_t stream, cudaStreamCaptureMode mode) {
    if (stream->capture != nullptr) return cudaErrorIllegalState;
    captures_.push_back(std::make_shared<Capture>(Capture{stream, mode, std::this_thread::get_id(), stream->blocking}));
    join(*stream, captures_.back(), {});
    return cudaSuccess;
  }
  void join(CUstream_st& stream, const std::shared_ptr<Capture>& capture, const std::vector<std::size_t>& behind) {
    stream.capture = capture;
    capture->streams.insert(&stream);
    stream.last.insert(stream.last.end(), behind.begin(), behind.end());
  }
  /// All that was recorded must come before what its first stream would do next.
  cudaError_t end(cudaStream_t stream, Works& works) {
    const std::shared_ptr<Capture> capture = stream->capture;
    if (capture == nullptr) return cudaErrorIllegalState;
    if (capture->origin != stream) return cudaErrorStreamCaptureUnmatched;
    if (capture->mode != cudaStreamCaptureModeRelaxed && capture->thread != std::this_thread::get_id())
      return cudaErrorStreamCaptureWrongThread;
    const bool joined = is_joined(*capture, stream->last);
    close(*capture);
    if (!capture->valid) return cudaErrorStreamCaptureInvalidated;
    if (!joined) return cudaErrorStreamCaptureUnjoined;
    std::vector<Work> all;
    for (Node& node : capture->nodes) all.push_back(std::move(node.work));
    works = std::make_shared<const std::vector<Work>>(std::move(all));
    return cudaSuccess;
  }
  /// Whether a call may be made that could wait for what is not even queued. If not, the captures are broken.
  bool may_wait() {
    bool may = true;
    for (const auto& capture : captures_) {
      const bool here = capture->thread == std::this_thread::get_id();
      const bool minds =
          capture->mode == cudaStreamCaptureModeGlobal || (capture->mode == cudaStreamCaptureModeThreadLocal && here);
      if (minds) capture->valid = may = false;
    }
    return may;
  }

  /// Nanoseconds; later at each call.
  double time() {
    const std::chrono::duration<double, std::nano> now = std::chrono::steady_clock::now() - start_;
    return time_ = std::max(now.count(), time_ + 1);
  }

 private:
  int asked_capability() const {
    constexpr int usual = 90;
    if (const char* const asked = std::getenv("ENTRAIN_PTX_CAPABILITY")) {
      int major = 0, minor = 0;
      if (std::sscanf(asked, "%d.%d", &major, &minor) == 2 && major >= 7 && minor >= 0 && minor <= 9)
        return 10 * major + minor;
      refuse(cudaErrorInvalidValue, "ENTRAIN_PTX_CAPABILITY is '" + std::string(asked) + "', not a number as 9.0");
      std::abort();
    }
    int newest = 0;
    for (const auto& binary : binaries)
      for (const Binary::Text& text : binary->texts) newest = std::max(newest, text.target);
    return newest == 0 ? usual : newest;
  }
  bool captures_what_waits() const {
    return std::any_of(captures_.begin(), captures_.end(), [](const auto& c) { return c->blocking; });
  }
  static cudaError_t record(CUstream_st& stream, Work work) {
    if (!stream.capture->valid) return cudaErrorStreamCaptureInvalidated;
    auto& nodes = stream.capture->nodes;
    nodes.push_back({std::move(work), std::exchange(stream.last, {})});
    stream.last.assign(1, nodes.size() - 1);
    return cudaSuccess;
  }
  static bool is_joined(const Capture& capture, const std::vector<std::size_t>& last) {
    std::vector<bool> before(capture.nodes.size());
    for (const std::size_t n : last) before[n] = true;
    for (std::size_t n = before.size(); n-- > 0;)
      if (before[n])
        for (const std::size_t earlier : capture.nodes[n].behind) before[earlier] = true;
    return std::find(before.begin(), before.end(), false) == before.end();
  }
  void close(Capture& capture) {
    for (const cudaStream_t stream : capture.streams)
      if (streams.has(stream)) stream->capture.reset(), stream->last.clear();
    capture.open = false;
    std::erase_if(captures_, [](const auto& c) { return !c->open; });
  }

  std::vector<std::shared_ptr<Capture>> captures_;  // open ones
  int capability_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double time_ = 0;
};

// calls

thread_local cudaError_t last_error = cudaSuccess;

cudaError_t said(cudaError_t code) {
  if (code != cudaSuccess) last_error = code;
  return code;
}
/// body(card): one at a time, and nothing any more once it was said that the card is lost.
template <class Body> cudaError_t call(Body&& body) {
  Card& card = Card::now();
  const std::lock_guard lock(card.one_at_a_time);
  return said(card.known_lost ? cudaErrorLaunchFailure : body(card));
}
/// A call that waits for the card: here it shows that a kernel failed.
template <class Body> cudaError_t call_that_waits(Body&& body) {
  return call([&](Card& card) {
    const cudaError_t code = body(card);
    if (code == cudaSuccess && card.lost) return card.known_lost = true, cudaErrorLaunchFailure;
    return code;
  });
}
/// What is given back is, whether the card is lost or not.
template <class Body> cudaError_t call_that_ends(Body&& body) {
  Card& card = Card::now();
  const std::lock_guard lock(card.one_at_a_time);
  const cudaError_t code = body(card);
  return said(card.known_lost ? cudaErrorLaunchFailure : code);
}

// kernels

/// The newest text that this card understands.
const Binary::Text* text_for(const Binary& binary, int capability) {
  const Binary::Text* best = nullptr;
  for (const Binary::Text& text : binary.texts)
    if (text.target <= capability && (best == nullptr || text.target > best->target)) best = &text;
  return best;
}
cudaError_t read_module(Card& card, Binary& binary) {
  const Binary::Text* const text = text_for(binary, card.capability());
  if (text == nullptr)
    return refuse(cudaErrorNoKernelImageForDevice,
                  "an object has no PTX for compute capability " + std::to_string(card.capability() / 10) + "." +
                      std::to_string(card.capability() % 10) +
                      ": compile it with nvcc -gencode arch=compute_90,code=compute_90, or an older target");
  if (!is_text(text->ptx))
    return refuse(cudaErrorInvalidPtx, "the PTX in an object is compressed: compile it with nvcc --no-compress");
  try {
    binary.module = std::make_unique<Module>(without_end(text->ptx));
  } catch (const std::exception& e) {
    return refuse(cudaErrorInvalidPtx, e.what());
  }
  binary.target = text->target;
  return cudaSuccess;
}
/// The kernel's PTX is read when its first kernel is asked for.
cudaError_t load(Card& card, CUkern_st& function) {
  if (function.kernel != nullptr) return cudaSuccess;
  Binary& binary = *function.binary;
  if (binary.module == nullptr && binary.fault == cudaSuccess) binary.fault = read_module(card, binary);
  if (binary.fault != cudaSuccess) return binary.fault;
  function.kernel = binary.module->kernel(function.name);
  if (function.kernel == nullptr)
    return refuse(cudaErrorInvalidDeviceFunction, "there is no kernel " + readable(function.name));
  function.dynamic_shared = usual_shared - std::min(usual_shared, function.kernel->static_shared);
  return cudaSuccess;
}
/// The kernel that a function of the host stands for.
cudaError_t find(Card& card, const void* host_function, CUkern_st*& found) {
  const auto known = card.kernels.find(host_function);
  if (known == card.kernels.end()) return cudaErrorInvalidDeviceFunction;
  found = known->second.get();
  return load(card, *found);
}

std::string in_words(dim3 d) { return std::to_string(d.x) + " x " + std::to_string(d.y) + " x " + std::to_string(d.z); }
std::uint64_t count(dim3 d) { return std::uint64_t(d.x) * d.y * d.z; }

/// What CUDA looks at before a launch.
cudaError_t check_launch(const CUkern_st& function, dim3 grid, dim3 block, std::size_t shared) {
  const Kernel& kernel = *function.kernel;
  const auto no = [&](cudaError_t code, const std::string& why) {
    return refuse(code, readable(kernel.name) + ": " + why);
  };
  if (count(grid) == 0 || grid.x > most_blocks_x || grid.y > most_blocks_yz || grid.z > most_blocks_yz)
    return no(cudaErrorInvalidConfiguration, "a grid of " + in_words(grid) + " blocks");
  if (count(block) == 0 || count(block) > most_threads || block.z > most_threads_z)
    return no(cudaErrorInvalidConfiguration, "blocks of " + in_words(block) + " threads");
  if (kernel.max_threads != 0 && count(block) > kernel.max_threads)
    return no(cudaErrorLaunchOutOfResources, "blocks of " + in_words(block) +
                                                 " threads, where its __launch_bounds__ say " +
                                                 std::to_string(kernel.max_threads));
  if (shared > function.dynamic_shared)
    return no(cudaErrorInvalidValue, std::to_string(shared) + " bytes of shared memory behind " +
                                         std::to_string(kernel.static_shared) +
                                         " of its own, and no cudaFuncSetAttribute that allows for it");
  return cudaSuccess;
}

/// A kernel's arguments as they were when it was launched.
class Arguments {
 public:
  Arguments(const Kernel& kernel, const void* const* from) : kernel_(&kernel) {
    for (std::size_t i = 0; i < kernel.params.size(); ++i) {
      const Param& param = kernel.params[i];
      bytes_.resize(std::max(bytes_.size(), param.offset + param.bytes));
      std::memcpy(bytes_.data() + param.offset, from[i], param.bytes);
    }
  }
  std::vector<const void*> addresses() const {
    std::vector<const void*> all;
    for (const Param& param : kernel_->params) all.push_back(bytes_.data() + param.offset);
    return all;
  }

 private:
  const Kernel* kernel_;
  std::vector<std::byte> bytes_;
};

cudaError_t launch(Card& card, CUkern_st& function, dim3 grid, dim3 block, const void* const* from, std::size_t shared,
                   cudaStream_t stream) {
  if (const cudaError_t code = check_launch(function, grid, block, shared); code != cudaSuccess) return code;
  return card.queue(stream, [&module = *function.binary->module, &kernel = *function.kernel, grid, block, shared,
                             arguments = Arguments(*function.kernel, from)] {
    module.launch(kernel, {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared, arguments.addresses().data());
  });
}

/// What kernel<<<...>>> says until the function that stands for the kernel asks for it.
struct Configuration {
  dim3 grid, block;
  std::size_t shared;
  cudaStream_t stream;
};
thread_local std::vector<Configuration> configurations;

int blocks_at_once(Card& card, const Kernel& kernel, int threads, std::size_t shared) {
  if (threads <= 0 || threads > most_threads) return 0;
  if (kernel.max_threads != 0 && static_cast<unsigned>(threads) > kernel.max_threads) return 0;
  const Limits& limits = card.limits();
  const int warps = (threads + lanes_of_warp - 1) / lanes_of_warp;
  const std::size_t bytes = shared + kernel.static_shared + card.reserved_shared();
  const int by_shared =
      bytes == 0 ? limits.blocks : static_cast<int>(std::min<std::size_t>(limits.shared_of_processor / bytes, 1024));
  const int by_registers = registers / (std::max(kernel.registers, 1) * lanes_of_warp * warps);
  return std::min({limits.blocks, limits.threads / (warps * lanes_of_warp), by_shared, by_registers});
}

// copies

bool is_on_card(const Card& card, const void* p) { return card.device.hold(p, 1); }

/// From what to what it is, where the caller leaves that open.
cudaMemcpyKind kind_of(const Card& card, const void* to, const void* from) {
  if (is_on_card(card, to)) return is_on_card(card, from) ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice;
  return is_on_card(card, from) ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost;
}
/// One side of a copy: all of it lies in one piece of the card's memory, or none of it.
cudaError_t check_side(const Card& card, const void* p, std::size_t bytes, bool device, const char* what) {
  if (device ? card.device.hold(p, bytes) : !is_on_card(card, p)) return cudaSuccess;
  char where[32];
  std::snprintf(where, sizeof where, "%p", p);
  return refuse(cudaErrorInvalidValue, std::string(what) + " " + where + ", " + std::to_string(bytes) + " bytes" +
                                           (device ? ", which the card does not have in one piece"
                                                   : ", which is the card's memory and not the host's"));
}
bool overlap(const void* a, const void* b, std::size_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(a), other = reinterpret_cast<std::uintptr_t>(b);
  return first < other + bytes && other < first + bytes;
}
cudaError_t copy(Card& card, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t handle) {
  CUstream_st* const stream = card.stream(handle);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (bytes == 0) return cudaSuccess;
  if (kind == cudaMemcpyDefault) kind = kind_of(card, to, from);
  const bool to_card = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice,
             from_card = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (const cudaError_t code = check_side(card, to, bytes, to_card, "a copy to"); code != cudaSuccess) return code;
  if (const cudaError_t code = check_side(card, from, bytes, from_card, "a copy from"); code != cudaSuccess)
    return code;
  if (to_card && from_card && overlap(to, from, bytes))
    return refuse(cudaErrorInvalidValue, "a copy of " + std::to_string(bytes) + " bytes onto itself");
  const bool by_itself = (to_card || card.pinned.hold(to, bytes)) && (from_card || card.pinned.hold(from, bytes));
  if (stream->capture != nullptr && !by_itself) {  // it would have to read now, or to wait
    stream->capture->valid = false;
    return cudaErrorStreamCaptureUnsupported;
  }
  const cudaError_t code = card.queue(handle, [=] { std::memcpy(to, from, bytes); });
  if (code == cudaSuccess && card.lost && !by_itself) return card.known_lost = true, cudaErrorLaunchFailure;
  return code;
}
cudaError_t fill(Card& card, void* to, std::size_t pitch, int value, std::size_t width, std::size_t rows,
                 cudaStream_t stream) {
  if (width == 0 || rows == 0) return cudaSuccess;
  if (rows > 1 && pitch < width) return cudaErrorInvalidPitchValue;
  const cudaError_t code = check_side(card, to, (rows - 1) * pitch + width, true, "a fill of");
  if (code != cudaSuccess) return code;
  return card.queue(stream, [=] {
    for (std::size_t r = 0; r < rows; ++r) std::memset(static_cast<std::byte*>(to) + r * pitch, value, width);
  });
}

// what is asked about the card

cudaDeviceProp properties(Card& card) {
  const Limits& limits = card.limits();
  cudaDeviceProp of{};
  std::snprintf(of.name, sizeof of.name, "PTX on a processor");
  of.major = card.capability() / 10, of.minor = card.capability() % 10;
  of.multiProcessorCount = processors;
  of.totalGlobalMem = card_bytes;
  of.sharedMemPerBlock = usual_shared;
  of.sharedMemPerBlockOptin = limits.shared_of_block;
  of.sharedMemPerMultiprocessor = limits.shared_of_processor;
  of.reservedSharedMemPerBlock = card.reserved_shared();
  of.regsPerBlock = of.regsPerMultiprocessor = registers;
  of.warpSize = lanes_of_warp;
  of.maxThreadsPerBlock = of.maxThreadsDim[0] = of.maxThreadsDim[1] = most_threads;
  of.maxThreadsDim[2] = most_threads_z;
  of.maxGridSize[0] = most_blocks_x;
  of.maxGridSize[1] = of.maxGridSize[2] = most_blocks_yz;
  of.maxThreadsPerMultiProcessor = limits.threads;
  of.maxBlocksPerMultiProcessor = limits.blocks;
  of.totalConstMem = 64 * kib;
  of.l2CacheSize = 50 << 20;
  of.memoryBusWidth = 5120;
  of.memPitch = most_blocks_x;
  of.textureAlignment = 512;
  of.asyncEngineCount = 3;
  of.unifiedAddressing = of.concurrentKernels = of.streamPrioritiesSupported = of.canMapHostMemory = 1;
  return of;
}
std::optional<int> attribute_of(Card& card, cudaDeviceAttr which) {
  const cudaDeviceProp of = properties(card);
  const std::pair<cudaDeviceAttr, int> known[] = {
      {cudaDevAttrComputeCapabilityMajor, of.major},
      {cudaDevAttrComputeCapabilityMinor, of.minor},
      {cudaDevAttrMultiProcessorCount, of.multiProcessorCount},
      {cudaDevAttrMaxThreadsPerBlock, of.maxThreadsPerBlock},
      {cudaDevAttrMaxThreadsPerMultiProcessor, of.maxThreadsPerMultiProcessor},
      {cudaDevAttrMaxBlocksPerMultiprocessor, of.maxBlocksPerMultiProcessor},
      {cudaDevAttrMaxGridDimX, of.maxGridSize[0]},
      {cudaDevAttrMaxGridDimY, of.maxGridSize[1]},
      {cudaDevAttrMaxGridDimZ, of.maxGridSize[2]},
      {cudaDevAttrWarpSize, of.warpSize},
      {cudaDevAttrMaxRegistersPerBlock, of.regsPerBlock},
      {cudaDevAttrL2CacheSize, of.l2CacheSize},
      {cudaDevAttrUnifiedAddressing, of.unifiedAddressing},
      {cudaDevAttrMaxSharedMemoryPerBlock, static_cast<int>(of.sharedMemPerBlock)},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, static_cast<int>(of.sharedMemPerBlockOptin)},
      {cudaDevAttrMaxSharedMemoryPerMultiprocessor, static_cast<int>(of.sharedMemPerMultiprocessor)},
      {cudaDevAttrReservedSharedMemoryPerBlock, static_cast<int>(of.reservedSharedMemPerBlock)},
  };
  for (const auto& [attribute, value] : known)
    if (attribute == which) return value;
  return std::nullopt;
}

struct ErrorText {
  cudaError_t code;
  const char *name, *text;
};
constexpr ErrorText error_texts[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {cudaErrorInvalidPitchValue, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
    {cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorInsufficientDriver, "cudaErrorInsufficientDriver",
     "CUDA driver version is insufficient for CUDA runtime version"},
    {cudaErrorNoKernelImageForDevice, "cudaErrorNoKernelImageForDevice",
     "no kernel image is available for execution on the device"},
    {cudaErrorInvalidPtx, "cudaErrorInvalidPtx", "a PTX JIT compilation failed"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorIllegalState, "cudaErrorIllegalState", "the operation cannot be performed in the present state"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {cudaErrorLaunchOutOfResources, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
    {cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported",
     "operation not permitted when stream is capturing"},
    {cudaErrorStreamCaptureInvalidated, "cudaErrorStreamCaptureInvalidated",
     "operation failed due to a previous error during capture"},
    {cudaErrorStreamCaptureMerge, "cudaErrorStreamCaptureMerge",
     "operation would result in a merge of separate capture sequences"},
    {cudaErrorStreamCaptureUnmatched, "cudaErrorStreamCaptureUnmatched", "capture was not initiated in this stream"},
    {cudaErrorStreamCaptureUnjoined, "cudaErrorStreamCaptureUnjoined", "capturing stream has unjoined work"},
    {cudaErrorStreamCaptureIsolation, "cudaErrorStreamCaptureIsolation",
     "dependency created on uncaptured work in another stream"},
    {cudaErrorStreamCaptureImplicit, "cudaErrorStreamCaptureImplicit",
     "operation would make the legacy stream depend on a capturing blocking stream"},
    {cudaErrorCapturedEvent, "cudaErrorCapturedEvent",
     "operation not permitted on an event last recorded in a capturing stream"},
    {cudaErrorStreamCaptureWrongThread, "cudaErrorStreamCaptureWrongThread",
     "attempt to terminate a thread-local capture sequence from another thread"},
};
ErrorText error_text(cudaError_t code) {
  const auto* const known =
      std::find_if(std::begin(error_texts), std::end(error_texts), [&](const ErrorText& e) { return e.code == code; });
  return known != std::end(error_texts) ? *known
                                        : ErrorText{code, "unrecognized error code", "unrecognized error code"};
}

/// For who asks about an event, or waits for it.
cudaError_t check_event(Card& card, cudaEvent_t event) {
  if (!card.events.has(event)) return cudaErrorInvalidResourceHandle;
  if (event->capture != nullptr) {
    event->capture->valid = false;
    return cudaErrorCapturedEvent;
  }
  return card.may_wait() ? cudaSuccess : cudaErrorStreamCaptureUnsupported;
}

}  // namespace

cudaError_t queue(cudaStream_t stream, std::function<void()> work) {
  return call([&](Card& card) { return card.queue(stream, std::move(work)); });
}

}  // namespace ptx

using namespace ptx;

// what nvcc puts beside kernels

extern "C" {

void** __cudaRegisterFatBinary(void* fat) {
  Card& card = Card::now();
  const std::lock_guard lock(card.one_at_a_time);
  card.binaries.push_back(std::make_unique<Binary>(Binary{texts_of(fat)}));
  return reinterpret_cast<void**>(card.binaries.back().get());
}
void __cudaRegisterFatBinaryEnd(void**) {}
/// At a program's end: what its kernels did goes to the end of the file that ENTRAIN_PTX_REPORT names.
void __cudaUnregisterFatBinary(void** handle) {
  const char* const file = std::getenv("ENTRAIN_PTX_REPORT");
  const Binary& binary = *reinterpret_cast<const Binary*>(handle);
  if (file == nullptr || !binary.module) return;
  std::FILE* const to = std::fopen(file, "a");
  if (to == nullptr) return;
  std::fputs(binary.module->report().c_str(), to);
  std::fclose(to);
}
char __cudaInitModule(void**) { return 1; }
void __cudaRegisterFunction(void** binary, const char* host_function, char*, const char* name, int, uint3*, uint3*,
                            dim3*, dim3*, int*) {
  Card& card = Card::now();
  const std::lock_guard lock(card.one_at_a_time);
  auto made = std::make_unique<CUkern_st>(CUkern_st{reinterpret_cast<Binary*>(binary), name});
  card.kernels.try_emplace(host_function, std::move(made));
}
/// Variables lie in the module; the host asks for none of them by name.
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int) {}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, cudaStream_t stream) {
  configurations.push_back({grid, block, shared, stream});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  if (configurations.empty()) return said(cudaErrorInvalidConfiguration);
  const Configuration now = configurations.back();
  configurations.pop_back();
  *grid = now.grid, *block = now.block, *shared = now.shared;
  *static_cast<cudaStream_t*>(stream) = now.stream;
  return cudaSuccess;
}
/// Asked for before main() too: nothing is read yet.
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host_function) {
  return call([&](Card& card) {
    const auto known = card.kernels.find(host_function);
    if (known == card.kernels.end()) return cudaErrorInvalidDeviceFunction;
    return *kernel = known->second.get(), cudaSuccess;
  });
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                               cudaStream_t stream) {
  return call([&](Card& card) {
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
    if (const cudaError_t code = load(card, *kernel); code != cudaSuccess) return code;
    return launch(card, *kernel, grid, block, arguments, shared, stream);
  });
}

}  // extern "C"

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                             cudaStream_t stream) {
  return call([&](Card& card) {
    CUkern_st* kernel = nullptr;
    if (const cudaError_t code = find(card, function, kernel); code != cudaSuccess) return code;
    return launch(card, *kernel, grid, block, arguments, shared, stream);
  });
}
/// Of the attributes, one that lets a kernel begin early asks for nothing here; others change what a kernel does.
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
  for (unsigned i = 0; i < config->numAttrs; ++i)
    if (config->attrs[i].id != cudaLaunchAttributeProgrammaticStreamSerialization)
      return said(refuse(cudaErrorNotSupported, "launch attribute " + std::to_string(config->attrs[i].id)));
  return cudaLaunchKernel(function, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes,
                          config->stream);
}
cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute which, int value) {
  return call([&](Card& card) {
    CUkern_st* kernel = nullptr;
    if (const cudaError_t code = find(card, function, kernel); code != cudaSuccess) return code;
    if (which == cudaFuncAttributePreferredSharedMemoryCarveout) return cudaSuccess;
    if (which != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0) return cudaErrorInvalidValue;
    const auto bytes = static_cast<std::size_t>(value);
    if (bytes + kernel->kernel->static_shared > card.limits().shared_of_block)
      return refuse(cudaErrorInvalidValue,
                    readable(kernel->name) + ": more shared memory is asked for than a block may have");
    return kernel->dynamic_shared = bytes, cudaSuccess;
  });
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return call([&](Card& card) {
    CUkern_st* kernel = nullptr;
    if (const cudaError_t code = find(card, function, kernel); code != cudaSuccess) return code;
    cudaFuncAttributes of{};
    of.sharedSizeBytes = kernel->kernel->static_shared;
    of.maxThreadsPerBlock =
        kernel->kernel->max_threads != 0 ? static_cast<int>(kernel->kernel->max_threads) : most_threads;
    of.numRegs = kernel->kernel->registers;
    of.ptxVersion = kernel->binary->target;
    of.binaryVersion = card.capability();
    of.maxDynamicSharedSizeBytes = static_cast<int>(kernel->dynamic_shared);
    of.preferredShmemCarveout = -1;
    return *attributes = of, cudaSuccess;
  });
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int threads,
                                                                   std::size_t shared, unsigned) {
  return call([&](Card& card) {
    CUkern_st* kernel = nullptr;
    if (const cudaError_t code = find(card, function, kernel); code != cudaSuccess) return code;
    return *blocks = blocks_at_once(card, *kernel->kernel, threads, shared), cudaSuccess;
  });
}

// errors

cudaError_t cudaPeekAtLastError() {
  Card& card = Card::now();
  const std::lock_guard lock(card.one_at_a_time);
  return card.known_lost ? cudaErrorLaunchFailure : last_error;
}
cudaError_t cudaGetLastError() {
  const cudaError_t code = cudaPeekAtLastError();
  last_error = cudaSuccess;
  return code;
}
const char* cudaGetErrorName(cudaError_t code) { return error_text(code).name; }
const char* cudaGetErrorString(cudaError_t code) { return error_text(code).text; }

// the card

cudaError_t cudaDriverGetVersion(int* number) { return *number = version, cudaSuccess; }
cudaError_t cudaRuntimeGetVersion(int* number) { return *number = version, cudaSuccess; }
cudaError_t cudaGetDeviceCount(int* number) { return *number = 1, cudaSuccess; }
cudaError_t cudaGetDevice(int* index) { return *index = 0, cudaSuccess; }
cudaError_t cudaSetDevice(int index) { return said(index == 0 ? cudaSuccess : cudaErrorInvalidDevice); }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* of, int index) {
  return call([&](Card& card) {
    if (index != 0) return cudaErrorInvalidDevice;
    return *of = properties(card), cudaSuccess;
  });
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int index) {
  return call([&](Card& card) {
    if (index != 0) return cudaErrorInvalidDevice;
    const std::optional<int> known = attribute_of(card, which);
    if (!known) return refuse(cudaErrorInvalidValue, "device attribute " + std::to_string(which));
    return *value = *known, cudaSuccess;
  });
}
cudaError_t cudaDeviceGetPCIBusId(char* id, int bytes, int index) {
  if (index != 0) return said(cudaErrorInvalidDevice);
  constexpr std::string_view bus = "0000:00:00.0";
  if (bytes <= static_cast<int>(bus.size())) return said(cudaErrorInvalidValue);
  std::memcpy(id, bus.data(), bus.size());
  id[bus.size()] = '\0';
  return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return *least = least_priority, *greatest = greatest_priority, cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() {
  return call_that_waits([](Card& card) { return card.may_wait() ? cudaSuccess : cudaErrorStreamCaptureUnsupported; });
}

// memory

cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total) {
  return call(
      [&](Card& card) { return *free_bytes = card_bytes - card.device.taken(), *total = card_bytes, cudaSuccess; });
}
cudaError_t cudaMalloc(void** p, std::size_t bytes) {
  return call_that_waits([&](Card& card) {
    if (!card.may_wait()) return cudaErrorStreamCaptureUnsupported;
    *p = nullptr;
    if (bytes == 0) return cudaSuccess;
    if (bytes > card_bytes - card.device.taken()) return cudaErrorMemoryAllocation;
    *p = card.device.take(bytes);
    return *p != nullptr ? cudaSuccess : cudaErrorMemoryAllocation;
  });
}
cudaError_t cudaHostAlloc(void** p, std::size_t bytes, unsigned) {
  return call_that_waits([&](Card& card) {
    if (!card.may_wait()) return cudaErrorStreamCaptureUnsupported;
    *p = bytes == 0 ? nullptr : card.pinned.take(bytes);
    return bytes == 0 || *p != nullptr ? cudaSuccess : cudaErrorMemoryAllocation;
  });
}
cudaError_t cudaFree(void* p) {
  return call_that_ends([&](Card& card) {
    if (p == nullptr) return cudaSuccess;
    if (!card.may_wait()) return cudaErrorStreamCaptureUnsupported;
    return card.device.give_back(p) ? cudaSuccess : refuse(cudaErrorInvalidValue, "cudaFree of what is no piece");
  });
}
cudaError_t cudaFreeHost(void* p) {
  return call_that_ends([&](Card& card) {
    if (p == nullptr) return cudaSuccess;
    if (!card.may_wait()) return cudaErrorStreamCaptureUnsupported;
    return card.pinned.give_back(p) ? cudaSuccess : refuse(cudaErrorInvalidValue, "cudaFreeHost of what is no piece");
  });
}
cudaError_t cudaMemset(void* p, int value, std::size_t bytes) {
  return call([&](Card& card) {
    if (!card.may_wait()) return cudaErrorStreamCaptureUnsupported;
    return fill(card, p, bytes, value, bytes, 1, nullptr);
  });
}
cudaError_t cudaMemsetAsync(void* p, int value, std::size_t bytes, cudaStream_t stream) {
  return call([&](Card& card) { return fill(card, p, bytes, value, bytes, 1, stream); });
}
cudaError_t cudaMemset2DAsync(void* p, std::size_t pitch, int value, std::size_t width, std::size_t rows,
                              cudaStream_t stream) {
  return call([&](Card& card) { return fill(card, p, pitch, value, width, rows, stream); });
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return call([&](Card& card) { return copy(card, to, from, bytes, kind, stream); });
}

// streams and events

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return call([&](Card& card) {
    const int within = std::clamp(priority, greatest_priority, least_priority);
    return *stream = card.streams.make({within, (flags & cudaStreamNonBlocking) == 0}), cudaSuccess;
  });
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return call_that_ends([&](Card& card) {
    if (card.streams.has(stream) && stream->capture != nullptr) stream->capture->valid = false;
    return card.streams.end(stream);
  });
}
cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  return call_that_waits([&](Card& card) {
    const CUstream_st* const stream = card.stream(handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    if (stream->capture == nullptr) return card.queue(handle, [] {});
    stream->capture->valid = false;
    return cudaErrorStreamCaptureUnsupported;
  });
}
cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned) {
  return call([&](Card& card) {
    CUstream_st* const stream = card.stream(handle);
    if (stream == nullptr || !card.events.has(event)) return cudaErrorInvalidResourceHandle;
    if (event->capture == nullptr) return stream->capture == nullptr ? cudaSuccess : cudaErrorStreamCaptureIsolation;
    if (!event->capture->open) return cudaErrorInvalidValue;
    if (stream->capture != nullptr && stream->capture != event->capture) return cudaErrorStreamCaptureMerge;
    if (stream == &card.default_stream) return cudaErrorStreamCaptureImplicit;
    return card.join(*stream, event->capture, event->last), cudaSuccess;
  });
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return call(
      [&](Card& card) { return *event = card.events.make({(flags & cudaEventDisableTiming) == 0}), cudaSuccess; });
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return call_that_ends([&](Card& card) { return card.events.end(event); });
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t handle) {
  return call([&](Card& card) {
    const CUstream_st* const stream = card.stream(handle);
    if (stream == nullptr || !card.events.has(event)) return cudaErrorInvalidResourceHandle;
    event->capture = stream->capture;
    event->last = stream->last;
    if (stream->capture != nullptr) return cudaSuccess;
    event->nanoseconds = card.time();
    return cudaSuccess;
  });
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  return call_that_waits([&](Card& card) { return check_event(card, event); });
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return call_that_waits([&](Card& card) { return check_event(card, event); });
}
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t from, cudaEvent_t to) {
  return call_that_waits([&](Card& card) {
    for (const cudaEvent_t event : {from, to}) {
      if (!card.events.has(event) || !event->timed) return cudaErrorInvalidResourceHandle;
      if (event->capture != nullptr) return cudaErrorCapturedEvent;
      if (!event->nanoseconds) return cudaErrorInvalidResourceHandle;
    }
    return *ms = static_cast<float>((*to->nanoseconds - *from->nanoseconds) / 1e6), cudaSuccess;
  });
}

// graphs

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  return call([&](Card& card) {
    CUstream_st* const stream = card.stream(handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    return stream == &card.default_stream ? cudaErrorStreamCaptureUnsupported : card.begin(stream, mode);
  });
}
cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
  return call([&](Card& card) {
    *graph = nullptr;
    CUstream_st* const stream = card.stream(handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    Works works;
    if (const cudaError_t code = card.end(stream, works); code != cudaSuccess) return code;
    return *graph = card.graphs.make({std::move(works)}), cudaSuccess;
  });
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
  return call([&](Card& card) {
    if (!card.graphs.has(graph)) return cudaErrorInvalidValue;
    return *exec = card.execs.make({graph->works}), cudaSuccess;
  });
}
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t handle) {
  return call([&](Card& card) {
    const CUstream_st* const stream = card.stream(handle);
    if (stream == nullptr || !card.execs.has(exec)) return cudaErrorInvalidValue;
    return stream->capture == nullptr ? cudaSuccess : cudaErrorStreamCaptureUnsupported;
  });
}
/// In the order in which it was recorded, which is one of those that a GPU may choose.
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  return call([&](Card& card) {
    if (!card.execs.has(exec)) return cudaErrorInvalidValue;
    return card.queue(stream, [works = exec->works] {
      for (const Work& work : *works) work();
    });
  });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return call_that_ends([&](Card& card) { return card.graphs.end(graph); });
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  return call_that_ends([&](Card& card) { return card.execs.end(exec); });
}
