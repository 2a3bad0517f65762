// [text] > batch > embed > encode > head > optim > checkpoint
//
// Definitions of repair_json.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "entrain/text/check/repair_json.hpp"
#include "entrain/text/conll/conll_cells.hpp"  // is_type_alone
#include "entrain/text/records/json.hpp"
#include "entrain/text/records/json_record.ipp"
#include "entrain/text/tags/label_form.hpp"
#include "entrain/text/tags/labels.hpp"  // split_tag
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::text {
namespace detail {

/// A label in a line: the bytes of its value.
struct LabelPlace {
  std::size_t begin = 0, end = 0;
  bool tag = false;
};

class PlacesOfLabels {
 public:
  static constexpr bool kept = true;
  explicit PlacesOfLabels(std::vector<LabelPlace>& places) : places_(&places) {}
  void add(std::size_t begin, std::size_t end, bool tag) { places_->push_back({begin, end, tag}); }

 private:
  std::vector<LabelPlace>* places_;
};

/// A UTF-16 unit as an escape of four digits.
inline void append_unit(std::string& to, std::uint32_t unit) {
  constexpr std::string_view digits = "0123456789abcdef";
  to += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) to += digits[unit >> shift & 15];
}

/// A JSON string. ascii: with escapes for all characters outside of ASCII
inline std::string json_literal(std::string_view s, bool ascii) {
  std::string out = "\"";
  for (std::size_t at = 0; at < s.size();) {
    const CodePoint p = decode(s, at);
    if (p.cp == '"' || p.cp == '\\') {
      out.append("\\").append(s, at, 1);
    } else if (p.cp < 0x20 || (ascii && p.cp >= 0x7F && p.cp < 0x10000)) {
      append_unit(out, p.cp);
    } else if (ascii && p.cp >= 0x10000) {
      append_unit(out, 0xD800 + ((p.cp - 0x10000) >> 10));
      append_unit(out, 0xDC00 + ((p.cp - 0x10000) & 0x3FF));
    } else {
      out.append(s, at, p.bytes);
    }
    at += p.bytes;
  }
  return out + '"';
}

/// Whether a JSON string has characters as \u and none outside of ASCII.
inline bool keeps_to_ascii(std::string_view literal) {
  return literal.find("\\u") != literal.npos &&
         std::none_of(literal.begin(), literal.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

/// Copies a file line by line with the repaired labels.
class JsonRepairer {
 public:
  JsonRepairer(std::string_view name, const UsualLabels& usual) : name_(name), usual_(usual) {}

  /// find(line, where, places): adds the places of the labels in the line, in any order. types_alone(tag): whether a
  /// tag is a type without a letter
  template <class Find, class Alone> Repaired run(std::string_view bytes, Find&& find, Alone&& types_alone) && {
    result_.bytes.reserve(bytes.size());
    if (bytes.starts_with(byte_order_mark)) {
      result_.bytes += byte_order_mark;
      bytes.remove_prefix(byte_order_mark.size());
    }
    std::vector<LabelPlace> places;
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t end = std::min(bytes.find('\n', at), bytes.size() - 1) + 1;
      const std::string_view line = bytes.substr(at, end - at);
      at = end;
      ++line_;
      places.clear();
      if (line.find_first_not_of(" \t\r\n") != line.npos && is_valid_utf8(line))
        find(line, Where{name_, line_}, places);
      copy(line, places, types_alone);
    }
    return std::move(result_);
  }

 private:
  template <class Alone> void copy(std::string_view line, std::vector<LabelPlace>& places, Alone&& types_alone) {
    std::sort(places.begin(), places.end(), [](const LabelPlace& a, const LabelPlace& b) { return a.begin < b.begin; });
    std::size_t done = 0;
    for (const LabelPlace& place : places) {
      literal_ = line.substr(place.begin, place.end - place.begin);
      value_.clear();
      if (literal_.starts_with('"'))
        Json(literal_, name_, line_).string(value_);
      else
        value_ = literal_;  // a number, true or false
      ascii_ = keeps_to_ascii(literal_);
      place.tag ? repair_tag(types_alone(value_)) : repair_label();
      result_.bytes.append(line.substr(done, place.begin - done)).append(literal_);
      done = place.end;
    }
    result_.bytes.append(line.substr(done));
  }

  void repair_label() {
    std::string label = value_;
    const auto step = [&](Rule rule, std::string to) {
      if (to == label || to.empty()) return;
      change(rule, to);
      label = std::move(to);
    };
    step(Rule::label_form, usual_.formed(label));
    step(Rule::label_case, usual_.cased(label));
  }

  /// alone: the tag is a type without a letter
  void repair_tag(bool alone) {
    // a tag except for blanks and invisible characters, as `O `
    if (!alone && !split_tag(value_) && usual_.mends_form())
      if (std::string seen = without_unseen(value_); split_tag(seen)) change(Rule::label_form, seen), value_ = seen;
    const auto raw = split_tag(value_);
    if (!alone && (!raw || raw->part == 'O')) return;
    std::string label(alone ? std::string_view(value_) : raw->type);
    const char part = alone ? '\0' : raw->part;
    const auto step = [&](Rule rule, std::string to) {
      if (to == label || to.empty() || (alone && to != "O" && !is_type_alone(to))) return;
      change(rule, alone ? to : join_tag(part, to));
      label = std::move(to);
    };
    step(Rule::label_form, usual_.formed(label));
    step(Rule::label_case, usual_.cased(label));
  }

  void change(Rule rule, const std::string& to) {
    std::string after = json_literal(to, ascii_);
    result_.changes.push_back({static_cast<std::uint32_t>(line_), rule, std::move(literal_), after});
    literal_ = std::move(after);
  }

  std::string_view name_;
  const UsualLabels& usual_;
  Repaired result_;
  std::uint64_t line_ = 0;
  std::string literal_, value_;  // of the current label
  bool ascii_ = false;
};

}  // namespace detail

ENTRAIN_INLINE Repaired repair_json(std::string_view name, std::string_view bytes, const UsualLabels& usual,
                                    const RecordOptions& options, bool types_alone) {
  Record record;
  const auto find = [&](std::string_view line, const Where& where, std::vector<detail::LabelPlace>& places) {
    record.clear();
    try {
      detail::JsonRecordReader(line, where, options, record, detail::PlacesOfLabels(places)).read();
      if (!record.accepted) places.clear();
    } catch (const Error&) {
      places.clear();
    }
  };
  return detail::JsonRepairer(name, usual).run(bytes, find, [&](std::string_view tag) {
    return (types_alone || options.types_alone) && detail::is_type_alone(tag);
  });
}

ENTRAIN_INLINE Repaired repair_labelled_json(std::string_view name, std::string_view bytes, const UsualLabels& usual,
                                             const LabelledKeys& keys) {
  std::string text;
  std::vector<std::string> labels;
  const auto find = [&](std::string_view line, const Where& where, std::vector<detail::LabelPlace>& places) {
    std::vector<std::pair<std::size_t, std::size_t>> at;
    try {
      if (read_labelled(line, where, keys, text, labels, nullptr, &at) && keys.labels())
        for (const auto& [first, last] : at) places.push_back({first, last, false});
    } catch (const Error&) {
    }
  };
  return detail::JsonRepairer(name, usual).run(bytes, find, [](std::string_view) { return false; });
}

}  // namespace entrain::text
