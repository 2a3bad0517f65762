// A layer and an optimizer of your own in a trainer with all commands: own_parts train --max-steps 200.
#include <entrain/app/ner.hpp>
#include <entrain/cpu.hpp>

#include "lion.hpp"
#include "scale.hpp"

using namespace entrain;

using Encoder = layer::Sequence<encode::MaxoutWindow<96, 2, 1, 2>, own::Scale<96>>;
using Tagger = model::Tagger<embed::MultiHash<96, batch::AffixWords, 2>, Encoder, head::Crf<96, text::Bioes>>;
using Trainer = train::Trainer<Tagger, precision::Fp32, device::Cpu<>, own::Lion>;

int main(int argc, char** argv) { return app::ner<Trainer>(argc, argv); }
