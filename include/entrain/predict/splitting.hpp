// text > batch > embed > encode > head > optim > checkpoint > train > [predict]
//
// Raw text to words, by the splitters that a model was saved with. Names from a file become functions once, at load.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/text/splitter.hpp"

namespace entrain::predict {

class Splitting {
 public:
  /// The names as they stand in config.json; empty means the default.
  /// throws    entrain.predict.1 for a name that no splitter has
  explicit Splitting(std::string_view words, std::string_view where = "--splitter")
      : words_(word_splitter(words, where)) {}

  /// Appends the words of a text.
  void split(std::string_view text, std::vector<text::Token>& words) const { words_(text, words); }

 private:
  using Words = void (*)(std::string_view, std::vector<text::Token>&);

  static Words word_splitter(std::string_view name, std::string_view where) {
    if (name.empty() || name == text::UnicodeWords::name) return &text::UnicodeWords::split;
    if (name == text::Whitespace::name) return &text::Whitespace::split;
    throw Error("entrain.predict.1", where, "word splitter '" + std::string(name) + "'",
                std::string(text::UnicodeWords::name) + " or " + std::string(text::Whitespace::name));
  }

  Words words_;
};

}  // namespace entrain::predict
