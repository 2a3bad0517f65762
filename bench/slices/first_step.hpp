// bench: what a trainer on the CPU computes in its first step, for bench/peers/hf_parity.py.
//
// Before the step changes anything, it writes OUT/logits (numbers as they are in memory) and OUT/gradients/NAME (of the
// summed loss, a file a tensor, with transformers' names).
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "entrain/cpu.hpp"
#include "entrain/family/tensor_names.hpp"

namespace parity {

template <class T> void write_numbers(const std::string& path, const T* numbers, std::size_t count) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(numbers), static_cast<std::streamsize>(count * sizeof(T)));
}

/// Writes logits and gradients of one batch, as a trainer would compute them.
///
/// scored    scored(saved) gives the rows that the head's linear layer reads
template <class Trainer, class Batch, class Scored>
void write_first_step(Trainer& trainer, const typename Trainer::Device& cpu, const Batch& batch, const std::string& out,
                      Scored&& scored) {
  using namespace entrain;
  using Model = typename Trainer::Model;
  using P = typename Trainer::Policy;
  using T = typename P::Master;
  using Real = typename Model::template Impl<P, typename Trainer::Device>;
  const int labels = trainer.labels().count();
  const auto cost = train::cost_of<Model, P>({batch.words.count, batch.words.count, labels});
  typename Trainer::Device::template Buffer<std::byte> memory(cost.arena);
  Arena arena{memory.data(), memory.size()};
  Counters counters;
  const Step<typename Trainer::Device> at{cpu, batch.shape, batch.geometry, true, Write::assign, arena, &counters};
  std::vector<T> gradients(trainer.layout().size);
  std::vector<std::uint32_t> stamps(trainer.layout().stamps);
  T loss = 0;
  const auto weights = bind<Model, const T>(trainer.values(), labels);
  auto saved = Real::allocate_saved(arena, batch.shape, batch.words);
  Real::forward(at, weights, batch.words, batch.targets, &loss, saved);
  Real::backward(at, weights, saved, batch.words, batch.targets,
                 bind<Model, T>(gradients.data(), labels, stamps.data()));
  const auto x = scored(saved);
  std::vector<T> logits,
      padded(static_cast<std::size_t>(x.n) * static_cast<std::size_t>(LabelMatrix<T>::padded(labels)));
  const LabelMatrix<T> scores(padded.data(), x.n, labels);
  kernel::gemm_bias(cpu, x, weights.head.weight, weights.head.bias, scores);  // as the head did
  for (int n = 0; n < x.n; ++n)
    for (int k = 0; k < labels; ++k) logits.push_back(scores(n, k));
  write_numbers(out + "/logits", logits.data(), logits.size());
  std::filesystem::create_directories(out + "/gradients");
  for (const Span& s : trainer.layout().spans) {
    T* const g = gradients.data() + s.offset;
    if (s.sparse)  // rows that the batch does not contain are not written
      for (int r = 0; r < s.rows; ++r)
        if (stamps[s.stamp_offset + static_cast<std::size_t>(r)] == 0)
          std::fill_n(g + static_cast<std::size_t>(r) * static_cast<std::size_t>(s.cols), s.cols, T(0));
    write_numbers(out + "/gradients/" + family::stored_name(s.name, Model::family), g, s.size());
  }
}

}  // namespace parity
