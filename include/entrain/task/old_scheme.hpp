// text > batch > [task] > head > optim > checkpoint
//
// The old place of a tag scheme: before heads named a task, heads, models and trainers had the scheme as a member.
#pragma once

namespace entrain::task {

/// A base of types with a Task.
template <class Task> struct OldScheme {};
template <class Task>
requires requires { typename Task::Scheme; }
struct OldScheme<Task> {
  using Scheme [[deprecated("use Task::Scheme")]] = typename Task::Scheme;
};

}  // namespace entrain::task
