// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// Decodes a sentence that is longer than a batch: the encoder reads it in parts (batch/pack/parts.hpp), then the head
// chooses all labels together from the scores, which take few bytes a word.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "entrain/batch/encode/encoded.hpp"
#include "entrain/batch/pack/packer.hpp"
#include "entrain/batch/pack/parts.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/core/contract.hpp"
#include "entrain/core/error.hpp"
#include "entrain/device/plan.hpp"
#include "entrain/device/step.hpp"
#include "entrain/precision/policies.hpp"
#include "entrain/tensor/flat.hpp"
#include "entrain/tensor/rows.hpp"
#include "entrain/text/corpus/corpus.hpp"

namespace entrain::train {

/// Refuses a sentence whose work does not fit into memory, before it is allocated: the system would end the program.
///
/// entrain.train.50, for a sentence of `rows` rows.
class NoRoom : public Error {
 public:
  ENTRAIN_INLINE NoRoom(int rows, std::size_t bytes, std::size_t free, const std::string& where = "memory");

  int rows() const { return rows_; }
  NoRoom at(const std::string& where) const { return NoRoom(rows_, bytes_, free_, where); }

 private:
  int rows_;
  std::size_t bytes_, free_;
};

/// f(), whose NoRoom names the `file:line` of the sentence.
///
/// corpus    of e; a corpus without a name is not from a file
template <class Features, class F>
void naming_sentence(const text::Corpus& corpus, const batch::Encoded<Features>& e, F&& f) {
  try {
    f();
  } catch (const NoRoom& no) {
    if (corpus.name.empty()) throw;
    for (std::size_t s = 0; s < e.sentences(); ++s)
      if (e.rows[s] == no.rows() || e.length(s) == no.rows()) throw no.at(corpus.where(corpus.sentence[s]));
    throw;
  }
}

/// throws    entrain.train.50
ENTRAIN_INLINE void refuse_no_room(std::size_t bytes, int rows);

/// Whether a model's decoding can be done in parts on a device: its encoder's rows depend on few others, and its head
/// can choose labels from scores. A GPU decodes a whole sentence at once.
template <class Model, class D> inline constexpr bool decodes_in_parts = [] {
  if constexpr (D::in_host_memory && requires {
                  typename Model::Encode;
                  typename Model::Head;
                }) {
    return scores_apart<typename Model::Head> &&
           batch::has_parts<typename Model::Features>(reach_of<typename Model::Encode>);
  } else {
    return false;
  }
}();

/// Rows of memory with which sentences of at most `longest` rows can be decoded in batches of `budget` rows. Sentences
/// of more rows are decoded in parts.
template <class Model, class D> constexpr int rows_to_decode(int budget, int longest) {
  if constexpr (decodes_in_parts<Model, D>)
    longest = std::min(longest, batch::least_part<typename Model::Features>(reach_of<typename Model::Encode>));
  return std::max(budget, longest);
}

/// The scores of labels for sentence s: choose(step, scores), where the head chooses labels with that step.
///
/// w         the model's values        arena     has memory for a batch of `rows` rows
/// throws    entrain.train.50: the scores do not fit into memory
template <class Model, Precision P, class D, class Values, class Choose>
void score_in_parts(const D& dev, const Values& w, int labels, Arena& arena, const Counters& counters, int rows,
                    const batch::Encoded<typename Model::Features>& e, std::size_t s,
                    batch::Packer<typename Model::Features>& packer, Choose&& choose) {
  using Real = typename Model::template Impl<P, D>;
  using Sum = typename P::Sum;
  using Numbers = typename D::template Buffer<Sum>;
  const int words = e.length(s);
  const Shape shape{words, 1, labels};
  const auto count = [&](int n) { return LabelMatrix<Sum>::count(n, labels); };
  const std::size_t room = [&] {  // bytes that choosing takes
    const device::Plan plan;
    Arena planned;
    const Step<device::Plan> at{plan, shape, {}, false, Write::assign, planned, &counters};
    Model::template Impl<P, device::Plan>::choose(at, bind<Model>(entrain::Values<typename P::Weight>{}, labels),
                                                  LabelMatrix<const Sum>(nullptr, words, labels), nullptr);
    return planned.peak;
  }();
  refuse_no_room(count(words) * sizeof(Sum) + room, words);

  Numbers all(count(words)), of_part;
  batch::each_part(e, s, rows, reach_of<typename Model::Encode>, [&](const batch::Window& part) {
    const auto packed = packer.pack_part(e, s, part, labels);
    if (of_part.size() < count(packed.shape.rows)) of_part = Numbers(count(packed.shape.rows));
    arena.used = 0;
    const Step<D> at{dev, packed.shape, packed.geometry, false, Write::assign, arena, &counters};
    const LabelMatrix<Sum> scores(of_part.data(), packed.shape.rows, labels);
    Real::score(at, w, packed.words, scores);
    std::memcpy(all.data() + count(part.keep_begin), scores.row_at(part.keep_begin - part.begin),
                count(part.keep_end - part.keep_begin) * sizeof(Sum));
  });
  typename D::template Buffer<std::byte> memory(room);
  Arena whole{memory.data(), memory.size()};
  const std::array<std::int32_t, 2> sentence{0, words};
  choose(Step<D>{dev, shape, {sentence.data(), nullptr, nullptr}, false, Write::assign, whole, &counters},
         LabelMatrix<const Sum>(all.data(), words, labels));
}

/// The model's prediction for sentence s. Arguments and errors as of score_in_parts.
template <class Model, Precision P, class D, class Values>
void decode_in_parts(const D& dev, const Values& w, int labels, Arena& arena, const Counters& counters, int rows,
                     const batch::Encoded<typename Model::Features>& e, std::size_t s,
                     batch::Packer<typename Model::Features>& packer,
                     std::vector<typename Model::Task::Prediction::Number>& out) {
  score_in_parts<Model, P>(dev, w, labels, arena, counters, rows, e, s, packer,
                           [&](const Step<D>& at, LabelMatrix<const typename P::Sum> scores) {
                             out.resize(Model::Task::Prediction::count(at.shape));
                             Model::template Impl<P, D>::choose(at, w, scores, out.data());
                           });
}

}  // namespace entrain::train

#if !defined(ENTRAIN_COMPILED)
#include "entrain/train/loop/decode_parts.ipp"
#endif
