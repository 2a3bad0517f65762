// tests > [core]
#include "entrain/core/error.hpp"

#include <doctest/doctest.h>

TEST_CASE("Error: one line answers where, what was found, what was expected, what to do") {
  const entrain::Error e("entrain.text.3", "train.conll:812", "3 columns", "4 (token pos chunk tag)",
                         "for token pos tag use text::Columns<3>");
  CHECK(e.id() == "entrain.text.3");
  CHECK(std::string(e.what()) ==
        "entrain.text.3: train.conll:812: 3 columns, expected 4 (token pos chunk tag); for token pos tag use "
        "text::Columns<3>");
}

TEST_CASE("Error: empty answers leave no punctuation") {
  CHECK(std::string(entrain::Error("entrain.core.1", "", "nothing").what()) == "entrain.core.1: nothing");
}
