// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of met_on_the_way.hpp.
#pragma once
#include <algorithm>
#include <iterator>
#include <utility>

#include "entrain/app/figures.hpp"
#include "entrain/app/met_on_the_way.hpp"
#include "entrain/app/not_utf8.hpp"
#include "entrain/core/error.hpp"
#include "entrain/text/check_words.hpp"  // describe(Met)
#include "entrain/text/excerpt.hpp"

namespace entrain::app {

ENTRAIN_PART void MetOnTheWay::see(const text::Met& met, std::size_t sentences, std::size_t words,
                                   std::uint64_t entities, std::uint64_t unseen, const std::vector<std::string>& types,
                                   std::vector<text::Problem>& problems) {
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

[[gnu::cold]] ENTRAIN_PART void MetOnTheWay::see_unread(const batch::Unread& unread) {
  const std::lock_guard lock(mutex_);
  unread_ += unread;
}

[[gnu::cold]] ENTRAIN_PART void MetOnTheWay::see_not_utf8(std::string first_invalid, std::string first_lone) {
  if (strict_) refuse_not_utf8(first_invalid.empty() ? first_lone : first_invalid);
  const std::lock_guard lock(mutex_);
  if (first_invalid_.empty()) first_invalid_ = std::move(first_invalid);
  if (first_lone_.empty()) first_lone_ = std::move(first_lone);
}

ENTRAIN_PART void MetOnTheWay::say_new(Talk& talk) {
  const std::lock_guard lock(mutex_);
  for (; types_said_ < types_.size(); ++types_said_)
    talk.warn_of("labels that are not among --labels", name_ + ": label '" + text::excerpt(types_[types_said_]) +
                                                           "' is not among --labels: its entities are learned as O");
  said_.say(problems_, name_, talk);
  problems_.clear();
}

ENTRAIN_PART void MetOnTheWay::say_total(Talk& talk) {
  say_new(talk);
  if (looked_through_) return;
  const std::lock_guard lock(mutex_);
  talk.fact("read", name_ + ": " + counted(sentences_, "sentence", "sentences") + ", " +
                        counted(words_, "word", "words") + ", " + counted(entities_, "entity", "entities"));
  if (const std::string met = text::describe(met_); !met.empty()) talk.fact("", "met " + met);
  say_not_utf8(met_, first_invalid_, first_lone_, false, {}, talk);
  said_.say_total(met_, name_, talk);
  warn_of_unread(name_, unread_, talk);
  if (unseen_ > 0)
    talk.warn(name_ + ": " + grouped(unseen_) + " of " + counted(entities_, "entity", "entities") +
              (unseen_ == 1 ? " is" : " are") + " of types that are not among --labels, and learned as O");
  if (entities_ == 0) talk.warn(name_ + ": no entity in " + grouped(words_) + " words, all are O");
}

}  // namespace entrain::app
