// text > [batch] > embed > encode > head > optim > checkpoint
//
// Stages on a timeline (core/timeline.hpp). A stage that takes a lane gets that of its thread. Another stage is
// measured from outside, under its own name if it has one: static constexpr std::string_view name.
#pragma once
#include <string_view>
#include <utility>

#include "entrain/core/timeline.hpp"

namespace entrain::batch {

/// The activity of a stage, or of a function that a stage calls.
template <class S> Activity activity_of(Lane* lane, Activity otherwise) {
  if constexpr (requires { std::string_view(S::name); }) {
    return lane == nullptr ? otherwise : lane->named(S::name);
  } else {
    return otherwise;
  }
}

/// S::name, if it has one.
template <class S> constexpr std::string_view name_or(std::string_view otherwise) {
  if constexpr (requires { std::string_view(S::name); }) {
    return S::name;
  } else {
    return otherwise;
  }
}

/// from.read(raw)
template <class S, class Raw> bool read_from(S& from, Raw& raw, Lane* lane) {
  if constexpr (requires { from.read(raw, lane); }) {
    return from.read(raw, lane);
  } else {
    const Doing now(lane, Activity::read);
    return from.read(raw);
  }
}

/// from.next(item)
template <class S, class Item> bool next_from(S& from, Item& item, Lane* lane) {
  if constexpr (requires { from.next(item, lane); }) {
    return from.next(item, lane);
  } else {
    const Doing now(lane, activity_of<S>(lane, Activity::read));
    return from.next(item);
  }
}

/// tool.begin(raw, item), of a tool whose items have many samples.
template <class S, class Tool, class Raw, class Item> int begin_by(Tool& tool, Raw& raw, Item& item, Lane* lane) {
  if constexpr (requires { tool.begin(raw, item, lane); }) {
    return tool.begin(raw, item, lane);
  } else {
    const Doing now(lane, activity_of<S>(lane, Activity::parse));
    return tool.begin(raw, item);
  }
}

/// work(raw, item), where work is a tool of S.
template <class S, class Tool, class Raw, class Item> void work_by(Tool& work, Raw& raw, Item& item, Lane* lane) {
  if constexpr (requires { work(raw, item, lane); }) {
    work(raw, item, lane);
  } else {
    const Doing now(lane, activity_of<S>(lane, Activity::parse));
    work(raw, item);
  }
}

}  // namespace entrain::batch
