// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// The options of a command line for batch sizes: --token-budget, --batch-size, --compounding. Which of them may be
// combined, and how messages describe a batch.
#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "entrain/app/options/settings.hpp"
#include "entrain/batch/pack/batching.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::app {

/// Parses START,STOP,FACTOR, where FACTOR must lead from START to STOP; else returns nothing.
ENTRAIN_INLINE std::optional<batch::Compounding> compounding_of(std::string_view text);
ENTRAIN_INLINE std::string text_of(const batch::Compounding& c);

/// Where an option for the batch size was given. The command line overrides the file, and both override the program.
enum class Given { nowhere, in_the_file, on_the_line };
struct GivenSizes {
  Given budget = Given::nowhere, batch_size = Given::nowhere, compounding = Given::nowhere;
};

/// Makes one size of those that were given: in sentences or rows, and the largest that --compounding reaches.
///
/// throws    entrain.app.31: both --token-budget and --batch-size           .32: --compounding of a budget that is auto
///           .33: the largest size of --compounding is not the size that the other option gives
ENTRAIN_INLINE void settle_sizes(Settings& s, const GivenSizes& given);

/// The largest number of rows that a batch of options.batch_size sentences can have, in any order.
///
/// rows      of each sentence, or of that many of the longest         unit      what rows are
/// throws    entrain.app.34: more than a batch may have
ENTRAIN_INLINE int rows_of_batch_size(const train::Options& options, std::span<const std::int32_t> rows,
                                      std::string_view unit);

/// A sentence with more rows than this fills a batch alone.
inline int rows_before_alone(const train::Options& options) {
  return options.batch_size > 0 ? std::numeric_limits<int>::max() : options.token_budget;
}

/// `batches of at most 256 words`; `batches of 4 to 32 sentences, each size 1.001 times the one before it`
ENTRAIN_INLINE std::string batches_in_words(const train::Options& o, std::string_view unit);

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/options/batch_options.ipp"
#endif
