// tests > [consumers]
//
// What another project writes: its own composition, and a file of entrain::compiled.
#include <cstdio>
#include <entrain/checkpoint/json.hpp>
#include <entrain/cpu.hpp>

using namespace entrain;
using Tagger = model::Tagger<embed::MultiHash<8, batch::HashedWords<1, 50>, 2>, encode::MaxoutWindow<8, 1>,
                             head::Softmax<8, text::Bio>>;
using Trainer = train::Trainer<Tagger, precision::Fp32, device::Cpu<>, optim::Sgd>;

int main() {
  const device::Cpu<> cpu(1);
  Trainer trainer(cpu, Trainer::Labels({"PER", "LOC"}), 16, 1);
  const auto header = checkpoint::parse_header("{}", "a string");
  std::printf("%zu parameters, %zu tensors\n", trainer.parameters(), header.entries.size());
  return trainer.parameters() > 0 && header.entries.empty() ? 0 : 1;
}
