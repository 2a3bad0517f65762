// text > [batch] > embed > encode > head > optim > checkpoint
//
// The stage that encodes text: words into the model's input, the gold annotations of files into its targets. Read
// encoded.hpp and file_targets.hpp first; batch/pipeline/stage.hpp defines a stage.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/batch/encode/encoded.hpp"
#include "entrain/batch/encode/file_targets.hpp"
#include "entrain/batch/pipeline/stage.hpp"
#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/unicode/invalid_utf8.hpp"

namespace entrain::batch {

/// Some encoded sentences of a corpus, and what was found while encoding.
template <class Features> struct EncodedBlock {
  Encoded<Features> sentences;
  text::Met met;
  GoldCounts gold;
  std::vector<text::Problem> problems;    // each with its file
  std::string first_invalid, first_lone;  // in words (text/unicode/invalid_utf8.hpp); empty: all of it is UTF-8
};

/// S: whatever gives a text::Corpus at a time. Targets: how targets are taken from it (file_targets.hpp).
template <class Features, class Targets, class S> class EncodeBy {
  static_assert(AreFeatures<Features>::value);
  static_assert(ReadsWords<Features>::value);
  using From = InParts<S>;
  static_assert(ItemsMeet<typename From::Item, text::Corpus>::value);
  static_assert(AreFileTargets<Targets, Features>::value);

 public:
  using Raw = typename From::Raw;
  using Item = EncodedBlock<Features>;
  using Cursor = typename From::Cursor;

  /// targets   made of the trainer's labels by the task of Encode
  EncodeBy(Features features, Targets targets, S from)
      : features_(std::move(features)), targets_(std::move(targets)), from_(std::move(from)) {}

  void start(std::uint32_t epoch, const Cursor& at) { from_.start(epoch, at); }
  Cursor cursor() { return from_.cursor(); }
  bool read(Raw& raw, Lane* lane = nullptr) { return read_from(from_, raw, lane); }
  static constexpr std::string_view name = "tokenise";

  class Work {
   public:
    explicit Work(EncodeBy& of)
        : features_(&of.features_),
          inner_(of.from_.work()),
          read_(of.features_.reader()),
          take_targets_(of.targets_.work()) {}

    void operator()(Raw& raw, Item& item, Lane* lane = nullptr) {
      work_by<From>(inner_, raw, corpus_, lane);
      const Doing now(lane, Activity::tokenise);
      encode(corpus_, *features_, read_, item.sentences);
      item.met = corpus_.met;
      item.problems.clear();
      item.problems.swap(corpus_.problems);
      item.first_invalid = text::first_invalid_word(corpus_);
      item.first_lone = text::first_lone_surrogate(corpus_);
      for (text::Problem& p : item.problems)
        if (p.file.empty()) p.file = corpus_.name;
      item.gold.clear();
      take_targets_(corpus_, item.sentences, item.gold);
    }

   private:
    const Features* features_;
    decltype(std::declval<From&>().work()) inner_;
    Reader<Features> read_;
    text::Corpus corpus_;
    decltype(std::declval<const Targets&>().work()) take_targets_;
  };
  Work work() { return Work(*this); }

 private:
  Features features_;
  Targets targets_;
  From from_;
};

/// EncodeBy with the targets of a task. It is made of (features, labels, stage).
template <class Features, class Task, class S> using Encode =
    EncodeBy<Features, typename detail::FileTargetsOf<Features, Task, S>::type, S>;

}  // namespace entrain::batch
