// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// What a parameter is called in a folder of Hugging Face's.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_PART

namespace entrain::train {

/// The name of a parameter as transformers writes it: for `bert`, bert.embeddings.X for embed.X, bert.encoder.layer.N.X
/// for encode.N.X, X for head.X; for `distilbert`, its own names of the same things. Empty model_type: our own name.
ENTRAIN_PART std::string stored_name(const std::string& ours, std::string_view model_type);

/// Every name that a folder may have for it, the likely one first: with and without the prefix of the model type, norms
/// also as gamma and beta.
ENTRAIN_PART std::vector<std::string> stored_names(const std::string& ours, std::string_view model_type);

/// Whether a tensor is one that transformers writes and no tagger reads: of a pooler or of a head, by the names of its
/// models of this family, or embeddings.position_ids.
ENTRAIN_PART bool not_for_tagging(std::string_view name, std::string_view model_type);

}  // namespace entrain::train

#if !defined(ENTRAIN_SEPARATE)
#include "entrain/train/tensor_names.ipp"
#endif
