// text > [batch] > embed > encode > head > optim > checkpoint
//
// Features for a head that reads whole texts: after the encoder it gets every row of a text, [CLS] and [SEP] too, not
// one row a word. Read batch/encode/pieces.hpp first.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "entrain/core/contract.hpp"
#include "entrain/device/step.hpp"
#include "entrain/tensor/fill.hpp"

namespace entrain::batch {

/// A text of more pieces than a window holds has several windows, and its rows are those of all of them. So no text is
/// cut off.
template <class Pieces> struct WholeTexts : Pieces {
  using Pieces::Pieces;
  static constexpr bool whole_texts = true;

  struct View : Pieces::View {
    int sentences = 0;
    const std::int32_t* texts = nullptr;  // [sentences + 1] the encoder's first row of each sentence

    void each_array(int words, auto&& f) {
      Pieces::View::each_array(words, f);
      f(texts, static_cast<std::size_t>(sentences) + 1, Fill::onwards(1, this->count));
    }
  };
  static View planned(int most) {
    View view;
    static_cast<typename Pieces::View&>(view) = Pieces::planned(most);
    view.sentences = most;
    return view;
  }

  /// The head's sizes and geometry inside a step whose rows are words.
  static Shape of_texts(Shape shape, const View& view) { return {view.count, shape.sentences, shape.labels}; }
  static Geometry of_texts(const View& view) { return {view.texts, nullptr, nullptr}; }

  class Buffer : public Pieces::Buffer {
   public:
    void reserve(std::size_t capacity) {
      Pieces::Buffer::reserve(capacity);
      texts_.reserve(capacity + 1);
    }
    View pack(const Pieces& features, std::span<const std::int32_t> words, std::span<const std::int32_t> cu_seqlens,
              const typename Pieces::Vocabulary& vocabulary) {
      View view;
      static_cast<typename Pieces::View&>(view) = Pieces::Buffer::pack(features, words, cu_seqlens, vocabulary);
      view.sentences = static_cast<int>(cu_seqlens.size()) - 1;
      texts_.resize(cu_seqlens.size());
      for (std::size_t s = 0; s + 1 < cu_seqlens.size(); ++s)  // a text's first word is in its first window
        texts_[s] = view.cu_seqlens[view.window[view.first[cu_seqlens[s]]]];
      texts_.back() = view.count;
      view.texts = texts_.data();
      return view;
    }

   private:
    std::vector<std::int32_t> texts_;
  };
};

template <class Features> inline constexpr bool whole_texts = requires { Features::whole_texts; };

/// The features of a head that reads whole texts. Where rows are words, all rows of a sentence are its text already.
template <class Features> using WholeTextsOf =
    std::conditional_t<Features::by_words || whole_texts<Features>, Features, WholeTexts<Features>>;

}  // namespace entrain::batch
