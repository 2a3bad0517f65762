// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Warns of options for tags that a command does not read.
#pragma once
#include <string>
#include <utility>

#include "entrain/app/console/console.hpp"
#include "entrain/app/input/format.hpp"
#include "entrain/app/options/settings.hpp"

namespace entrain::app {

/// Warns of --scheme, --repair and --to if the files have no tags.
inline void warn_of_tag_options(const Settings& s, Matter matter, Console& console) {
  if (matter == Matter::sentences) return;
  const auto warn = [&](const char* option) {
    console.warn(std::string(option) + " has no effect on " + matter_name(matter) + ": only sentences have tags");
  };
  if (!s.reading.scheme.empty()) warn("--scheme");
  if (s.reading.repair != Reading{}.repair) warn("--repair");
  if (!s.to_scheme.empty()) warn("--to");
}

/// Warns of splitters that split nothing. of_raw: the command splits raw text by them
inline void warn_of_splitter_options(const Settings& s, Matter matter, bool of_raw, Console& console) {
  if (matter == Matter::sentences || (matter == Matter::raw && of_raw)) return;
  for (const auto& [option, name] :
       {std::pair{"--splitter", &s.splitter}, std::pair{"--sentence-splitter", &s.sentence_splitter}})
    if (!name->empty()) console.warn(std::string(option) + " has no effect on " + matter_name(matter));
}

/// Warns of --to if the output has no tags. format: of the output
inline void warn_of_scheme_to_write(const Settings& s, const std::string& format, Console& console) {
  if (!s.to_scheme.empty() && format != "conll")
    console.warn("--to has no effect with --format " + format + ": only conll has tags");
}

}  // namespace entrain::app
