// The light classifier of main.cpp for texts with any number of classes: a sigmoid for each class instead of a softmax
// over all. Its files have lists of labels.
//
//   multi_label train --train train.jsonl --dev dev.jsonl
//   multi_label predict -m model letters.txt
#include <entrain/app/classify.hpp>
#include <entrain/cpu.hpp>
#include <entrain/cpu_classifier.hpp>

using namespace entrain;

using Classifier = model::Classifier<embed::MultiHash<96, batch::AffixWords, 2>, encode::MaxoutWindow<96, 2, 1, 2>,
                                     head::Classify<96, task::Classification<task::Many>, pool::Mean>>;
using Trainer = train::Trainer<Classifier, precision::Fp32, device::Cpu<>, optim::Averaged<optim::AdamW>>;

int main(int argc, char** argv) { return app::classify<Trainer>(argc, argv); }
