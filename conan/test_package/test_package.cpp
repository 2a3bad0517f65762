// A trainer, not trained: its type and its libraries are there.
#include <cstdio>
#include <entrain/core/version.hpp>
#include <entrain/cpu.hpp>

using namespace entrain;
using Tagger = model::Tagger<embed::MultiHash<8, batch::HashedWords<1, 50>, 2>, encode::MaxoutWindow<8, 1>,
                             head::Softmax<8, text::Bio>>;
using Trainer = train::Trainer<Tagger, precision::Fp32, device::Cpu<>, optim::Sgd>;

int main() {
  const device::Cpu<> cpu(1);
  Trainer trainer(cpu, Trainer::Labels({"PER", "LOC"}), 16, 1);
  std::printf("entrain %s: %zu parameters\n", version, trainer.parameters());
}
