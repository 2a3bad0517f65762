// [text] > batch > embed > encode > head > optim > checkpoint
//
// Recognizes repeated items by hashes of 64 bits: the first place of each text, and the share of many items that repeat
// others. No text is kept. The chance that two of n items are wrongly taken for one is n * n / 2^65: for ten million, 3
// in a million.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace entrain::text {

/// A table, by open addressing, of entries with a member `hash` that is never 0. Its memory is the entries' own bytes
/// and the empty slots, at least a third as many as the entries.
template <class Entry> class HashTable {
 public:
  std::size_t size() const { return size_; }

  const Entry* find(std::uint64_t hash) const {
    if (slots_.empty()) return nullptr;
    const Entry& slot = slots_[place(hash)];
    return slot.hash == hash ? &slot : nullptr;
  }
  /// The entry with this hash if there is one; else inserts this one.
  std::pair<Entry*, bool> insert(const Entry& entry) {
    if (4 * (size_ + 1) > 3 * slots_.size()) grow();
    Entry& slot = slots_[place(entry.hash)];
    if (slot.hash == entry.hash) return {&slot, false};
    slot = entry;
    ++size_;
    return {&slot, true};
  }
  template <class F> void each(F&& f) const {
    for (const Entry& slot : slots_)
      if (slot.hash != 0) f(slot);
  }
  /// Keeps the entries for which keep(entry) is true.
  template <class Keep> void keep_if(Keep&& keep) {
    std::vector<Entry> old(slots_.size());
    old.swap(slots_);
    size_ = 0;
    for (const Entry& slot : old)
      if (slot.hash != 0 && keep(slot)) insert(slot);
  }

 private:
  std::size_t place(std::uint64_t hash) const {
    std::size_t at = static_cast<std::size_t>(hash ^ hash >> 32) & (slots_.size() - 1);
    while (slots_[at].hash != 0 && slots_[at].hash != hash) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  void grow() {
    std::vector<Entry> old(std::max<std::size_t>(2 * slots_.size(), 64));
    old.swap(slots_);
    for (const Entry& slot : old)
      if (slot.hash != 0) slots_[place(slot.hash)] = slot;
  }

  std::vector<Entry> slots_;  // a power of two
  std::size_t size_ = 0;
};

/// The share of items that repeat an earlier one. Up to `most` distinct items are all remembered. Beyond that, only
/// items whose hash ends in zero bits are remembered, half as many with each further bit. The share among these is then
/// approximately the share of all.
class Repeats {
 public:
  explicit Repeats(std::size_t most = std::size_t{1} << 20) : most_(most) {}

  /// place: position of the item
  void see(std::uint64_t hash, std::uint64_t place) {
    ++seen_;
    if (hash == 0) hash = 1;
    if ((hash & mask_) != 0) return;
    const auto [entry, added] = table_.insert({hash, place, 0});
    if (!added && entry->again++ == 0 && place < first_again_) first_again_ = place, first_of_ = entry->place;
    while (table_.size() > most_) {
      mask_ = 2 * mask_ + 1;
      table_.keep_if([&](const Entry& e) { return (e.hash & mask_) == 0; });
    }
  }

  std::uint64_t seen() const { return seen_; }
  bool exact() const { return mask_ == 0; }
  /// Items that repeat an earlier one: exact if exact(), else an estimate.
  std::uint64_t repeated() const {
    std::uint64_t all = 0, again = 0;
    table_.each([&](const Entry& e) { all += 1 + e.again, again += e.again; });
    if (exact() || all == 0) return again;
    return static_cast<std::uint64_t>(static_cast<double>(again) / static_cast<double>(all) *
                                      static_cast<double>(seen_));
  }
  /// The number of distinct items here that are in `other` too, and the number that was compared, among items that both
  /// remember.
  std::pair<std::uint64_t, std::uint64_t> shared_with(const Repeats& other) const {
    std::uint64_t shared = 0, of = 0;
    table_.each([&](const Entry& e) {
      if ((e.hash & other.mask_) != 0) return;
      ++of;
      shared += other.table_.find(e.hash) != nullptr;
    });
    return {shared, of};
  }
  /// The first item that repeats an earlier one, and that earlier one; only if repeated().
  std::pair<std::uint64_t, std::uint64_t> first() const { return {first_again_, first_of_}; }

 private:
  struct Entry {
    std::uint64_t hash = 0, place = 0, again = 0;
  };

  std::size_t most_;
  HashTable<Entry> table_;
  std::uint64_t mask_ = 0, seen_ = 0, first_again_ = static_cast<std::uint64_t>(-1), first_of_ = 0;
};

}  // namespace entrain::text
