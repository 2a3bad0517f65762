// A light classifier of texts on a CPU, with all commands: words become vectors by hashes of their spelling, layers
// combine each vector with its neighbours, and the mean of a text's vectors decides its class.
//
//   classify train --train train.csv --dev dev.csv --test test.csv
//   classify predict -m model letters.txt
#include <entrain/app/classify.hpp>
#include <entrain/cpu.hpp>
#include <entrain/cpu_classifier.hpp>

using namespace entrain;

using Classifier = model::Classifier<embed::MultiHash<96, batch::AffixWords, 2>, encode::MaxoutWindow<96, 2, 1, 2>,
                                     head::Classify<96, task::Classification<task::One>, pool::Mean>>;
using Trainer = train::Trainer<Classifier, precision::Fp32, device::Cpu<>, optim::Averaged<optim::AdamW>>;

int main(int argc, char** argv) { return app::classify<Trainer>(argc, argv); }
