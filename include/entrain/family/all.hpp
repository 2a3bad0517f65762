// text > [family] > batch > embed > encode > head > optim > checkpoint
//
// The families that a folder may be of: a line each. A program may also have one of its own, that of its composition.
#pragma once
#include <string>
#include <string_view>

#include "entrain/core/config.hpp"  // ENTRAIN_PART
#include "entrain/family/bert.hpp"
#include "entrain/family/contract.hpp"
#include "entrain/family/distilbert.hpp"

namespace entrain::family {

inline constexpr const Description* all[]{
    &of<Bert>,  // also of a config.json without a model_type
    &of<DistilBert>,
};

/// The family of a model_type, or null. `own`: one that need not be among `all`, or null.
ENTRAIN_PART const Description* find(std::string_view model_type, const Description* own = nullptr);

/// The model types that find() knows, for messages: `"bert" or "distilbert"`.
ENTRAIN_PART std::string model_types(const Description* own = nullptr);

}  // namespace entrain::family

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/family/all.ipp"
#endif
