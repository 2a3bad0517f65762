// bench: BERT's tables: rows gathered and summed, and the gradient sums of the rows that a batch touches.
#pragma once
#include "bench/gpu/models.cuh"
#include "bench/gpu/rooflines.cuh"
#include "bench/gpu/sentences.hpp"
#include "entrain/batch/pack/packer.hpp"
#include "entrain/batch/transfer/upload.hpp"
#include "entrain/kernel/hash_embed/cuda.cuh"
#include "entrain/kernel/piece_embed/cuda.cuh"
#include "entrain/text/tokenizer/wordpiece.hpp"

namespace bench {

/// About n rows of sentences. Bytes: two rows written forward, the rows of tables read from a cache; backward, all rows
/// read, and touched rows of the tables read and written in fp32, as in a step's second micro-batch, whose sums add.
template <int V, int P, int C> void embeddings(Rooflines& roof, int n) {
  namespace kernel = entrain::kernel;
  using entrain::bf16, entrain::Rows, entrain::Table, entrain::Weight;
  using Features = entrain::batch::Pieces<P, V, entrain::text::WordPiece>;
  const Sentences sentences(static_cast<std::size_t>(n) / 21 + 1, V, std::min(P, 173), 3);
  const auto corpus = sentences.encoded<Features>();
  const int rows = static_cast<int>(sentences.piece.size());
  entrain::batch::Packer<Features> packer(rows);
  entrain::batch::Upload<Gpu, Features> upload(rows);
  const auto packed = packer.pack(corpus, sentences.order, 9);
  const auto touched = packed.words.touched.count, placed = packed.words.placed.count;
  const auto pieces = upload(roof.dev, packed, {}).batch.words;
  upload.queued(roof.dev);

  Operands o(roof.dev);
  const auto count = static_cast<std::size_t>(rows) * C;
  const Table<const bf16, V, C> word{o.random<bf16>(std::size_t(V) * C)};
  const Table<const bf16, P, C> position{o.random<bf16>(std::size_t(P) * C)};
  const Table<const bf16, 2, C> type{o.random<bf16>(std::size_t(2) * C)};
  const Table<float, V, C> gword{o.zeros<float>(std::size_t(V) * C), o.zeros<std::uint32_t>(V)};
  const Table<float, P, C> gposition{o.zeros<float>(std::size_t(P) * C), o.zeros<std::uint32_t>(P)};
  const Table<float, 2, C> gtype{o.zeros<float>(std::size_t(2) * C), o.zeros<std::uint32_t>(2)};
  const Weight<const float, 1, C> gain{o.random<float>(C)}, shift{o.random<float>(C)};
  const Rows<bf16, C> sum(o.zeros<bf16>(count), rows), y(o.zeros<bf16>(count), rows);
  const Rows<float, 2> stat(o.zeros<float>(std::size_t(2) * rows), rows);
  const Rows<const bf16, C> dy(o.random<bf16>(count), rows);
  const auto at = o.step(rows, 21, 0.1f);
  const double pass = 2.0 * rows * C, row = 8.0 * C;
  const std::string shape = by(rows, C);
  roof.row({"piece_embed_norm", shape, 2 * pass, 0}, [&] {
    kernel::piece_embed_norm(at, word, pieces.ids, position, pieces.position, type, gain, shift, 1e-12, sum, stat, y);
  });
  roof.row({"gradient sums of pieces, " + std::to_string(touched) + " rows", shape, pass + row * touched, 0},
           [&] { kernel::hash_embed_back<1>(at, dy, 0, pieces.touched, gword); });
  roof.row({"gradient sums of positions, " + std::to_string(placed) + " rows", shape, pass + row * placed, 0},
           [&] { kernel::hash_embed_back<1>(at, dy, 0, pieces.placed, gposition); });
  roof.row({"gradient sums of segments, 1 row", shape, pass + row, 0},
           [&] { kernel::hash_embed_back<1>(at, dy, 0, pieces.typed, gtype); });
}

}  // namespace bench
