// tests > fuzz > [text]
//
// Any bytes as comma-separated values: refused in words, or the records of a reader that goes letter by letter, in
// blocks of any size. The first bytes are options.
#include "entrain/text/csv/csv.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>

#include "../text/csv_by_letter.hpp"

namespace {
using namespace entrain::text;

struct Result {
  std::string rows;
  std::uint64_t bad = 0, lines = 0;
};

/// As Blocks cuts them.
Result read(const CsvRecords& records, std::string_view bytes, std::size_t block_bytes) {
  Result all;
  CsvOptions options;
  options.lenient = true;
  Csv::Work work{Csv::RecordOptions(options)};
  Csv::Raw raw;
  raw.layout = records.layout();
  Texts texts;
  for (; !bytes.empty(); bytes.remove_prefix(raw.block.bytes.size())) {
    std::size_t size = 0;
    for (std::size_t room = block_bytes; size == 0; room *= 2)
      size = room > bytes.size() ? bytes.size() : records.cut(bytes.substr(0, room));
    raw.block.bytes = bytes.substr(0, size);
    work(raw, texts);
    for (std::size_t i = 0; i < texts.size(); ++i)
      all.rows += test::csv_row(texts.line[i], texts.text(i), texts.label_name(i));
    if (texts.problems.size() != texts.met.malformed) std::abort();
    all.bad += texts.met.malformed;
    all.lines += texts.met.lines;
    raw.block.line += static_cast<std::uint64_t>(std::count(raw.block.bytes.begin(), raw.block.bytes.end(), '\n'));
  }
  return all;
}

bool same(const CsvLayout& a, const CsvLayout& b) {
  return a.form.delimiter == b.form.delimiter && a.form.quotes == b.form.quotes && a.columns == b.columns &&
         a.text == b.text && a.label == b.label && a.header_line == b.header_line &&
         a.delimiter_line == b.delimiter_line;
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  CsvOptions options;
  options.delimiter = "\0\0,;\t|"[data[0] % 6];
  options.header = (data[0] & 64) == 0;
  options.labels = (data[0] & 128) == 0;
  options.quotes = data[1] < 200;
  const std::size_t block_bytes = 1 + data[1] % 50, head = data[2];
  const std::string_view bytes(reinterpret_cast<const char*>(data + 3), size - 3);
  CsvRecords records(options);
  std::string refusal, early;
  try {
    if (!records.begin("fuzz", bytes, true)) std::abort();
  } catch (const entrain::Error& e) {
    refusal = e.what();
  }
  try {  // a part of it says the same, or that it is too small
    CsvRecords part(options);
    if (part.begin("fuzz", bytes.substr(0, head), false) &&
        (!refusal.empty() || !same(*part.layout(), *records.layout())))
      std::abort();
  } catch (const entrain::Error& e) {
    if (refusal != e.what()) std::abort();
  }
  if (!refusal.empty()) return 0;
  const Result whole = read(records, bytes, bytes.size() + 1), blocks = read(records, bytes, block_bytes);
  const test::CsvByLetter expected(bytes, *records.layout());
  if (whole.rows != expected.rows || whole.bad != expected.bad) std::abort();
  if (blocks.rows != expected.rows || blocks.bad != expected.bad) std::abort();
  if (whole.lines != blocks.lines || whole.lines != expected.line - (bytes.empty() || bytes.ends_with('\n')))
    std::abort();
  return 0;
}
