// bench: every kernel of a fine-tuning step compared with the limits of the card: a line of JSON for each kernel and
// shape.
//
//   kernels [N [NAME]]     without the first N, which were measured before; with NAME, only rows whose name contains it
//
// Rows: those of 32 sentences, of 8,192 and of 65,536 pieces. The data of 8,192 rows fits into the second-level cache,
// so a share of the copy's bandwidth may be above 1 there.
#include <exception>
#include <string>

#include "bench/gpu/attentions.cuh"
#include "bench/gpu/copies.cuh"
#include "bench/gpu/embeddings.cuh"
#include "bench/gpu/losses.cuh"
#include "bench/gpu/norms.cuh"
#include "bench/gpu/products.cuh"
#include "bench/gpu/steps.cuh"

namespace {

using namespace bench;

template <int H, int C> void of_width(Rooflines& roof, std::vector<int> row_counts, std::vector<int> lengths) {
  waits<C>(roof, tiny ? 64 : 30522);
  for (const int n : row_counts) {
    norms<C>(roof, n);
    activations<4 * C>(roof, n);
    products<C>(roof, n);
  }
  for (const int length : lengths)
    for (const float dropout : {0.1f, 0.0f}) attentions<H, C>(roof, row_counts.back(), length, dropout);
}

template <class Encoder> void of_model(Rooflines& roof) {
  using entrain::optim::AdamW, entrain::optim::LazyUpdate;
  steps<Tagger<Encoder>, AdamW>(roof, name_of<Encoder>);
  steps<Tagger<Encoder>, LazyUpdate<AdamW>>(roof, name_of<Encoder>);
}

void all(int left_out, const char* only) {
  const Gpu dev;
  Rooflines roof(dev, left_out, only);
  copies(roof);
  if constexpr (tiny) {
    of_model<Small>(roof);
    of_width<2, 32>(roof, {70}, {16, 33});
    embeddings<203, 64, 32>(roof, 60);
    softmax(roof, 70);
    crf(roof, 70);
  } else {
    of_model<MiniLmL6>(roof);
    of_model<BertBase>(roof);
    const std::vector<int> row_counts{685, 8192, 65536}, lengths{16, 32, 64, 128, 512};
    of_width<12, 384>(roof, row_counts, lengths);
    of_width<12, 768>(roof, row_counts, lengths);
    for (const int n : row_counts) {
      embeddings<30522, 512, 384>(roof, n);
      embeddings<30522, 512, 768>(roof, n);
      softmax(roof, n);
      crf(roof, n);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    all(argc > 1 ? std::stoi(argv[1]) : 0, argc > 2 ? argv[2] : "");
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench: %s\n", e.what());
    return 1;
  }
  return 0;
}
