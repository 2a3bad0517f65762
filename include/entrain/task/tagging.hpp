// text > batch > [task] > head > optim > checkpoint
//
// One tag a word: entities, written in a scheme.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "entrain/batch/encode/file_targets.hpp"
#include "entrain/batch/encode/gaps.hpp"
#include "entrain/task/calibration.hpp"
#include "entrain/task/file_tags.hpp"
#include "entrain/task/shift_openings.hpp"
#include "entrain/task/tag_gaps.hpp"
#include "entrain/task/tag_labels.hpp"
#include "entrain/task/tag_scores.hpp"
#include "entrain/task/tagged.hpp"
#include "entrain/tensor/targets.hpp"
#include "entrain/text/tags/labels.hpp"
#include "entrain/text/tags/reading.hpp"
#include "entrain/text/tags/scheme.hpp"
#include "entrain/text/tags/tags_of.hpp"

namespace entrain::task {

/// Targets     tags of Labels, below 0 where there is no target         Prediction  tags of Labels
/// Gold        tags as in a file, in any scheme                         Scorer      strict and conlleval F1
template <text::TagScheme S> struct Tagging {
  static constexpr std::string_view name = "tagging";
  using Scheme = S;
  using Labels = text::Labels<S>;
  using Targets = PerRow<const text::Tag>;
  using Prediction = PerRow<text::Tag>;
  using Gold = Tagged;
  using Scorer = TagScorer<S>;
  /// Tags are read in the scheme that the source names.
  template <class Source> using FileTargets = FileTags<S, text::ReadAs<text::TagsOf<Source>>>;

  static const text::Corpus& corpus(const Gold& gold) { return gold.corpus; }
  static Labels labels_of(const Gold& gold) { return Labels(gold.types.names()); }
  /// Defined in tag_targets.hpp. Tags that break their scheme are read as conlleval reads them.
  template <class Features>
  static batch::GoldCounts set_targets(batch::Encoded<Features>& e, const Gold& gold, const Labels& labels);
  /// The names of the splitters that a model is saved with.
  template <bool ByWords> static constexpr std::string_view splitter = "unicode-words-1";
  static constexpr std::string_view sentence_splitter = "unicode-sentences-1";

  /// The tags of all words of a sentence, from the tags of the words that the encoder reads.
  static void fill_gaps(batch::Gaps::OfSentence gaps, std::span<const text::Tag> read, std::vector<text::Tag>& all) {
    task::fill_gaps<S>(gaps, read, all);
  }
  static void write_labels(const Labels& labels, checkpoint::Config& config) {
    write_tag_labels(text::scheme_of<S>(), labels.types().names(), config);
  }
  static Labels read_labels(const checkpoint::Config& config, std::string_view where) {
    return Labels(read_tag_types(text::scheme_of<S>(), config, where));
  }
  /// Shifts the bias of tags that open an entity. label_bias: the parameter that is added to each label's score
  template <class Trainer, class Evaluate>
  static Calibration calibrate(Trainer& trainer, std::string_view label_bias, Evaluate&& evaluate, double unshifted) {
    return shift_openings<S>(trainer, label_bias, evaluate, unshifted);
  }
};

}  // namespace entrain::task
