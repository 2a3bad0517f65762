// [text] > batch > embed > encode > head > optim > checkpoint
//
// CoNLL files: a token and its tag on a line, a blank line between sentences, and twenty years of variations of that.
// Read conll_layout.hpp first: it decides the meaning of the columns, and this file reads them.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/text/conll/conll_layout.hpp"
#include "entrain/text/conll/conll_table.hpp"
#include "entrain/text/conll/find_layout.hpp"
#include "entrain/text/corpus/corpus.hpp"
#include "entrain/text/corpus/token_buffer.hpp"
#include "entrain/text/files/byte_finder.hpp"
#include "entrain/text/files/file.hpp"
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::text {

/// A parsed file: the tokens of its valid lines, its layout, and its malformed lines.
struct ConllFile {
  Corpus corpus;
  ConllLayout layout;
  Problems problems;
};

namespace detail {

/// Place: InColumns, or the usual columns.
template <Separator separator, class Place> class ConllReader {
 public:
  /// lines: number of lines of the file before these bytes
  ConllReader(Place place, Corpus& corpus, const ConllLayout& layout, Problems& problems, const ConllOptions& options,
              bool check_utf8, std::uint64_t lines = 0)
      : place_(place),
        corpus_(corpus),
        layout_(layout),
        problems_(problems),
        options_(options),
        check_utf8_(check_utf8),
        before_(static_cast<std::uint32_t>(lines)),
        line_(before_) {}

  void read(std::string_view bytes) {
    const std::string_view start = bytes.substr(0, 1 << 16);  // lines a byte are estimated from the start
    const std::size_t lines = count_byte(start, '\n') + 1;
    corpus_.reserve(lines * (bytes.size() / (1 << 16) + 1), bytes.size());
    TokenBuffer tokens(corpus_, bytes);
    ByteFinder line_feed(bytes, '\n'), tab(bytes, '\t');
    const auto find_tab = [&](const char* at, const char* end) {
      return std::min(bytes.data() + tab(static_cast<std::size_t>(at - bytes.data())), end);
    };
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t from = at;
      const std::string_view line = take_line(bytes, at, line_feed(at));
      ++line_;
      corpus_.met.crlf += at <= bytes.size() && from + line.size() < at - 1;
      read_line(line, tokens, find_tab);
    }
    end_sentence(tokens);
    corpus_.met.lines = line_ - before_;
  }

 private:
  void end_sentence(TokenBuffer& tokens) {
    tokens.flush();
    corpus_.end_sentence();
  }

  [[gnu::always_inline]] void read_line(std::string_view line, TokenBuffer& tokens, auto& find_tab) {
    Met& met = corpus_.met;
    if (line.empty() || (blank(line[0]) && all_blank(line))) {
      end_sentence(tokens);
      ++met.separators;
      met.blank_separators += !line.empty();
    } else if (line[0] == '#' && is_comment(line)) {
      if (starts_document(line)) start_document(tokens);
      ++met.comments;
    } else if (line[0] == '-' && is_docstart(line)) {
      start_document(tokens);
      ++met.docstarts;
    } else if (layout_.numbered && is_word_range(line)) {
      ++met.word_ranges;
    } else {
      read_token(line, tokens, find_tab);
    }
  }

  void start_document(TokenBuffer& tokens) {
    tokens.flush();
    corpus_.start_document();
  }

  [[gnu::always_inline]] void read_token(std::string_view line, TokenBuffer& tokens, auto& find_tab) {
    const Cut c = cut<separator>(line, place_, find_tab);
    const int enough = place_.last ? place_.token + 2 : std::max(place_.token, place_.tag) + 1;
    if (options_.strict ? c.columns != layout_.columns : c.columns < enough)
      return refuse(wrong_count(line, c.columns, enough, layout_, options_.strict));
    Met& met = corpus_.met;
    met.ragged += c.ragged;
    if (place_.tag == ConllLayout::none) {
      tokens.push(c.token, -1, line_);
    } else {
      if (c.tag.empty()) return refuse("the tag is empty");
      tokens.push(c.token, intern(c.tag), line_);
    }
    met.empty_tokens += c.token.empty();
    if (check_utf8_) met.invalid_tokens += !is_valid_utf8(c.token);
  }

  /// As Corpus::intern, but tests the latest tag first: most tags equal the one before.
  std::int32_t intern(std::string_view tag) {
    const bool same = tag.size() == tag_.size() && tag[0] == tag_[0] &&
                      (tag.size() == 1 || std::memcmp(tag.data(), tag_.data(), tag.size()) == 0);
    if (!same) tag_ = tag, tag_index_ = corpus_.intern(tag);
    return tag_index_;
  }

  bool is_comment(std::string_view line) {
    if (layout_.hash != Hash::mixed) return layout_.hash == Hash::comment;
    return (is_remark(line) || layout_.hash_tokens == 0) && !hash_is_token(line, layout_, columns_);
  }

  void refuse(std::string reason) {
    ++corpus_.met.malformed;
    if (problems_.total++ < options_.problem_cap) problems_.list.push_back({line_, std::move(reason)});
  }

  Place place_;
  Corpus& corpus_;
  const ConllLayout& layout_;
  Problems& problems_;
  const ConllOptions& options_;
  const bool check_utf8_;
  const std::uint32_t before_;
  std::uint32_t line_;
  std::string_view tag_;  // the latest tag, and its number
  std::int32_t tag_index_ = -1;
  Columns columns_;
};

inline void read_conll_lines(Corpus& corpus, const ConllLayout& layout, Problems& problems, const ConllOptions& options,
                             std::string_view bytes, std::uint64_t lines_before = 0) {
  const bool check_utf8 = !is_valid_utf8(bytes);  // once for the whole text; token by token only after a failure
  if (layout.is_table()) return read_table(corpus, layout, problems, options, bytes, check_utf8, lines_before);
  const auto read = [&]<Separator separator, class Place>(Place place) {
    ConllReader<separator, Place>(place, corpus, layout, problems, options, check_utf8, lines_before).read(bytes);
  };
  const InColumns place{layout.token_column, layout.tag_column, layout.tag_last};
  const bool usual = place.token == TokenThenTag::token && place.tag == TokenThenTag::tag && !place.last;
  if (layout.separator == Separator::tab)
    usual ? read.template operator()<Separator::tab>(TokenThenTag{}) : read.template operator()<Separator::tab>(place);
  else
    usual ? read.template operator()<Separator::blanks>(TokenThenTag{})
          : read.template operator()<Separator::blanks>(place);
}

}  // namespace detail

/// Refuses a file without a token.
///
/// throws    entrain.text.9
[[noreturn, gnu::cold]] inline void refuse_tokenless(const ConllFile& file) {
  const Corpus& c = file.corpus;
  throw Error("entrain.text.9", c.name, "no tokens" + in_lines(c.met), "lines of a token and a tag",
              remedy_for_no_word(c.name, c.met, file.problems.list, file.problems.total));
}

/// Reads text that is in memory. Malformed lines are listed and are never fatal, even if there are no other lines.
///
/// name      the name of the text in messages
/// throws    entrain.text.5 binary, .7 no such column, .8 no tags, .9 no tokens and no malformed line, .10 line ends
///           are CR alone
inline ConllFile parse_conll(std::string_view name, std::string_view bytes, const ConllOptions& options = {}) {
  refuse_binary(name, bytes);
  refuse_cr_alone(name, bytes);
  ConllFile file;
  file.corpus.name = name;
  if (bytes.starts_with(byte_order_mark)) {
    bytes.remove_prefix(byte_order_mark.size());
    file.corpus.met.bom = 1;
  }
  file.layout = find_layout(name, bytes, options);
  detail::read_conll_lines(file.corpus, file.layout, file.problems, options, bytes);
  if (file.corpus.size() == 0 && file.problems.total == 0) refuse_tokenless(file);
  return file;
}

/// Reads a file, or standard input for "-", with all its problems, for `check`.
inline ConllFile inspect_conll(const std::string& path, const ConllOptions& options = {}) {
  return parse_conll(name_of(path), read_file(path), options);
}

/// A file with its layout. Empty tokens and tokens that are not UTF-8 are kept and counted in Corpus::met.
///
/// throws    the errors of read_file and parse_conll, entrain.text.9 if no line yields a token, and entrain.text.11 at
///           the first malformed line, unless options.lenient: then malformed lines are skipped and counted in
///           Corpus::met
inline ConllFile read_conll_file(const std::string& path, const ConllOptions& options = {}) {
  ConllFile file = inspect_conll(path, options);
  if (file.corpus.size() == 0) refuse_tokenless(file);
  if (file.problems.total > 0 && !options.lenient) {
    const std::string count = std::to_string(file.problems.total);
    const Problem first = file.problems.list.empty() ? Problem{0, "malformed"} : file.problems.list[0];
    throw Error("entrain.text.11", file.corpus.name + ":" + std::to_string(first.line), first.reason, {},
                (count == "1" ? "no other line is malformed: correct it"
                              : "one of " + count + " such lines (check lists them): correct them") +
                    std::string(", or skip with --lenient"));
  }
  return file;
}

/// The corpus of a file, read by read_conll_file.
inline Corpus read_conll(const std::string& path, const ConllOptions& options = {}) {
  return read_conll_file(path, options).corpus;
}

}  // namespace entrain::text
