// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Destinations of data: standard output, a device, or a file, which is written whole or not at all.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "entrain/app/output/signals.hpp"
#include "entrain/app/output/system_with_signals.hpp"
#include "entrain/checkpoint/atomic_file.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::app {

/// `path`: "-" is standard output, and /dev/stdout, /dev/fd/3 and so on are what is open there. A program that ends
/// without `close` leaves a file unchanged.
///
/// signals   of the program, which then leave no temporary file; null if no signal is handled
/// throws    entrain.app.1 when standard output or a device accepts no more data; entrain.checkpoint.1 ... for files
class Output {
 public:
  explicit Output(const std::string& path, Signals* signals = nullptr);
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output();

  void write(std::string_view text);
  void close();
  bool is_standard() const;

 private:
  [[noreturn]] void refuse() const;

  std::string path_;
  int fd_ = -1;
  std::optional<checkpoint::AtomicFile<SystemWithSignals<checkpoint::Posix>>> file_;
};

/// Makes a folder if it does not exist, and checks now whether it can be written to: not after hours of training.
///
/// throws    entrain.app.10
ENTRAIN_INLINE void prepare_folder(const std::string& path);

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/output/output.ipp"
#endif
