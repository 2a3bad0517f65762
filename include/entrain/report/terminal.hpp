// core > [report]
//
// The target of a stream: a terminal or a file, its width, with colours or without. And the stream that text is written
// to.
#pragma once
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>

namespace entrain::report {

struct Terminal {
  bool live = false;     // a terminal: lines can be written over
  bool colour = false;   // text may be coloured
  bool unicode = false;  // and it shows more than ASCII
  int columns = 80;
};

namespace detail {
inline std::string_view variable(const char* name) noexcept {
  const char* value = std::getenv(name);
  return value ? value : "";
}
}  // namespace detail

/// Whether the user disabled colour everywhere: NO_COLOR is set and not empty (no-color.org).
inline bool refuses_colour() noexcept { return !detail::variable("NO_COLOR").empty(); }

/// Reads the stream's state and the environment. NO_COLOR and TERM=dumb are obeyed. FORCE_COLOR (set, not empty and not
/// 0, see force-color.org) enables colour also where the stream is no terminal. NO_COLOR takes precedence.
inline Terminal look_at(int fd) noexcept {
  using detail::variable;
  Terminal t;
  const auto term = variable("TERM"), force = variable("FORCE_COLOR");
  t.live = ::isatty(fd) == 1 && term != "dumb" && !term.empty();
  t.colour = (t.live || (!force.empty() && force != "0")) && !refuses_colour();
  std::string_view locale;  // the first variable that is set decides
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (locale = variable(name); !locale.empty()) break;
  for (const char* name : {"UTF-8", "utf-8", "UTF8", "utf8"})
    if (t.live && locale.find(name) != std::string_view::npos) t.unicode = true;
  winsize size{};
  if (t.live && ::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) t.columns = size.ws_col;
  return t;
}

/// A sink is any type with these two functions. This one is a stream of the program. A stream that accepts no more text
/// (a closed terminal, a full disk) does not stop a training.
struct Stream {
  int fd = STDERR_FILENO;

  void write(std::string_view text) const noexcept {
    while (!text.empty()) {
      const auto done = ::write(fd, text.data(), text.size());
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0) return;
      text.remove_prefix(static_cast<std::size_t>(done));
    }
  }
  Terminal terminal() const noexcept { return look_at(fd); }
};

}  // namespace entrain::report
