// tests > [refusals]
//
// A user's task, one number a sentence, which may lack a member.
#pragma once
#include <string_view>

#include "entrain/task/contract.hpp"

enum class TaskMisses { nothing, name, labels, targets, prediction, gold, scorer, fill_gaps };

template <TaskMisses M> struct Named { static constexpr std::string_view name = "rating"; };
template <> struct Named<TaskMisses::name> {};

struct OneNumber {
  int count() const { return 1; }
};
struct Uncounted {};

struct Gold {};
template <bool Has> struct HasGold { using Gold = ::Gold; };
template <> struct HasGold<false> {};
template <bool Has> struct HasScorer { using Scorer = int; };
template <> struct HasScorer<false> {};

template <class T, bool Right> struct ColumnOr { using type = T; };
template <class T> struct ColumnOr<T, false> { using type = float*; };

template <TaskMisses M> struct OwnTask : Named<M>, HasGold<M != TaskMisses::gold>, HasScorer<M != TaskMisses::scorer> {
  using Labels = std::conditional_t<M == TaskMisses::labels, Uncounted, OneNumber>;
  using Targets = typename ColumnOr<entrain::PerSentence<const float>, M != TaskMisses::targets>::type;
  using Column = std::conditional_t<M == TaskMisses::fill_gaps, entrain::PerRow<float>, entrain::PerSentence<float>>;
  using Prediction = typename ColumnOr<Column, M != TaskMisses::prediction>::type;
};
