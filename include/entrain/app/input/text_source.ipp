// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Definitions of text_source.hpp.
#pragma once
#include <utility>

#include "entrain/app/input/format.hpp"
#include "entrain/app/input/text_source.hpp"
#include "entrain/app/train/unchanged.hpp"
#include "entrain/batch/pack/augmented.hpp"
#include "entrain/batch/pipeline/one_of.hpp"
#include "entrain/core/error.hpp"
#include "entrain/text/augment/entity_swap.hpp"
#include "entrain/text/augment/recase.hpp"
#include "entrain/text/augment/token_drop.hpp"
#include "entrain/text/conll/conll_stream.hpp"
#include "entrain/text/records/annotated_text.hpp"
#include "entrain/text/records/jsonl_stream.hpp"

namespace entrain::app {
namespace detail {

/// The scheme that annotations are converted to, if --scheme does not name one; files of tags keep theirs.
using AnyText = batch::OneOf<text::Conll<text::Bio>, text::Jsonl<text::Bioes>, text::AnnotatedText<text::Bioes>>;
using Varied = batch::AugmentedBy<text::ReadBy, AnyText, text::EntitySwap, text::TokenDrop, text::Recase>;
using AsItIsOrVaried = batch::OneOf<AnyText, Varied>;

inline AnyText any_text(const std::vector<std::string>& files, const Reading& reading, std::size_t block_bytes) {
  switch (tagged_format_of(files, reading)) {
    case Format::jsonl:
      return AnyText(text::Jsonl<text::Bioes>(files, reading.records, block_bytes));
    case Format::annotated:
      return AnyText(text::AnnotatedText<text::Bioes>(files, reading.records, block_bytes));
    default:
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

}  // namespace detail

struct TextSource::Inside {
  detail::AsItIsOrVaried any;
  std::shared_ptr<Unchanged> unchanged;

  /// Calls f(); if it throws and the files have changed, throws the error for that instead.
  template <class F> static auto asked(const std::shared_ptr<Unchanged>& unchanged, F&& f) {
    try {
      return f();
    } catch (const Error&) {
      if (unchanged) unchanged->check();
      throw;
    }
  }
};
struct TextSource::Raw::Inside {
  detail::AsItIsOrVaried::Raw any;
};
struct TextSource::Work::Inside {
  decltype(std::declval<detail::AsItIsOrVaried&>().work()) any;
  std::shared_ptr<Unchanged> unchanged;
};

ENTRAIN_INLINE TextSource::Raw::Raw() : inside_(std::make_unique<Inside>()) {}
ENTRAIN_INLINE TextSource::Raw::Raw(Raw&&) noexcept = default;
ENTRAIN_INLINE TextSource::Raw& TextSource::Raw::operator=(Raw&&) noexcept = default;
ENTRAIN_INLINE TextSource::Raw::~Raw() = default;

ENTRAIN_INLINE TextSource::Work::Work(TextSource& of)
    : inside_(new Inside{of.inside_->any.work(), of.inside_->unchanged}) {}
ENTRAIN_INLINE TextSource::Work::Work(Work&&) noexcept = default;
ENTRAIN_INLINE TextSource::Work::~Work() = default;
ENTRAIN_INLINE void TextSource::Work::operator()(Raw& raw, text::Corpus& corpus, Lane* lane) {
  TextSource::Inside::asked(inside_->unchanged, [&] {
    batch::work_by<detail::AsItIsOrVaried>(inside_->any, raw.inside_->any, corpus, lane);
  });
}

ENTRAIN_INLINE TextSource::TextSource(const std::vector<std::string>& files, const Reading& reading,
                                      std::size_t block_bytes, const Variation& variation,
                                      std::shared_ptr<Unchanged> unchanged)
    : inside_(
          new Inside{detail::varied(detail::any_text(files, reading, block_bytes), variation), std::move(unchanged)}) {}
ENTRAIN_INLINE TextSource::TextSource(TextSource&&) noexcept = default;
ENTRAIN_INLINE TextSource::~TextSource() = default;
ENTRAIN_INLINE void TextSource::start(std::uint32_t epoch, const Cursor& at) {
  if (inside_->unchanged) inside_->unchanged->check();
  Inside::asked(inside_->unchanged, [&] { inside_->any.start(epoch, at); });
}
ENTRAIN_INLINE TextSource::Cursor TextSource::cursor() const { return inside_->any.cursor(); }
ENTRAIN_INLINE bool TextSource::read(Raw& raw, Lane* lane) {
  const bool more =
      Inside::asked(inside_->unchanged, [&] { return batch::read_from(inside_->any, raw.inside_->any, lane); });
  if (!more && inside_->unchanged) inside_->unchanged->check();
  return more;
}

}  // namespace entrain::app
