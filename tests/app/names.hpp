// tests > [app]: sentences of a training file, by their numbers.
#pragma once
#include <string>

namespace test {

/// Of one to nine words and names each, a few of them of two words.
inline std::string conll(int count, int from = 0) {
  std::string all;
  for (int s = from; s < from + count; ++s) {
    for (int i = 0; i <= s * 7 % 9; ++i) {
      const int k = s * 31 + i * 17;
      all += k % 5 == 0    ? "Ada\tB-PER\nLee" + std::to_string(k % 7) + "\tI-PER\n"
             : k % 11 == 3 ? "Oslo\tB-LOC\n"
                           : "Word" + std::to_string(k % 40) + "\tO\n";
    }
    all += "\n";
  }
  return all;
}

}  // namespace test
