// text > [batch] > embed > encode > head > optim > checkpoint
//
// Policies of how training batches come to a device. Streamed: the host packs each batch and sends it. Resident: the
// encoded corpus is in a GPU's memory, a step sends only the order, and the GPU makes the batch.
#pragma once
#include <cstddef>
#include <type_traits>

#include "entrain/batch/pack/corpus_arrays.hpp"

namespace entrain::batch {

/// A corpus in a device's memory, and the batches that are made there. Defined for GPUs by resident.cuh.
template <class D, class Features> class DeviceCorpus {
  static_assert(!std::is_same_v<D, D>,
                "entrain: batch::Resident keeps the corpus in a GPU's memory: it needs device::Cuda and #include "
                "entrain/cuda_resident.cuh; use batch::Streamed with device::Cpu.");
};

/// The part of a batch that the host knows when a device will make it.
struct Ordered {
  int rows = 0;
  double target_weight = 0;  // as a packed Batch's
};

/// No corpus: each batch comes from the host.
struct NoCorpus {
  explicit NoCorpus(int) {}
  static double seconds() { return 0; }
};

struct Streamed {
  static constexpr bool resident = false;
  template <class D, class Features> using Corpus = NoCorpus;
};
struct Resident {
  static constexpr bool resident = true;
  template <class D, class Features> using Corpus = DeviceCorpus<D, Features>;
};

/// Bytes of a corpus on its device; 0 where batches are streamed.
template <class Batches, class Features> [[gnu::cold]] std::size_t corpus_bytes(const Encoded<Features>& corpus) {
  if constexpr (Batches::resident) {
    return bytes_of(CorpusArrays<Features>(corpus, {}));
  } else {
    return 0;
  }
}

}  // namespace entrain::batch
