// tests > [refusals]
//
// A user's source of no items, which may give other items than text, or not say the scheme of its tags.
#pragma once
#include <cstdint>

#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/tags/scheme.hpp"

template <class ItemType> struct Untagged {
  using Item = ItemType;
  using Cursor = std::uint32_t;
  void start(std::uint32_t, Cursor) {}
  Cursor cursor() const { return 0; }
  bool next(Item&) { return false; }
};
template <class ItemType> struct Own : Untagged<ItemType> { using Tags = entrain::text::Bio; };
