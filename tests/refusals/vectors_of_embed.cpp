// entrain: embed::WithVectors<Embed, Vectors> takes an embed::MultiHash
// host only
#include "entrain/cpu.hpp"
#include "entrain/embed/with_vectors.hpp"
using namespace entrain;
using Words = embed::MultiHash<8, batch::HashedWords<1, 50, 50, 50, 50>, 2>;
using Vectors = embed::StaticVectors<100, 8>;
#if defined(WRONG)
using Embed = embed::WithVectors<Vectors, Words>;
#else
using Embed = embed::WithVectors<Words, Vectors>;
#endif
using Tagger = model::Tagger<Embed, encode::MaxoutWindow<8, 1, 1, 2>, head::Softmax<8, text::Bio>>;
static_assert(sizeof(train::Trainer<Tagger, precision::Fp32, device::Cpu<>, optim::AdamW>) > 0);
