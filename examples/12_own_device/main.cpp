// The quick start's composition on a device of your own: own_device train prints how long the ops took.
#include <entrain/app/ner.hpp>

#include "../01_first_tagger/composition.hpp"
#include "timed.hpp"

using namespace entrain;

using Trainer = train::Trainer<light::Tagger, precision::Fp32, own::Timed, optim::Averaged<optim::AdamW>>;

int main(int argc, char** argv) { return app::ner<Trainer>(argc, argv); }
