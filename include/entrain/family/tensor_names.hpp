// text > [family] > batch > embed > encode > head > optim > checkpoint
//
// What a parameter is called in a folder of a family. Read contract.hpp first.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_PART
#include "entrain/family/contract.hpp"

namespace entrain::family {

/// The name that is written: for BERT, bert.embeddings.X for embed.X, bert.encoder.layer.N.X for encode.N.X, X for
/// head.X. Without a family our own name.
ENTRAIN_PART std::string stored_name(const std::string& ours, const Description* family);

/// Every name that is read, the likely one first: with and without the family's prefix, with the newer and the older
/// ends.
ENTRAIN_PART std::vector<std::string> stored_names(const std::string& ours, const Description& family);

/// Whether a tensor is one that transformers writes and no tagger reads: of a pooler or of a head, by the names of its
/// models of this family, or embeddings.position_ids.
ENTRAIN_PART bool not_for_tagging(std::string_view name, const Description& family);

}  // namespace entrain::family

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/family/tensor_names.ipp"
#endif
