// text > batch > embed > encode > head > optim > [checkpoint]
//
// Whether the files of a folder agree about what more than one of them states. Where they do not, transformers may cut
// words into other pieces than we do. Its rule (4.57 and 5.24): tokenizer.json is loaded; then BertTokenizer and its
// kin set lowercase, strip_accents and handle_chinese_chars to what tokenizer_config.json says, or to their defaults
// where it says nothing, while PreTrainedTokenizerFast leaves them alone; tokens of added_tokens_decoder and
// added_tokens.json are added, and the special pieces that a file states (wordpiece_pieces.ipp); vocab.txt is not read.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "entrain/checkpoint/wordpiece_files.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::checkpoint {

/// Compares a tokenizer.json with the other texts of its folder.
///
/// read      what tokenizer.json says
/// returns   what the user should hear: a default of transformers that is not what tokenizer.json says, and what
///           contradicts it without effect
/// throws    entrain.checkpoint.55: two files state different things
ENTRAIN_INLINE std::vector<std::string> check_agreement(const TokenizerFile& read,
                                                        const std::vector<FolderText>& texts);

/// The text of a tokenizer_config.json with which transformers cuts words as `read` says, if it does not do so with the
/// folder's own; else nothing.
ENTRAIN_INLINE std::optional<std::string> agreeing_tokenizer_config(const TokenizerFile& read,
                                                                    const std::vector<FolderText>& texts);

}  // namespace entrain::checkpoint

#if !defined(ENTRAIN_COMPILED)
#include "entrain/checkpoint/json_tokenizer.ipp"
#include "entrain/checkpoint/tokenizer_agreement.ipp"
#endif
