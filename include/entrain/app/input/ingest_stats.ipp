// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of ingest_stats.hpp.
#pragma once
#include <algorithm>
#include <iterator>
#include <utility>

#include "entrain/app/console/format_number.hpp"
#include "entrain/app/input/ingest_stats.hpp"
#include "entrain/app/input/not_utf8.hpp"
#include "entrain/core/error.hpp"
#include "entrain/text/check/check_words.hpp"  // describe(Met)
#include "entrain/text/corpus/excerpt.hpp"

namespace entrain::app {

ENTRAIN_INLINE void IngestStats::see(const text::Met& met, std::size_t sentences, std::size_t words,
                                     std::uint64_t entities, std::uint64_t unseen,
                                     const std::vector<std::string>& types, std::vector<text::Problem>& problems) {
  if (looked_through_)
    throw Error("entrain.app.48", name_, "an entity of type '" + text::excerpt(types.front()) + "'",
                "the types that were found before training", "the file has changed: start again");
  const std::lock_guard lock(mutex_);
  met_ += met;
  sentences_ += sentences;
  words_ += words;
  entities_ += entities;
  unseen_ += unseen;
  constexpr std::size_t most = 100;
  for (const std::string& type : types)
    if (types_.size() < most && std::find(types_.begin(), types_.end(), type) == types_.end()) types_.push_back(type);
  if (problems_.size() < most)
    problems_.insert(problems_.end(), std::make_move_iterator(problems.begin()),
                     std::make_move_iterator(problems.end()));
}

[[gnu::cold]] ENTRAIN_INLINE void IngestStats::see_unread(const batch::Unread& unread) {
  const std::lock_guard lock(mutex_);
  unread_ += unread;
}

[[gnu::cold]] ENTRAIN_INLINE void IngestStats::see_not_utf8(std::string first_invalid, std::string first_lone) {
  if (strict_) refuse_not_utf8(first_invalid.empty() ? first_lone : first_invalid);
  const std::lock_guard lock(mutex_);
  if (first_invalid_.empty()) first_invalid_ = std::move(first_invalid);
  if (first_lone_.empty()) first_lone_ = std::move(first_lone);
}

ENTRAIN_INLINE void IngestStats::say_new(Console& console) {
  const std::lock_guard lock(mutex_);
  for (; types_said_ < types_.size(); ++types_said_)
    console.warn_of("labels that are not among --labels", name_ + ": label '" + text::excerpt(types_[types_said_]) +
                                                              "' is not among --labels: its entities are learned as O");
  said_.say(problems_, name_, console);
  problems_.clear();
}

ENTRAIN_INLINE void IngestStats::say_total(Console& console) {
  say_new(console);
  if (looked_through_) return;
  const std::lock_guard lock(mutex_);
  console.fact("read", name_ + ": " + counted(sentences_, "sentence", "sentences") + ", " +
                           counted(words_, "word", "words") + ", " + counted(entities_, "entity", "entities"));
  if (const std::string met = text::describe(met_); !met.empty()) console.fact("", "met " + met);
  say_not_utf8(met_, first_invalid_, first_lone_, false, {}, console);
  said_.say_total(met_, name_, console);
  warn_of_unread(name_, unread_, console);
  if (unseen_ > 0)
    console.warn(name_ + ": " + grouped(unseen_) + " of " + counted(entities_, "entity", "entities") +
                 (unseen_ == 1 ? " is" : " are") + " of types that are not among --labels, and learned as O");
  if (entities_ == 0)
    console.warn(name_ + ": no entity in " + grouped(words_) +
                 (words_ == 1 ? " word, which is O" : " words, all are O"));
}

}  // namespace entrain::app
