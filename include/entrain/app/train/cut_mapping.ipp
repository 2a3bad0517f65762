// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of cut_mapping.hpp.
#pragma once
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "entrain/app/train/cut_mapping.hpp"
#include "entrain/core/error.hpp"
#include "entrain/report/width.hpp"  // harmless

namespace entrain::app {
namespace detail {

/// The text that the handler writes: a handler may not allocate, and gets no object.
struct CutSentence {
  std::array<char, 1024> bytes;
  std::size_t count = 0;
};
inline CutSentence& cut_sentence() {
  static CutSentence sentence;
  return sentence;
}

extern "C" inline void entrain_cut_mapping(int signal, siginfo_t* about, void*) {
  if (about->si_code == BUS_ADRERR) {
    const CutSentence& sentence = cut_sentence();
    [[maybe_unused]] const ssize_t said = ::write(STDERR_FILENO, sentence.bytes.data(), sentence.count);
    ::_exit(1);
  }
  ::signal(signal, SIG_DFL);  // of another cause: the instruction runs again and ends the program
}

}  // namespace detail

ENTRAIN_INLINE CutMapping::CutMapping(const std::string& folder) {
  const std::string line =
      "error: " +
      report::harmless(Error("entrain.app.70", folder.substr(0, 512),
                             "a file of the cache became shorter while it was in use",
                             "files that no other program changes",
                             "remove that file: it is rebuilt from the corpus; --resume continues from the last state")
                           .what()) +
      "\n";
  detail::CutSentence& sentence = detail::cut_sentence();
  sentence.count = std::min(line.size(), sentence.bytes.size());
  std::copy_n(line.begin(), sentence.count, sentence.bytes.begin());
  struct sigaction mine {};
  mine.sa_sigaction = detail::entrain_cut_mapping;
  mine.sa_flags = SA_SIGINFO;
  ::sigemptyset(&mine.sa_mask);
  ::sigaction(SIGBUS, &mine, &before_);
}

ENTRAIN_INLINE CutMapping::~CutMapping() { ::sigaction(SIGBUS, &before_, nullptr); }

}  // namespace entrain::app
