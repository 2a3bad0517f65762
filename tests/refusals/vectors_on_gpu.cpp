// entrain: batch::Resident does not keep a corpus of words with vectors
// host only
#include "entrain/batch/encode/words_with_vectors.hpp"
#include "entrain/batch/pack/corpus_arrays.hpp"
#include "entrain/batch/transfer/resident.hpp"
using namespace entrain;
using Hashed = batch::HashedWords<1, 50, 50, 50, 50>;
#if defined(WRONG)
using Words = batch::WordsWithVectors<Hashed, 100>;
#else
using Words = Hashed;
#endif
std::size_t bytes(const batch::Encoded<Words>& corpus) { return batch::corpus_bytes<batch::Resident>(corpus); }
