// tests > [refusals]
//
// A user's task, one number a sentence, which may lack a member.
#pragma once
#include <string_view>

#include "entrain/task/contract.hpp"

enum class TaskMisses { nothing, name, labels, targets, prediction };

template <TaskMisses M> struct Named { static constexpr std::string_view name = "rating"; };
template <> struct Named<TaskMisses::name> {};

struct OneNumber {
  int count() const { return 1; }
};
struct Uncounted {};

template <class T, bool Right> struct ColumnOr { using type = T; };
template <class T> struct ColumnOr<T, false> { using type = float*; };

template <TaskMisses M> struct OwnTask : Named<M> {
  using Labels = std::conditional_t<M == TaskMisses::labels, Uncounted, OneNumber>;
  using Targets = typename ColumnOr<entrain::PerSentence<const float>, M != TaskMisses::targets>::type;
  using Prediction = typename ColumnOr<entrain::PerSentence<float>, M != TaskMisses::prediction>::type;
};
