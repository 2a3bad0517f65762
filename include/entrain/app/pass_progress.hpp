// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// The progress of one pass over training files before step one.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "entrain/app/talk.hpp"
#include "entrain/report/progress.hpp"

namespace entrain::app {

class PassProgress {
 public:
  /// sentences    of the files; 0: not known yet
  PassProgress(std::string_view stage, std::uint64_t sentences, Talk& talk) : talk_(talk) {
    now_.stage = stage;
    now_.total = static_cast<std::int64_t>(sentences);
    talk_.progress(now_);  // the rate counts all sentences, also those of the first block
  }
  void see(std::size_t sentences, std::size_t words) {
    now_.done += static_cast<std::int64_t>(sentences);
    now_.items += static_cast<std::int64_t>(words);
    talk_.progress(now_);
  }
  void finish() { talk_.finish(now_); }

 private:
  report::Progress now_;
  Talk& talk_;
};

}  // namespace entrain::app
