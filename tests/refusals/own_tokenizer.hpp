// tests > refusals: a tokenizer whose pieces are bytes, which lacks what a case takes from it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "entrain/text/tokenizer/contract.hpp"

namespace own {

struct Reads {
  template <class T> explicit Reads(const T&, std::size_t) {}
  std::uint32_t encode(std::string_view text, entrain::text::Pieces& out, std::uint32_t from) {
    for (const char c : text) out.add(static_cast<unsigned char>(c), from, from + 1), ++from;
    return from;
  }
};
struct ReadsNothing {
  template <class T> explicit ReadsNothing(const T&, std::size_t) {}
};
struct Printed {
  std::string fingerprint() const { return "bytes"; }
};
struct Unprinted {};

template <class OfThread, class Print> struct Bytes : Print {
  using Reader = OfThread;
  std::size_t size() const { return 256; }
  std::int32_t unknown() const { return 0; }
  void each_special(auto&&) const {}
};

}  // namespace own
