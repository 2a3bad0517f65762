// text > [family] > batch > embed > encode > head > optim > checkpoint
//
// The names of parameters in a folder of a family. Read contract.hpp first.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/family/contract.hpp"

namespace entrain::family {

/// The name that is written: for BERT, bert.embeddings.X for embed.X, bert.encoder.layer.N.X for encode.N.X, X for
/// head.X, bert.pooler.X for head.pooler.X. Without a family, entrain's own name.
/// pooled    the model has a pooler (head.pooler.X)
ENTRAIN_INLINE std::string stored_name(const std::string& ours, const Description* family, bool pooled = false);

/// Every name that is accepted when reading, the likely one first: with and without the family's prefix, with the newer
/// and the older ends.
ENTRAIN_INLINE std::vector<std::string> stored_names(const std::string& ours, const Description& family,
                                                     bool pooled = false);

/// Whether pretrained folders have the tensor of this stored name of a head: it begins with the family's prefix, or the
/// family says so.
ENTRAIN_INLINE bool is_pretrained(std::string_view stored, const Description& family);

/// Whether transformers writes this tensor and no tagger reads it: a tensor of a pooler or of a head, by the names of
/// its models of this family, or embeddings.position_ids.
ENTRAIN_INLINE bool not_for_tagging(std::string_view name, const Description& family);

}  // namespace entrain::family

#if !defined(ENTRAIN_COMPILED)
#include "entrain/family/tensor_names.ipp"
#endif
