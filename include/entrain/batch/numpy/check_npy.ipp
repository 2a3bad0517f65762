// text > [batch] > embed > encode > head > optim > checkpoint
//
// Definitions of check_npy.hpp.
#pragma once
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <type_traits>

#include "entrain/batch/numpy/check_npy.hpp"
#include "entrain/batch/numpy/npy.hpp"
#include "entrain/batch/numpy/number_text.hpp"
#include "entrain/core/hash.hpp"
#include "entrain/text/check/check_words.hpp"  // counted, percent

namespace entrain::batch {
namespace detail {

template <class T> std::string number_words(T number) {
  std::string s;
  append_number(s, number);
  return s;
}

/// Six significant digits.
inline std::string rounded(long double number) {
  char text[40];
  return {text,
          std::to_chars(text, text + sizeof text, static_cast<double>(number), std::chars_format::general, 6).ptr};
}

/// `array[3, 17]`, `array[3]` of one dimension
inline std::string element(std::uint64_t row, std::size_t column, int dimensions) {
  return "array[" + std::to_string(row) + (dimensions == 1 ? "" : ", " + std::to_string(column)) + "]";
}

/// Statistics of an array's numbers, which are added row by row.
template <class T> class Numbers {
 public:
  Numbers(std::size_t columns, int dimensions, std::size_t most_values)
      : first_(columns), varies_(columns), dimensions_(dimensions), most_values_(most_values) {}

  void row(std::uint64_t number, const T* values) {
    for (std::size_t j = 0; j < first_.size(); ++j) {
      const T value = values[j];
      if (number == 0)
        first_[j] = value;
      else if (!(value == first_[j]))
        varies_[j] = 1;
      if constexpr (!std::is_integral_v<T>) {
        if (!std::isfinite(static_cast<double>(value))) {
          auto& [count, place] = std::isnan(static_cast<double>(value)) ? nan_ : infinite_;
          if (count++ == 0) place = element(number, j, dimensions_);
          continue;
        }
      }
      least_ = finite_ == 0 || value < least_ ? value : least_;
      most_ = finite_ == 0 || most_ < value ? value : most_;
      sum_ += static_cast<long double>(value);
      ++finite_;
      if constexpr (std::is_integral_v<T>)
        if (dimensions_ == 1 && times_.size() <= most_values_) ++times_[value];
    }
    rows_ = number + 1;
  }

  std::uint64_t all() const { return finite_ + nan_.count + infinite_.count; }
  std::string nan() const { return words(nan_, "NaN", "NaN"); }
  std::string infinite() const { return words(infinite_, "infinite number", "infinite numbers"); }
  /// `values: min -1, max 2.5, mean 0.3`
  std::string values() const {
    if (finite_ == 0) return "none is a finite number";
    std::string s = "min " + number_words(least_) + ", max " + number_words(most_) + ", mean " +
                    rounded(sum_ / static_cast<long double>(finite_));
    if (times_.empty() || times_.size() > most_values_) return s;
    s += "; " + text::detail::counted(times_.size(), "different", "different") + ": ";
    for (const auto& [value, times] : times_)
      s.append(value == times_.begin()->first ? "" : ", ")
          .append(number_words(value))
          .append(" (")
          .append(std::to_string(times))
          .append(")");
    return s;
  }
  /// Columns that hold one number each.
  std::vector<std::size_t> constant() const {
    std::vector<std::size_t> columns;
    for (std::size_t j = 0; j < first_.size() && rows_ > 1; ++j)
      if (!varies_[j]) columns.push_back(j);
    return columns;
  }

 private:
  struct Odd {
    std::uint64_t count = 0;
    std::string first;
  };
  std::string words(const Odd& odd, std::string_view one, std::string_view many) const {
    return odd.count == 0 ? std::string()
                          : text::detail::counted(odd.count, one, many) + " of " +
                                text::detail::counted(all(), "number", "numbers") + ", the first at " + odd.first;
  }

  std::vector<T> first_;  // of each column
  std::vector<char> varies_;
  int dimensions_;
  std::size_t most_values_;
  T least_{}, most_{};
  long double sum_ = 0;
  std::uint64_t finite_ = 0, rows_ = 0;
  Odd nan_, infinite_;
  std::map<T, std::uint64_t> times_;  // of an array of labels
};

/// `(500, 64)`, `(500,)`
inline std::string shape_words(const std::vector<std::uint64_t>& shape) {
  std::string s = "(";
  for (const std::uint64_t extent : shape) s.append(s.size() == 1 ? "" : ", ").append(std::to_string(extent));
  return s + (shape.size() == 1 ? ",)" : ")");
}

inline std::string head_words(const NpyHead& head) {
  return "shape " + shape_words(head.shape) + " of " +
         (head.structured ? "records of several fields" : npy_words(head.type)) + ", " +
         (head.fortran ? "column-major" : "row-major") + ", version " + std::to_string(head.version) + ".0";
}

/// A message about a file without its id and the file's name.
inline std::string reason_of(const Error& e, const std::string& name) {
  const std::string begin = e.id() + ": " + name + ": ", all = e.what();
  return all.starts_with(begin) ? all.substr(begin.size()) : all;
}

}  // namespace detail

ENTRAIN_INLINE std::string_view finding_name(ArrayKind kind, bool many) {
  switch (kind) {
    case ArrayKind::unreadable:
      return many ? "files that cannot be read" : "file that cannot be read";
    case ArrayKind::not_a_number:
      return many ? "files with NaN" : "file with NaN";
    case ArrayKind::infinite:
      return many ? "files with infinite numbers" : "file with infinite numbers";
    case ArrayKind::constant_column:
      return many ? "files with constant columns" : "file with constant columns";
    case ArrayKind::repeated_row:
      return many ? "files with repeated rows" : "file with repeated rows";
  }
  return {};
}

template <class Array> void ArrayChecker::look_through(Array& array, File& file) {
  using text::detail::counted, text::detail::percent;
  using T = typename Array::Number;
  const std::size_t columns = array.columns();
  const bool rows_count = array.dimensions() == 2 && columns > 1;
  detail::Numbers<T> numbers(columns, array.dimensions(), options_.most_values);
  std::vector<T> values;
  const std::size_t at_once = std::max<std::size_t>((std::size_t{1} << 20) / (columns * sizeof(T)), 1);
  for (std::uint64_t row = 0; row < array.rows();) {
    const auto rows = static_cast<std::size_t>(std::min<std::uint64_t>(at_once, array.rows() - row));
    array.read(rows, values);
    for (std::size_t i = 0; i < rows; ++i, ++row) {
      const T* const begin = values.data() + i * columns;
      numbers.row(row, begin);
      if (rows_count) file.rows.see(hash_bytes({reinterpret_cast<const char*>(begin), columns * sizeof(T)}, 1), row);
    }
  }
  file.summary += "  values: " + numbers.values() + "\n";
  if (!numbers.nan().empty()) report(ArrayKind::not_a_number, numbers.nan());
  if (!numbers.infinite().empty()) report(ArrayKind::infinite, numbers.infinite());
  if (const auto constant = numbers.constant(); !constant.empty()) {
    std::string which;
    for (std::size_t i = 0; i < std::min(constant.size(), options_.shown); ++i)
      which.append(i == 0 ? "" : ", ").append(std::to_string(constant[i]));
    report(ArrayKind::constant_column, counted(constant.size(), "column holds", "columns hold") +
                                           " one number: " + which + (constant.size() > options_.shown ? ", ..." : "") +
                                           " of " + std::to_string(columns));
  }
  if (!rows_count) return;
  file.columns = columns;
  if (const std::uint64_t repeated = file.rows.repeated(); repeated > 0)
    report(ArrayKind::repeated_row, (file.rows.exact() ? "" : "about ") + std::to_string(repeated) + " of " +
                                        counted(file.rows.seen(), "row repeats", "rows repeat") + " an earlier one (" +
                                        percent(repeated, file.rows.seen()) + "), such as " +
                                        detail::element(file.rows.first().first, 0, 1) + ", equal to " +
                                        detail::element(file.rows.first().second, 0, 1));
}

ENTRAIN_INLINE void ArrayChecker::file(const std::string& path) {
  const std::string name = text::name_of(path);
  findings_.file(name);
  File& file = files_.emplace_back(options_.rows_kept);
  file.name = name;
  file.summary = name + ": ";
  try {
    text::ByteStream stream = text::ByteStream::open(path);
    const NpyHead head = read_npy_head(stream, name);
    file.type = head.type;
    file.summary += detail::head_words(head) + "\n";
    const bool known = !head.structured && with_npy_type(head.type, [&]<class T>(std::type_identity<T>) {
      NpyArray<T> array(name, std::move(stream), head);
      look_through(array, file);
    });
    if (!known) accept_npy_head(head, name, readable_npy_type(head.type));  // which throws
  } catch (const Error& e) {
    if (file.summary.ends_with(": ")) file.summary += "not read\n";
    report(ArrayKind::unreadable, detail::reason_of(e, name));
  }
}

ENTRAIN_INLINE std::string ArrayChecker::describe() {
  std::string s = findings_.listed();
  for (const File& file : files_) s += file.summary;
  for (std::size_t b = 1; b < files_.size(); ++b)
    for (std::size_t a = 0; a < b; ++a) {
      const File &early = files_[a], &late = files_[b];
      if (early.type != late.type || early.columns != late.columns || early.columns == 0) continue;
      const auto [shared, of] = late.rows.shared_with(early.rows);
      s += late.name + " shares with " + early.name + ": " + std::to_string(shared) + " of " +
           text::detail::counted(of, "different row", "different rows") + " (" + text::detail::percent(shared, of) +
           ")" + (late.rows.exact() && early.rows.exact() ? "" : ", of those kept in memory") + "\n";
    }
  return s + findings_.tally() + "\n";
}

}  // namespace entrain::batch
