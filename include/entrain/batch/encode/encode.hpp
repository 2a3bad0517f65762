// text > [batch] > embed > encode > head > optim > checkpoint
//
// The stage that encodes text: words into the model's input, tags into its targets. Read encoded.hpp first;
// batch/pipeline/stage.hpp defines a stage.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/batch/encode/encoded.hpp"
#include "entrain/batch/encode/tags_of.hpp"
#include "entrain/batch/pipeline/stage.hpp"
#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/tags/labels.hpp"
#include "entrain/text/tags/reading.hpp"
#include "entrain/text/tags/spans.hpp"
#include "entrain/text/unicode/invalid_utf8.hpp"

namespace entrain::batch {

/// Some encoded sentences of a corpus, and what was found while encoding.
template <class Features> struct EncodedBlock {
  Encoded<Features> sentences;
  text::Met met;
  std::uint64_t entities = 0;
  std::uint64_t unseen = 0;               // entities whose type is not among the labels; their words become O
  std::vector<std::string> unseen_types;  // some of those
  std::vector<text::Problem> problems;    // each with its file
  std::string first_invalid, first_lone;  // in words (text/unicode/invalid_utf8.hpp); empty: all of it is UTF-8
};

/// S: whatever gives a text::Corpus at a time. To: the scheme of the labels to learn. Reading: how the tags are read
/// (text/tags/reading.hpp).
template <class Features, class To, class S, class Reading = text::ReadAs<TagsOf<S>>> class Encode {
  static_assert(AreFeatures<Features>::value);
  static_assert(text::is_scheme<To>,
                "entrain: the second argument of batch::Encode is not a tag scheme; the arguments are Encode<Features, "
                "Scheme, Stage>, as in Encode<Trainer::Features, Trainer::Task::Scheme, Stage>.");
  using From = InParts<S>;
  static_assert(ItemsMeet<typename From::Item, text::Corpus>::value);

 public:
  using Raw = typename From::Raw;
  using Item = EncodedBlock<Features>;
  using Cursor = typename From::Cursor;

  Encode(Features features, text::Labels<To> labels, S from, Reading reading = {})
      : features_(std::move(features)),
        labels_(std::move(labels)),
        from_(std::move(from)),
        entities_(std::move(reading)) {}

  void start(std::uint32_t epoch, const Cursor& at) { from_.start(epoch, at); }
  Cursor cursor() { return from_.cursor(); }
  bool read(Raw& raw, Lane* lane = nullptr) { return read_from(from_, raw, lane); }
  static constexpr std::string_view name = "tokenise";

  class Work {
   public:
    explicit Work(Encode& of)
        : features_(&of.features_),
          entities_(&of.entities_),
          known_(of.labels_.types().size()),
          types_(of.labels_.types()),
          labels_(&of.labels_),
          inner_(of.from_.work()),
          read_(of.features_.reader()) {}

    void operator()(Raw& raw, Item& item, Lane* lane = nullptr) {
      work_by<From>(inner_, raw, corpus_, lane);
      const Doing now(lane, Activity::tokenise);
      encode(corpus_, *features_, read_, item.sentences);
      if constexpr (labels_every_piece<Features>) item.sentences.in_pieces = tags_in_pieces(*labels_);
      item.met = corpus_.met;
      item.entities = item.unseen = 0;
      item.unseen_types.clear();
      item.problems.clear();
      item.problems.swap(corpus_.problems);
      item.first_invalid = text::first_invalid_word(corpus_);
      item.first_lone = text::first_lone_surrogate(corpus_);
      for (text::Problem& p : item.problems)
        if (p.file.empty()) p.file = corpus_.name;
      marks_.clear();
      for (const std::string& tag : corpus_.tags) marks_.push_back(text::read_mark(tag, types_));
      for (std::size_t s = 0; s < corpus_.sentences(); ++s) {
        const text::MarksAt marks{marks_, std::span(corpus_.tag).subspan(corpus_.sentence[s], corpus_.length(s))};
        const auto read_into = [&](auto&& write) {
          (*entities_)(marks, [&](const text::Span& entity) {
            ++item.entities;
            if (entity.type < known_) {
              write(entity);
            } else {
              note_unseen(types_.name(entity.type), item);
            }
          });
        };
        Encoded<Features>& e = item.sentences;
        const std::span<text::Tag> targets =
            std::span(e.target).subspan(e.sentence[s], e.sentence[s + 1] - e.sentence[s]);
        if (const auto gaps = e.gaps.of(s); gaps.any())
          read_into(GapEncoder<To>(gaps, targets, Encoded<Features>::ignored));
        else
          read_into(text::Encoder<To>(targets));
      }
    }

   private:
    [[gnu::cold]] static void note_unseen(const std::string& type, Item& item) {
      constexpr std::size_t most = 16;  // names, so that the search is fast
      ++item.unseen;
      auto& types = item.unseen_types;
      if (types.size() < most && std::find(types.begin(), types.end(), type) == types.end()) types.push_back(type);
    }

    const Features* features_;
    const Reading* entities_;
    std::int32_t known_;  // number of types in the labels; other types follow them
    text::Types types_;
    const text::Labels<To>* labels_;
    decltype(std::declval<From&>().work()) inner_;
    Reader<Features> read_;
    text::Corpus corpus_;
    std::vector<text::Mark> marks_;
  };
  Work work() { return Work(*this); }

 private:
  Features features_;
  text::Labels<To> labels_;
  From from_;
  Reading entities_;
};

}  // namespace entrain::batch
