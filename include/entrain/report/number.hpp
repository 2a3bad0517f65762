// core > [report]
//
// Numbers for people to read. Every function writes into a caller's buffer or a fixed one: a report inside a training
// step allocates nothing.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string_view>

namespace entrain::report {

/// A short text without an allocation. Longer text is cut.
class Short {
 public:
  Short() = default;
  explicit Short(std::string_view text) noexcept : length_(std::min(text.size(), text_.size() - 1)) {
    std::copy_n(text.begin(), length_, text_.begin());
  }
  template <class... Values>
  requires(sizeof...(Values) > 0) explicit Short(const char* format, Values... values) noexcept {
    const int n = std::snprintf(text_.data(), text_.size(), format, values...);
    length_ = std::min(static_cast<std::size_t>(std::max(n, 0)), text_.size() - 1);
  }
  std::string_view view() const noexcept { return {text_.data(), length_}; }
  const char* c_str() const noexcept { return text_.data(); }
  operator std::string_view() const noexcept { return view(); }

 private:
  std::array<char, 48> text_{};  // the last one stays zero
  std::size_t length_ = 0;
};

/// fixed(0.87654, 2) -> "0.88"; a value that is not a number -> "-".
inline Short fixed(double value, int digits) noexcept {
  if (std::isnan(value)) return Short("-");
  if (std::abs(value) >= 1e15) return Short("%.3g", value);
  return Short("%.*f", digits, value);
}

/// percent(0.87654) -> "87.65", as scores are printed.
inline Short percent(double ratio) noexcept { return fixed(100 * ratio, 2); }

/// scaled(15234) -> "15.2k": three significant digits, then k, M, G, T. For a number with a unit: with_unit.
inline Short scaled(double value) noexcept {
  if (!std::isfinite(value)) return Short("-");
  if (std::abs(value) >= 1e18) return Short("%.2g", value);
  static constexpr std::array<const char*, 5> units{"", "k", "M", "G", "T"};
  std::size_t unit = 0;
  while (std::abs(value) >= 999.5 && unit + 1 < units.size()) value /= 1000, ++unit;
  const int digits = std::abs(value) >= 99.95 || (unit == 0 && value == std::floor(value)) ? 0
                     : std::abs(value) >= 9.995                                            ? 1
                                                                                           : 2;
  return Short("%.*f%s", digits, value, units[unit]);
}

/// with_unit(3.47e8, "FLOP") -> "347 MFLOP", with_unit(12, "FLOP") -> "12 FLOP".
inline Short with_unit(double value, const char* unit) noexcept {
  const Short number = scaled(value);
  const std::string_view digits = number.view();
  const bool prefixed = !digits.empty() && std::string_view("kMGT").find(digits.back()) != std::string_view::npos;
  const int count = static_cast<int>(digits.size()) - (prefixed ? 1 : 0);
  return Short("%.*s %s%s", count, number.c_str(), number.c_str() + count, unit);
}

/// grouped(1234567) -> "1,234,567".
inline Short grouped(std::int64_t value) noexcept {
  std::array<char, 32> out{};
  std::size_t at = out.size() - 1;
  auto rest = value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  for (int n = 0; rest != 0 || n == 0; ++n, rest /= 10) {
    if (n != 0 && n % 3 == 0) out[--at] = ',';
    out[--at] = static_cast<char>('0' + rest % 10);
  }
  if (value < 0) out[--at] = '-';
  return Short("%s", out.data() + at);
}

/// duration(3723) -> "1:02:03", duration(63) -> "1:03", duration(2.5) -> "0:02"; unknown (NaN, negative) -> "-:--".
inline Short duration(double seconds) noexcept {
  if (!(seconds >= 0) || seconds > 1e9) return Short("-:--");
  const auto s = static_cast<long long>(seconds);
  if (s >= 86'400) return Short("%lldd %lld:%02lld", s / 86'400, s / 3600 % 24, s / 60 % 60);
  if (s >= 3600) return Short("%lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
  return Short("%lld:%02lld", s / 60, s % 60);
}

}  // namespace entrain::report
