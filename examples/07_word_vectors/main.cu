// The same program for an NVIDIA GPU: only the device differs.
#include <entrain/app/vectors/vectors.hpp>
#include <entrain/word_vectors.cuh>

namespace vectors = entrain::vectors;
using Gpu = entrain::device::Cuda<entrain::device::ENTRAIN_TARGET>;
using SkipGram = vectors::Trainer<vectors::SkipGram<100>, Gpu>;
using Cbow = vectors::Trainer<vectors::Cbow<100>, Gpu>;

int main(int argc, char** argv) { return entrain::app::vectors<SkipGram, Cbow>(argc, argv); }
