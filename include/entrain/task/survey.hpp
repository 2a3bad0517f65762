// text > batch > [task] > head > optim > checkpoint
//
// The facts about its files that a training needs before step one, when they are too large to stay in memory: found in
// one pass over them, a block at a time. Read read_tags.hpp for files that stay in memory.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "entrain/checkpoint/sha256.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/tags/detect.hpp"
#include "entrain/text/tags/labels.hpp"

namespace entrain::task {

struct Survey {
  std::string name;                     // of the first file
  text::Types types;                    // in order of first appearance, as in read_tags.hpp
  text::Detection scheme;               // of all sentences
  std::vector<std::uint64_t> mentions;  // of each type, as conlleval reads tags
  std::uint64_t sentences = 0, words = 0, entities = 0;
  text::Met met;
  std::vector<text::Problem> problems;    // the first ones that readers skipped, each with its file
  std::string first_invalid, first_lone;  // of text/unicode/invalid_utf8.hpp; not stored with a cache
  std::string identity;  // `60 sentences, 360 words, sha256 0123456789abcdef`, of words and tags in blocks
  text::Corpus first;    // the first block with sentences
};

/// see(block) for one block after another; then done().
class Surveyor {
 public:
  static constexpr std::size_t problem_cap = 1000;

  /// throws    entrain.train.2: a token without a tag, as tagged
  ENTRAIN_INLINE void see(const text::Corpus& block);
  /// throws    entrain.train.1: no sentence, .3: no tag but O can be read, as tagged
  ENTRAIN_INLINE Survey done() &&;
  /// Whether some sentences have their own tags, whose scheme is that of the survey, and others annotations.
  bool mixed() const { return own_ > 0 && own_ < found_.sentences; }

 private:
  Survey found_;
  std::array<std::size_t, text::concerns> listed_{};
  text::Detector detector_, of_annotated_;
  std::size_t own_ = 0;  // sentences that are not annotated
  checkpoint::Sha256 sum_;
  std::vector<text::Mark> distinct_;
  std::string first_malformed_, its_tag_;  // its place
};

}  // namespace entrain::task

#if !defined(ENTRAIN_COMPILED)
#include "entrain/task/survey.ipp"
#endif
