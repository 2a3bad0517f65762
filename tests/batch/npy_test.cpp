// Arrays in NumPy's files: what numpy.save wrote (golden/npy) is what is read, in chunks of any size, from any row on;
// and nothing that a header says is believed before it is checked.
#include "entrain/batch/numpy/npy.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "entrain/batch/pipeline/mapped.hpp"
#include "entrain/batch/pipeline/stage.hpp"
#include "entrain/batch/pipeline/workers.hpp"
#include "tests/scratch.hpp"

namespace {
namespace npy_test {  // other files of the room use the same names
using namespace entrain;
using test::get;
using test::Scratch;
using test::sentence;

static_assert(batch::Stage<batch::Npy<float>> && batch::Stage<batch::Npy<float, std::int64_t>>);

const std::string golden = std::string(ENTRAIN_SOURCE_DIR) + "/tests/batch/golden/npy/";

/// What scripts/golden/npy.py puts at row i, column j.
template <class T> double number(std::uint64_t i, std::uint64_t j) {
  const double n = static_cast<double>((37 * i + 11 * j) % 101) - 50;
  return std::is_integral_v<T> ? n : n / 2;
}

struct Shape {
  std::uint64_t rows, columns;
};
template <class T> std::vector<double> expected(const std::vector<Shape>& files) {
  std::vector<double> all;
  for (const Shape& s : files)
    for (std::uint64_t i = 0; i < s.rows; ++i)
      for (std::uint64_t j = 0; j < s.columns; ++j) all.push_back(number<T>(i, j));
  return all;
}

template <class S> std::vector<double> rest_of(S& stage) {
  std::vector<double> all;
  for (typename S::Item item; stage.next(item);) {
    CHECK(item.values.size() == item.rows * item.columns);
    for (const auto v : item.values) all.push_back(static_cast<double>(static_cast<float>(v)));
  }
  return all;
}
template <class T> std::vector<double> read(const std::vector<std::string>& files, std::size_t rows = 0) {
  batch::Npy<T> stage(files, rows);
  stage.start(0, {});
  return rest_of(stage);
}

template <class T = float> std::string refused(const std::string& path) {
  return sentence([&] { read<T>({path}); });
}

TEST_CASE("numbers of every kind are what NumPy saved") {
  const std::vector<Shape> six{{6, 3}};
  CHECK(read<float>({golden + "float32.npy"}) == expected<float>({{23, 5}}));
  CHECK(read<double>({golden + "float64.npy"}) == expected<double>(six));
  CHECK(read<fp16>({golden + "float16.npy"}) == expected<fp16>(six));
  CHECK(read<std::int32_t>({golden + "int32.npy"}) == expected<std::int32_t>(six));
  CHECK(read<std::int64_t>({golden + "int64.npy"}) == expected<std::int64_t>(six));
  CHECK(read<std::int64_t>({golden + "labels.npy"}) == expected<std::int64_t>({{23, 1}}));
  CHECK(read<float>({golden + "version2.npy"}) == expected<float>(six));
  CHECK(read<float>({golden + "version3.npy"}) == expected<float>(six));
  CHECK(read<float>({golden + "fortran_row.npy"}) == expected<float>({{1, 3}}));
  std::vector<double> counted(200);
  for (std::size_t i = 0; i < counted.size(); ++i) counted[i] = static_cast<double>(i);
  CHECK(read<std::uint8_t>({golden + "uint8.npy"}) == counted);
}

TEST_CASE("rows in chunks of any size, from any row on, over files, with any number of workers") {
  const std::vector<std::string> files{golden + "float32.npy", golden + "float32_more.npy"},
      labels{golden + "labels.npy", golden + "labels_more.npy"};
  const auto whole = expected<float>({{23, 5}, {7, 5}});
  using Labelled = batch::Npy<float, std::int64_t>;
  for (std::size_t rows = 0; rows < 26; ++rows) {
    CHECK(read<float>(files, rows) == whole);
    batch::Workers<Labelled> stage(Labelled(files, labels, rows), {static_cast<int>(rows % 3)});
    stage.start(0, {});
    std::uint64_t taken = 0;
    for (typename Labelled::Item item;;) {
      const batch::NpyCursor at = stage.cursor();
      batch::Npy<float> again(files, 1 + rows % 7);
      again.start(1, at);
      CHECK(rest_of(again) == std::vector<double>(whole.begin() + static_cast<std::ptrdiff_t>(5 * taken), whole.end()));
      if (!stage.next(item)) break;
      CHECK(item.columns == 5);
      CHECK(item.file == (taken >= 23));
      CHECK(item.first == taken - 23 * item.file);
      CHECK(item.rows == std::min<std::uint64_t>(rows > 0 ? rows : 1000, (item.file ? 7 : 23) - item.first));
      REQUIRE(item.labels.size() == item.rows);
      for (std::size_t i = 0; i < item.rows; ++i) {
        CHECK(static_cast<double>(item.labels[i]) == number<std::int64_t>(item.first + i, 0));
        CHECK(static_cast<double>(item.values[5 * i + 2]) == whole[5 * (taken + i) + 2]);
      }
      taken += item.rows;
    }
    CHECK(taken == 30);
  }
  for (std::uint64_t row = 0; row <= 30; ++row) {  // also a row that no chunk began with
    Labelled stage(files, labels, 4);
    stage.start(0, {row > 23, row > 23 ? row - 23 : row});
    typename Labelled::Item item;
    if (row == 30) {
      CHECK_FALSE(stage.next(item));
      continue;
    }
    REQUIRE(stage.next(item));
    CHECK(static_cast<double>(item.values[0]) == whole[5 * row]);
    CHECK(static_cast<double>(item.labels[0]) == number<std::int64_t>(row >= 23 ? row - 23 : row, 0));
    CHECK(stage.columns() == 5);
  }
}

TEST_CASE("what a stage makes of rows, it makes in several threads in their order") {
  struct Sum {
    double operator()(batch::NpyRows<float>& rows) const {
      double sum = 0;
      for (const float v : rows.values) sum += static_cast<double>(v);
      return sum;
    }
  };
  using Sums = batch::Workers<batch::Mapped<Sum, batch::Npy<float>>>;
  Sums stage({Sum{}, batch::Npy<float>({golden + "float32.npy"}, 1)}, {3});
  stage.start(0, {});
  double sum = 0;
  for (std::uint64_t i = 0; i < 23; ++i) {
    REQUIRE(stage.next(sum));
    double row = 0;
    for (std::uint64_t j = 0; j < 5; ++j) row += number<float>(i, j);
    CHECK(sum == row);
  }
  CHECK_FALSE(stage.next(sum));
}

TEST_CASE("standard input, once") {
  REQUIRE(std::freopen((golden + "float32.npy").c_str(), "rb", stdin) != nullptr);
  batch::Npy<float> stage({"-"}, 4);
  stage.start(0, {0, 20});
  CHECK(rest_of(stage).size() == 3 * 5);
  stage.start(1, {});
  batch::NpyRows<float> item;
  CHECK(sentence([&] { stage.next(item); }) ==
        "entrain.batch.35: standard input: already read, and not stored, expected files, which can be read more than "
        "once; "
        "save "
        "it in a file, or train for one epoch");
}

TEST_CASE("what is refused, by its name") {
  const auto from = [](const std::string& name, const std::string& sentence) {
    CHECK(refused(golden + name) == sentence.substr(0, 17) + " " + golden + name + ": " + sentence.substr(18));
  };
  from("float64.npy", "entrain.batch.31: float64, expected float32; numpy.save(path, array.astype('<f4')) converts it");
  from("int64.npy", "entrain.batch.31: int64, expected float32; numpy.save(path, array.astype('<f4')) converts it");
  from("float16.npy", "entrain.batch.31: float16, expected float32; numpy.save(path, array.astype('<f4')) converts it");
  from("uint8.npy", "entrain.batch.31: uint8, expected float32; numpy.save(path, array.astype('<f4')) converts it");
  from("bool.npy", "entrain.batch.31: bool, expected float32; numpy.save(path, array.astype('<f4')) converts it");
  from("big_endian.npy",
       "entrain.batch.31: big-endian float32, expected float32; numpy.save(path, array.astype('<f4')) converts it");
  from("complex.npy",
       "entrain.batch.31: complex numbers, expected float32; numpy.save(path, array.real.astype('<f4')) saves their "
       "real "
       "parts");
  from("strings.npy",
       "entrain.batch.31: dtype '<U2', expected float32; numpy.save(path, array.astype('<f4')) converts it, if all "
       "items are numbers");
  from("objects.npy",
       "entrain.batch.31: Python objects, whose pickle can run arbitrary code, expected float32; save numbers: "
       "numpy.save(path, array.astype('<f4'))");
  from("records.npy",
       "entrain.batch.31: records of several fields, expected float32; numpy.save(path, "
       "array[array.dtype.names[0]].astype('<f4')) saves its first field");
  from("fortran.npy",
       "entrain.batch.32: column-major order (fortran_order), expected row-major order; numpy.save(path, "
       "numpy.ascontiguousarray(array)) converts it");
  from("scalar.npy",
       "entrain.batch.32: 0 dimensions, expected rows, or rows and columns; array.reshape(1) makes one row of it");
  from("cube.npy",
       "entrain.batch.32: 3 dimensions, expected rows, or rows and columns; array.reshape(len(array), -1) converts it");
  from("none.npy", "entrain.batch.32: 0 rows of 3 numbers, expected at least one");
  from("no_columns.npy", "entrain.batch.32: 3 rows of 0 numbers, expected at least one");
  from("several.npz",
       "entrain.batch.30: an archive, as numpy.savez writes it, expected an array as numpy.save writes it; unzip it: "
       "each array is a file in the archive");
  CHECK(refused<double>(golden + "float32.npy").find(": float32, expected float64; ") != std::string::npos);
  CHECK(refused<fp16>(golden + "float32.npy").find(": float32, expected float16; ") != std::string::npos);
  CHECK(refused<std::int32_t>(golden + "int64.npy").find(": int64, expected int32; ") != std::string::npos);
}

TEST_CASE("files that do not fit together are named before the first row") {
  const auto pair = [](std::vector<std::string> files, std::vector<std::string> labels) {
    return sentence([&] {
      batch::Npy<float, std::int64_t> stage(std::move(files), std::move(labels));
      stage.start(0, {});
    });
  };
  const std::string a = golden + "float32.npy", more = golden + "float32_more.npy",
                    other = golden + "float32_other.npy", labels = golden + "labels.npy",
                    few = golden + "labels_more.npy";
  CHECK(sentence([&] {
          batch::Npy<float> stage({a, more, other});
          stage.start(0, {});
        }) == "entrain.batch.34: " + other + ": rows of 4 numbers, expected 5, as in " + a);
  CHECK(pair({a, more}, {labels}) == "entrain.batch.34: 1 file of labels, expected 2, one for each file of values");
  CHECK(pair({a}, {few}) == "entrain.batch.34: " + few + ": 7 labels, expected 23, one for each row of " + a);
  CHECK(pair({more}, {labels}) ==
        "entrain.batch.34: " + labels + ": 23 labels, expected 7, one for each row of " + more);
  CHECK(pair({a}, {a}).starts_with("entrain.batch.31: " + a + ": float32, expected int64; "));
  CHECK(pair({a}, {golden + "int64.npy"}) ==
        "entrain.batch.34: " + golden + "int64.npy: 6 rows of labels, expected 23, one for each row of " + a);
  CHECK(pair({a}, {golden + "column.npy"}) == "");
}

TEST_CASE("a file that is truncated or too long is refused, plain and through a pipe") {
  const Scratch folder;
  const std::string whole = get(golden + "float32.npy");
  REQUIRE(whole.size() == 128 + 23 * 5 * 4);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string path = folder.file("cut.npy", whole.substr(0, size));
    const std::string message = refused(path);
    if (size < 8)
      CHECK(message ==
            "entrain.batch.30: " + path + ": not a NumPy array, expected a file that numpy.save wrote; check the path");
    else if (size < 128)
      CHECK(message ==
            "entrain.batch.30: " + path + ": the end of the file in its header, expected a whole file; copy it again");
    else
      CHECK(message == "entrain.batch.33: " + path + ": ends in row " + std::to_string((size - 128) / 20 + 1) +
                           ", expected 23 rows, as in its header; the file is truncated: copy it again");
    if (size >= 128 && size % 3 == 0) {
      const std::string fifo = folder.file("x", "") + ".fifo";
      REQUIRE(std::system(("rm -f " + fifo + "; mkfifo " + fifo + "; cat " + path + " > " + fifo + " &").c_str()) == 0);
      batch::NpyArray<float> array(fifo);
      std::vector<float> values;
      std::string late;
      for (int i = 0; i < 23 && late.empty(); ++i)
        if (const std::string m = sentence([&] { array.read(1, values); }); m != "") late = m;
      CHECK(late == "entrain.batch.33: " + fifo + message.substr(18 + path.size()));
    }
  }
  const std::string path = folder.file("more.npy", whole + "x");
  CHECK(refused(path) ==
        "entrain.batch.33: " + path +
            ": more bytes after its last row, expected 23 rows, as in its header; save each array in its own file");
  batch::Npy<float> stage({folder.file("a.npy", whole)});
  stage.start(0, {0, 24});
  batch::NpyRows<float> item;
  CHECK(
      sentence([&] {
        stage.next(item);
      }).ends_with(": 23 rows, expected at least 24, the position to resume from; the file has changed: start again"));
}

#if defined(ENTRAIN_ZLIB)
TEST_CASE("a packed array is the array, and what is wrong with it is said at its end") {
  CHECK(read<float>({golden + "float32.npy.gz"}, 3) == expected<float>({{23, 5}}));
  batch::Npy<float> stage({golden + "float32.npy.gz"}, 3);
  stage.start(0, {0, 20});
  CHECK(rest_of(stage).size() == 15);
}
#endif

/// A file of version 1 with this header.
std::string with_header(const std::string& header, const std::string& numbers = "") {
  std::string bytes = "\x93NUMPY";
  bytes += '\1', bytes += '\0';
  bytes += static_cast<char>(header.size() & 0xFF), bytes += static_cast<char>(header.size() >> 8);
  return bytes + header + numbers;
}

TEST_CASE("headers that numpy.save would not write") {
  const Scratch folder;
  const auto header = [&](const std::string& text, const std::string& numbers = std::string(16, '\0')) {
    const std::string path = folder.file("a.npy", with_header(text, numbers));
    std::string message = refused(path);
    const std::size_t at = message.find(path + ": ");
    return at == message.npos ? message : message.erase(at, path.size() + 2);
  };
  // as others may
  CHECK(header("{\"shape\":(2,2),'fortran_order' : False,'descr':'<f4'}") == "");
  CHECK(header("{'descr': '<f4', 'fortran_order': False, 'shape': (4L,), }\n") == "");
  CHECK(header("{'descr': '<f4', 'fortran_order': False, 'shape': (2L, 2L), }   \n") == "");
  CHECK(header("{'descr': '<f4', 'fortran_order': True, 'shape': (4, 1)}") == "");

  const std::string hint =
      ", expected {'descr': ..., 'fortran_order': ..., 'shape': ...}, as numpy.save writes it; save the array again";
  CHECK(header("") == "entrain.batch.30: a header with no '{' at its byte 0" + hint);
  CHECK(header("[]") == "entrain.batch.30: a header with no '{' at its byte 0" + hint);
  CHECK(header("{") == "entrain.batch.30: a header with no string at its byte 1" + hint);
  CHECK(header("{'descr") == "entrain.batch.30: a header with a string without end at its byte 1" + hint);
  CHECK(header("{'descr' '<f4'}") == "entrain.batch.30: a header with no ':' at its byte 9" + hint);
  CHECK(header("{'descr': '<f4', 'descr': '<f4'}") ==
        "entrain.batch.30: a header with the key 'descr' at its byte 25" + hint);
  CHECK(header("{'other': 1}") == "entrain.batch.30: a header with the key 'other' at its byte 9" + hint);
  CHECK(header("{'descr': '<f4'}") ==
        "entrain.batch.30: a header with not all of descr, fortran_order and shape at its byte 16" + hint);
  CHECK(header("{'descr': '<f4' 'shape': (4,)}") ==
        "entrain.batch.30: a header with no ',' or '}' at its byte 16" + hint);
  CHECK(header("{'fortran_order': 0}") ==
        "entrain.batch.30: a header with neither True nor False at its byte 18" + hint);
  CHECK(header("{'shape': 4}") == "entrain.batch.30: a header with no '(' at its byte 10" + hint);
  CHECK(header("{'shape': (4 4)}") == "entrain.batch.30: a header with no ',' or ')' at its byte 13" + hint);
  CHECK(header("{'shape': (-4,)}") == "entrain.batch.30: a header with no extent below 2^64 at its byte 11" + hint);
  CHECK(header("{'shape': (18446744073709551616,)}") ==
        "entrain.batch.30: a header with no extent below 2^64 at its byte 11" + hint);
  CHECK(header("{'shape': (") == "entrain.batch.30: a header with no extent below 2^64 at its byte 11" + hint);
  CHECK(header("{'descr': [('a'") == "entrain.batch.30: a header with no ']' at its byte 15" + hint);
  CHECK(header("{'descr': '<f4', 'fortran_order': False, 'shape': (4,), } x") ==
        "entrain.batch.30: a header with more after '}' at its byte 58" + hint);
  CHECK(header(std::string("{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }\0", 58)) ==
        "entrain.batch.30: a header with more after '}' at its byte 57" + hint);
  CHECK(header("{'descr': '', 'fortran_order': False, 'shape': (4,), }")
            .starts_with("entrain.batch.31: dtype '', expected float32"));
  CHECK(header("{'descr': '>i8', 'fortran_order': False, 'shape': (4,), }")
            .starts_with("entrain.batch.31: big-endian int64, expected float32"));

  const auto shape = [&](const std::string& s) {
    return header("{'descr': '<f4', 'fortran_order': False, 'shape': (" + s + ")}");
  };
  const std::string most = " numbers, expected at most 2^63 bytes in all and 2^30 in a row";
  CHECK(shape("18446744073709551615, 18446744073709551615") ==
        "entrain.batch.32: 18446744073709551615 rows of 18446744073709551615" + most);
  CHECK(shape("4611686018427387904, 4") == "entrain.batch.32: 4611686018427387904 rows of 4" + most);
  CHECK(shape("2305843009213693952,") == "entrain.batch.32: 2305843009213693952 rows of 1" + most);
  CHECK(shape("1, 268435457") == "entrain.batch.32: 1 rows of 268435457" + most);
  CHECK(shape("1, 268435456").starts_with("entrain.batch.33: ends in row 1, expected 1 rows"));
  CHECK(
      shape("2305843009213693900,").starts_with("entrain.batch.33: ends in row 5, expected 2305843009213693900 rows"));
  CHECK(shape("0, 9") == "entrain.batch.32: 0 rows of 9 numbers, expected at least one");
}

TEST_CASE("what is said to convert an array does so, or says when") {
  const Scratch folder;
  const auto from = [&]<class T>(const std::string& type, T) {
    const std::string path = folder.file("a.npy", with_header("{'descr': '" + type +
                                                                  "', 'fortran_order': False, "
                                                                  "'shape': (1,), }",
                                                              std::string(8, '\0')));
    return refused<T>(path).substr(("entrain.batch.31: " + path + ": ").size());
  };
  const auto converts = [](const std::string& type) {
    return "; numpy.save(path, array.astype('" + type + "')) converts it";
  };
  const std::string fits = ", if every number fits: larger ones wrap";
  CHECK(from("<u8", std::int64_t{}) == "uint64, expected int64" + converts("<i8") + fits);
  CHECK(from("<u4", std::int64_t{}) == "uint32, expected int64" + converts("<i8"));
  CHECK(from("|b1", std::int64_t{}) == "bool, expected int64" + converts("<i8"));
  CHECK(from("<i2", std::int32_t{}) == "int16, expected int32" + converts("<i4"));
  CHECK(from("<i8", std::int32_t{}) == "int64, expected int32" + converts("<i4") + fits);
  CHECK(from("<u4", std::int32_t{}) == "uint32, expected int32" + converts("<i4") + fits);
  CHECK(from("|i1", std::uint8_t{}) == "int8, expected uint8" + converts("|u1") + fits);
  CHECK(from("<u2", std::uint8_t{}) == "uint16, expected uint8" + converts("|u1") + fits);
  CHECK(from("<f8", std::int32_t{}) == "float64, expected int32" + converts("<i4") + fits);
  CHECK(from("<u8", float{}) == "uint64, expected float32" + converts("<f4"));
  CHECK(from("=f4", float{}) == "dtype '=f4', which is not exactly '<f4', expected float32" + converts("<f4"));
  CHECK(from("<u1", std::uint8_t{}) == "dtype '<u1', which is not exactly '|u1', expected uint8" + converts("|u1"));
  CHECK(batch::readable_npy_type("<u8") == "<i8");
}

TEST_CASE("versions and lengths that are none") {
  const Scratch folder;
  std::string bytes = get(golden + "float32.npy");
  bytes[6] = 4;
  CHECK(refused(folder.file("v", bytes)).ends_with(": version 4.0, expected 1.0 to 3.0"));
  bytes[6] = 1, bytes[7] = 1;
  CHECK(refused(folder.file("v", bytes)).ends_with(": version 1.1, expected 1.0 to 3.0"));
  bytes = get(golden + "version2.npy");
  bytes[11] = '\x7F';
  CHECK(refused(folder.file("v", bytes)).find(": a header of 2130706") != std::string::npos);
  CHECK(refused(folder.file("v", "hello, this is text")).find(": not a NumPy array, ") != std::string::npos);
}

TEST_CASE("a header that promises much takes no memory before it is there") {
  const Scratch folder;
  const std::string lies = folder.file(
      "a.npy",
      with_header("{'descr': '<f4', 'fortran_order': False, 'shape': (200000000000, 4096)}", std::string(100, '\0')));
  const std::string fifo = lies + ".fifo";
  REQUIRE(std::system(("mkfifo " + fifo + "; cat " + lies + " > " + fifo + " &").c_str()) == 0);
  batch::NpyArray<float> array(fifo);
  std::vector<float> values;
  CHECK(sentence([&] { array.read(100'000'000, values); }).find(": ends in row 1, expected 200000000000 rows") !=
        std::string::npos);
  CHECK(values.capacity() <= (1u << 20));
}

}  // namespace npy_test
}  // namespace
