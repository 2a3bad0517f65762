// [text] > batch > embed > encode > head > optim > checkpoint
//
// Texts with their labels, packed: all bytes back to back, with arrays of offsets. For classification, it corresponds
// to corpus.hpp for sentences of tagged tokens.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/text/corpus/corpus.hpp"  // Met, Problem
#include "entrain/text/tags/labels.hpp"    // Types

namespace entrain::text {

/// N texts. Text i is bytes[begin[i], begin[i+1]).
struct Texts {
  std::string name;                           // of the file, for messages
  std::string bytes;                          // of all texts, back to back
  std::vector<std::uint64_t> begin{0};        // [N+1]
  std::vector<std::uint32_t> line;            // [N], of its record's first line, from 1
  std::vector<std::uint32_t> label_begin{0};  // [N+1]; the labels of text i are label[label_begin[i], label_begin[i+1])
  std::vector<std::int32_t> label;            // of all texts, back to back: indices into labels
  Types labels;                               // distinct, in order of first occurrence
  Met met;                                    // malformed: records left out
  std::vector<Problem> problems;              // of each malformed record

  std::size_t size() const noexcept { return line.size(); }
  std::string_view text(std::size_t i) const noexcept {
    return std::string_view(bytes).substr(begin[i], begin[i + 1] - begin[i]);
  }
  std::span<const std::int32_t> labels_of(std::size_t i) const noexcept {
    return std::span(label).subspan(label_begin[i], label_begin[i + 1] - label_begin[i]);
  }
  /// The label of a text that has one; Types::none if it has none.
  std::int32_t label_of(std::size_t i) const noexcept { return labels_of(i).empty() ? Types::none : labels_of(i)[0]; }
  /// Empty if there is none.
  std::string_view label_name(std::size_t i) const {
    return label_of(i) == Types::none ? std::string_view{} : std::string_view(labels.name(label_of(i)));
  }
  /// `file:line` of a text, the first half of every message about it.
  std::string where(std::size_t i) const { return name + ":" + std::to_string(line[i]); }

  void add_label(std::string_view label_name) { label.push_back(labels.add(label_name)); }
  /// Ends a text: the bytes and labels appended since the last call.
  void end_text(std::uint32_t line_number) {
    begin.push_back(bytes.size());
    label_begin.push_back(static_cast<std::uint32_t>(label.size()));
    line.push_back(line_number);
  }
  /// Empties it and keeps its memory.
  void clear() {
    bytes.clear();
    begin.assign(1, 0);
    line.clear();
    label_begin.assign(1, 0);
    label.clear();
    labels = {};
    met = {};
    problems.clear();
  }
};

/// A name that occurs twice; empty: none does.
template <class Names> std::string repeated_name(const Names& names) {
  std::vector<std::string_view> sorted(names.begin(), names.end());
  std::sort(sorted.begin(), sorted.end());
  const auto at = std::adjacent_find(sorted.begin(), sorted.end());
  return at == sorted.end() ? std::string() : std::string(*at);
}

/// Appends the label of each text, which has one or none, by its number in a list that all blocks share; new labels are
/// added to the list. Blocks in their order give the same numbers, whichever thread made them.
inline void append_labels(const Texts& texts, Types& all, std::vector<std::int32_t>& to) {
  std::vector<std::int32_t> number;
  for (const std::string& name : texts.labels.names()) number.push_back(all.add(name));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::int32_t l = texts.label_of(i);
    to.push_back(l == Types::none ? l : number[static_cast<std::size_t>(l)]);
  }
}

/// The same with the fixed list of a model.
///
/// throws    entrain.text.53: a label that is not in it, with file:line
inline void append_known_labels(const Texts& texts, const Types& all, std::vector<std::int32_t>& to) {
  std::vector<std::int32_t> number;
  for (const std::string& name : texts.labels.names()) number.push_back(all.find(name));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::int32_t l = texts.label_of(i);
    to.push_back(l == Types::none ? l : number[static_cast<std::size_t>(l)]);
    if (l != Types::none && to.back() == Types::none)
      throw Error("entrain.text.53", texts.where(i), "label '" + std::string(texts.label_name(i)) + "'",
                  "one of the " + std::to_string(all.size()) + " labels that are known", "check the spelling");
  }
}

}  // namespace entrain::text
