// text > batch > embed > encode > head > optim > [checkpoint]
//
// The pieces of added_tokens.json, which folders of older versions of transformers have. Read tokenizer.hpp first.
#pragma once
#include <string_view>
#include <vector>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/text/tokenizer/added_pieces.hpp"

namespace entrain::checkpoint {

/// The text of added_tokens.json, which transformers wrote next to vocab.txt or vocab.json before it
/// wrote added_tokens_decoder: each
/// token and its id.
/// throws    entrain.checkpoint.30, 31, 36: as parse_config        .32: a value of another type
ENTRAIN_INLINE std::vector<text::AddedPiece> parse_added_tokens(std::string_view text, std::string_view where);

}  // namespace entrain::checkpoint

#if !defined(ENTRAIN_COMPILED)
#include "entrain/checkpoint/json_tokenizer_parts.ipp"
#endif
