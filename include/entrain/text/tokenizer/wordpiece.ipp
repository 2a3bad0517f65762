// [text] > batch > embed > encode > head > optim > checkpoint
//
// Definitions of wordpiece.hpp.
#pragma once
#include <cstdint>
#include <string>

#include "entrain/core/fields.hpp"
#include "entrain/text/tokenizer/wordpiece.hpp"

namespace entrain::text {

ENTRAIN_INLINE std::string WordPiece::fingerprint() const {
  Fields fields;
  fields.say("tokenizer", "WordPiece");
  fields.say("vocabulary", vocabulary_);
  fields.number("clean_text", options_.normalizer.clean_text);
  fields.number("handle_chinese_chars", options_.normalizer.handle_chinese_chars);
  fields.number("strip_accents", options_.normalizer.strip_accents);
  fields.number("lowercase", options_.normalizer.lowercase);
  fields.say("unk_token", options_.unk_token);
  fields.say("continuing_subword_prefix", options_.continuing_subword_prefix);
  fields.number("max_input_chars_per_word", static_cast<std::int64_t>(options_.max_input_chars_per_word));
  fields.number("added", static_cast<std::int64_t>(options_.added.size()));
  for (const AddedPiece& one : options_.added) {
    fields.say("text", one.text);
    fields.number("id", one.id);
    fields.number("flags", one.lstrip | one.rstrip << 1 | one.single_word << 2);
  }
  return fields.bytes();
}

}  // namespace entrain::text
