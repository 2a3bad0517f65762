// bench: finetune_parity.hpp on the CPU; also writes what the first step computes.
//
//   finetune_parity FOLDER TRAIN TEST STEPS SEED OUT [fp64|bf16]
//
// For the first step, before it changes anything, it also writes OUT/logits (numbers as they are in memory, a row a
// word) and OUT/gradients/NAME (of the summed loss, a file a tensor, with transformers' names).
#include "bench/slices/finetune_parity.hpp"

#include <entrain/cpu.hpp>
#include <entrain/family/tensor_names.hpp>

#include "examples/04_finetune_ner/tagger.hpp"

using namespace entrain;

namespace {

template <class T> void write_numbers(const std::string& path, const T* numbers, std::size_t count) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(numbers), static_cast<std::streamsize>(count * sizeof(T)));
}

/// Writes logits and gradients of one batch, as a trainer would compute them.
template <class Trainer, class Batch> void write_first_step(Trainer& trainer, const typename Trainer::Device& cpu,
                                                            const Batch& batch, int labels, const std::string& out) {
  using Model = typename Trainer::Model;
  using P = typename Trainer::Policy;
  using T = typename P::Master;
  using Real = typename Model::template Impl<P, typename Trainer::Device>;
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
  std::vector<T> logits,
      padded(static_cast<std::size_t>(batch.shape.rows) * static_cast<std::size_t>(LabelMatrix<T>::padded(labels)));
  const LabelMatrix<T> scores(padded.data(), batch.shape.rows, labels);
  kernel::gemm_bias(cpu, saved.head.head.x, weights.head.weight, weights.head.bias, scores);  // as the head did
  for (int n = 0; n < batch.shape.rows; ++n)
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

template <class P, class D = finetune::Trainer::Device> void run(const parity::Asked& asked) {
  using Trainer = train::Trainer<finetune::MiniLm, P, D, optim::LazyUpdate<optim::AdamW>>;
  const typename Trainer::Device cpu(2);
  parity::finetune<Trainer>(cpu, asked, [&](Trainer& trainer, const auto& batch) {
    write_first_step(trainer, cpu, batch, trainer.labels().count(), asked.out);
  });
}

}  // namespace

int main(int argc, char** argv) {
  const std::string numbers = argc > 7 ? argv[7] : "fp32";
  return parity::main_of(argc, argv, " [fp64|bf16]",
                         numbers == "fp64"   ? run<precision::Fp64>
                         : numbers == "bf16" ? run<precision::Fp32, device::Cpu<kernel::FastBf16Gemm>>
                                             : run<precision::Fp32>);
}
