// text > batch > [task] > head > optim > checkpoint
//
// Definitions of tag_labels.hpp.
#pragma once
#include <cstddef>

#include "entrain/checkpoint/config.hpp"
#include "entrain/checkpoint/quote.hpp"
#include "entrain/core/error.hpp"
#include "entrain/task/tag_labels.hpp"
#include "entrain/text/tags/labels.hpp"

namespace entrain::task {

ENTRAIN_INLINE std::vector<std::string> label_names(text::SchemeId scheme, const std::vector<std::string>& types) {
  return text::with_scheme(scheme, [&](auto id) {
    const text::Labels<decltype(id)> labels(types);
    std::vector<std::string> names;
    for (text::Tag tag = 0; tag < labels.count(); ++tag) names.push_back(labels.name(tag));
    return names;
  });
}

ENTRAIN_INLINE void write_tag_labels(text::SchemeId scheme, const std::vector<std::string>& types,
                                     checkpoint::Config& config) {
  config.labels = label_names(scheme, types);
  config.entity_types = types;
  config.scheme = text::scheme_name(scheme);
}

ENTRAIN_INLINE const std::vector<std::string>& read_tag_types(text::SchemeId scheme, const checkpoint::Config& config,
                                                              std::string_view where) {
  const auto names = label_names(scheme, config.entity_types);
  const std::string_view name = text::scheme_name(scheme);
  if (config.scheme != name || config.labels != names) {
    std::size_t i = 0;
    while (i < names.size() && i < config.labels.size() && names[i] == config.labels[i]) ++i;
    const auto label = [i](const std::vector<std::string>& list) {
      return "label " + std::to_string(i) +
             (i < list.size() ? " " + checkpoint::detail::in_quotes(list[i]) : " absent");
    };
    throw Error("entrain.train.12", where, "scheme " + config.scheme + ", " + label(config.labels),
                "scheme " + std::string(name) + ", " + label(names) + " from its entity types",
                "restore the file: labels, types and scheme must agree");
  }
  return config.entity_types;
}

}  // namespace entrain::task
