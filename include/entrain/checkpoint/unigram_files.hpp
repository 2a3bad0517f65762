// text > batch > embed > encode > head > optim > [checkpoint]
//
// The tokenizer.json of XLM-RoBERTa's tokenizer, as folders of Hugging Face hold it. Its contents become a
// text::Unigram; anything in it that entrain cannot do is an error, never ignored. Read tokenizer.hpp first.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/checkpoint/added_tokens.hpp"
#include "entrain/checkpoint/folder_files.hpp"
#include "entrain/checkpoint/tokenizer.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/text/tokenizer/unigram.hpp"

namespace entrain::checkpoint {

/// What the files say.
struct UnigramFile {
  std::vector<std::string> vocabulary;  // by id
  std::vector<double> scores;
  text::UnigramOptions options;
  std::vector<std::int32_t> before, after;  // around every text, as <s> and </s>
};

/// The text of tokenizer.json.
///
/// normalizer       null, or of Precompiled, Strip, and a Replace of two or more spaces by a space or a mark, those
/// that
///                  are there in this order
/// pre_tokenizer    Metaspace with a mark before every word, after WhitespaceSplit or alone
///
/// throws    entrain.checkpoint.30, 36: as parse_config            .31: a key twice
///           .32: a value of another type                          .33: a part, or a piece that it names, is missing
///           .50: a part of another kind than XLM-RoBERTa's        .51: an id too large, or one that tokenizers does
///           not give
ENTRAIN_INLINE UnigramFile parse_unigram(std::string_view text, std::string_view where);

/// The tokenizer that these texts of a folder describe (tokenizer_texts). Unless tokenizer_config.json says
/// PreTrainedTokenizerFast, transformers 5.23 makes an XLMRobertaTokenizer: words end at white space, and Strip and
/// Replace are left out. Special pieces are found as read_byte_bpe says.
///
/// folder    for messages
/// notes     receives what the user should hear
/// throws    entrain.checkpoint.53: there is no tokenizer.json     .52: a special piece is no piece
///           .55: two files state different things, or tokenizer.json what XLMRobertaTokenizer does not do, as an added
///           token that added_tokens_decoder does not have
///           .50: add_prefix_space is false, another tokenizer_class, split_special_tokens, fast_tokenizer_files
ENTRAIN_INLINE UnigramFile read_unigram(const std::vector<FolderText>& texts, const std::string& folder,
                                        std::vector<std::string>& notes);

template <> struct TokenizerOf<text::Unigram> {
  static constexpr std::string_view names[]{"tokenizer.json", "tokenizer_config.json", "special_tokens_map.json",
                                            "added_tokens.json"};
  static OpenedTokenizer<text::Unigram> open(const std::vector<FolderText>& texts, const std::string& folder,
                                             std::vector<std::string>& notes) {
    UnigramFile file = read_unigram(texts, folder, notes);
    return {text::Unigram(std::move(file.vocabulary), std::move(file.scores), std::move(file.options), folder),
            std::move(file.before), std::move(file.after)};
  }
};

}  // namespace entrain::checkpoint

#if !defined(ENTRAIN_COMPILED)
#include "entrain/checkpoint/json_unigram.ipp"
#endif
