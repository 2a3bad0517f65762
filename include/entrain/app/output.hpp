// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Where data goes: standard output, a device, or a file that is there whole or not at all.
#pragma once
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "entrain/checkpoint/atomic_file.hpp"
#include "entrain/core/error.hpp"

namespace entrain::app {

/// `path`: "-" is standard output. A program that ends without `close` leaves a file as it was.
///
/// throws    entrain.app.1 when standard output or a device takes no more; entrain.checkpoint.1 ... for files
class Output {
 public:
  explicit Output(const std::string& path) : path_(path) {
    std::error_code ignored;
    const auto status = std::filesystem::status(path, ignored);
    if (path == "-") {
      fd_ = STDOUT_FILENO;
    } else if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
               !std::filesystem::is_directory(status)) {
      fd_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
      if (fd_ < 0) refuse();
    } else {
      file_.emplace(path);
    }
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output() {
    if (fd_ > STDERR_FILENO) ::close(fd_);
  }

  void write(std::string_view text) {
    if (file_) return file_->write(text);
    while (!text.empty()) {
      const auto done = ::write(fd_, text.data(), text.size());
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0) refuse();
      text.remove_prefix(static_cast<std::size_t>(done));
    }
  }
  void close() {
    if (file_) file_->commit();
  }
  bool is_standard() const { return fd_ == STDOUT_FILENO; }

 private:
  [[noreturn]] void refuse() const {
    throw Error("entrain.app.1", path_ == "-" ? "standard output" : path_,
                "cannot write: " + checkpoint::detail::system_words(errno), {},
                checkpoint::detail::write_remedy(errno));
  }

  std::string path_;
  int fd_ = -1;
  std::optional<checkpoint::AtomicFile<>> file_;
};

/// Makes a folder if it is not there, and finds out now whether it can be written to: not after hours of training.
///
/// throws    entrain.app.10
inline void prepare_folder(const std::string& path) {
  std::error_code failed;
  std::filesystem::create_directories(path, failed);
  if (!failed && std::filesystem::is_directory(path) && ::access(path.c_str(), W_OK | X_OK) == 0) return;
  const int code = failed ? failed.value() : std::filesystem::is_directory(path) ? errno : ENOTDIR;
  throw Error("entrain.app.10", path, "cannot save into it: " + checkpoint::detail::system_words(code), "a folder",
              checkpoint::detail::write_remedy(code));
}

}  // namespace entrain::app
