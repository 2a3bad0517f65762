// [text] > batch > embed > encode > head > optim > checkpoint
//
// What a user may say about a CoNLL file. All of it has a default that finds out.
#pragma once
#include <cstddef>
#include <string>

namespace entrain::text {

/// blanks: any run of spaces and TABs is one separator. commas: or semicolons, with quotes as in RFC 4180.
enum class Separator { automatic, tab, blanks, commas };

/// What a line that starts with '#' is; mixed: each line by its columns.
enum class Hash { automatic, token, comment, mixed };

struct ConllOptions {
  static constexpr int automatic = -1, last = -2;
  int token_column = automatic;  // from 0, or last
  int tag_column = automatic;    // from 0, or last
  Separator separator = Separator::automatic;
  Hash hash = Hash::automatic;
  bool types_alone = false;              // types without a letter are tags even where O is rare: as --scheme io says
  bool plain = false;                    // a line as to_conll writes it: none names the columns, no type is alone
  bool tags = true;                      // false: a file without tags is welcome, its tokens get tag -1
  bool strict = true;                    // all lines have equally many columns; false: at least as many as are read
  bool lenient = false;                  // read_conll skips and counts malformed lines
  std::size_t problem_cap = 10000;       // so many malformed lines are listed; all are counted
  std::string token_name{}, tag_name{};  // of the header, instead of token_column and tag_column; empty: these
};

}  // namespace entrain::text
