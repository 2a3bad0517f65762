// text > [family] > batch > embed > encode > head > optim > checkpoint
//
// The families that a folder may belong to, one line each. A program may add the family of its own composition.
#pragma once
#include <string>
#include <string_view>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/family/bert.hpp"
#include "entrain/family/contract.hpp"
#include "entrain/family/distilbert.hpp"
#include "entrain/family/electra.hpp"
#include "entrain/family/modern_bert.hpp"
#include "entrain/family/multilingual_bert.hpp"
#include "entrain/family/roberta.hpp"
#include "entrain/family/xlm_roberta.hpp"

namespace entrain::family {

inline constexpr const Description* all[]{
    &of<Bert>,  // also for a config.json without a model_type
    &of<DistilBert>,
    &of<Electra>,
    &of<ModernBert>,
    &of<Roberta>,
    &of<XlmRoberta>,
    &of<MultilingualBert>,  // a program's own family is found before the first of a model_type
};

/// The family of a model_type, or null: `own`, a family that need not be among `all`, if it has that model_type, else
/// the first.
ENTRAIN_INLINE const Description* find(std::string_view model_type, const Description* own = nullptr);

/// The model types that find() knows, for messages: `"bert", "distilbert", "electra", "modernbert", "roberta" or
/// "xlm-roberta"`.
ENTRAIN_INLINE std::string model_types(const Description* own = nullptr);

}  // namespace entrain::family

#if !defined(ENTRAIN_COMPILED)
#include "entrain/family/all.ipp"
#endif
