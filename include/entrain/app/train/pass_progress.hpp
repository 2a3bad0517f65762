// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// The progress of one pass over training files before step one.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "entrain/app/console/console.hpp"
#include "entrain/report/progress.hpp"

namespace entrain::app {

class PassProgress {
 public:
  /// sentences    of the files; 0: not known yet
  PassProgress(std::string_view stage, std::uint64_t sentences, Console& console) : console_(console) {
    now_.stage = stage;
    now_.total = static_cast<std::int64_t>(sentences);
    console_.progress(now_);  // the rate counts all sentences, also those of the first block
  }
  void see(std::size_t sentences, std::size_t words) {
    now_.done += static_cast<std::int64_t>(sentences);
    now_.items += static_cast<std::int64_t>(words);
    console_.progress(now_);
  }
  void finish() { console_.finish(now_); }

 private:
  report::Progress now_;
  Console& console_;
};

}  // namespace entrain::app
