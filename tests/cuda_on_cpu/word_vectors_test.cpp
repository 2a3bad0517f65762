// tests > [cuda_on_cpu]
//
// A whole training of word vectors with the kernels of a GPU, compared with what numpy computes by the formulas.
#include <doctest/doctest.h>

#include <fstream>
#include <string>

#include "entrain/word_vectors.cuh"
#include "tests/vectors/golden.hpp"

namespace word_vectors_test {
using namespace entrain;
using Gpu = device::Cuda<device::Sm90>;

TEST_CASE("word vectors on the GPU equal those that numpy computes") {
  std::ifstream golden(ENTRAIN_SOURCE_DIR "/tests/vectors/golden/numpy.txt");
  std::string comment;
  REQUIRE(std::getline(golden, comment));
  ::test::against_numpy<vectors::Trainer<vectors::SkipGram<6>, Gpu>>(golden);
  ::test::against_numpy<vectors::Trainer<vectors::Cbow<6>, Gpu>>(golden);
}

}  // namespace word_vectors_test
