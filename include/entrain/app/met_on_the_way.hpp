// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// What turns up in training sentences while they are learned from: of standard input, which no pass went through
// before; of files, what must not turn up then. Read batch/encode.hpp first.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "entrain/app/splits.hpp"  // ProblemsSaid
#include "entrain/app/talk.hpp"
#include "entrain/batch/encode.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_PART
#include "entrain/text/corpus.hpp"

namespace entrain::app {

/// One thread sees, another one says.
class MetOnTheWay {
 public:
  /// name      of what is read       looked_through   before training: all types are known from there
  /// strict: text that is not UTF-8 is refused where it is met
  MetOnTheWay(std::string name, bool looked_through, bool strict)
      : name_(std::move(name)), looked_through_(looked_through), strict_(strict) {}

  /// throws    entrain.app.48: an entity of a type that the pass before training did not meet    entrain.text.43
  template <class Features> void see(batch::EncodedBlock<Features>& block) {
    if (looked_through_ && block.unseen == 0) return;
    see(block.met, block.sentences.sentences(), block.sentences.size(), block.entities, block.unseen,
        block.unseen_types, block.problems);
    if (block.sentences.unread.any()) see_unread(block.sentences.unread);
    if (!block.first_invalid.empty() || !block.first_lone.empty())
      see_not_utf8(std::move(block.first_invalid), std::move(block.first_lone));
  }

  /// What has not been said yet.
  ENTRAIN_PART void say_new(Talk& talk);
  /// All of it, in numbers; nothing of files that were looked through.
  ENTRAIN_PART void say_total(Talk& talk);

 private:
  ENTRAIN_PART void see(const text::Met& met, std::size_t sentences, std::size_t words, std::uint64_t entities,
                        std::uint64_t unseen, const std::vector<std::string>& types,
                        std::vector<text::Problem>& problems);
  ENTRAIN_PART void see_unread(const batch::Unread& unread);
  ENTRAIN_PART void see_not_utf8(std::string first_invalid, std::string first_lone);

  std::string name_;
  bool looked_through_, strict_;
  std::mutex mutex_;  // of all that follows
  text::Met met_;
  std::uint64_t sentences_ = 0, words_ = 0, entities_ = 0, unseen_ = 0;
  std::vector<std::string> types_;       // that are not learned
  std::vector<text::Problem> problems_;  // that were not said
  std::size_t types_said_ = 0;
  batch::Unread unread_;
  std::string first_invalid_, first_lone_;
  ProblemsSaid said_;
};

/// The function of a batch::Mapped that lets it see. Null: nobody wants to.
struct SeenOnTheWay {
  std::shared_ptr<MetOnTheWay> by;
  template <class Features> void operator()(batch::EncodedBlock<Features>& block) const {
    if (by) by->see(block);
  }
};

}  // namespace entrain::app

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/app/met_on_the_way.ipp"
#endif
