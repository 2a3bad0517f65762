// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// How much a row of each tag counts in the loss, from the command line.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::app {

/// One weight per label, or none at all if no weights were asked for.
///
/// wish      `balanced`: rows / (tags that occur * rows of this tag), as scikit-learn's compute_class_weight; or
///           `PER=2,O=0.5`: weights of entity types and of O, all others 1
/// labels    names of the tags, as B-PER        rows       to learn, of each of them
/// throws    entrain.app.23: neither of the two, an unknown type, or a weight that is not a number from 0 to 1e6
ENTRAIN_INLINE std::vector<float> class_weights(std::string_view wish, const std::vector<std::string>& labels,
                                                std::span<const std::uint64_t> rows);

/// [labels] how many rows have each tag. targets: of every word to learn; values below 0 are not counted
ENTRAIN_INLINE void count_rows(std::vector<std::uint64_t>& rows, std::span<const std::int32_t> targets);

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/train/class_weights.ipp"
#endif
