// text > batch > [task] > head > optim > checkpoint
//
// Targets of tagging from files: the tags of a text become entities, and these become the model's tags.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "entrain/batch/encode/encoded.hpp"
#include "entrain/batch/encode/file_targets.hpp"
#include "entrain/task/tag_gaps.hpp"
#include "entrain/task/tags_in_pieces.hpp"
#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/tags/labels.hpp"
#include "entrain/text/tags/reading.hpp"
#include "entrain/text/tags/scheme.hpp"
#include "entrain/text/tags/spans.hpp"

namespace entrain::task {

/// The FileTargets of task::Tagging (batch/encode/file_targets.hpp). The words of entities whose type is not among the
/// labels become O.
///
/// To        the scheme of the labels to learn       Reading   how the tags of the files are read
/// (text/tags/reading.hpp)
template <text::TagScheme To, class Reading> class FileTags {
 public:
  FileTags(text::Labels<To> labels, Reading reading = {}) : labels_(std::move(labels)), entities_(std::move(reading)) {}

  class Work {
   public:
    explicit Work(const FileTags& of)
        : labels_(&of.labels_),
          entities_(&of.entities_),
          known_(of.labels_.types().size()),
          types_(of.labels_.types()) {}

    template <class Features>
    void operator()(const text::Corpus& corpus, batch::Encoded<Features>& e, batch::GoldCounts& counts) {
      static_assert(std::is_same_v<typename batch::Encoded<Features>::Targets, batch::LabelPerRow>,
                    "entrain: these features carry the targets of another task than tagging; use Trainer::Features "
                    "and Trainer::Task of one trainer.");
      if constexpr (batch::labels_every_piece<Features>) e.in_pieces = tags_in_pieces(*labels_);
      marks_.clear();
      for (const std::string& tag : corpus.tags) marks_.push_back(text::read_mark(tag, types_));
      for (std::size_t s = 0; s < corpus.sentences(); ++s) {
        const text::MarksAt marks{marks_, std::span(corpus.tag).subspan(corpus.sentence[s], corpus.length(s))};
        const auto read_into = [&](auto&& write) {
          (*entities_)(marks, [&](const text::Span& entity) {
            ++counts.annotations;
            if (entity.type < known_) {
              write(entity);
            } else {
              note_unseen(types_.name(entity.type), counts);
            }
          });
        };
        const std::span<text::Tag> targets =
            std::span(e.target).subspan(e.sentence[s], e.sentence[s + 1] - e.sentence[s]);
        if (const auto gaps = e.gaps.of(s); gaps.any())
          read_into(GapEncoder<To>(gaps, targets, batch::Encoded<Features>::ignored));
        else
          read_into(text::Encoder<To>(targets));
      }
    }

   private:
    [[gnu::cold]] static void note_unseen(const std::string& type, batch::GoldCounts& counts) {
      constexpr std::size_t most = 16;  // names, so that the search is fast
      ++counts.unseen;
      auto& types = counts.unseen_names;
      if (types.size() < most && std::find(types.begin(), types.end(), type) == types.end()) types.push_back(type);
    }

    const text::Labels<To>* labels_;
    const Reading* entities_;
    std::int32_t known_;  // number of types in the labels; other types follow them
    text::Types types_;
    std::vector<text::Mark> marks_;
  };
  Work work() const { return Work(*this); }

 private:
  text::Labels<To> labels_;
  Reading entities_;
};

}  // namespace entrain::task
