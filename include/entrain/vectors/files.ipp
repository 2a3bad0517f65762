// text > batch > kernel > [vectors] > embed > train > app
//
// Definitions of files.hpp.
#pragma once
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "entrain/checkpoint/atomic_file.hpp"
#include "entrain/core/error.hpp"
#include "entrain/text/corpus/excerpt.hpp"
#include "entrain/text/files/byte_stream.hpp"
#include "entrain/text/files/file.hpp"  // refuse_no_room
#include "entrain/text/unicode/invalid_utf8.hpp"
#include "entrain/vectors/files.hpp"

namespace entrain::vectors {
namespace detail {

/// The bytes of a file through one buffer, by lines or by counts.
class Bytes {
 public:
  explicit Bytes(const std::string& path) : stream_(text::ByteStream::open(path)) { more(); }

  /// Bytes of the file; -1: unknown before its end.
  std::int64_t size() { return stream_.size(); }
  /// What has been read and not taken; grows by more().
  std::string_view ahead() const { return std::string_view(buffer_).substr(at_); }
  /// False: the file has no more.
  bool more() {
    if (ended_) return false;
    buffer_.erase(0, at_);
    at_ = 0;
    const std::size_t before = buffer_.size();
    buffer_.resize(before + block);
    const std::size_t got = stream_.read(buffer_.data() + before, block);
    buffer_.resize(before + got);
    ended_ = got < block;
    return got > 0;
  }
  /// The bytes up to a letter, at most `most`, and takes the letter too; false: the letter does not come.
  bool until(char letter, std::size_t most, std::string_view& out) {
    for (std::size_t from = 0;;) {
      const std::size_t end = ahead().find(letter, from);
      if (end != std::string_view::npos) {
        out = ahead().substr(0, end);
        at_ += end + 1;
        return true;
      }
      from = ahead().size();
      if (from > most || !more()) return false;
    }
  }
  /// The next `count` bytes; fewer at the end.
  std::string_view take(std::size_t count) {
    while (ahead().size() < count && more()) {
    }
    const std::string_view out = ahead().substr(0, count);
    at_ += out.size();
    return out;
  }
  /// The next line without its end; `ended`: it has one. False: the file has no more.
  bool line(std::string_view& out, bool& ended) {
    constexpr std::size_t longest = std::size_t{1} << 24;
    ended = until('\n', longest, out);
    if (!ended) {
      if (ahead().empty()) return false;
      out = take(ahead().size());
    }
    if (out.ends_with('\r')) out.remove_suffix(1);
    return true;
  }

 private:
  static constexpr std::size_t block = std::size_t{1} << 20;
  text::ByteStream stream_;
  std::string buffer_;
  std::size_t at_ = 0;
  bool ended_ = false;
};

inline std::string_view without_blanks_at_end(std::string_view line) {
  while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
  return line;
}
/// The last field of a line, which is removed from it.
inline std::string_view last_field(std::string_view& line) {
  const std::size_t blank = line.find_last_of(" \t");
  const std::string_view field = line.substr(blank + 1);
  line = blank == std::string_view::npos ? std::string_view{} : without_blanks_at_end(line.substr(0, blank));
  return field;
}

/// "27580 100"
struct Counts {
  std::uint64_t words = 0, width = 0;
};
inline bool is_counts(std::string_view line, Counts& out) {
  line = without_blanks_at_end(line);
  const auto number = [&](std::uint64_t& n) {
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), n);
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    return error == std::errc{};
  };
  if (!number(out.words) || !line.starts_with(' ')) return false;
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  return number(out.width) && line.empty();
}

/// Whether the field is a number, maybe not a finite one.
inline bool read_number(std::string_view field, float& out) {
  if (field.starts_with('+')) field.remove_prefix(1);
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), out);
  if (end != field.data() + field.size() || field.empty()) return false;
  if (error == std::errc::result_out_of_range) {  // below the smallest number is 0, above the largest is infinity
    double wide = HUGE_VAL;
    std::from_chars(field.data(), field.data() + field.size(), wide);
    out = std::abs(wide) < 1 ? 0.f : HUGE_VALF;
    return true;
  }
  return error == std::errc{};
}

class Reader {
 public:
  Reader(const std::string& path, const ReadOptions& options) : name_(text::name_of(path)), o_(options), bytes_(path) {}

  WordVectors operator()() {
    if (bytes_.ahead().empty()) throw Error("entrain.text.4", name_, "empty", "word vectors");
    const bool counted = first_line();
    if (counted && is_binary()) {
      binary();
    } else {
      if (o_.format == Format::binary && !counted) wrong_first_line();
      text();
    }
    return std::move(out_);
  }

 private:
  static constexpr std::size_t widest = std::size_t{1} << 20;

  std::string where() const { return name_ + ":" + std::to_string(line_); }
  std::string place(std::uint64_t word) const { return name_ + ", word " + std::to_string(word + 1); }

  [[noreturn]] void wrong_first_line() const {
    throw Error("entrain.vectors.3", name_ + ":1", "a first line without counts",
                "the number of words and of numbers a word, as 27580 100", "check that this is a file of word2vec");
  }

  /// Reads the counts; false: the first line is a row.
  bool first_line() {
    while (bytes_.ahead().find('\n') == std::string_view::npos && bytes_.ahead().size() < widest && bytes_.more()) {
    }
    std::string_view head = bytes_.ahead();
    if (head.starts_with(text::byte_order_mark)) head.remove_prefix(text::byte_order_mark.size());
    head = head.substr(0, head.find('\n'));
    if (head.ends_with('\r')) head.remove_suffix(1);
    if (!is_counts(head, counts_)) return false;
    if (counts_.words == 0 || counts_.width == 0 || counts_.width > widest ||
        counts_.words >= text::Vocabulary::unknown)
      throw Error("entrain.vectors.3", name_ + ":1",
                  std::to_string(counts_.words) + " words of " + std::to_string(counts_.width) + " numbers",
                  "at least one of each, and at most 4294967294 words of 1048576 numbers");
    std::string_view line;
    bool ended = false;
    bytes_.line(line, ended);
    line_ = 1;
    rows_before_ = 1;
    begin(static_cast<std::size_t>(counts_.width));
    return true;
  }
  void begin(std::size_t width) {
    out_.width = width;
    // As many as the counts say and the file can have: a number takes two bytes at least. A wrong count must not
    // allocate.
    const std::int64_t bytes = bytes_.size();
    const std::uint64_t possible = bytes < 0 ? std::uint64_t{1} << 24 : static_cast<std::uint64_t>(bytes) / 2;
    std::uint64_t rows = std::min<std::uint64_t>(counts_.words, possible / width + 1);
    if (o_.most_words > 0) rows = std::min<std::uint64_t>(rows, o_.most_words);
    text::refuse_no_room(name_, rows * width * sizeof(float));
    out_.rows.reserve(static_cast<std::size_t>(rows) * width);
  }

  /// Whether what follows the counts is not a row of text.
  bool is_binary() {
    if (o_.format != Format::detect) return o_.format == Format::binary;
    while (bytes_.ahead().size() < (std::size_t{1} << 16) && bytes_.more()) {
    }
    const std::string_view ahead = bytes_.ahead().substr(0, std::size_t{1} << 16);
    if (ahead.find('\0') != std::string_view::npos) return true;
    const std::string_view line = ahead.substr(0, ahead.find('\n'));
    const std::size_t blank = line.find_first_of(" \t");
    if (blank == std::string_view::npos) return false;
    return std::any_of(line.begin() + static_cast<std::ptrdiff_t>(blank), line.end(), [](char c) {
      const auto byte = static_cast<unsigned char>(c);
      return byte >= 0x7F || (byte < 0x20 && byte != '\t' && byte != '\r');
    });
  }

  bool is_full() const { return o_.most_words > 0 && out_.size() == o_.most_words; }

  void text() {
    std::string_view line;
    bool ended = false;
    while (!is_full() && bytes_.line(line, ended)) {
      ++line_;
      if (line_ == 1 && line.starts_with(text::byte_order_mark)) line.remove_prefix(text::byte_order_mark.size());
      if (without_blanks_at_end(line).empty()) {
        refuse_row_after_blank();
        break;
      }
      if (counts_.words > 0 && out_.size() == counts_.words) refuse_more_rows();
      row(line, ended);
    }
    if (out_.width == 0)
      throw Error("entrain.vectors.3", name_ + ":1", "blank lines alone", "counts, or a word and its numbers",
                  "check that this is a file of word vectors");
    if (!is_full()) check_count();
  }
  /// Blank lines may end a file.
  void refuse_row_after_blank() {
    const std::uint64_t blank = line_;
    std::string_view line;
    bool ended = false;
    while (bytes_.line(line, ended))
      if (++line_; !without_blanks_at_end(line).empty())
        throw Error("entrain.vectors.4", name_ + ":" + std::to_string(blank), "a blank line between rows", "a row");
  }
  void refuse_more_rows() const {
    throw Error("entrain.vectors.3", where(), "one more row than the " + std::to_string(counts_.words) + " of line 1",
                "as many rows as the first line says", "correct the first line");
  }
  void check_count() const {
    if (counts_.words > 0 && out_.size() < counts_.words)
      throw Error("entrain.vectors.3", name_ + ":1",
                  std::to_string(counts_.words) + " words, but the file has " + std::to_string(out_.size()),
                  "as many rows as the first line says", "the file may be cut off: copy it again");
  }

  void row(std::string_view line, bool ended) {
    const std::string_view whole = without_blanks_at_end(line);
    if (out_.width == 0) {
      std::size_t fields = 0, numbers = 0;
      float ignored;
      for (std::string_view rest = whole; !rest.empty(); ++fields)
        if (read_number(last_field(rest), ignored) && numbers == fields) ++numbers;
      if (numbers == 0 || fields < 2 || fields > widest)
        throw Error("entrain.vectors.3", where(), std::to_string(fields) + (fields == 1 ? " field" : " fields"),
                    "counts, or a word and its numbers", "check that this is a file of word vectors");
      begin(std::min(numbers, fields - 1));
    }
    const std::size_t width = out_.width, before = out_.rows.size();
    out_.rows.resize(before + width);
    std::string_view rest = whole;
    for (std::size_t n = width; n > 0; --n) {
      const std::string_view field = last_field(rest);
      if (rest.empty()) refuse_ragged(width - n, ended);
      float& number = out_.rows[before + n - 1];
      if (!read_number(field, number)) refuse_field(field, n, rest, whole, ended);
      refuse_not_finite(number, where(), n, word_of(rest.substr(0, rest.find_first_of(" \t"))));
    }
    // More numbers than the others have, or a word with spaces.
    std::size_t more = 0;
    float number;
    for (std::string_view word = rest; word.find_first_of(" \t") != std::string_view::npos; ++more)
      if (!read_number(last_field(word), number)) break;
    if (more > 0) refuse_ragged(width + more, ended);
    add(rest, where());
  }
  static std::string word_of(std::string_view rest) { return " of '" + text::excerpt(rest) + "'"; }

  [[noreturn]] void refuse_ragged(std::size_t found, bool ended) const {
    const std::string numbers = std::to_string(found) + (found == 1 ? " number" : " numbers");
    const std::string expected = std::to_string(out_.width) + (out_.width == 1 ? " number" : " numbers");
    if (!ended && found < out_.width)
      throw Error("entrain.vectors.8", where(), "the file ends after " + numbers + " of this row", expected,
                  "the file is cut off: copy it again");
    throw Error("entrain.vectors.4", where(), numbers, expected,
                counts_.words > 0 ? "each row has as many as line 1 says" : "each row has as many as the first one");
  }
  [[noreturn]] void refuse_field(std::string_view field, std::size_t n, std::string_view rest, std::string_view whole,
                                 bool ended) const {
    // Too few numbers: the field is the word, or part of it.
    std::size_t numbers = 0;
    float ignored;
    for (std::string_view left = whole; !left.empty() && read_number(last_field(left), ignored);) ++numbers;
    std::size_t fields = 0;
    for (std::string_view left = whole; !left.empty(); ++fields) last_field(left);
    if (rest.empty() || (fields < out_.width + 1 && numbers + 1 == fields)) refuse_ragged(numbers, ended);
    throw Error("entrain.vectors.5", where(),
                "'" + text::excerpt(field) + "', number " + std::to_string(n) + word_of(rest.substr(0, rest.find(' '))),
                "a number");
  }
  static void refuse_not_finite(float number, const std::string& where, std::size_t n, const std::string& word) {
    if (std::isfinite(number)) return;
    throw Error("entrain.vectors.6", where,
                (std::isnan(number) ? "NaN, number " : "infinity, or beyond the range of fp32, number ") +
                    std::to_string(n) + word,
                "a finite number");
  }

  void add(std::string_view word, const std::string& where) {
    if (!text::is_valid_utf8(word))
      throw Error("entrain.vectors.9", where, text::invalid_in_line(word), "a word in UTF-8",
                  "convert the file with iconv -t UTF-8");
    const std::size_t before = out_.words.size();
    const text::Vocabulary::Id id = out_.words.add(word);
    if (out_.words.size() == before)
      throw Error("entrain.vectors.7", where,
                  "'" + text::excerpt(word) + "' again, as in " +
                      (line_ > 1 || rows_before_ == 0 ? "line " + std::to_string(id + 1 + rows_before_)
                                                      : "word " + std::to_string(id + 1)),
                  "each word once", "remove one of the rows");
  }

  void binary() {
    const std::size_t width = out_.width;
    for (std::uint64_t n = 0; n < counts_.words && !is_full(); ++n) {
      constexpr std::size_t longest = 4096;
      std::string_view found;
      while (bytes_.ahead().starts_with('\n')) bytes_.take(1);  // word2vec.c ends rows by one, gensim does not
      if (!bytes_.until(' ', longest, found)) {
        if (bytes_.ahead().size() > longest)
          throw Error("entrain.vectors.4", place(n), "a word of more than 4096 bytes", "a word and a space",
                      "the first line may have another width than the rows");
        refuse_cut(n, bytes_.ahead().size(), "of a word");
      }
      const std::string word(found);
      if (word.empty())
        throw Error("entrain.vectors.4", place(n), "no word", "a word and a space",
                    "the first line may have another width than the rows");
      const std::string_view numbers = bytes_.take(width * sizeof(float));
      if (numbers.size() < width * sizeof(float)) refuse_cut(n, numbers.size(), "of its numbers");
      const std::size_t before = out_.rows.size();
      out_.rows.resize(before + width);
      std::memcpy(out_.rows.data() + before, numbers.data(), numbers.size());
      for (std::size_t i = 0; i < width; ++i) refuse_not_finite(out_.rows[before + i], place(n), i + 1, word_of(word));
      add(word, place(n));
    }
    if (is_full()) return;
    while (bytes_.ahead().starts_with('\n') || (bytes_.ahead().empty() && bytes_.more())) bytes_.take(1);
    if (!bytes_.ahead().empty())
      throw Error("entrain.vectors.3", place(counts_.words), "more bytes after the last word",
                  "as many rows as the first line says: " + std::to_string(counts_.words), "correct the first line");
  }
  [[noreturn]] void refuse_cut(std::uint64_t n, std::size_t bytes, const char* of) const {
    throw Error("entrain.vectors.8", place(n), "the file ends after " + std::to_string(bytes) + " bytes " + of,
                std::to_string(counts_.words) + " words of " + std::to_string(out_.width) + " numbers",
                "the file is cut off: copy it again");
  }

  std::string name_;
  ReadOptions o_;
  Bytes bytes_;
  WordVectors out_;
  Counts counts_;
  std::uint64_t line_ = 0, rows_before_ = 0;
};

}  // namespace detail

ENTRAIN_INLINE WordVectors read_vectors(const std::string& path, const ReadOptions& options) {
  return detail::Reader(path, options)();
}

ENTRAIN_INLINE void write_vectors(const std::string& path, const WordVectors& vectors, Format format) {
  constexpr std::size_t flush = std::size_t{1} << 20;
  for (std::size_t w = 0; w < vectors.size(); ++w) {
    const std::string_view word = vectors.words[static_cast<text::Vocabulary::Id>(w)];
    if (word.empty() || word.find_first_of(" \t\r\n") != std::string_view::npos)
      throw Error("entrain.vectors.10", path, "the word '" + text::excerpt(word) + "'",
                  "words without spaces and line ends", "the formats of word2vec separate words by spaces");
  }
  checkpoint::AtomicFile<> file(path);
  std::string bytes = std::to_string(vectors.size()) + " " + std::to_string(vectors.width) + "\n";
  for (std::size_t w = 0; w < vectors.size(); ++w) {
    bytes += vectors.words[static_cast<text::Vocabulary::Id>(w)];
    if (format == Format::binary) {
      bytes += ' ';
      const auto row = std::as_bytes(vectors[w]);
      bytes.append(reinterpret_cast<const char*>(row.data()), row.size());
    } else {
      for (const float number : vectors[w]) {
        char digits[32];
        const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number);
        bytes.append(" ").append(digits, end);
      }
    }
    bytes += '\n';
    if (bytes.size() >= flush) {
      file.write(bytes);
      bytes.clear();
    }
  }
  file.write(bytes);
  file.commit();
}

}  // namespace entrain::vectors
