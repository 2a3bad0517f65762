// [text] > batch > embed > encode > head > optim > checkpoint
//
// The requirements on a tokenizer of pieces (wordpiece.hpp is an example), and one sentence for each that a type does
// not meet.
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace entrain::text {

/// Ids of pieces, and the code points [begin, end) of the text that each covers.
struct Pieces {
  std::vector<std::int32_t> id;
  std::vector<std::uint32_t> begin, end;

  std::size_t size() const noexcept { return id.size(); }
  void clear() noexcept { id.clear(), begin.clear(), end.clear(); }
  void add(std::int32_t piece, std::uint32_t from, std::uint32_t to) {
    id.push_back(piece), begin.push_back(from), end.push_back(to);
  }
};

namespace detail {

struct ForEachSpecial {
  void operator()(std::int32_t, std::string_view) const {}
};

// Variables, as in core/contract.hpp.

/// A thread's own part: made of the tokenizer, which outlives it, and of how many words it may remember.
template <class T> inline constexpr bool has_reader = requires {
  requires std::constructible_from<typename T::Reader, const T&, std::size_t>;
};
/// encode(text, out, from) appends the pieces of `text` to `out`, whose first code point has number `from`, and returns
/// the number after its last one.
template <class T> inline constexpr bool encodes = requires(typename T::Reader& reader, std::string_view text,
                                                            Pieces& out, std::uint32_t from) {
  { reader.encode(text, out, from) } -> std::same_as<std::uint32_t>;
};
/// size(): every id of a piece is below. unknown(): the id of what no piece spells. each_special(f): f(id, text) for
/// every piece that is found in the text before all others, whose id may be `size()` or more.
template <class T> inline constexpr bool has_ids = requires(const T& t) {
  { t.size() } -> std::convertible_to<std::size_t>;
  { t.unknown() } -> std::convertible_to<std::int32_t>;
  t.each_special(ForEachSpecial{});
};
/// fingerprint(): all that decides a piece, as bytes (core/fields.hpp). Two tokenizers that may cut any text in two
/// ways have different ones.
template <class T> inline constexpr bool has_fingerprint = requires(const T& t) {
  { t.fingerprint() } -> std::convertible_to<std::string>;
};

}  // namespace detail

/// Const after it is made: threads share it, and each brings its own Reader. How a folder's files become one:
/// checkpoint/tokenizer.hpp.
template <class T>
concept IsTokenizer = detail::has_reader<T> && detail::encodes<T> && detail::has_ids<T> && detail::has_fingerprint<T>;

/// `static_assert(tokenizer_contract<T>());` does not compile for a type that is no tokenizer: one sentence for each
/// member that it lacks.
template <class T> consteval bool tokenizer_contract() {
  static_assert(detail::has_reader<T>,
                "entrain: this tokenizer has no class Reader that is constructible from (const Tokenizer&, std::size_t "
                "cached_words); see "
                "text/tokenizer/contract.hpp.");
  static_assert(
      !detail::has_reader<T> || detail::encodes<T>,
      "entrain: this tokenizer's Reader has no std::uint32_t encode(std::string_view text, text::Pieces& out, "
      "std::uint32_t from), the pieces with their code points; see text/tokenizer/contract.hpp.");
  static_assert(detail::has_ids<T>,
                "entrain: this tokenizer has no size(), unknown() and each_special(f), its ids; see "
                "text/tokenizer/contract.hpp.");
  static_assert(detail::has_fingerprint<T>,
                "entrain: this tokenizer has no std::string fingerprint() const, the cache key of its output; see "
                "text/tokenizer/contract.hpp.");
  return true;
}

}  // namespace entrain::text
