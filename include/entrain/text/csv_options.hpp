// [text] > batch > embed > encode > head > optim > checkpoint
//
// What a user may say about files of comma-separated values.
#pragma once
#include <string>

namespace entrain::text {

/// All of it has a default that finds out.
struct CsvOptions {
  std::string text, label;  // columns: names in the first record, or numbers from 1; empty: text; label or category
  char delimiter = '\0';    // one of ',' ';' TAB when it is found out
  bool header = true;       // the first record names the columns; false: they have numbers
  bool labels = true;       // false: nobody asks for labels
  bool quotes = true;       // false: a quote is a letter like others, as many TSV files have it
  bool lenient = false;     // what is wrong with a record leaves it out and is counted
};

}  // namespace entrain::text
