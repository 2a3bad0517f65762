// tests > [proofs]
//
// No step of training takes memory, once the first few have passed: every way to it is interposed here, on all threads,
// while a real corpus is trained on, shuffled, with changing lengths.
//
//   proof_allocations CORPUS [PLANT]      PLANT: one of the ways, taken on purpose; it must be noticed
#include <execinfo.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "entrain/core/timeline.hpp"
#include "entrain/cpu.hpp"
#include "entrain/text/conll/conll.hpp"
#include "entrain/train/data/data.hpp"
#include "entrain/train/data/targets.hpp"
#include "entrain/train/loop/fit.hpp"

namespace watch {
std::atomic<bool> armed{false};
std::atomic<int> taken{0};
constexpr int most = 5, depth = 24;
struct Sighting {
  const char* way;
  void* frames[depth];
  int count;
} sightings[most];

void see(const char* way) {
  static thread_local bool looking = false;  // what backtrace itself does is not the program's
  if (!armed.load(std::memory_order_relaxed) || looking) return;
  looking = true;
  const int i = taken.fetch_add(1);
  if (i < most) sightings[i] = {way, {}, 0}, sightings[i].count = backtrace(sightings[i].frames, depth);
  looking = false;
}
}  // namespace watch

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t n) noexcept { return watch::see("malloc"), __libc_malloc(n); }
void* calloc(std::size_t n, std::size_t size) noexcept { return watch::see("calloc"), __libc_calloc(n, size); }
void* realloc(void* p, std::size_t n) noexcept { return watch::see("realloc"), __libc_realloc(p, n); }
void* memalign(std::size_t to, std::size_t n) noexcept { return watch::see("memalign"), __libc_memalign(to, n); }
void* aligned_alloc(std::size_t to, std::size_t n) noexcept {
  return watch::see("aligned_alloc"), __libc_memalign(to, n);
}
int posix_memalign(void** p, std::size_t to, std::size_t n) noexcept {
  watch::see("posix_memalign");
  *p = __libc_memalign(to, n);
  return *p != nullptr ? 0 : 12;  // ENOMEM
}
void* mmap(void* at, std::size_t n, int protection, int flags, int file, off_t offset) noexcept {
  watch::see("mmap");
  return reinterpret_cast<void*>(syscall(SYS_mmap, at, n, protection, flags, file, offset));
}
void* mmap64(void* at, std::size_t n, int protection, int flags, int file, off_t offset) noexcept {
  watch::see("mmap64");
  return reinterpret_cast<void*>(syscall(SYS_mmap, at, n, protection, flags, file, offset));
}
}

namespace {
using namespace entrain;
using Tagger = model::Tagger<embed::MultiHash<96>, encode::MaxoutWindow<96, 2>, head::Crf<96, text::Bioes>>;
using Trainer = train::Trainer<Tagger, precision::Fp32, device::Cpu<>, optim::AdamW>;

/// Takes memory in the way that is named. volatile: the compiler may not leave it out.
void take(const device::Cpu<>& cpu, std::string_view way) {
  void* volatile p = nullptr;
  if (way == "malloc") p = std::malloc(64);
  if (way == "calloc") p = std::calloc(4, 16);
  if (way == "realloc") p = std::realloc(nullptr, 64);
  if (way == "aligned_alloc") p = std::aligned_alloc(64, 64);
  if (void* q = nullptr; way == "posix_memalign" && posix_memalign(&q, 64, 64) == 0) p = q;
  if (way == "new") p = ::operator new(64);
  if (way == "aligned_new") p = ::operator new (64, std::align_val_t{64});
  if (way == "mmap") p = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (way == "worker")  // on another thread than this one
    for (std::atomic<bool> done{false}; !done;)
      cpu.parallel(8, [&](int, int worker) {
        if (worker == 1 && !done.exchange(true)) p = std::malloc(64);
      });
  if (p == nullptr) std::fprintf(stderr, "proof_allocations: no way is called '%s'\n", std::string(way).c_str());
}
}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const train::Tagged corpus = train::tagged(text::read_conll(argv[1]), {});
  auto encoded = batch::encode<Trainer::Features>(corpus.corpus);
  const Trainer::Labels labels(corpus.types.names());
  train::set_targets(encoded, corpus, labels, "conlleval");
  batch::add_unknown_word_copies(encoded);

  train::Options options;
  options.token_budget = 512;
  options.gradient_accumulation_steps = 2;
  options.word_dropout = 0.1;
  options.epochs = 2;
  options.max_steps = argc > 2 ? 12 : 120;
  Timeline timeline(1 << 12);  // what is measured is kept in memory that was taken before
  options.timeline = &timeline;
  const device::Cpu<> cpu(2);
  const int rows = std::max(options.token_budget, encoded.longest());
  Trainer trainer(cpu, labels, rows, 1);

  void* warm[watch::depth];
  backtrace(warm, watch::depth);  // loads what it needs
  constexpr std::uint32_t warm_up = 3;
  int epochs = 0;
  double loss = 0;
  const auto on_step = [&](const train::StepReport& report) {
    loss = report.loss;
    epochs = report.epoch + 1;
    if (report.step == warm_up + 5 && argc > 2) take(cpu, argv[2]);
    watch::armed = warm_up <= report.step && report.step < report.total_steps;
  };
  const auto out = train::fit(
      trainer, encoded, options, on_step, [] { return -1.0; }, [](std::uint32_t, double, bool) {});
  watch::armed = false;

  std::printf("%u steps, %llu tokens, %d epochs begun, loss %.3f: %d allocations\n", out.steps,
              static_cast<unsigned long long>(out.tokens), epochs, loss, watch::taken.load());
  for (int i = 0; i < std::min(watch::taken.load(), watch::most); ++i) {
    std::printf("%s from\n", watch::sightings[i].way);
    std::fflush(stdout);
    backtrace_symbols_fd(watch::sightings[i].frames, watch::sightings[i].count, 1);
  }
  return watch::taken == 0 ? 0 : 1;
}
