// The quick start: a whole program that trains, evaluates and runs a light NER model on a processor.
//
//   ner_light train                                         on the sentences of examples/data
//   ner_light train --train a.conll --dev b.conll --test c.conll
//   ner_light predict -m model letters.txt
#include <entrain/cpu.hpp>

#include <entrain/app/ner.hpp>

using namespace entrain;

// Words become vectors by hashes of their spelling, vectors look at four neighbours to each side, and the tags of a
// sentence are chosen together.
using Tagger = model::Tagger<embed::MultiHash<96>, encode::MaxoutWindow<96, 4>, head::Crf<96, text::Bioes>>;
using Trainer = train::Trainer<Tagger, precision::Fp32, device::Cpu<>, optim::AdamW>;

int main(int argc, char** argv) { return app::ner<Trainer>(argc, argv); }
