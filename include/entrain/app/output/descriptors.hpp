// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// The file descriptors that a program starts with, and the limit on the size of a file.
#pragma once
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>

namespace entrain::app {

/// Opens /dev/null on those of the descriptors 0 to 2 that are closed, so that no file that the program opens gets the
/// number of a standard stream. Each is opened for the opposite direction: reading standard input and writing standard
/// output fail, as they do on a closed descriptor, so that no data is lost silently.
[[gnu::cold]] inline void open_standard_descriptors() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(fd, F_GETFD) == -1 && errno == EBADF)
      (void)::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // gets the lowest free number: fd
}

/// While this object lives, a write beyond the limit of a file's size (`ulimit -f`) fails with EFBIG, as a write to a
/// full disk fails with ENOSPC. Without it, SIGXFSZ ends the program without a message.
class FileSizeLimit {
 public:
  FileSizeLimit() {
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGXFSZ, &ignore, &before_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() { ::sigaction(SIGXFSZ, &before_, nullptr); }

 private:
  struct sigaction before_ {};
};

}  // namespace entrain::app
