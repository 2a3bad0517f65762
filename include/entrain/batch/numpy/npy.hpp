// text > [batch] > embed > encode > head > optim > checkpoint
//
// Rows of numbers from NumPy's files (.npy), a fixed number at a time: features computed elsewhere, and their labels.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "entrain/batch/numpy/npy_header.hpp"
#include "entrain/core/error.hpp"
#include "entrain/text/files/byte_stream.hpp"

namespace entrain::batch {

/// An array in a file, read from its first row on.
template <class T> class NpyArray {
  static_assert(!npy_type<T>.empty(),
                "entrain: Npy<T> needs T to be a number type of NumPy files: float, double, fp16, std::int32_t, "
                "std::int64_t or std::uint8_t.");
  static_assert(std::endian::native == std::endian::little && std::is_trivially_copyable_v<T>);

 public:
  using Number = T;

  /// throws    entrain.text.1 to .3 and .33 to .35 as ByteStream    entrain.batch.30 to .32 as read_npy_header
  ///           .33: other bytes than its header says
  explicit NpyArray(const std::string& path) : NpyArray(text::name_of(path), text::ByteStream::open(path)) {}
  /// An array of a stream whose header was read.
  NpyArray(std::string name, text::ByteStream stream, const NpyHead& head)
      : name_(std::move(name)), stream_(std::move(stream)), header_(accept_npy_head(head, name_, npy_type<T>)) {
    compare_size();
  }

  const std::string& name() const { return name_; }
  std::uint64_t rows() const { return header_.rows; }
  std::size_t columns() const { return static_cast<std::size_t>(header_.columns); }
  int dimensions() const { return header_.dimensions; }

  /// Skips rows. requires that the array has that many more.
  void skip(std::uint64_t rows) {
    const std::uint64_t passed = stream_.skip(rows * row_bytes());
    if (passed < rows * row_bytes()) refuse_short(done_ * row_bytes() + passed);
    done_ += rows;
  }
  /// The next rows; the array must have that many more. After the last row the file must end.
  void read(std::size_t rows, std::vector<T>& to) {
    constexpr std::size_t step = std::size_t{1} << 20;  // a header alone must not cause a large allocation
    const std::size_t numbers = rows * columns();
    for (std::size_t had = 0; had < numbers;) {
      const std::size_t want = std::min(numbers - had, to.capacity() >= numbers ? numbers : step);
      to.resize(had + want);
      const std::size_t got = stream_.read(reinterpret_cast<char*>(to.data() + had), want * sizeof(T));
      if (got < want * sizeof(T)) refuse_short(done_ * row_bytes() + had * sizeof(T) + got);
      had += want;
    }
    to.resize(numbers);
    done_ += rows;
    char more = 0;
    if (done_ == header_.rows && stream_.read(&more, 1) > 0) refuse_more();
  }

 private:
  NpyArray(std::string name, text::ByteStream stream) : name_(std::move(name)), stream_(std::move(stream)) {
    header_ = read_npy_header(stream_, name_, npy_type<T>);
    compare_size();
  }

  std::uint64_t row_bytes() const { return header_.columns * sizeof(T); }
  void compare_size() {
    const std::int64_t size = stream_.size();
    const std::uint64_t whole = header_.bytes + header_.rows * row_bytes();
    if (size >= 0 && static_cast<std::uint64_t>(size) < whole)
      refuse_short(static_cast<std::uint64_t>(size) - header_.bytes);
    if (size >= 0 && static_cast<std::uint64_t>(size) > whole) refuse_more();
  }
  [[noreturn, gnu::cold]] void refuse_short(std::uint64_t bytes) const {
    throw Error("entrain.batch.33", name_, "ends in row " + std::to_string(bytes / row_bytes() + 1),
                std::to_string(header_.rows) + " rows, as in its header", "the file is truncated: copy it again");
  }
  [[noreturn, gnu::cold]] void refuse_more() const {
    throw Error("entrain.batch.33", name_, "more bytes after its last row",
                std::to_string(header_.rows) + " rows, as in its header", "save each array in its own file");
  }

  std::string name_;
  text::ByteStream stream_;
  NpyHeader header_;
  std::uint64_t done_ = 0;  // rows
};

namespace detail {
template <class Label> struct NpyLabels {
  std::vector<Label> labels;  // [rows]
};
template <> struct NpyLabels<void> {};
template <class Label> struct NpyLabelArray { std::optional<NpyArray<Label>> labels; };
template <> struct NpyLabelArray<void> {};
}  // namespace detail

/// Rows [first, first + rows) of a file.
template <class T, class Label = void> struct NpyRows : detail::NpyLabels<Label> {
  std::vector<T> values;  // [rows, columns]
  std::size_t rows = 0, columns = 0;
  std::uint64_t first = 0;
  std::uint32_t file = 0;  // among the files
  std::string name;        // of the file, for messages
};

/// The position of a reader of arrays: before this row of this file.
struct NpyCursor {
  std::uint32_t file = 0;
  std::uint64_t row = 0;
  friend bool operator==(const NpyCursor&, const NpyCursor&) = default;
};

/// A source: the rows of arrays in their order, a fixed number at a time; fewer at the end of each file. All files have
/// rows of the same length. Files may be compressed by gzip or zstd.
///
/// T         float, double, fp16, std::int32_t, std::int64_t or std::uint8_t: the type in the files, unchanged
/// Label     void: none; else an array of one dimension for each file, with a number a row
/// memory    that of the rows of one item
template <class T, class Label = void> class Npy {
 public:
  static constexpr bool has_labels = !std::is_void_v<Label>;
  using Item = NpyRows<T, Label>;
  using Cursor = NpyCursor;

  /// rows      of an item; 0: as many as 1 MiB holds
  explicit Npy(std::vector<std::string> files, std::size_t rows = 0) requires(!has_labels)
      : files_(std::move(files)), rows_(rows) {}
  /// throws    entrain.batch.34: not as many files of labels
  Npy(std::vector<std::string> files, std::vector<std::string> labels, std::size_t rows = 0) requires(has_labels)
      : files_(std::move(files)), labels_(std::move(labels)), rows_(rows) {
    if (files_.size() != labels_.size())
      throw Error("entrain.batch.34", "",
                  std::to_string(labels_.size()) + (labels_.size() == 1 ? " file of labels" : " files of labels"),
                  std::to_string(files_.size()) + ", one for each file of values");
  }

  /// The first call reads all headers, except that of standard input.
  ///
  /// throws    as NpyArray    entrain.batch.34: rows of another length, or not as many labels
  void start(std::uint32_t, const NpyCursor& at) {
    at_ = at;
    close();
    if (std::exchange(looked_, true)) return;
    for (std::uint32_t f = 0; f < files_.size(); ++f)
      if (files_[f] != "-" && (!has_labels || labels_of(f) != "-")) open(f);
    close();
  }
  NpyCursor cursor() const { return at_; }
  /// Numbers in a row; 0 until a header was read.
  std::size_t columns() const { return columns_; }

  /// throws    as start() and NpyArray::read    entrain.batch.35: standard input, again
  bool next(Item& item) {
    for (; at_.file < files_.size(); at_ = {at_.file + 1, 0}, close()) {
      if (!values_) resume();
      const std::uint64_t left = values_->rows() - at_.row;
      if (left == 0) continue;
      const std::size_t most =
          rows_ > 0 ? rows_ : std::max<std::size_t>((std::size_t{1} << 20) / (columns_ * sizeof(T)), 1);
      item.rows = static_cast<std::size_t>(std::min<std::uint64_t>(left, most));
      item.columns = columns_;
      item.first = at_.row;
      item.file = at_.file;
      item.name = values_->name();
      values_->read(item.rows, item.values);
      if constexpr (has_labels) label_.labels->read(item.rows, item.labels);
      at_.row += item.rows;
      return true;
    }
    return false;
  }

 private:
  const std::string& labels_of(std::uint32_t f) const { return labels_[f]; }

  void open(std::uint32_t f) {
    const bool piped = files_[f] == "-" || (has_labels && labels_of(f) == "-");
    if (piped && std::exchange(drained_, true))
      throw Error("entrain.batch.35", "standard input", "already read, and not stored",
                  "files, which can be read more than once", "save it in a file, or train for one epoch");
    values_.emplace(files_[f]);
    if (columns_ == 0) columns_ = values_->columns(), first_ = f;
    if (values_->columns() != columns_)
      throw Error("entrain.batch.34", values_->name(), "rows of " + std::to_string(values_->columns()) + " numbers",
                  std::to_string(columns_) + ", as in " + text::name_of(files_[first_]));
    if constexpr (has_labels) {
      label_.labels.emplace(labels_of(f));
      const auto& labels = *label_.labels;
      if (labels.columns() != 1 || labels.rows() != values_->rows())
        throw Error("entrain.batch.34", labels.name(),
                    std::to_string(labels.rows()) + (labels.columns() == 1 ? " labels" : " rows of labels"),
                    std::to_string(values_->rows()) + ", one for each row of " + values_->name());
    }
  }
  void resume() {
    open(at_.file);
    if (at_.row > values_->rows())
      throw Error("entrain.batch.33", values_->name(), std::to_string(values_->rows()) + " rows",
                  "at least " + std::to_string(at_.row) + ", the position to resume from",
                  "the file has changed: start again");
    if (at_.row == 0) return;
    values_->skip(at_.row);
    if constexpr (has_labels) label_.labels->skip(at_.row);
  }
  void close() {
    values_.reset();
    if constexpr (has_labels) label_.labels.reset();
  }

  std::vector<std::string> files_, labels_;
  std::size_t rows_, columns_ = 0;
  std::uint32_t first_ = 0;  // the file that sets the number of columns
  NpyCursor at_;
  std::optional<NpyArray<T>> values_;  // of the current file
  detail::NpyLabelArray<Label> label_;
  bool looked_ = false, drained_ = false;
};

}  // namespace entrain::batch
