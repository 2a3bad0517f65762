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
  Message content;
  content.add(3, std::string_view(start.bytes()));
  Event event(seconds, 0);
  event.of_plugin("_hparams_/session_start_info", "hparams", content.bytes());
  return event;
}

/// The end of a training. well: it made all its steps; else it was stopped.
inline Event training_ended(double seconds, bool well) {
  constexpr std::uint64_t success = 1, failure = 2;
  Message end;
  end.add(1, well ? success : failure);
  end.add(2, seconds);
  Message content;
  content.add(4, std::string_view(end.bytes()));
  Event event(seconds, 0);
  event.of_plugin("_hparams_/session_end_info", "hparams", content.bytes());
  return event;
}

}  // namespace entrain::report
