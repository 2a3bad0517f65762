// [text] > batch > embed > encode > head > optim > checkpoint
//
// User options for files of comma-separated values.
#pragma once
#include <string>

namespace entrain::text {

/// Each has a default that detects the value.
struct CsvOptions {
  std::string text, label;  // columns: names in the first record, or numbers from 1; empty: text; label or category
  char delimiter = '\0';    // detected among ',' ';' TAB if not given
  bool header = true;       // the first record names the columns; false: they have numbers
  bool labels = true;       // false: no caller needs labels
  bool many = false;        // a text has any number of labels: a list in JSON, else a field with label_delimiter
  char label_delimiter = ',';
  bool quotes = true;    // false: a quote is an ordinary character, as in many TSV files
  bool lenient = false;  // a faulty record is left out and counted
};

}  // namespace entrain::text
