// [text] > batch > embed > encode > head > optim > checkpoint
//
// Queries of the tables in bert_tables.hpp: what BERT's basic tokenizer does with a code point.
#pragma once
#include <algorithm>
#include <cstdint>
#include <iterator>

#include "entrain/text/tokenizer/bert_tables.hpp"

namespace entrain::text::detail {

constexpr std::uint8_t bert_flags(char32_t cp) noexcept {
  if (cp > 0x10FFFF) cp = 0x10FFFF;
  return bert_flags_of[bert_block_of[cp >> 8] * 256u + (cp & 0xFF)];
}
constexpr BertKind kind_of(std::uint8_t flags) noexcept { return static_cast<BertKind>(flags & bert_kind); }

/// The entry of a sorted table whose key reaches cp; the caller asks only for code points that the table covers.
template <class Table, class Key> const auto& bert_entry(const Table& table, char32_t cp, Key key) noexcept {
  return *std::lower_bound(std::begin(table), std::end(table), cp,
                           [&](const auto& a, char32_t c) { return a.*key < c; });
}

}  // namespace entrain::text::detail
