// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of output.hpp.
#pragma once
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "entrain/app/output/output.hpp"
#include "entrain/core/error.hpp"

namespace entrain::app {
namespace detail {

/// The descriptor that a path such as /dev/stdout or /dev/fd/3 names, or -1. If such a file were opened by its name, it
/// would be written from its beginning, over the caller's own lines.
inline int descriptor_of(const std::string& given) {
  const std::string name = checkpoint::detail::name_of_open_file(given);
  const std::string_view path = name;
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"})
    if (path.starts_with(folder)) {
      int fd = -1;
      const auto [end, error] = std::from_chars(path.data() + folder.size(), path.data() + path.size(), fd);
      if (error == std::errc() && end == path.data() + path.size()) return fd;
    }
  return -1;
}

}  // namespace detail

ENTRAIN_INLINE Output::Output(const std::string& path, Signals* signals) : path_(path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const auto status = fs::status(path, ignored);
  const int given = path == "-" ? STDOUT_FILENO : detail::descriptor_of(path);
  if (given == STDOUT_FILENO || given == STDERR_FILENO) {
    fd_ = given;
  } else if (given >= 0) {
    fd_ = ::fcntl(given, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (fd_ < 0) refuse();
  } else if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status)) {
    fd_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd_ < 0) refuse();
  } else {
    file_.emplace(path, SystemWithSignals<checkpoint::Posix>(signals));
  }
}

ENTRAIN_INLINE Output::~Output() {
  if (fd_ > STDERR_FILENO) ::close(fd_);
}

ENTRAIN_INLINE void Output::write(std::string_view text) {
  if (file_) return file_->write(text);
  while (!text.empty()) {
    const auto done = ::write(fd_, text.data(), text.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) refuse();
    text.remove_prefix(static_cast<std::size_t>(done));
  }
}

ENTRAIN_INLINE void Output::close() {
  if (file_) file_->commit();
}

ENTRAIN_INLINE bool Output::is_standard() const { return fd_ == STDOUT_FILENO; }

ENTRAIN_INLINE void Output::refuse() const {
  throw Error("entrain.app.1", path_ == "-" ? "standard output" : path_,
              "cannot write: " + checkpoint::detail::system_words(errno), {}, checkpoint::detail::write_remedy(errno));
}

ENTRAIN_INLINE void prepare_folder(const std::string& path) {
  std::error_code failed;
  std::filesystem::create_directories(path, failed);
  std::error_code ignored;
  const bool folder = std::filesystem::is_directory(path, ignored);
  if (folder && ::access(path.c_str(), W_OK | X_OK) == 0) return;
  const int code = failed ? failed.value() : folder ? errno : ENOTDIR;
  throw Error("entrain.app.10", path, "cannot save into it: " + checkpoint::detail::system_words(code),
              "a folder to write to", checkpoint::detail::write_remedy(code));
}

}  // namespace entrain::app
