// core > [report]
//
// What stands at the end of a stream: a terminal or a file, how wide, with colours or without. And where the text goes.
#pragma once
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>

namespace entrain::report {

struct Terminal {
  bool live = false;     // a terminal: lines can be written over
  bool colour = false;   // and it may be coloured
  bool unicode = false;  // and draws more than ASCII
  int columns = 80;
};

/// Looks at the stream and at the environment. NO_COLOR (set and not empty, see no-color.org) and TERM=dumb are obeyed.
inline Terminal look_at(int fd) noexcept {
  const auto variable = [](const char* name) -> std::string_view {
    const char* value = std::getenv(name);
    return value ? value : "";
  };
  Terminal t;
  const auto term = variable("TERM");
  t.live = ::isatty(fd) == 1 && term != "dumb" && !term.empty();
  t.colour = t.live && variable("NO_COLOR").empty();
  std::string_view locale;  // the first that is set decides
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (locale = variable(name); !locale.empty()) break;
  for (const char* name : {"UTF-8", "utf-8", "UTF8", "utf8"})
    if (t.live && locale.find(name) != std::string_view::npos) t.unicode = true;
  winsize size{};
  if (t.live && ::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) t.columns = size.ws_col;
  return t;
}

/// A sink is anything with these two functions. This one is a stream of the program; a stream that takes no more text
/// (a closed terminal, a full disk) is no reason to stop a training.
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
