// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of text_source.hpp.
#pragma once
#include <string_view>
#include <utility>

#include "entrain/app/text_source.hpp"
#include "entrain/batch/augmented.hpp"
#include "entrain/batch/one_of.hpp"
#include "entrain/core/error.hpp"
#include "entrain/text/annotated_text.hpp"
#include "entrain/text/byte_stream.hpp"
#include "entrain/text/conll_stream.hpp"
#include "entrain/text/entity_swap.hpp"
#include "entrain/text/jsonl_stream.hpp"
#include "entrain/text/recase.hpp"
#include "entrain/text/token_drop.hpp"

namespace entrain::app {
namespace detail {

/// What annotations are written in; files of tags keep theirs.
using AnyText = batch::OneOf<text::Conll<text::Bio>, text::Jsonl<text::Bioes>, text::AnnotatedText<text::Bioes>>;
using Varied = batch::AugmentedBy<text::ReadBy, AnyText, text::EntitySwap, text::TokenDrop, text::Recase>;
using AsItIsOrVaried = batch::OneOf<AnyText, Varied>;

inline AnyText any_text(const std::vector<std::string>& files, const Reading& reading, std::size_t block_bytes) {
  switch (format_of(files, reading)) {
    case Format::jsonl:
      return AnyText(text::Jsonl<text::Bioes>(files, reading.records, block_bytes));
    case Format::annotated:
      return AnyText(text::AnnotatedText<text::Bioes>(files, reading.records, block_bytes));
    case Format::conll:
      break;
  }
  return AnyText(text::Conll<text::Bio>(files, reading.conll, block_bytes));
}

inline AsItIsOrVaried varied(AnyText text, const Variation& v) {
  if (!v.how) return AsItIsOrVaried(std::move(text));
  return AsItIsOrVaried(Varied(std::move(text), text::AugmentOptions{v.seed}, v.reading,
                               text::EntitySwap(v.entities, v.how.entity_swap), text::TokenDrop(v.how.token_drop),
                               text::Recase(v.how.lower_case)));
}

/// What a name's ending says, .gz and .zst apart; or else auto.
inline std::string_view format_by_name(std::string_view name) {
  for (const std::string_view packed : {".gz", ".zst"})
    if (name.ends_with(packed)) name.remove_suffix(packed.size());
  for (const std::string_view ending : {".jsonl", ".json", ".ndjson"})
    if (name.ends_with(ending)) return "jsonl";
  for (const std::string_view ending : {".conll", ".conllu", ".iob", ".iob2", ".bio"})
    if (name.ends_with(ending)) return "conll";
  return "auto";
}

/// What the first line with something in it says: an object; a text, a TAB and a list; or columns.
inline std::string_view format_by_beginning(const std::string& file) {
  std::string head(std::size_t{1} << 16, '\0');
  text::ByteStream stream = text::ByteStream::open(file);
  head.resize(stream.read(head.data(), head.size()));
  std::string_view rest = head;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
  const std::size_t begin = rest.find_first_not_of(" \t\r\n");
  if (begin == rest.npos) return "conll";
  const std::string_view line = rest.substr(begin, rest.find('\n', begin) - begin);
  if (line.starts_with('{')) return "jsonl";
  const std::size_t tab = line.find('\t');
  return tab != line.npos && line.substr(tab + 1).find_first_not_of(' ') != line.npos &&
                 line[line.find_first_not_of(' ', tab + 1)] == '['
             ? "annotated"
             : "conll";
}

}  // namespace detail

ENTRAIN_PART std::string format_name(Format format) {
  return format == Format::jsonl ? "jsonl" : format == Format::annotated ? "annotated" : "conll";
}

ENTRAIN_PART Format format_of(const std::vector<std::string>& files, const Reading& reading) {
  const auto by_name = [](std::string_view name) {
    return name == "jsonl" ? Format::jsonl : name == "annotated" ? Format::annotated : Format::conll;
  };
  if (reading.format != "auto") return by_name(reading.format);
  std::string_view found = "auto";
  for (const std::string& file : files) {
    const std::string_view one = detail::format_by_name(file);
    if (one == "auto") continue;
    if (found != "auto" && found != one)
      throw Error("entrain.app.30", file, "by its name " + std::string(one),
                  std::string(found) + ", as files before it", "say which with --input-format");
    found = one;
  }
  if (found == "auto" && !files.empty() && files[0] != "-") found = detail::format_by_beginning(files[0]);
  return by_name(found);
}

struct TextSource::Inside {
  detail::AsItIsOrVaried any;
};
struct TextSource::Raw::Inside {
  detail::AsItIsOrVaried::Raw any;
};
struct TextSource::Work::Inside {
  decltype(std::declval<detail::AsItIsOrVaried&>().work()) any;
};

ENTRAIN_PART TextSource::Raw::Raw() : inside_(std::make_unique<Inside>()) {}
ENTRAIN_PART TextSource::Raw::Raw(Raw&&) noexcept = default;
ENTRAIN_PART TextSource::Raw& TextSource::Raw::operator=(Raw&&) noexcept = default;
ENTRAIN_PART TextSource::Raw::~Raw() = default;

ENTRAIN_PART TextSource::Work::Work(TextSource& of) : inside_(new Inside{of.inside_->any.work()}) {}
ENTRAIN_PART TextSource::Work::Work(Work&&) noexcept = default;
ENTRAIN_PART TextSource::Work::~Work() = default;
ENTRAIN_PART void TextSource::Work::operator()(Raw& raw, text::Corpus& corpus, Lane* lane) {
  batch::work_by<detail::AsItIsOrVaried>(inside_->any, raw.inside_->any, corpus, lane);
}

ENTRAIN_PART TextSource::TextSource(const std::vector<std::string>& files, const Reading& reading,
                                    std::size_t block_bytes, const Variation& variation)
    : inside_(new Inside{detail::varied(detail::any_text(files, reading, block_bytes), variation)}) {}
ENTRAIN_PART TextSource::TextSource(TextSource&&) noexcept = default;
ENTRAIN_PART TextSource::~TextSource() = default;
ENTRAIN_PART void TextSource::start(std::uint32_t epoch, const Cursor& at) { inside_->any.start(epoch, at); }
ENTRAIN_PART TextSource::Cursor TextSource::cursor() const { return inside_->any.cursor(); }
ENTRAIN_PART bool TextSource::read(Raw& raw, Lane* lane) {
  return batch::read_from(inside_->any, raw.inside_->any, lane);
}

}  // namespace entrain::app
