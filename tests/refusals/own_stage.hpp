// tests > [refusals]
//
// A user's stage that gives a number at a time, and what may be done to it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "entrain/batch/pipeline/chunked.hpp"
#include "entrain/batch/pipeline/each_sample.hpp"
#include "entrain/batch/pipeline/mapped.hpp"
#include "entrain/batch/pipeline/workers.hpp"

struct Numbers {
  using Item = int;
  using Cursor = int;
  int at = 0;
  void start(std::uint32_t, int cursor) { at = cursor; }
  int cursor() const { return at; }
  bool next(int& n) { return (n = at++) < 10; }
};
struct Halved {
  void operator()(int& n) const { n /= 2; }
};
struct Spelled {
  void operator()(std::string& s) const { s += '!'; }
};
