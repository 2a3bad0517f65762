// text > [batch] > embed > encode > head > optim > checkpoint
//
// The requirements on a stage, and one sentence for the first that a type does not meet. Read stage.hpp first.
#pragma once
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace entrain::batch::detail {

enum class Lacks { item, item_made, cursor, start, place, next_or_read, next, raw, read, work, tool };

/// A member of this name, unless it is overloaded or a template.
template <class S>
concept HasNext = requires {
  &S::next;
}
|| requires(S& s, typename S::Item& item) { s.next(item); };
template <class S>
concept HasRead = requires {
  &S::read;
};

template <class Tool>
concept HasBeginOrSample = requires {
  &Tool::begin;
}
|| requires { &Tool::sample; };

template <class S> consteval Lacks first_lack() {
  if constexpr (!requires { typename S::Item; }) {
    return Lacks::item;
  } else if constexpr (!std::default_initializable<typename S::Item>) {
    return Lacks::item_made;
  } else if constexpr (!requires { requires std::default_initializable<typename S::Cursor>; }) {
    return Lacks::cursor;
  } else if constexpr (!requires(S & s, typename S::Cursor at) { s.start(std::uint32_t{}, at); }) {
    return Lacks::start;
  } else if constexpr (!requires(S & s) {
                         { s.cursor() } -> std::convertible_to<typename S::Cursor>;
                       }) {
    return Lacks::place;
  } else if constexpr (HasNext<S>) {
    return Lacks::next;
  } else if constexpr (!HasRead<S>) {
    return Lacks::next_or_read;
  } else if constexpr (!requires { requires std::default_initializable<typename S::Raw>; }) {
    return Lacks::raw;
  } else if constexpr (!requires(S & s, typename S::Raw & raw) {
                         { s.read(raw) } -> std::same_as<bool>;
                       }) {
    return Lacks::read;
  } else if constexpr (!requires(S & s) { requires !std::is_void_v<decltype(s.work())>; }) {
    return Lacks::work;
  } else {
    return Lacks::tool;
  }
}

/// `static_assert(StageLacks<S>::value);` says what an S that is no stage lacks. clang reads a class up to an assertion
/// that fails, so the value comes first.
template <class S> struct StageLacks {
  static constexpr bool value = true;
  static constexpr Lacks lack = first_lack<S>();
  static_assert(
      lack != Lacks::item,
      "entrain: this is not a stage: it has no 'using Item', the type that it yields; see batch/pipeline/stage.hpp.");
  static_assert(lack != Lacks::item_made,
                "entrain: this stage's Item has no default constructor, which is needed as items are allocated ahead; "
                "add one; see batch/pipeline/stage.hpp.");
  static_assert(lack != Lacks::cursor,
                "entrain: this is not a stage: it has no 'using Cursor', a position in an epoch with a default "
                "constructor; see batch/pipeline/stage.hpp.");
  static_assert(lack != Lacks::start,
                "entrain: this is not a stage: it has no start(std::uint32_t epoch, const Cursor&); see "
                "batch/pipeline/stage.hpp.");
  static_assert(lack != Lacks::place,
                "entrain: this is not a stage: it has no cursor(), which returns the Cursor of the next item; see "
                "batch/pipeline/stage.hpp.");
  static_assert(lack != Lacks::next_or_read,
                "entrain: this is not a stage: it has neither 'bool next(Item&)' nor, to build items on several "
                "threads, 'bool read(Raw&)' with work(); see batch/pipeline/stage.hpp.");
  static_assert(
      lack != Lacks::next,
      "entrain: this stage's next does not take Item& and return bool, which is false at the end of the epoch; see "
      "batch/pipeline/stage.hpp.");
  static_assert(
      lack != Lacks::raw,
      "entrain: this stage has read, but no 'using Raw', the type that it reads, with a default constructor; see "
      "batch/pipeline/stage.hpp.");
  static_assert(
      lack != Lacks::read,
      "entrain: this stage's read does not take Raw& and return bool, which is false at the end of the epoch; see "
      "batch/pipeline/stage.hpp.");
  static_assert(lack != Lacks::work,
                "entrain: this stage has read, but no work(), which returns for each thread a function that builds an "
                "item, called as function(Raw&, Item&); see batch/pipeline/stage.hpp.");
  static_assert(lack != Lacks::tool,
                "entrain: the function that this stage's work() returns is not callable as function(Raw&, Item&); see "
                "batch/pipeline/stage.hpp.");
};

/// In place of a type that is no stage: one that gives nothing, so that what it lacks is the only error.
struct NoStage {
  struct Item {};
  struct Cursor {};
  NoStage(const auto&) {}
  void start(std::uint32_t, const Cursor&) {}
  Cursor cursor() { return {}; }
  bool next(Item&) { return false; }
};

}  // namespace entrain::batch::detail
