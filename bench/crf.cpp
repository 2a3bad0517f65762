// bench: only the chain of the CRF, forward, backward and decoding, on one core, at four numbers of tags.
//
// Sentences of 5 to 40 tokens, the scheme BIOES. Prints, for each number of tags, microseconds of CPU time a
// token: medians of seven passes in turn.
#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <vector>

#include "entrain/core/random.hpp"
#include "entrain/kernel/crf/cpu.hpp"
#include "entrain/kernel/gemm/cpu.hpp"
#include "tests/gradient.hpp"

using namespace entrain;

namespace {

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::vector<float> noise(std::size_t n, std::uint32_t purpose) {
  Random random(1, purpose);
  std::vector<float> v(n);
  for (float& x : v) x = random.uniform() * 2 - 1;
  return v;
}

void row(int tags, int tokens) {
  std::vector<int> lengths;
  Random random(3);
  for (int left = tokens; left > 0; left -= lengths.back())
    lengths.push_back(std::min(left, 5 + static_cast<int>(random.below(36))));
  test::Sentences sentences(lengths);
  const Shape shape = sentences.shape(tags);
  const auto k = static_cast<std::size_t>(tags), n = static_cast<std::size_t>(tokens);
  const auto scores = noise(n * static_cast<std::size_t>(LabelMatrix<float>::padded(tags)), 1),
             transitions = noise(k * k, 2), start = noise(k, 3), end = noise(k, 4);
  std::vector<float> d(scores.size()), g_transitions(k * k), g_start(k), g_end(k);
  std::vector<std::int32_t> targets(n), best(n);  // all O: a sentence whose tags break the scheme costs nothing

  test::OwnedArena memory(std::size_t{512} << 20);
  const device::Cpu<> cpu(1);
  const Step<device::Cpu<>> at{cpu, shape, sentences.geometry(), true, Write::assign, memory.arena};
  const auto saved = kernel::CrfSaved<float>::take(memory.arena, shape);
  const kernel::Chain<const float> chain{{transitions.data(), tags}, {start.data(), tags}, {end.data(), tags}};
  const kernel::Chain<float> gradients{{g_transitions.data(), tags}, {g_start.data(), tags}, {g_end.data(), tags}};
  const LabelMatrix<const float> x(scores.data(), tokens, tags);
  float loss = 0;
  constexpr std::size_t passes = 7;
  std::array<std::array<double, passes>, 3> seconds{};
  for (std::size_t pass = 0; pass < passes; ++pass) {
    const double t0 = processor_seconds();
    kernel::crf_forward<text::Bioes>(at, x, chain, targets.data(), saved, &loss);
    const double t1 = processor_seconds();
    kernel::crf_backward<text::Bioes>(at, x, chain, targets.data(), saved, LabelMatrix<float>(d.data(), tokens, tags),
                                      gradients);
    const double t2 = processor_seconds();
    kernel::crf_decode<text::Bioes>(at, x, chain, best.data());
    seconds[0][pass] = t1 - t0, seconds[1][pass] = t2 - t1, seconds[2][pass] = processor_seconds() - t2;
  }
  std::printf("%5d", tags);
  for (auto& s : seconds) {
    std::sort(s.begin(), s.end());
    std::printf("  %9.3f", s[passes / 2] / tokens * 1e6);
  }
  std::printf("  %9.1f\n", static_cast<double>(memory.arena.peak) / (1 << 20));
}

}  // namespace

int main() {
  std::puts(" tags    forward   backward     decode  arena MiB      us a token of CPU time, one thread");
  row(9, 8192);
  row(33, 8192);
  row(155, 4096);
  row(2001, 512);
}
