// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Findings in training sentences that the loader reads during training. In standard input, which no pass has read
// before, they are counted and printed; in files, where an earlier pass found all types, a new type is an error. Read
// batch/encode/encode.hpp first.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "entrain/app/console/console.hpp"
#include "entrain/app/input/splits.hpp"  // ProblemsSaid
#include "entrain/batch/encode/encode.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/text/corpus/corpus.hpp"

namespace entrain::app {

/// One thread calls see, another one prints.
class IngestStats {
 public:
  /// name      of the input       looked_through   a pass before training found all types
  /// strict: text that is not UTF-8 is an error where it turns up
  IngestStats(std::string name, bool looked_through, bool strict)
      : name_(std::move(name)), looked_through_(looked_through), strict_(strict) {}

  /// throws    entrain.app.48: an entity of a type that the pass before training did not meet    entrain.text.43
  template <class Features> void see(batch::EncodedBlock<Features>& block) {
    if (looked_through_ && block.gold.unseen == 0) return;
    see(block.met, block.sentences.sentences(), block.sentences.size(), block.gold.annotations, block.gold.unseen,
        block.gold.unseen_names, block.problems);
    if (block.sentences.unread.any()) see_unread(block.sentences.unread);
    if (!block.first_invalid.empty() || !block.first_lone.empty())
      see_not_utf8(std::move(block.first_invalid), std::move(block.first_lone));
  }

  /// Prints what has not been printed yet.
  ENTRAIN_INLINE void say_new(Console& console);
  /// Prints all of it, as counts; nothing for files that were looked through.
  ENTRAIN_INLINE void say_total(Console& console);

 private:
  ENTRAIN_INLINE void see(const text::Met& met, std::size_t sentences, std::size_t words, std::uint64_t entities,
                          std::uint64_t unseen, const std::vector<std::string>& types,
                          std::vector<text::Problem>& problems);
  ENTRAIN_INLINE void see_unread(const batch::Unread& unread);
  ENTRAIN_INLINE void see_not_utf8(std::string first_invalid, std::string first_lone);

  std::string name_;
  bool looked_through_, strict_;
  std::mutex mutex_;  // guards all that follows
  text::Met met_;
  std::uint64_t sentences_ = 0, words_ = 0, entities_ = 0, unseen_ = 0;
  std::vector<std::string> types_;       // not learned
  std::vector<text::Problem> problems_;  // not printed yet
  std::size_t types_said_ = 0;
  batch::Unread unread_;
  std::string first_invalid_, first_lone_;
  ProblemsSaid said_;
};

/// The function of a batch::Mapped that passes blocks to IngestStats::see. Null: does nothing.
struct UpdateIngestStats {
  std::shared_ptr<IngestStats> by;
  template <class Features> void operator()(batch::EncodedBlock<Features>& block) const {
    if (by) by->see(block);
  }
};

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/input/ingest_stats.ipp"
#endif
