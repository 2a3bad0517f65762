// text > batch > embed > encode > head > [score]
//
// Scores for people, as a table, and for programs, as JSON. Both name the reading that a number belongs to.
#pragma once
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "entrain/score/scores.hpp"
#include "entrain/text/corpus/excerpt.hpp"
#include "entrain/text/unicode/utf8.hpp"  // count_code_points, decode

namespace entrain::score {

namespace detail {

// Like printf's "%.2f", but with a point in every locale.
inline std::string percent(double share) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, 100 * share, std::chars_format::fixed, 2).ptr;
  return std::string(text, end);
}

// The shortest digits that parse to the same number.
inline std::string number(double value) {
  char text[64];
  return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

// A label as messages show it: it cannot move a terminal's cursor or fill the screen.
inline std::string shown(std::string_view label) {
  constexpr std::size_t longest = 80;
  return text::excerpt(label, longest);
}

// If there are too many types to read, keeps those with the most gold entities, in their order; returns how many were
// left out.
template <class Order> std::size_t leave_out_rare(const Scores& scores, Order& order) {
  constexpr std::size_t most = 200;
  if (order.size() <= most) return 0;
  auto by_gold = order;
  const auto more_gold = [&](auto a, auto b) {
    const std::uint64_t x = scores.strict.of(a).gold, y = scores.strict.of(b).gold;
    return x != y ? x > y : a < b;
  };
  std::nth_element(by_gold.begin(), by_gold.begin() + most, by_gold.end(), more_gold);
  const auto first_left_out = by_gold[most];
  const std::size_t before = order.size();
  order.erase(std::remove_if(order.begin(), order.end(), [&](auto t) { return !more_gold(t, first_left_out); }),
              order.end());
  return before - order.size();
}

inline std::string json_string(std::string_view s) {
  constexpr std::string_view hex = "0123456789abcdef";
  std::string out = "\"";
  for (std::size_t i = 0; i < s.size();) {
    const auto c = text::decode(s, i);
    if (!c.valid)
      out += "\xEF\xBF\xBD";
    else if (c.cp == '"' || c.cp == '\\')
      out.append("\\").append(1, s[i]);
    else if (c.cp < 0x20)
      out.append("\\u00").append(1, hex[c.cp >> 4]).append(1, hex[c.cp & 15]);
    else
      out.append(s.substr(i, c.bytes));
    i += c.bytes;
  }
  return out += '"';
}

// A type's name. A name that is not UTF-8 is shown as in messages, so that two different names stay different.
inline std::string json_label(const std::string& label) {
  return json_string(text::is_valid_utf8(label) ? label : text::excerpt(label, std::string_view::npos));
}

}  // namespace detail

/// `gold is in IOB1, predictions are in BIO: entities are compared, by their words and types`
inline std::string compared(const Scores& scores) {
  return "gold is in " + std::string(scores.scheme) + ", predictions are in " + std::string(scores.predicted) +
         ": entities are compared, by their words and types";
}

/// Percentages to two digits; gold is the support.
///
///   strict (BIO)    precision  recall      F1    gold  predicted  correct
///     LOC               66.67   50.00   57.14       4          3        2
///     PER             ...
///     micro           ...
///     macro           ...
///   conlleval         ...
///   96.15 % of 26 tokens have the correct tag
///
/// If both readings have the same counts, one table is printed with a line that states this. If gold and predictions
/// are in different schemes, a line states what was compared.
///
/// A type that is not among the model's labels is marked with a star. Line ends, control characters and bytes that are
/// not UTF-8 are shown by name in type names.
inline std::string table(const Scores& scores) {
  auto order = scores.order();
  const std::size_t more = detail::leave_out_rare(scores, order);
  constexpr std::size_t narrowest = 18;  // wide enough for "strict (BIOES)"
  std::size_t width = narrowest;
  for (const auto type : order)
    width = std::max(width, text::count_code_points(detail::shown(scores.types.name(type))) + 4);

  std::string out;
  bool stars = false;
  const auto right = [&](const std::string& cell, std::size_t columns) {
    out.append(columns > cell.size() ? columns - cell.size() : 1, ' ').append(cell);
  };
  const auto name = [&](std::string_view cell, bool star = false) {
    const std::size_t used = text::count_code_points(cell) + (star ? 1 : 0);
    out.append(cell).append(star ? "*" : "").append(used < width ? width - used : 1, ' ');
    stars = stars || star;
  };
  const auto figures = [&](const PrecisionRecallF1& f) {
    right(detail::percent(f.precision), 9);
    right(detail::percent(f.recall), 8);
    right(detail::percent(f.f1), 8);
  };
  const auto counts = [&](const Count& c) {
    right(std::to_string(c.gold), 9);
    right(std::to_string(c.predicted), 11);
    right(std::to_string(c.correct), 9);
  };
  const auto reading = [&](std::string title, const Tally& tally) {
    name(title);
    out += "precision  recall      F1     gold  predicted  correct\n";
    for (const auto type : order) {
      const auto& type_name = scores.types.name(type);
      name("  " + (type_name.empty() ? "_" : detail::shown(type_name)), scores.unknown(type));
      figures(tally.of(type).figures());
      counts(tally.of(type));
      out += '\n';
    }
    name("  micro");
    figures(tally.micro().figures());
    counts(tally.micro());
    out += '\n';
    name("  macro");
    figures(tally.macro());
    out += '\n';
  };

  const bool equal = scores.strict == scores.conlleval;
  reading("strict (" + std::string(scores.scheme) + ")", scores.strict);
  if (!equal) reading("conlleval", scores.conlleval);
  if (equal) out += "conlleval: the same scores\n";
  if (scores.predicted != scores.scheme) out += compared(scores) + "\n";
  if (more > 0)
    out += std::to_string(more) + (more == 1 ? " rarer type is" : " rarer types are") +
           " omitted from the table, but counted in micro and macro; --json lists all\n";
  out += detail::percent(scores.token_accuracy()) + " % of " + std::to_string(scores.tokens) +
         (scores.tokens == 1 ? " token has" : " tokens have") + " the correct tag\n";
  if (stars) out += "* not among the model's labels: counted as missed\n";
  if (scores.malformed > 0)
    out += std::to_string(scores.malformed) + " malformed " + (scores.malformed == 1 ? "tag is" : "tags are") +
           " in no entity\n";
  return out;
}

/// One line. Shares are 0 to 1, in the shortest digits that parse to the same number; types are listed by name. In a
/// name, a byte that is not UTF-8 is `<C9>`, as in the table.
///
///   {"sentences":2,"tokens":26,"correct_tokens":25,"token_accuracy":0.96,"malformed":0,"scheme":"BIO",
///    "predicted_scheme":"BIO","strict":{"micro":{"precision":..,"recall":..,"f1":..,"gold":..,"predicted":..,"correct":..},
///              "macro":{"precision":..,"recall":..,"f1":..},"types":{"LOC":{..as micro..}}},
///    "conlleval":{..as strict..},"unknown_types":["MISC"]}
inline std::string json(const Scores& scores) {
  const auto order = scores.order();
  const auto figures = [](const PrecisionRecallF1& f) {
    return "\"precision\":" + detail::number(f.precision) + ",\"recall\":" + detail::number(f.recall) +
           ",\"f1\":" + detail::number(f.f1);
  };
  const auto count = [&](const Count& c) {
    return "{" + figures(c.figures()) + ",\"gold\":" + std::to_string(c.gold) +
           ",\"predicted\":" + std::to_string(c.predicted) + ",\"correct\":" + std::to_string(c.correct) + "}";
  };
  const auto reading = [&](const Tally& tally) {
    std::string types;
    for (const auto type : order)
      types += (types.empty() ? "" : ",") + detail::json_label(scores.types.name(type)) + ":" + count(tally.of(type));
    return "{\"micro\":" + count(tally.micro()) + ",\"macro\":{" + figures(tally.macro()) + "},\"types\":{" + types +
           "}}";
  };
  std::string unknown;
  for (const auto type : order)
    if (scores.unknown(type)) unknown += (unknown.empty() ? "" : ",") + detail::json_label(scores.types.name(type));

  return "{\"sentences\":" + std::to_string(scores.sentences) + ",\"tokens\":" + std::to_string(scores.tokens) +
         ",\"correct_tokens\":" + std::to_string(scores.correct_tokens) +
         ",\"token_accuracy\":" + detail::number(scores.token_accuracy()) +
         ",\"malformed\":" + std::to_string(scores.malformed) + ",\"scheme\":" + detail::json_string(scores.scheme) +
         ",\"predicted_scheme\":" + detail::json_string(scores.predicted) + ",\"strict\":" + reading(scores.strict) +
         ",\"conlleval\":" + reading(scores.conlleval) + ",\"unknown_types\":[" + unknown + "]}";
}

}  // namespace entrain::score
