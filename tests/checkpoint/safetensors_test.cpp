// tests > [checkpoint]
#include "entrain/checkpoint/safetensors.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>

#include "tests/checkpoint/faulty.hpp"
#include "tests/scratch.hpp"

namespace safetensors_test {
using namespace entrain::checkpoint;
using test::get;
using test::has;
using test::put;
using test::Scratch;
using test::sentence;

namespace {

const std::string golden = std::string(ENTRAIN_SOURCE_DIR) + "/tests/checkpoint/golden/";

/// A file of this header text and n bytes of data.
std::string file_of(std::string_view header, std::size_t data_bytes) {
  const std::uint64_t length = header.size();
  std::string file(reinterpret_cast<const char*>(&length), 8);
  return file.append(header).append(data_bytes, 'd');
}

Bytes bytes_of_text(std::string_view text) {
  Bytes bytes(text.size());
  if (!text.empty()) std::memcpy(bytes.span().data(), text.data(), text.size());
  return bytes;
}

Safetensors read_text(std::string_view file) { return Safetensors(bytes_of_text(file), "m.safetensors"); }

template <class T> std::vector<T> numbers(const TensorView& t) {
  std::vector<T> out(t.bytes.size() / sizeof(T));
  if (!out.empty()) std::memcpy(out.data(), t.bytes.data(), t.bytes.size());
  return out;
}

/// The tensors of scripts/golden/safetensors.py, written down a second time. f16 as bits: 1, -2, 0.5, 65504.
struct GoldenTensors {
  std::vector<float> table{-1.0F, 1.0F / 3 - 1, 2.0F / 3 - 1, 0.0F, 4.0F / 3 - 1, 5.0F / 3 - 1}, one{42.0F}, odd{3.0F};
  std::vector<double> bias{1.5, -2.25, 1e-30};
  std::vector<std::uint16_t> half{0x3C00, 0xC000, 0x3800, 0x7BFF}, u16{65535};
  std::vector<std::int64_t> ids{-(1LL << 62), 7};
  std::vector<std::int32_t> small{-2147483647 - 1, 5, 2147483647};
  std::vector<std::int16_t> short_{-32768, 9};
  std::vector<std::uint8_t> bytes{0, 255, 3}, flags{1, 0, 1};
  std::vector<std::int8_t> signed_{-128, 127, 1, 0, 2};
  std::vector<std::uint32_t> u32{4294967295U};
  std::vector<std::uint64_t> u64{18446744073709551615ULL};

  std::vector<TensorView> views() const {
    const auto raw = [](std::string_view name, Dtype dtype, std::vector<std::int64_t> shape, const auto& v) {
      return TensorView{name, dtype, std::move(shape), std::as_bytes(std::span(v))};
    };
    return {view_of<float>("embed.table", {2, 3}, table),
            view_of<double>("head.bias", {3}, bias),
            raw("encode.0.half", Dtype::f16, {2, 2}, half),
            view_of<std::int64_t>("ids", {2}, ids),
            view_of<std::int32_t>("small ids", {3}, small),
            view_of<std::int16_t>("short", {2}, short_),
            view_of<std::uint8_t>("bytes", {3}, bytes),
            view_of<std::int8_t>("signed", {5}, signed_),
            raw("flags", Dtype::boolean, {3}, flags),
            view_of<std::uint16_t>("u16", {1}, u16),
            view_of<std::uint32_t>("u32", {1}, u32),
            view_of<std::uint64_t>("u64", {1}, u64),
            view_of<float>("empty", {0, 4}, {}),
            view_of<float>("one number", {}, one),
            view_of<float>("na\"me \\ Zo\u00EB \u540D \n", {1}, odd)};
  }
};

/// Reads every byte of every view, so that the sanitizer sees a view that leaves its file.
std::uint64_t walk(const Safetensors& file) {
  std::uint64_t sum = 0;
  for (const auto& t : file.tensors()) {
    sum += t.name.size() + t.shape.size();
    for (const auto b : t.bytes) sum = sum * 31 + std::to_integer<std::uint64_t>(b);
    CHECK(bytes_of(t.dtype, t.shape) == t.bytes.size());
    CHECK(file.find(t.name) == &t);
  }
  return sum;
}

}  // namespace

TEST_CASE("safetensors: a file of the format's own library is read") {
  const auto file = read_safetensors(golden + "library.safetensors");
  const GoldenTensors expected;
  const auto views = expected.views();
  REQUIRE(file.tensors().size() == views.size());
  for (const auto& v : views) {
    CAPTURE(v.name);
    const TensorView& t = file.at(v.name, v.dtype, v.shape);
    CHECK(std::equal(t.bytes.begin(), t.bytes.end(), v.bytes.begin(), v.bytes.end()));
  }
  REQUIRE(file.metadata().size() == 1);
  CHECK(file.metadata()[0] == std::pair<std::string, std::string>{"format", "pt"});

  const auto narrow = read_safetensors(golden + "library-bf16.safetensors");
  CHECK(numbers<std::uint16_t>(narrow.at("w", Dtype::bf16, {2})) == std::vector<std::uint16_t>{0x3F80, 0xC000});
}

TEST_CASE("safetensors: ours is the library's file byte for byte, in whatever order the tensors come") {
  const Scratch folder;
  const GoldenTensors tensors;
  auto views = tensors.views();
  const std::string expected = get(golden + "library.safetensors");
  write_safetensors(folder / "a", views);
  CHECK(get(folder / "a") == expected);
  std::reverse(views.begin(), views.end());
  write_safetensors(folder / "a", views);
  CHECK(get(folder / "a") == expected);

  const std::vector<std::uint16_t> w{0x3F80, 0xC000};
  const TensorView bf16{"w", Dtype::bf16, {2}, std::as_bytes(std::span(w))};
  write_safetensors(folder / "b", std::span(&bf16, 1));
  CHECK(get(folder / "b") == get(golden + "library-bf16.safetensors"));
}

TEST_CASE("safetensors: data starts at a multiple of 8, wide tensors first; no tensors at all is a file too") {
  for (int length = 1; length < 20; ++length) {
    const std::string name(static_cast<std::size_t>(length), 'n');
    const std::vector<float> x{1, 2};
    const std::vector<std::uint8_t> y{1};
    const std::vector<TensorView> views{view_of<std::uint8_t>("a", {1}, y), view_of<float>(name, {2}, x)};
    std::string file;
    stream_safetensors(views, "m", [&](std::span<const std::byte> p) {
      file.append(reinterpret_cast<const char*>(p.data()), p.size());
    });
    CHECK((file.size() - 9) % 8 == 0);
    const auto back = read_text(file);
    CHECK(back.tensors()[0].name == name);
    CHECK(numbers<float>(back.tensors()[0]) == x);
  }
  const auto none = read_text(file_of("{}", 0));
  CHECK(none.tensors().empty());
  CHECK(none.find("a") == nullptr);
}

TEST_CASE("safetensors: views survive a move") {
  auto file =
      std::make_unique<Safetensors>(read_text(file_of(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})", 2)));
  const Safetensors moved = std::move(*file);
  file.reset();
  REQUIRE(moved.find("a") != nullptr);
  CHECK(moved.find("a")->name == "a");
  CHECK(walk(moved) != 0);
}

TEST_CASE("safetensors: every wrong file has a sentence of its own") {
  struct Case {
    std::string file, sentence;
  };
  const auto one = [](std::string_view dtype, std::string_view shape, std::string_view offsets) {
    return R"({"w":{"dtype":")" + std::string(dtype) + R"(","shape":)" + std::string(shape) + R"(,"data_offsets":)" +
           std::string(offsets) + "}}";
  };
  const auto two = [&](std::string_view first, std::string_view second) {
    return R"({"a":{"dtype":"U8","shape":[2],"data_offsets":)" + std::string(first) +
           R"(},"b":{"dtype":"U8","shape":[2],"data_offsets":)" + std::string(second) + "}}";
  };
  const std::string damaged = "; the file is damaged";
  const std::vector<Case> cases{
      {"",
       ".10: m.safetensors: 0 bytes, expected at least 8, the length of a safetensors header; the file is truncated, "
       "or is not a safetensors file"},
      {"1234567",
       ".10: m.safetensors: 7 bytes, expected at least 8, the length of a safetensors header; the file is truncated, "
       "or is not a safetensors file"},
      {"\x01\xE1\xF5\x05" + std::string(4, '\0') + "{}",
       ".11: m.safetensors: a header of 100000001 bytes, expected at most 100000000; this is not a safetensors file"},
      {std::string(8, '\xFF') + "{}",
       ".11: m.safetensors: a header of 18446744073709551615 bytes, expected at most "
       "100000000; this is not a safetensors file"},
      {file_of("{}", 0).substr(0, 9),
       ".12: m.safetensors: a header of 2 bytes in a file of 9, expected a header inside the file; the file is "
       "truncated: copy it again"},
      {file_of("", 3), ".12: m.safetensors: an empty header, expected '{'; this is not a safetensors file"},
      {file_of(" {}", 0),
       ".12: m.safetensors: a header that starts with ' ', expected '{'; this is not a safetensors file"},
      {file_of("[]", 0),
       ".12: m.safetensors: a header that starts with '[', expected '{'; this is not a safetensors file"},
      {file_of("{\"\xC3\":1}", 0), ".13: m.safetensors: the header is not JSON at byte 12: "},
      {file_of("{} x", 0), ".13: m.safetensors: the header is not JSON at byte 12: "},
      {file_of("{}{}", 0), ".13: m.safetensors: the header is not JSON at byte 11: "},
      {file_of("{,}", 0), ".13: m.safetensors: the header is not JSON at byte 10: "},
      {file_of(std::string("{}\0", 3), 0),
       ".13: m.safetensors: the header is not JSON at byte 10: a NUL byte" + damaged},
      {file_of(R"({"w":{"dtype":"U8","shape":[1e999],"data_offsets":[0,0]}})", 0),
       ".13: m.safetensors: the header is not JSON at byte "},
      {file_of(
           R"({"w":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},"w":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})",
           0),
       ".14: m.safetensors: tensor 'w' occurs twice, expected once"},
      {file_of(
           R"({"\u0077":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},"w":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})",
           0),
       ".14: m.safetensors: tensor 'w' occurs twice, expected once"},
      {file_of(R"({"__metadata__":{},"__metadata__":{}})", 0),
       ".14: m.safetensors: key '__metadata__' occurs twice, expected once" + damaged},
      {file_of(R"({"__metadata__":{"a":"1","a":"1"}})", 0),
       ".14: m.safetensors: __metadata__ 'a' occurs twice, expected once"},
      {file_of(R"({"w":{"dtype":"U8","dtype":"U8","shape":[0],"data_offsets":[0,0]}})", 0),
       ".14: m.safetensors: key 'dtype' of tensor 'w' occurs twice, expected once" + damaged},
      {file_of(one("F31", "[1]", "[0,4]"), 4),
       ".15: m.safetensors: tensor 'w' has dtype 'F31', expected one of BOOL U8 I8 F8_E5M2 F8_E4M3 I16 U16 F16 BF16 "
       "I32 U32 "
       "F32 F64 I64 U64"},
      {file_of(one("f32", "[1]", "[0,4]"), 4), ".15: m.safetensors: tensor 'w' has dtype 'f32', expected one of BOOL"},
      {file_of(R"({"w":7})", 0),
       ".16: m.safetensors: tensor 'w' is the number 7, expected an object of dtype, shape and "
       "data_offsets" +
           damaged},
      {file_of(R"({"w":[]})", 0), ".16: m.safetensors: tensor 'w' is an array, expected an object of dtype"},
      {file_of(R"({"w":null})", 0), ".16: m.safetensors: tensor 'w' is null, expected an object of dtype"},
      {file_of(R"({"w":{}})", 0),
       ".16: m.safetensors: tensor 'w' has no dtype, expected dtype, shape and data_offsets"},
      {file_of(R"({"w":{"dtype":"U8"}})", 0), ".16: m.safetensors: tensor 'w' has no shape"},
      {file_of(R"({"w":{"dtype":"U8","shape":[]}})", 0), ".16: m.safetensors: tensor 'w' has no data_offsets"},
      {file_of(R"({"w":{"dtype":"U8","shape":[],"data_offsets":[0,1],"x":1}})", 1),
       ".16: m.safetensors: tensor 'w' has a key 'x', expected dtype, shape and data_offsets"},
      {file_of(R"({"w":{"dtype":5}})", 0),
       ".16: m.safetensors: 'dtype' of tensor 'w' is the number 5, expected a string"},
      {file_of(R"({"w":{"dtype":{"a":1}}})", 0),
       ".16: m.safetensors: 'dtype' of tensor 'w' is an object, expected a string"},
      {file_of(one("U8", "3", "[0,3]"), 3),
       ".16: m.safetensors: 'shape' of tensor 'w' is the number 3, expected an array of whole numbers from 0 to "
       "9223372036854775807"},
      {file_of(one("U8", "[-1]", "[0,3]"), 3),
       ".16: m.safetensors: 'shape' of tensor 'w' is the number -1, expected an array"},
      {file_of(one("U8", "[-0]", "[0,0]"), 0),
       ".16: m.safetensors: 'shape' of tensor 'w' is the number -0, expected an array"},
      {file_of(one("U8", "[1.0]", "[0,1]"), 1),
       ".16: m.safetensors: 'shape' of tensor 'w' is the number 1.0, expected"},
      {file_of(one("U8", "[[1]]", "[0,1]"), 1), ".16: m.safetensors: 'shape' of tensor 'w' is an array, expected"},
      {file_of(one("U8", "[true]", "[0,1]"), 1), ".16: m.safetensors: 'shape' of tensor 'w' is true, expected"},
      {file_of(one("U8", "[\"1\"]", "[0,1]"), 1),
       ".16: m.safetensors: 'shape' of tensor 'w' is the string '1', expected"},
      {file_of(one("U8", "[9223372036854775808]", "[0,1]"), 1),
       ".16: m.safetensors: 'shape' of tensor 'w' is 9223372036854775808, expected"},
      {file_of(one("U8", "[99999999999999999999]", "[0,1]"), 1),
       ".16: m.safetensors: 'shape' of tensor 'w' is the number 99999999999999999999, expected"},
      {file_of(one("U8", "[1]", "[0]"), 1),
       ".16: m.safetensors: 'data_offsets' of tensor 'w' is an array of 1, expected an array of two whole numbers from "
       "0 on"},
      {file_of(one("U8", "[1]", "[0,1,2]"), 1),
       ".16: m.safetensors: 'data_offsets' of tensor 'w' is an array of more than 2"},
      {file_of(one("U8", "[1]", "[-1,0]"), 1), ".16: m.safetensors: 'data_offsets' of tensor 'w' is the number -1"},
      {file_of(R"({"__metadata__":{"a":1}})", 0),
       ".16: m.safetensors: __metadata__ 'a' is the number 1, expected a string"},
      {file_of(R"({"__metadata__":{"a":{}}})", 0),
       ".16: m.safetensors: __metadata__ 'a' is an object, expected a string"},
      {file_of(R"({"__metadata__":[]})", 0),
       ".16: m.safetensors: __metadata__ is an array, expected an object of strings"},
      {file_of(one("U8", "[" + std::string(128, '1') + "]", "[0,1]"), 1),
       ".16: m.safetensors: 'shape' of tensor 'w' is the number 1111"},
      {file_of(one("F32", "[4611686018427387904,4]", "[0,0]"), 0),
       ".20: m.safetensors: tensor 'w' has shape [4611686018427387904,4], expected dimensions whose product fits 63 "
       "bits" +
           damaged},
      {file_of(one("F64", "[0,4611686018427387904,4]", "[0,0]"), 0),
       ".20: m.safetensors: tensor 'w' has shape [0,4611"},
      {file_of(one("F64", "[2305843009213693952]", "[0,0]"), 0),
       ".20: m.safetensors: tensor 'w' has shape [2305843009213693952]"},
      {file_of(one("U8", "[1]", "[3,2]"), 3),
       ".21: m.safetensors: tensor 'w' begins at 3 and ends at 2, expected begin <= end" + damaged},
      {file_of(one("F32", "[2,3]", "[0,23]"), 23),
       ".22: m.safetensors: tensor 'w' has 23 bytes, expected 24, which is F32 [2,3]" + damaged},
      {file_of(one("U8", "[0]", "[0,1]"), 1),
       ".22: m.safetensors: tensor 'w' has 1 bytes, expected 0, which is U8 [0]"},
      {file_of(two("[0,2]", "[1,3]"), 3),
       ".23: m.safetensors: tensor 'b' begins at byte 1, inside the previous one, expected byte 2" + damaged},
      {file_of(two("[0,2]", "[0,2]"), 2), ".23: m.safetensors: tensor 'b' begins at byte 0, inside the previous one"},
      {file_of(two("[0,2]", "[3,5]"), 5),
       ".24: m.safetensors: a gap of 1 bytes before tensor 'b', expected contiguous tensors from byte 0" + damaged},
      {file_of(two("[3,5]", "[1,3]"), 5), ".24: m.safetensors: a gap of 1 bytes before tensor 'b'"},
      {file_of(two("[0,2]", "[2,4]"), 5),
       ".25: m.safetensors: 5 bytes of data, but the tensors end at byte 4, expected the same" + damaged},
      {file_of(two("[0,2]", "[2,4]"), 3),
       ".25: m.safetensors: 3 bytes of data, but the tensors end at byte 4, expected the "
       "same; the file is truncated: copy it again"},
      {file_of("{}", 1), ".25: m.safetensors: 1 bytes of data, but the tensors end at byte 0"},
      {file_of(one("U8", "[18446744073709551615]", "[0,18446744073709551615]"), 0), ".16: "},
      {file_of(one("U8", "[9223372036854775807]", "[18446744073709551615,9223372036854775806]"), 0), ".21: "},
  };
  for (const auto& c : cases) {
    CAPTURE(c.file);
    const std::string said = sentence([&] { walk(read_text(c.file)); });
    CAPTURE(said);
    CHECK(has(said, "entrain.checkpoint" + c.sentence));
    CHECK(said.starts_with("entrain.checkpoint"));
  }
}

TEST_CASE("safetensors: limits that keep a hostile header small") {
  std::string many = "{\"t\":{\"dtype\":\"U8\",\"shape\":[1";
  for (int i = 0; i < 32; ++i) many += ",1";
  CHECK(has(sentence([&] { read_text(file_of(many + "],\"data_offsets\":[0,1]}}", 1)); }),
            "entrain.checkpoint.17: m.safetensors: more than 32 dimensions, expected a model's weights"));

  std::string tensors = "{", metadata = "{\"__metadata__\":{";
  for (std::size_t i = 0; i <= HeaderLimits::entries; ++i) {
    tensors += (i ? ",\"" : "\"") + std::to_string(i) + R"(":{"dtype":"U8","shape":[],"data_offsets":[0,1]})";
    metadata += (i ? ",\"" : "\"") + std::to_string(i) + "\":\"\"";
  }
  CHECK(has(sentence([&] { read_text(file_of(tensors + "}", 1)); }), ".17: m.safetensors: more than 131072 tensors"));
  CHECK(has(sentence([&] { read_text(file_of(metadata + "}}", 1)); }),
            ".17: m.safetensors: more than 131072 metadata keys"));

  const std::string deep = "{\"a\":" + std::string(1'000'000, '[');
  CHECK(has(sentence([&] { read_text(file_of(deep, 0)); }), ".16: m.safetensors: tensor 'a' is an array"));
  for (const char c : {'n', '1'})
    CHECK(has(sentence([&] { read_text(file_of("{\"a\":" + std::string(5'000'000, c) + "}", 0)); }),
              ".17: m.safetensors: a name, text or number of more than 4194304 bytes, expected a model's weights"));
  const std::string text(4'000'000, '\\');  // two million escaped backslashes, no end of the text among them
  CHECK(read_text(file_of("{\"__metadata__\":{\"a\":\"" + text + "\"}}", 0)).metadata()[0].second.size() == 2'000'000);
  const std::string long_name = "{\"" + std::string(1'000'000, 'n') + "\":1}";
  CHECK(sentence([&] { read_text(file_of(long_name, 0)); }).size() < 300);
}

TEST_CASE(
    "safetensors: no truncation, no flipped byte and no inserted byte gets further than an Error or a sound file") {
  const std::string whole = get(golden + "library.safetensors");
  for (std::size_t length = 0; length < whole.size(); ++length)
    CHECK(!sentence([&] { walk(read_text(whole.substr(0, length))); }).empty());

  const std::size_t data = whole.size() - 121;  // the numbers: any byte is a number there
  const std::uint64_t right = walk(read_text(whole));
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string wrong = whole;
      wrong[at] = static_cast<char>(wrong[at] ^ (1 << bit));
      std::uint64_t sum = 0;
      const std::string said = sentence([&] { sum = walk(read_text(wrong)); });
      if (at >= data) CHECK((said.empty() && sum != right));
    }
  for (std::size_t at = 0; at < data; at += 3)
    for (const char c : {'\0', '"', '{', '}', '[', ',', '9', '\xFF'}) {
      std::string wrong = whole;
      wrong.insert(wrong.begin() + static_cast<std::ptrdiff_t>(at), c);
      sentence([&] { walk(read_text(wrong)); });
    }
}

TEST_CASE("safetensors: what cannot be written is refused, and no file is left") {
  const Scratch folder;
  const std::vector<float> x{1, 2, 3};
  const auto refusal = [&](std::vector<TensorView> views) {
    return sentence([&] { write_safetensors(folder / "w", views); });
  };
  CHECK(refusal({view_of<float>("x", {2}, x)}) ==
        "entrain.checkpoint.19: " + (folder / "w") + ": tensor 'x' has 12 bytes, expected F32 [2]");
  CHECK(has(refusal({view_of<float>("x", {-3}, x)}), "entrain.checkpoint.19"));
  CHECK(has(refusal({view_of<float>("x", {3}, x), view_of<float>("x", {3}, x)}),
            "entrain.checkpoint.14: " + (folder / "w") + ": tensor 'x' occurs twice"));
  CHECK(has(refusal({view_of<float>("\xFFx", {3}, x)}), "entrain.checkpoint.18"));
  CHECK(has(refusal({view_of<float>("__metadata__", {3}, x)}), "entrain.checkpoint.18"));
  CHECK(folder.names().empty());
}

TEST_CASE("safetensors: asking for what is not there says what is") {
  const auto file = read_safetensors(golden + "library.safetensors");
  CHECK(sentence([&] { file.at("head.weight", Dtype::f32, {3}); }) ==
        "entrain.checkpoint.26: " + golden +
            "library.safetensors: no tensor 'head.weight'; it has 15 tensors ('bytes', 'embed.table', 'empty', ...): "
            "check that it belongs to this model");
  CHECK(sentence([&] { file.at("head.bias", Dtype::f32, {3}); }) ==
        "entrain.checkpoint.27: " + golden +
            "library.safetensors: tensor 'head.bias' is F64 [3], expected F32 [3]; load it into the model that it was "
            "saved "
            "from");
  CHECK(has(sentence([&] { file.at("embed.table", Dtype::f32, {3, 2}); }), "is F32 [2,3], expected F32 [3,2]"));
}

TEST_CASE("read_file: what cannot be read is said; short reads and interruptions are not noticed") {
  const Scratch folder;
  CHECK(sentence([&] { read_safetensors(folder / "none"); }) ==
        "entrain.checkpoint.5: " + (folder / "none") + ": cannot open: No such file or directory; check the path");
  CHECK(sentence([&] { read_safetensors(folder.path()); }) ==
        "entrain.checkpoint.6: " + folder.path() + ": a folder, expected a file to read");
  CHECK(has(sentence([&] { read_file("/dev/zero"); }), "not a regular file, expected a file to read"));
  put(folder / "a", "0123456789");
  CHECK(sentence([&] { read_file(folder / "a", 9); }) ==
        "entrain.checkpoint.7: " + (folder / "a") +
            ": 10 bytes, expected at most 9 bytes; check that this is the intended file");
  CHECK(read_file(folder / "a", 10).text() == "0123456789");
  put(folder / "empty", "");
  CHECK(read_file(folder / "empty").text().empty());

  constexpr auto any = std::numeric_limits<std::int64_t>::max();
  for (int at = 0; at < 6; ++at) {
    CHECK(read_file(folder / "a", any, test::Faulty(test::Fault::half, at)).text() == "0123456789");
    const std::string said = sentence([&] { read_file(folder / "a", any, test::Faulty(test::Fault::io_error, at)); });
    if (at < 4) CHECK(has(said, "entrain.checkpoint.5: " + (folder / "a") + ": cannot "));
    if (at < 4) CHECK(has(said, "Input/output error"));
  }

  struct Shrinking : Posix {  // the file was longer when it was looked at
    int info_of(int fd, FileInfo& out) const {
      const int answer = Posix::info_of(fd, out);
      out.bytes += 5;
      return answer;
    }
  };
  CHECK(sentence([&] { read_file(folder / "a", any, Shrinking{}); }) ==
        "entrain.checkpoint.8: " + (folder / "a") +
            ": the file ended after 10 bytes, expected 15 bytes; another process wrote to it during the read: read it "
            "again");
}

}  // namespace safetensors_test
