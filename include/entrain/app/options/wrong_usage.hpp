// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// The error of a command line that contradicts itself, or the program that reads it.
#pragma once
#include "entrain/core/error.hpp"

namespace entrain::app {

/// Options, or numbers of files, that no content of a file makes right. The program ends with exit code 2.
class WrongUsage : public Error {
 public:
  using Error::Error;
};

}  // namespace entrain::app
