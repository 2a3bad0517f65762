// [core] > device, precision > tensor > kernel > layer
//
// Named values as bytes, for fingerprints. Two different lists of fields have different bytes.
#pragma once
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace entrain {

/// Each name and each value is stored after its length; numbers as decimal digits.
class Fields {
 public:
  void say(std::string_view name, std::string_view text) {
    for (const std::string_view part : {name, text}) {
      const std::uint64_t size = part.size();
      char length[sizeof size];
      std::memcpy(length, &size, sizeof size);
      bytes_.append(length, sizeof size).append(part);
    }
  }
  void say(std::string_view name, const std::vector<std::string>& texts) {
    number(name, static_cast<std::int64_t>(texts.size()));
    for (const std::string& text : texts) say({}, text);
  }
  void number(std::string_view name, std::int64_t number) { say(name, std::to_string(number)); }

  const std::string& bytes() const noexcept { return bytes_; }

 private:
  std::string bytes_;
};

}  // namespace entrain
