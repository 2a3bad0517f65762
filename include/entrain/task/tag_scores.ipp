// text > batch > [task] > head > optim > checkpoint
//
// Definitions of tag_scores.hpp.
#pragma once
#include <memory>
#include <utility>
#include <variant>

#include "entrain/task/count_tags.hpp"
#include "entrain/task/tag_scores.hpp"

namespace entrain::task {

struct TagScores::Counting {
  template <class... File> using OneOf = std::variant<CountTags<File>...>;
  OneOf<text::Io, text::Iob1, text::Bio, text::Bioes, text::Bilou, text::Bmes> counted;
  text::SchemeId scheme;
};

ENTRAIN_INLINE TagScores::TagScores(const Tagged& gold, const std::vector<std::string>& types, text::SchemeId scheme)
    : counting_(text::with_scheme(gold.scheme, [&](auto id) {
        CountTags<decltype(id)> counted(gold, types);
        counted.predicted_in(scheme);
        return std::unique_ptr<Counting>(new Counting{std::move(counted), scheme});
      })) {}
ENTRAIN_INLINE TagScores::~TagScores() = default;

ENTRAIN_INLINE void TagScores::sentence(std::size_t s, std::span<const text::Tag> tags) {
  std::visit(
      [&](auto& counted) {
        counted.sentence(s, [&](auto&& sink) {
          text::with_scheme(counting_->scheme, [&](auto id) { text::decode<decltype(id)>(tags, sink); });
        });
      },
      counting_->counted);
}
ENTRAIN_INLINE score::Scores TagScores::scores() const {
  return std::visit([](const auto& counted) { return counted.scores(); }, counting_->counted);
}

}  // namespace entrain::task
