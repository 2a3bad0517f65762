// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of talk.hpp.
#pragma once
#include <string>

#include "entrain/app/talk.hpp"
#include "entrain/report/colour.hpp"
#include "entrain/report/width.hpp"  // harmless

namespace entrain::app {

ENTRAIN_PART void Talk::say(std::string_view line) {
  if (!quiet_) bar_.say(line, seconds());
}

ENTRAIN_PART void Talk::fact(std::string_view name, std::string_view text) {
  constexpr std::size_t width = 12;
  std::string line(name);
  say(line.append(width > name.size() ? width - name.size() : 1, ' ').append(report::harmless(text)));
}

ENTRAIN_PART void Talk::warn(std::string_view text) {
  ++warnings_;
  say(report::painted("warning: ", report::Style::yellow, at_) + report::harmless(text));
}

ENTRAIN_PART void Talk::insist(std::string_view line) { bar_.say(report::harmless(line), seconds()); }

ENTRAIN_PART void Talk::say_warnings() {
  if (warnings_ > 0) say(std::to_string(warnings_) + (warnings_ == 1 ? " warning" : " warnings"));
}

ENTRAIN_PART void Talk::progress(const report::Progress& now) {
  if (!quiet_) bar_.update(now, seconds());
}

ENTRAIN_PART void Talk::finish(const report::Progress& now) {
  if (!quiet_) bar_.finish(now, seconds());
}

}  // namespace entrain::app
