// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of batch_options.hpp.
#pragma once
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "entrain/app/console/format_number.hpp"
#include "entrain/app/options/batch_options.hpp"
#include "entrain/app/options/wrong_usage.hpp"
#include "entrain/app/train/auto_budget.hpp"      // most_rows
#include "entrain/checkpoint/training_state.hpp"  // exact_text
#include "entrain/core/error.hpp"

namespace entrain::app {

ENTRAIN_INLINE std::optional<batch::Compounding> compounding_of(std::string_view text) {
  double numbers[3];
  for (int i = 0; i < 3; ++i) {
    const std::string_view part = text.substr(0, i < 2 ? text.find(',') : text.npos);
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), numbers[i]);
    if (error != std::errc() || end != part.data() + part.size()) return std::nullopt;
    text.remove_prefix(std::min(part.size() + 1, text.size()));
  }
  const auto [start, stop, factor] = numbers;
  const bool leads = start < stop ? factor > 1 : start > stop ? factor < 1 : true;
  if (!(start >= 1 && start <= most_rows && stop >= 1 && stop <= most_rows)) return std::nullopt;
  if (!(leads && factor > 0 && std::isfinite(factor))) return std::nullopt;
  return batch::Compounding{start, stop, factor};
}

ENTRAIN_INLINE std::string text_of(const batch::Compounding& c) {
  if (!c) return {};
  return checkpoint::exact_text(c.start) + "," + checkpoint::exact_text(c.stop) + "," +
         checkpoint::exact_text(c.factor);
}

ENTRAIN_INLINE void settle_sizes(Settings& s, const GivenSizes& given) {
  train::Options& t = s.training;
  if (given.budget == given.batch_size && given.budget != Given::nowhere && t.batch_size > 0)
    throw WrongUsage("entrain.app.31", "train", "both --token-budget and --batch-size", "one of them",
                     "a budget counts the words or pieces of a batch, a batch size its sentences");
  if (given.budget > given.batch_size) t.batch_size = 0;
  if (t.batch_size > 0) s.auto_budget = false;
  if (!t.compounding) return;
  const std::string sizes = "--compounding " + text_of(t.compounding);
  if (s.auto_budget)
    throw WrongUsage("entrain.app.32", sizes, "--token-budget auto, which cuts steps of one size", "one of them",
                     "remove one: compounding sizes are fixed by the option");
  const bool sentences = t.batch_size > 0;
  int& size = sentences ? t.batch_size : t.token_budget;
  const Given where = sentences ? given.batch_size : given.budget;
  if (given.compounding == Given::nowhere && where != Given::nowhere) return;
  const int largest = static_cast<int>(t.compounding.largest());
  if (where >= given.compounding && where != Given::nowhere && size != largest)
    throw WrongUsage("entrain.app.33", sizes,
                     (sentences ? "--batch-size " : "--token-budget ") + std::to_string(size) + ", and sizes up to " +
                         std::to_string(largest),
                     "the same", sentences ? "set --batch-size to " + std::to_string(largest) : "omit --token-budget");
  size = largest;
}

ENTRAIN_INLINE int rows_of_batch_size(const train::Options& options, std::span<const std::int32_t> rows,
                                      std::string_view unit) {
  const std::int64_t most = batch::largest_batch(rows, options.batching());
  if (most > most_rows)
    throw Error("entrain.app.34", "--batch-size " + std::to_string(options.batch_size),
                "a batch of " + grouped(most) + " " + std::string(unit) + ", of the longest sentences",
                "at most " + grouped(std::int64_t{most_rows}), "lower it, or split longer sentences");
  return static_cast<int>(most);
}

ENTRAIN_INLINE std::string batches_in_words(const train::Options& o, std::string_view unit) {
  const bool sentences = o.batch_size > 0;
  std::string words = sentences ? "batches of " : "batches of at most ";
  const std::int64_t largest = sentences ? o.batch_size : o.token_budget;
  if (o.compounding)
    words += grouped(std::min(static_cast<std::int64_t>(o.compounding.start), largest)) + " to " +
             grouped(std::min(static_cast<std::int64_t>(o.compounding.stop), largest));
  else
    words += grouped(largest);
  words += " " + (sentences ? std::string(largest == 1 ? "sentence" : "sentences") : std::string(unit));
  if (o.group_by_length) words += " of similar length";
  if (o.compounding)
    words += ", each size " + checkpoint::exact_text(o.compounding.factor) + " times the one before it";
  return words;
}

}  // namespace entrain::app
