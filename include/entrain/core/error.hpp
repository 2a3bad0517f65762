// [core] > device, precision > tensor > kernel > layer
//
// The one exception type of the library. Shapes are types, so the errors that remain at run time come from outside: a
// file, a device, a number that is no longer finite. Each error answers four questions in one line.
#pragma once
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace entrain {

/// `entrain.text.3: train.conll:812: 3 columns, expected 4 (token pos chunk tag); for three use text::Columns<3>`
///
/// id        stable name: entrain.<module>.<number>; tests and users match on it, never on the sentence
/// where     file, file:line, device or tensor; may be empty
/// found     what was found there
/// expected  what was expected there; may be empty
/// remedy    what to do about it; may be empty
class Error : public std::runtime_error {
 public:
  Error(std::string_view id, std::string_view where, std::string_view found, std::string_view expected = {},
        std::string_view remedy = {})
      : std::runtime_error(sentence(id, where, found, expected, remedy)), id_(id) {}

  const std::string& id() const noexcept { return id_; }

 private:
  [[gnu::cold]] static std::string sentence(std::string_view id, std::string_view where, std::string_view found,
                                            std::string_view expected, std::string_view remedy) {
    std::string s(id);
    if (!where.empty()) s.append(": ").append(where);
    s.append(": ").append(found);
    if (!expected.empty()) s.append(", expected ").append(expected);
    if (!remedy.empty()) s.append("; ").append(remedy);
    return s;
  }
  std::string id_;
};

}  // namespace entrain
