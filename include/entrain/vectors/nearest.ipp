// text > batch > kernel > [vectors] > embed > train > app
//
// Definitions of nearest.hpp.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/text/corpus/excerpt.hpp"
#include "entrain/text/files/file.hpp"
#include "entrain/text/split/splitter.hpp"
#include "entrain/text/unicode/unicode.hpp"
#include "entrain/vectors/nearest.hpp"

namespace entrain::vectors {
namespace detail {

/// In 16 sums, which a compiler keeps in registers.
inline double dot(const float* a, const float* b, std::size_t n) {
  std::array<float, 16> sum{};
  std::size_t i = 0;
  for (; i + 16 <= n; i += 16)
    for (std::size_t k = 0; k < 16; ++k) sum[k] += a[i + k] * b[i + k];
  double all = 0;
  for (const float s : sum) all += static_cast<double>(s);
  for (; i < n; ++i) all += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return all;
}

}  // namespace detail

ENTRAIN_INLINE Nearest::Nearest(const WordVectors& vectors, std::size_t most_words)
    : vectors_(&vectors),
      most_(most_words == 0 ? vectors.size() : std::min(most_words, vectors.size())),
      unit_(vectors.rows) {
  const std::size_t width = vectors.width;
  for (std::size_t w = 0; w < vectors.size(); ++w) {
    float* const row = unit_.data() + w * width;
    const double length = std::sqrt(detail::dot(row, row, width));
    if (length > 0)
      for (std::size_t c = 0; c < width; ++c) row[c] = static_cast<float>(static_cast<double>(row[c]) / length);
  }
}

ENTRAIN_INLINE Nearest::Id Nearest::find(std::string_view word) const {
  const Id id = vectors_->words.find(word);
  if (id != text::Vocabulary::unknown) return id;
  const std::string lower = text::lower(word);
  const bool in_lower = lower != word && vectors_->words.contains(lower);
  throw Error("entrain.vectors.20", "", "no vector for '" + text::excerpt(word) + "'", "a word of the vectors",
              in_lower ? "the word in lower case, '" + lower + "', has one" : std::string());
}

ENTRAIN_INLINE std::vector<Neighbour> Nearest::near(const std::vector<float>& place, std::span<const Id> without,
                                                    std::size_t count) const {
  const double length = std::sqrt(detail::dot(place.data(), place.data(), place.size()));
  std::vector<Neighbour> found;  // a heap, the farthest on top
  const auto nearer = [](const Neighbour& a, const Neighbour& b) {
    return a.cosine != b.cosine ? a.cosine > b.cosine : a.word < b.word;
  };
  for (std::size_t w = 0; w < most_; ++w) {
    const auto id = static_cast<Id>(w);
    if (std::find(without.begin(), without.end(), id) != without.end()) continue;
    const double d = detail::dot(unit(w).data(), place.data(), place.size());
    const Neighbour n{id, length > 0 ? d / length : 0};
    if (found.size() == count && (count == 0 || !nearer(n, found.front()))) continue;
    if (found.size() == count) {
      std::pop_heap(found.begin(), found.end(), nearer);
      found.pop_back();
    }
    found.push_back(n);
    std::push_heap(found.begin(), found.end(), nearer);
  }
  std::sort_heap(found.begin(), found.end(), nearer);
  return found;
}

ENTRAIN_INLINE std::vector<float> Nearest::place_of(Id a, Id b, Id c) const {
  std::vector<float> place(vectors_->width);
  for (std::size_t i = 0; i < place.size(); ++i) place[i] = unit(b)[i] - unit(a)[i] + unit(c)[i];
  return place;
}

ENTRAIN_INLINE std::vector<Neighbour> Nearest::to(std::string_view word, std::size_t count) const {
  const Id id = find(word);
  return near({unit(id).begin(), unit(id).end()}, std::array{id}, count);
}

ENTRAIN_INLINE std::vector<Neighbour> Nearest::analogy(std::string_view a, std::string_view b, std::string_view c,
                                                       std::size_t count) const {
  const Id x = find(a), y = find(b), z = find(c);
  return near(place_of(x, y, z), std::array{x, y, z}, count);
}

ENTRAIN_INLINE std::vector<AnalogyScore> Nearest::score(const std::string& file) const {
  const std::string bytes = text::read_file(file);
  std::vector<AnalogyScore> out;
  std::uint64_t line = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
    const std::string_view text = std::string_view(bytes).substr(at, end - at);
    at = end + 1;
    ++line;
    std::vector<text::Token> tokens;
    text::Whitespace::split(text, tokens);
    if (tokens.empty()) continue;
    if (tokens[0].in(text) == ":") {
      out.push_back({std::string(text.substr(tokens[tokens.size() > 1].begin)), 0, 0, 0});
      continue;
    }
    if (tokens.size() != 4)
      throw Error("entrain.vectors.21", text::name_of(file) + ":" + std::to_string(line),
                  std::to_string(tokens.size()) + (tokens.size() == 1 ? " word" : " words"),
                  "four, as in: he she king queen", "a line that begins with ':' names the kind of what follows");
    if (out.empty()) out.push_back({"analogies", 0, 0, 0});
    std::array<Id, 4> ids;
    bool known = true;
    for (std::size_t i = 0; i < 4; ++i) {
      ids[i] = vectors_->words.find(tokens[i].in(text));
      known = known && ids[i] != text::Vocabulary::unknown && ids[i] < most_;
    }
    if (!known) {
      ++out.back().unknown;
      continue;
    }
    const auto found = near(place_of(ids[0], ids[1], ids[2]), std::span(ids).first(3), 1);
    ++out.back().questions;
    out.back().right += !found.empty() && found[0].word == ids[3];
  }
  return out;
}

}  // namespace entrain::vectors
