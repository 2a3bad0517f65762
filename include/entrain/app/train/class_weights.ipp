// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of class_weights.hpp.
#pragma once
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/app/train/class_weights.hpp"
#include "entrain/core/error.hpp"

namespace entrain::app {

ENTRAIN_INLINE std::vector<float> class_weights(std::string_view wish, const std::vector<std::string>& labels,
                                                std::span<const std::uint64_t> rows) {
  if (wish.empty()) return {};
  std::vector<float> weights(labels.size(), 1);
  if (wish == "balanced") {
    double all = 0, occur = 0;
    for (const std::uint64_t n : rows) all += static_cast<double>(n), occur += n > 0;
    for (std::size_t k = 0; k < weights.size(); ++k)
      if (rows[k] > 0) weights[k] = static_cast<float>(all / (occur * static_cast<double>(rows[k])));
    return weights;
  }
  const auto refuse = [&](std::string_view part, const std::string& expected) {
    throw Error("entrain.app.23", "--class-weights " + std::string(wish), "'" + std::string(part) + "'", expected);
  };
  for (std::string_view rest = wish; !rest.empty();) {
    const std::string_view part = rest.substr(0, rest.find(','));
    rest.remove_prefix(part.size() < rest.size() ? part.size() + 1 : part.size());
    const auto equals = part.rfind('=');
    if (equals == part.npos) refuse(part, "balanced, or TYPE=WEIGHT,TYPE=WEIGHT ...");
    const std::string_view type = part.substr(0, equals), number = part.substr(equals + 1);
    float weight = -1;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), weight);
    if (error != std::errc() || end != number.data() + number.size() || !(weight >= 0 && weight <= 1e6f))
      refuse(part, "a weight from 0 to 1000000");
    bool known = false;
    for (std::size_t k = 0; k < labels.size(); ++k) {
      const std::string_view name = labels[k];  // the type follows a mark and a hyphen
      if (name == type || (name.size() > 2 && name[1] == '-' && name.substr(2) == type))
        weights[k] = weight, known = true;
    }
    if (!known) refuse(part, "O or an entity type of the training file");
  }
  return weights;
}

ENTRAIN_INLINE void count_rows(std::vector<std::uint64_t>& rows, std::span<const std::int32_t> targets) {
  for (const std::int32_t t : targets)
    if (t >= 0) ++rows[static_cast<std::size_t>(t)];
}

}  // namespace entrain::app
