// text > [batch] > embed > encode > head > optim > checkpoint
//
// The header of a NumPy file: the type and the number of its numbers. Each field is checked before it is used.
#pragma once
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/core/fp16.hpp"
#include "entrain/text/files/byte_stream.hpp"

namespace entrain::batch {

/// NumPy's name of a number type in its files.
template <class T> inline constexpr std::string_view npy_type{};
template <> inline constexpr std::string_view npy_type<float> = "<f4";
template <> inline constexpr std::string_view npy_type<double> = "<f8";
template <> inline constexpr std::string_view npy_type<fp16> = "<f2";
template <> inline constexpr std::string_view npy_type<std::int32_t> = "<i4";
template <> inline constexpr std::string_view npy_type<std::int64_t> = "<i8";
template <> inline constexpr std::string_view npy_type<std::uint8_t> = "|u1";

/// The content of a header, before it is checked whether the array can be read.
struct NpyHead {
  std::string type;         // as in npy_type; empty where there are several
  bool structured = false;  // records of several fields
  bool fortran = false;     // stored column by column
  std::vector<std::uint64_t> shape;
  int version = 1;          // of the format, 1 to 3
  std::uint64_t bytes = 0;  // of the header itself: where the numbers begin
};

/// One or two dimensions, stored row by row. A row of an array of one dimension is one number.
struct NpyHeader {
  std::string type;  // as in npy_type
  std::uint64_t rows = 0, columns = 1;
  int dimensions = 1;
  std::uint64_t bytes = 0;  // of the header itself: where the numbers begin
};

namespace detail {

/// float64 of <f8
inline std::string npy_words(std::string_view type) {
  if (type.size() < 2) return "dtype '" + std::string(type) + "'";
  const std::string_view size = type.substr(2);
  const std::string bits = size.size() == 1 ? std::to_string(8 * (size[0] - '0')) : std::string(size);
  const std::string order = type[0] == '>' && size != "1" ? "big-endian " : "";
  switch (type[1]) {
    case 'f':
      return order + "float" + bits;
    case 'i':
      return order + "int" + bits;
    case 'u':
      return order + "uint" + bits;
    case 'b':
      return "bool";
    case 'c':
      return order + "complex numbers";
    case 'O':
      return "Python objects";
    default:
      return "dtype '" + std::string(type) + "'";
  }
}

/// {'descr': '<f4', 'fortran_order': False, 'shape': (50000, 2048), }
class NpyDictionary {
 public:
  NpyDictionary(const std::string& name, std::string_view text) : name_(name), text_(text) {}

  std::string type;
  bool fortran = false, structured = false;
  std::vector<std::uint64_t> shape;

  void read() {
    int met = 0;
    expect('{');
    while (!take('}')) {
      const std::string key = string();
      expect(':');
      const int which = key == "descr" ? 1 : key == "fortran_order" ? 2 : key == "shape" ? 4 : 0;
      if (which == 0 || (met & which) != 0) refuse("the key '" + key + "'");
      met |= which;
      if (which == 1) read_type();
      if (which == 2) read_order();
      if (which == 4) read_shape();
      if (!take(',') && peek() != '}') refuse("no ',' or '}'");
    }
    if (peek() != '\0' || at_ < text_.size()) refuse("more after '}'");
    if (met != 7) refuse("not all of descr, fortran_order and shape");
  }

 private:
  [[noreturn, gnu::cold]] void refuse(const std::string& what) const {
    throw Error("entrain.batch.30", name_, "a header with " + what + " at its byte " + std::to_string(at_),
                "{'descr': ..., 'fortran_order': ..., 'shape': ...}, as numpy.save writes it", "save the array again");
  }
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (peek() != c || at_ == text_.size()) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) refuse(std::string("no '") + c + "'");
  }
  bool word(std::string_view w) {
    peek();
    if (!text_.substr(at_).starts_with(w)) return false;
    at_ += w.size();
    return true;
  }
  std::string string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') refuse("no string");
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == text_.npos) refuse("a string without end");
    const std::string all(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return all;
  }
  void read_type() {
    structured = peek() == '[';
    if (!structured) {
      type = string();
      return;
    }
    int depth = 0;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '[') ++depth;
      if (text_[at_] == ']' && --depth == 0) break;
    }
    expect(']');
  }
  void read_order() {
    fortran = word("True");
    if (!fortran && !word("False")) refuse("neither True nor False");
  }
  void read_shape() {
    expect('(');
    while (!take(')')) {
      peek();
      std::uint64_t& extent = shape.emplace_back();
      const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), extent);
      if (error != std::errc()) refuse("no extent below 2^64");
      at_ = static_cast<std::size_t>(end - text_.data());
      if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // as Python 2 writes it
      if (!take(',') && peek() != ')') refuse("no ',' or ')'");
    }
  }

  const std::string& name_;
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace detail

/// Reads the header of a file, and leaves the stream at the first number.
///
/// throws    entrain.batch.30  not such a file
inline NpyHead read_npy_head(text::ByteStream& stream, const std::string& name) {
  constexpr std::size_t longest = std::size_t{1} << 16;
  constexpr std::string_view magic = "\x93NUMPY";
  std::string begin(8, '\0');
  begin.resize(stream.read(begin.data(), begin.size()));
  if (begin.starts_with("PK\x03\x04"))
    throw Error("entrain.batch.30", name, "an archive, as numpy.savez writes it", "an array as numpy.save writes it",
                "unzip it: each array is a file in the archive");
  if (!begin.starts_with(magic) || begin.size() < 8)
    throw Error("entrain.batch.30", name, "not a NumPy array", "a file that numpy.save wrote", "check the path");
  const int version = begin[6];
  if (version < 1 || version > 3 || begin[7] != 0)
    throw Error("entrain.batch.30", name, "version " + std::to_string(version) + "." + std::to_string(begin[7]),
                "1.0 to 3.0");
  std::string length(version == 1 ? 2 : 4, '\0');
  std::size_t got = stream.read(length.data(), length.size()), bytes = 0;
  for (std::size_t i = length.size(); i-- > 0;) bytes = bytes << 8 | static_cast<unsigned char>(length[i]);
  if (got == length.size() && bytes > longest)
    throw Error("entrain.batch.30", name, "a header of " + std::to_string(bytes) + " bytes",
                "at most " + std::to_string(longest));
  std::string text(bytes, '\0');
  if (got == length.size()) got += stream.read(text.data(), bytes);
  if (got < length.size() + bytes)
    throw Error("entrain.batch.30", name, "the end of the file in its header", "a whole file", "copy it again");

  detail::NpyDictionary said(name, text);
  said.read();
  return {said.type, said.structured, said.fortran, said.shape, version, begin.size() + length.size() + bytes};
}

namespace detail {

/// Whether numbers of the first type may change silently when they are converted to the second type. Both as in
/// npy_type.
inline bool may_wrap(std::string_view from, std::string_view to) {
  if (to[1] == 'f' || from[1] == 'b') return false;
  const auto bytes = [](std::string_view type) { return std::atoi(std::string(type.substr(2)).c_str()); };
  if (from[1] == 'u') return to[1] == 'u' ? bytes(from) > bytes(to) : bytes(from) >= bytes(to);
  return from[1] != 'i' || to[1] == 'u' || bytes(from) > bytes(to);
}

/// The Python code that makes an array of `type` from one of other numbers.
inline std::string npy_conversion(const NpyHead& said, std::string_view type) {
  const auto save = [&](const std::string& array) {
    return "numpy.save(path, " + array + ".astype('" + std::string(type) + "'))";
  };
  if (said.structured) return save("array[array.dtype.names[0]]") + " saves its first field";
  const char kind = said.type.size() < 3 ? '\0' : said.type[1];
  if (kind == 'O' || said.type.ends_with('O')) return "save numbers: " + save("array");
  if (kind == 'c') return save("array.real") + " saves their real parts";
  if (kind != 'f' && kind != 'i' && kind != 'u' && kind != 'b')
    return save("array") + " converts it, if all items are numbers";
  return save("array") + " converts it" + (may_wrap(said.type, type) ? ", if every number fits: larger ones wrap" : "");
}

}  // namespace detail

/// Accepts a head whose array can be read as numbers of this type.
///
/// type      the required type, of npy_type
/// throws    entrain.batch.31  other numbers
///           .32  other than one or two dimensions, stored column by column, no rows, or larger than can be
inline NpyHeader accept_npy_head(const NpyHead& said, const std::string& name, std::string_view type) {
  if (said.structured || said.type != type) {
    const std::string expected = detail::npy_words(type);
    std::string found = said.structured ? "records of several fields" : detail::npy_words(said.type);
    if (found == expected) found = "dtype '" + said.type + "', which is not exactly '" + std::string(type) + "'";
    if (said.type.ends_with('O')) found += ", whose pickle can run arbitrary code";
    throw Error("entrain.batch.31", name, found, expected, detail::npy_conversion(said, type));
  }
  NpyHeader header{said.type, 0, 1, static_cast<int>(said.shape.size()), said.bytes};
  if (header.dimensions < 1 || header.dimensions > 2)
    throw Error(
        "entrain.batch.32", name, std::to_string(said.shape.size()) + " dimensions", "rows, or rows and columns",
        header.dimensions < 1 ? "array.reshape(1) makes one row of it" : "array.reshape(len(array), -1) converts it");
  header.rows = said.shape[0];
  if (header.dimensions == 2) header.columns = said.shape[1];
  if (said.fortran && header.dimensions == 2 && header.rows > 1 && header.columns > 1)
    throw Error("entrain.batch.32", name, "column-major order (fortran_order)", "row-major order",
                "numpy.save(path, numpy.ascontiguousarray(array)) converts it");
  if (header.rows == 0 || header.columns == 0)
    throw Error("entrain.batch.32", name,
                std::to_string(header.rows) + " rows of " + std::to_string(header.columns) + " numbers",
                "at least one");
  const auto size = static_cast<std::uint64_t>(type.back() - '0');
  constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max(), most_a_row = std::uint64_t{1} << 30;
  if (header.columns > most_a_row / size || header.rows > (most - header.bytes) / (header.columns * size))
    throw Error("entrain.batch.32", name,
                std::to_string(header.rows) + " rows of " + std::to_string(header.columns) + " numbers",
                "at most 2^63 bytes in all and 2^30 in a row");
  return header;
}

/// Reads the header of a file, and leaves the stream at the first number.
///
/// throws    as read_npy_head and accept_npy_head
inline NpyHeader read_npy_header(text::ByteStream& stream, const std::string& name, std::string_view type) {
  return accept_npy_head(read_npy_head(stream, name), name, type);
}

/// A type that can be read and holds the numbers of a type that cannot; of uint64 those below 2^63.
inline std::string_view readable_npy_type(std::string_view type) {
  const char kind = type.size() < 2 ? 'f' : type[1];
  if (kind == 'b') return npy_type<std::uint8_t>;
  if (kind == 'i' || kind == 'u') return npy_type<std::int64_t>;
  return type.ends_with("f8") ? npy_type<double> : npy_type<float>;
}

/// f(std::type_identity<T>{}) for the number type that a head names; false if it cannot be read.
template <class F> bool with_npy_type(std::string_view type, F&& f) {
  const auto one = [&]<class T>(std::type_identity<T> id) {
    if (type != npy_type<T>) return false;
    f(id);
    return true;
  };
  return one(std::type_identity<float>{}) || one(std::type_identity<double>{}) || one(std::type_identity<fp16>{}) ||
         one(std::type_identity<std::int32_t>{}) || one(std::type_identity<std::int64_t>{}) ||
         one(std::type_identity<std::uint8_t>{});
}

}  // namespace entrain::batch
