// [text] > batch > embed > encode > head > optim > checkpoint
//
// Keys of a line of JSON under which other programs write entities, and which no reader here uses: so that such a line
// is not learned as one without entities. Read json_record.hpp first.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "entrain/core/config.hpp"          // ENTRAIN_INLINE
#include "entrain/text/records/record.hpp"  // Where

namespace entrain::text {

/// Whether a JSON value holds what seems to be an entity: [0, 3, "PER"], or an object that has a start, an end and a
/// label under any of their usual names.
///
/// first_alone   inspects only the first value of an array, and nothing inside of objects
ENTRAIN_INLINE bool seems_to_hold_entities(std::string_view value, bool first_alone);

/// Suspicious keys of a record without a list of entities or tags.
struct UnreadKeys {
  std::string key;        // seems to hold entities or tags; empty: none
  bool tags = false;      // one for each word
  bool reviewed = false;  // Prodigy's view of entities: an annotator accepted the text as one without entities
};

/// line      an object of JSON that was read
/// words     of the record; 0: not known
ENTRAIN_INLINE UnreadKeys find_unread_keys(std::string_view line, std::size_t words);

/// throws    entrain.text.42: such a key, in a record without another list
[[noreturn]] ENTRAIN_INLINE void refuse_unread_entities(const Where& where, const std::string& key, bool tags = false);

/// The keys of an object, in quotes and separated by commas; nothing for another value.
ENTRAIN_INLINE std::string keys_of(std::string_view value);

}  // namespace entrain::text

#if !defined(ENTRAIN_COMPILED)
#include "entrain/text/records/unread_keys.ipp"
#endif
