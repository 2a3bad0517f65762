// core > [report]
//
// The options of a training, as TensorBoard's tab HPARAMS lists them: its hyperparameters at the start, and how it
// ended.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "entrain/report/event.hpp"

namespace entrain::report {

struct HyperParameter {
  std::string name;
  std::variant<double, std::string> value;
};

/// An event of the plugin that holds `message` in a field of its content.
inline Event session_event(double seconds, std::string_view tag, int field, const Message& message) {
  Message content;
  content.add(field, std::string_view(message.bytes()));
  Event event(seconds, 0);
  event.of_plugin(tag, "hparams", content.bytes());
  return event;
}

/// The start of a training, at `seconds` since 1970. Each name occurs once; texts must be UTF-8.
///
/// source    tensorboard/plugins/hparams/api.proto, plugin_data.proto
inline Event training_started(double seconds, std::vector<HyperParameter> parameters) {
  std::sort(parameters.begin(), parameters.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  Message start;
  for (const HyperParameter& p : parameters) {
    Message value, entry;
    if (const double* number = std::get_if<double>(&p.value))
      value.add(2, *number);
    else
      value.add(3, std::string_view(std::get<std::string>(p.value)));
    entry.add(1, std::string_view(p.name));
    entry.add(2, std::string_view(value.bytes()));
    start.add(1, std::string_view(entry.bytes()));
  }
  start.add(5, seconds);
  return session_event(seconds, "_hparams_/session_start_info", 3, start);
}

/// The end of a training. well: it made all its steps; else it was stopped.
inline Event training_ended(double seconds, bool well) {
  constexpr std::uint64_t success = 1, failure = 2;
  Message end;
  end.add(1, well ? success : failure);
  end.add(2, seconds);
  return session_event(seconds, "_hparams_/session_end_info", 4, end);
}

}  // namespace entrain::report
