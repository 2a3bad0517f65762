// text > [batch] > embed > encode > head > optim > checkpoint
//
// All arrays of a packed batch, and the bucket sizes to which a batch is padded.
#pragma once
#include <algorithm>
#include <cstddef>

#include "entrain/batch/encode/whole_texts.hpp"
#include "entrain/batch/pack/packer.hpp"
#include "entrain/tensor/fill.hpp"

namespace entrain::batch {

/// f(pointer, numbers, Fill) for each array of a batch. all: also arrays that this batch does not have
template <class Features> void each_array(Batch<Features>& b, auto&& f, bool all = false) {
  const auto rows = static_cast<std::size_t>(b.shape.rows);
  const auto has = [&](const auto* array) { return all || array != nullptr ? rows : 0; };
  f(b.geometry.cu_seqlens, static_cast<std::size_t>(b.shape.sentences) + 1, Fill::onwards(1, b.shape.rows));
  f(b.geometry.neighbours, has(b.geometry.neighbours), Fill::with(0));
  f(b.geometry.sentence, has(b.geometry.sentence), Fill::onwards(1, b.shape.sentences));
  f(b.targets.data, all || b.targets.data != nullptr ? b.targets.count(b.shape) : 0, Fill::with_no_target());
  b.words.each_array(b.shape.rows, f);
}

/// Pads to bucket sizes, of which there are few. Each padding row is a sentence of its own. If words are in pieces, the
/// number of word rows is that of encoder rows, which is larger. Otherwise the sizes of both would occur in all
/// combinations, and a row of words costs little.
template <class Features> void fill(Batch<Features>& b, const BucketSizes& sizes) {
  b.words.fill(sizes);
  int filled = sizes(b.shape.rows);
  if constexpr (!Features::by_words) filled = std::max(filled, b.words.count);
  b.shape.sentences = std::max(filled, b.shape.sentences + filled - b.shape.rows);
  b.shape.rows = filled;
  if constexpr (whole_texts<Features>) b.words.sentences = b.shape.sentences;
}

/// The largest batch of `rows` rows: each row is a distinct word and its own sentence.
template <class Features> Batch<Features> largest_batch(int rows) {
  Batch<Features> largest;
  largest.shape = {rows, rows, 0};
  largest.words = Features::planned(rows);
  largest.words.fill({rows});
  return largest;
}

}  // namespace entrain::batch
