// [text] > batch > embed > encode > head > optim > checkpoint
//
// Texts with a label each, packed: all bytes back to back, with arrays of offsets. For classification, it corresponds
// to corpus.hpp for sentences of tagged tokens.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/text/corpus/corpus.hpp"  // Met, Problem
#include "entrain/text/tags/labels.hpp"    // Types

namespace entrain::text {

/// N texts. Text i is bytes[begin[i], begin[i+1]).
struct Texts {
  std::string name;                     // of the file, for messages
  std::string bytes;                    // of all texts, back to back
  std::vector<std::uint64_t> begin{0};  // [N+1]
  std::vector<std::uint32_t> line;      // [N], of its record's first line, from 1
  std::vector<std::int32_t> label;      // [N], index into labels, or Types::none
  Types labels;                         // distinct, in order of first occurrence
  Met met;                              // malformed: records left out
  std::vector<Problem> problems;        // of each malformed record

  std::size_t size() const noexcept { return label.size(); }
  std::string_view text(std::size_t i) const noexcept {
    return std::string_view(bytes).substr(begin[i], begin[i + 1] - begin[i]);
  }
  /// Empty if there is none.
  std::string_view label_name(std::size_t i) const {
    return label[i] == Types::none ? std::string_view{} : std::string_view(labels.name(label[i]));
  }
  /// `file:line` of a text, the first half of every message about it.
  std::string where(std::size_t i) const { return name + ":" + std::to_string(line[i]); }

  /// Ends a text: the bytes appended since the last call.
  void end_text(std::int32_t label_number, std::uint32_t line_number) {
    begin.push_back(bytes.size());
    label.push_back(label_number);
    line.push_back(line_number);
  }
  /// Empties it and keeps its memory.
  void clear() {
    bytes.clear();
    begin.assign(1, 0);
    line.clear();
    label.clear();
    labels = {};
    met = {};
    problems.clear();
  }
};

/// Appends the texts' labels by their numbers in a list that all blocks share; new labels are added to the list. Blocks
/// in their order give the same numbers, whichever thread made them.
inline void append_labels(const Texts& texts, Types& all, std::vector<std::int32_t>& to) {
  std::vector<std::int32_t> number;
  for (const std::string& name : texts.labels.names()) number.push_back(all.add(name));
  for (const std::int32_t l : texts.label) to.push_back(l == Types::none ? l : number[static_cast<std::size_t>(l)]);
}

/// The same with the fixed list of a model.
///
/// throws    entrain.text.53: a label that is not in it, with file:line
inline void append_known_labels(const Texts& texts, const Types& all, std::vector<std::int32_t>& to) {
  std::vector<std::int32_t> number;
  for (const std::string& name : texts.labels.names()) number.push_back(all.find(name));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::int32_t l = texts.label[i];
    to.push_back(l == Types::none ? l : number[static_cast<std::size_t>(l)]);
    if (l != Types::none && to.back() == Types::none)
      throw Error("entrain.text.53", texts.where(i), "label '" + std::string(texts.label_name(i)) + "'",
                  "one of the " + std::to_string(all.size()) + " labels that are known", "check the spelling");
  }
}

}  // namespace entrain::text
