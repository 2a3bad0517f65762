// [text] > batch > embed > encode > head > optim > checkpoint
//
// User options for a CoNLL file. Each has a default that detects the value.
#pragma once
#include <cstddef>
#include <string>

namespace entrain::text {

/// blanks: any run of spaces and TABs is one separator. commas: commas or semicolons, with quotes as in RFC 4180.
enum class Separator { automatic, tab, blanks, commas };

/// The meaning of a line that starts with '#'; mixed: each line is judged by its columns.
enum class Hash { automatic, token, comment, mixed };

struct ConllOptions {
  static constexpr int automatic = -1, last = -2;
  int token_column = automatic;  // from 0, or last
  int tag_column = automatic;    // from 0, or last
  Separator separator = Separator::automatic;
  Hash hash = Hash::automatic;
  bool types_alone = false;  // types without a prefix are tags even if O is rare; set by --scheme io
  bool plain = false;        // as to_conll writes: no line names the columns, no type is alone
  bool tags = true;          // false: a file without tags is accepted, its tokens get tag -1
  // all lines have equally many columns; false: at least as many as the reader uses
  bool strict = true;
  bool lenient = false;                  // read_conll skips and counts malformed lines
  std::size_t problem_cap = 10000;       // how many malformed lines are listed; all are counted
  std::string token_name{}, tag_name{};  // names in the header instead of token_column, tag_column; empty: use these
};

}  // namespace entrain::text
