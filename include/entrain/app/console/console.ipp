// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of console.hpp.
#pragma once
#include <algorithm>
#include <string>
#include <utility>

#include "entrain/app/console/console.hpp"
#include "entrain/app/console/format_number.hpp"  // grouped
#include "entrain/report/colour.hpp"
#include "entrain/report/width.hpp"  // harmless

namespace entrain::app {

ENTRAIN_INLINE void Console::say(std::string_view line) {
  if (!quiet_) bar_.say(line, seconds());
}

ENTRAIN_INLINE void Console::fact(std::string_view name, std::string_view text) {
  constexpr std::size_t width = 12;
  std::string line(name);
  say(line.append(width > name.size() ? width - name.size() : 1, ' ').append(report::harmless(text)));
}

ENTRAIN_INLINE void Console::warn(std::string_view text) {
  ++warnings_;
  say(report::painted("warning: ", report::Style::yellow, at_) + report::harmless(text));
}

ENTRAIN_INLINE void Console::warn_of(std::string_view kind, std::string_view text) {
  auto at = std::find_if(kinds_.begin(), kinds_.end(), [&](const Kind& k) { return k.words == kind; });
  if (at == kinds_.end()) at = kinds_.insert(kinds_.end(), Kind{std::string(kind)});
  if (at->said < most_of_a_kind) {
    ++at->said;
    warn(text);
  } else {
    ++at->unsaid;
    ++warnings_;
  }
}

ENTRAIN_INLINE void Console::say_rest() {
  for (Kind& kind : kinds_)
    if (const std::size_t n = std::exchange(kind.unsaid, 0); n > 0)
      say(report::painted("warning: ", report::Style::yellow, at_) + grouped(n) + " more " + kind.words);
}

ENTRAIN_INLINE void Console::insist(std::string_view line) { bar_.say(report::harmless(line), seconds()); }

ENTRAIN_INLINE void Console::fail(std::string_view text) {
  failed_ = true;
  insist("error: " + std::string(text));
}

ENTRAIN_INLINE void Console::say_warnings() {
  say_rest();
  if (warnings_ > 0) say(std::to_string(warnings_) + (warnings_ == 1 ? " warning" : " warnings"));
}

ENTRAIN_INLINE void Console::progress(const report::Progress& now) {
  if (!quiet_) bar_.update(now, seconds());
}

ENTRAIN_INLINE void Console::finish(const report::Progress& now) {
  if (!quiet_) bar_.finish(now, seconds());
}

}  // namespace entrain::app
