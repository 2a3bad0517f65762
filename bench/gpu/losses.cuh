// bench: the losses of nine tags: a softmax per row, in bf16, and a chain per sentence, in fp32.
#pragma once
#include "bench/gpu/rooflines.cuh"
#include "entrain/kernel/crf/cuda.cuh"
#include "entrain/kernel/softmax/cuda.cuh"
#include "entrain/text/tags/scheme.hpp"

namespace bench {

inline constexpr int tags = 9;  // four types in BIO

inline std::vector<std::int32_t> tags_of(int n) {
  std::vector<std::int32_t> targets;
  for (int i = 0; i < n; ++i) targets.push_back(i % 7 == 3 ? 1 + 2 * (i % 4) : 0);
  return targets;
}

inline void softmax(Rooflines& roof, int n) {
  namespace kernel = entrain::kernel;
  using entrain::bf16, entrain::LabelMatrix;
  Operands o(roof.dev);
  const auto count = static_cast<std::size_t>(n) * static_cast<std::size_t>(LabelMatrix<bf16>::padded(tags));
  const LabelMatrix<const bf16> scores(o.random<bf16>(count), n, tags);
  const LabelMatrix<bf16> d(o.zeros<bf16>(count), n, tags);
  const std::int32_t* const targets = o.put(tags_of(n));
  float* const loss = o.zeros<float>(1);
  const auto at = o.step(n, 21, 0, tags);
  const double pass = 2.0 * n * tags, row = 8.0 * n;
  roof.row({"softmax_loss", by(n, tags), 2 * pass + row, 0},
           [&] { kernel::softmax_loss(at, scores, targets, d, loss); });
}

/// Backward uses what forward saves, so it is timed after a forward call. Its time depends on the steps along a
/// sentence, not on bytes.
inline void crf(Rooflines& roof, int n) {
  namespace kernel = entrain::kernel;
  using Scheme = entrain::text::Bio;
  using entrain::LabelMatrix;
  Operands o(roof.dev);
  const auto count = static_cast<std::size_t>(n) * static_cast<std::size_t>(LabelMatrix<float>::padded(tags));
  const auto weights = [&](std::size_t rows) { return o.random<float>(rows * tags, 0.5f); };
  const LabelMatrix<const float> scores(o.random<float>(count), n, tags);
  const LabelMatrix<float> d(o.zeros<float>(count), n, tags);
  const kernel::Chain<const float> chain{{weights(tags), tags}, {weights(1), tags}, {weights(1), tags}};
  const kernel::Chain<float> g{{weights(tags), tags}, {weights(1), tags}, {weights(1), tags}};
  const std::int32_t* const targets = o.put(tags_of(n));
  float* const loss = o.zeros<float>(1);
  const auto at = o.step(n, 21, 0, tags);
  const auto saved = kernel::CrfSaved<float>::take(at.scratch, at.shape);
  const auto forward = [&] { kernel::crf_forward<Scheme>(at, scores, chain, targets, saved, loss); };
  const double pass = 4.0 * n * tags;
  const std::string shape = by(n, tags) + ", sentences of 21";
  roof.row({"crf_forward", shape, 2 * pass + 4.0 * n, 0}, forward);
  roof.row({"crf_forward and crf_backward", shape, 5 * pass + 8.0 * n, 0}, [&] {
    forward();
    kernel::crf_backward<Scheme>(at, scores, chain, targets, saved, d, g);
  });
}

}  // namespace bench
