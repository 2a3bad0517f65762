// [text] > batch > embed > encode > head > optim > checkpoint
//
// Strings to dense ids and back: 0, 1, 2, ... in the order of their first occurrence. For words and for labels.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/core/hash.hpp"  // hash_bytes

namespace entrain::text {

/// A set of strings with ids. Look-ups never allocate, and are safe from many threads while no thread adds.
///
///   Vocabulary v;  v.add("O");  v.add("B-PER");  v.find("B-PER") == 1;  v[1] == "B-PER";
///
/// memory    the bytes of the strings once, 8 bytes an id, 8 to 16 bytes an id for the table (open addressing, at most
///           half full); views from operator[] stay valid until the next add
/// throws    entrain.text.60  add of a new string after freeze        entrain.text.61  more than 2^32 - 1 strings
class Vocabulary {
 public:
  using Id = std::uint32_t;
  static constexpr Id unknown = std::numeric_limits<Id>::max();

  /// The id of s; a new string gets the next id.
  Id add(std::string_view s) {
    if (const Id id = find(s); id != unknown) return id;
    if (frozen_)
      throw Error("entrain.text.60", "", "new string \"" + std::string(s) + "\"",
                  "one of the " + std::to_string(size()) + " known",
                  "add it before Vocabulary::freeze, or look it up with find");
    if (size() + 1 >= unknown)
      throw Error("entrain.text.61", "", "a vocabulary of " + std::to_string(size()) + " strings",
                  "a free id for one more", "raise the minimum count");
    if (2 * (size() + 1) > slots_.size()) grow();
    const auto id = static_cast<Id>(size());
    bytes_.append(s);
    ends_.push_back(bytes_.size());
    slots_[free_slot((*this)[id])] = id;  // not s: it may have pointed into bytes_, which has moved
    return id;
  }

  /// The id of s, or unknown.
  Id find(std::string_view s) const noexcept {
    if (slots_.empty()) return unknown;
    for (std::size_t i = home(s);; i = next(i)) {
      const Id id = slots_[i];
      if (id == unknown || (*this)[id] == s) return id;
    }
  }

  bool contains(std::string_view s) const noexcept { return find(s) != unknown; }

  /// requires  id < size()
  std::string_view operator[](Id id) const noexcept {
    const std::size_t begin = id == 0 ? 0 : ends_[id - 1];
    return {bytes_.data() + begin, ends_[id] - begin};
  }

  std::size_t size() const noexcept { return ends_.size(); }
  bool empty() const noexcept { return ends_.empty(); }

  /// Makes a new string an error from now on, so that no id can appear for which a model has no row.
  void freeze() noexcept { frozen_ = true; }
  bool frozen() const noexcept { return frozen_; }

  friend bool operator==(const Vocabulary& a, const Vocabulary& b) noexcept {
    return a.bytes_ == b.bytes_ && a.ends_ == b.ends_;
  }

 private:
  std::size_t home(std::string_view s) const noexcept { return hash_bytes(s, 0) & (slots_.size() - 1); }
  std::size_t next(std::size_t slot) const noexcept { return (slot + 1) & (slots_.size() - 1); }

  std::size_t free_slot(std::string_view s) const noexcept {
    std::size_t i = home(s);
    while (slots_[i] != unknown) i = next(i);
    return i;
  }

  void grow() {
    slots_.assign(slots_.empty() ? 16 : 2 * slots_.size(), unknown);
    for (Id id = 0; id < size(); ++id) slots_[free_slot((*this)[id])] = id;
  }

  std::string bytes_;              // every string, one after the other
  std::vector<std::size_t> ends_;  // [size()]: the end of each
  std::vector<Id> slots_;          // power-of-two length: an id, or unknown for an empty slot
  bool frozen_ = false;
};

/// Strings with their counts, to keep the frequent ones.
///
///   Counts c;  for (auto word : words) c.add(word);  Vocabulary v = c.at_least(5);
class Counts {
 public:
  void add(std::string_view s, std::uint64_t times = 1) {
    const Vocabulary::Id id = seen_.add(s);
    if (id == counts_.size()) counts_.push_back(0);
    counts_[id] += times;
  }

  std::uint64_t count(std::string_view s) const noexcept {
    const Vocabulary::Id id = seen_.find(s);
    return id == Vocabulary::unknown ? 0 : counts_[id];
  }

  /// Adds to `kept` every string with a count of at least `minimum`, in the order of first occurrence, and returns the
  /// number of strings left out. Strings that must have the first ids, as "[PAD]", are put into `kept` before.
  std::size_t at_least(std::uint64_t minimum, Vocabulary& kept) const {
    std::size_t dropped = 0;
    for (Vocabulary::Id id = 0; id < seen_.size(); ++id) {
      if (counts_[id] >= minimum) {
        kept.add(seen_[id]);
      } else {
        ++dropped;
      }
    }
    return dropped;
  }

  Vocabulary at_least(std::uint64_t minimum) const {
    Vocabulary kept;
    at_least(minimum, kept);
    return kept;
  }

  const Vocabulary& seen() const noexcept { return seen_; }

 private:
  Vocabulary seen_;
  std::vector<std::uint64_t> counts_;  // [seen_.size()]
};

}  // namespace entrain::text
