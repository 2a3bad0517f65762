// [text] > batch > embed > encode > head > optim > checkpoint
//
// Definitions of unigram.hpp.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/core/fields.hpp"
#include "entrain/text/tokenizer/unigram.hpp"
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::text {

ENTRAIN_INLINE Unigram::Unigram(std::vector<std::string> vocabulary, std::vector<double> scores, UnigramOptions options,
                                const std::string& where)
    : options_(std::move(options)),
      vocabulary_(std::move(vocabulary)),
      scores_(std::move(scores)),
      map_(options_.precompiled_charsmap, where) {
  if (scores_.size() != vocabulary_.size())
    throw Error("entrain.text.19", where,
                std::to_string(scores_.size()) + " scores of " + std::to_string(vocabulary_.size()) + " pieces",
                "one for each");
  std::unordered_map<std::string_view, std::int32_t> ids;
  std::vector<std::pair<std::string_view, std::int32_t>> pieces;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < vocabulary_.size(); ++i) {
    const auto id = static_cast<std::int32_t>(i);
    if (!std::isfinite(scores_[i]))
      throw Error("entrain.text.19", where, "piece '" + vocabulary_[i] + "' has a score that is not finite",
                  "the logarithm of a probability");
    least = std::min(least, scores_[i]);
    if (vocabulary_[i].empty()) continue;
    if (const auto [there, fresh] = ids.emplace(vocabulary_[i], id); !fresh)
      throw Error("entrain.text.14", where,
                  "'" + vocabulary_[i] + "' has ids " + std::to_string(there->second) + " and " + std::to_string(i),
                  "one id per piece");
    pieces.emplace_back(vocabulary_[i], id);
  }
  const auto unknown = ids.find(options_.unk_token);
  if (unknown == ids.end())
    throw Error("entrain.text.15", where, "no piece " + options_.unk_token + " among " + std::to_string(ids.size()),
                "a piece for unknown words", "name it by model.unk_id in tokenizer.json");
  unknown_ = unknown->second;
  unknown_score_ = least - 10;
  trie_ = PieceTrie(std::move(pieces));
  std::vector<AddedPiece> first, later;
  for (const AddedPiece& one : options_.added) {
    if (!one.normalized) {
      first.push_back(one);
      continue;
    }
    MappedText mapped;
    std::string valid;
    repair_utf8(one.text, valid);
    normalize(valid, mapped);
    later.push_back(one);
    later.back().text = std::move(mapped.text);
  }
  only_map_ = later.empty() && !options_.strip_left && !options_.strip_right && options_.two_spaces.empty();
  added_ = AddedPieces(std::move(first));
  normalized_ = AddedPieces(std::move(later));
}

ENTRAIN_INLINE std::string Unigram::fingerprint() const {
  Fields fields;
  fields.say("tokenizer", "Unigram");
  fields.say("vocabulary", vocabulary_);
  for (const double score : scores_) fields.number("score", std::bit_cast<std::int64_t>(score));
  fields.say("unk_token", options_.unk_token);
  fields.say("precompiled_charsmap", options_.precompiled_charsmap);
  fields.say("two_spaces", options_.two_spaces);
  fields.number("flags", options_.strip_left | options_.strip_right << 1 | options_.whitespace_split << 2);
  for (const AddedPieces* const added : {&added_, &normalized_}) say_added(fields, added->all());
  return fields.bytes();
}

ENTRAIN_INLINE std::uint32_t Unigram::normalize(std::string_view text, MappedText& out) const {
  out.clear();
  const std::uint32_t count = map_.apply(text, out);
  std::size_t begin = 0, end = out.text.size();
  while (options_.strip_left && begin < end) {
    const CodePoint p = decode(out.text, begin);
    if (!is_space(p.cp)) break;
    begin += p.bytes;
  }
  for (std::size_t last = end; options_.strip_right && last > begin;) {
    do {
      --last;
    } while (last > begin && (static_cast<unsigned char>(out.text[last]) & 0xC0) == 0x80);
    if (!is_space(decode(out.text, last).cp)) break;
    end = last;
  }
  out.text.resize(end), out.place.resize(end);
  out.text.erase(0, begin), out.place.erase(out.place.begin(), out.place.begin() + static_cast<std::ptrdiff_t>(begin));
  if (options_.two_spaces.empty() || out.text.find("  ") == out.text.npos) return count;
  MappedText joined;
  for (std::size_t at = 0, run; at < out.text.size(); at += run) {
    run = std::min(out.text.find_first_not_of(' ', at), out.text.size()) - at;
    const std::string_view kept =
        run > 1 ? std::string_view(options_.two_spaces) : std::string_view(out.text).substr(at, 1);
    run = std::max<std::size_t>(run, 1);
    joined.text += kept;
    joined.place.insert(joined.place.end(), kept.size(), out.place[at + run - 1]);  // of its last space
  }
  out = std::move(joined);
  return count;
}

ENTRAIN_INLINE std::uint32_t Unigram::Reader::mapped(std::string_view text, std::uint32_t from, Pieces& out) {
  valid_.clear();
  repair_utf8(text, valid_);
  const std::uint32_t count = of_->normalize(valid_, mapped_);
  const std::string_view all = mapped_.text;
  const std::uint32_t* const table = mapped_.place.data();
  std::size_t at = 0;  // the byte of `all` that is next
  of_->normalized_.split(
      all, 0,
      [&](std::string_view part, std::uint32_t first) {
        words(part, Places{from, table + at}, out);
        at += part.size();
        return first + static_cast<std::uint32_t>(count_code_points(part));
      },
      [&](std::int32_t id, std::uint32_t first, std::uint32_t after) {
        const std::size_t begin = at;
        for (std::uint32_t i = first; i < after; ++i) at += decode(all, at).bytes;
        if (begin < at) out.add(id, from + table[begin], from + table[at - 1] + 1);
      });
  return from + count;
}

ENTRAIN_INLINE void Unigram::Reader::search(std::string_view text) {
  word_.assign(mark).append(text);
  const std::size_t size = word_.size();
  cuts_.assign(size + 1, Cut{0, no_piece, 0});
  const PieceTrie& trie = of_->trie_;
  for (std::size_t at = 0, next; at < size; at = next) {
    next = at + decode(word_, at).bytes;
    const double until = cuts_[at].score;
    const auto consider = [&](std::size_t end, std::int32_t id, double score) {
      Cut& cut = cuts_[end];
      if (cut.id == no_piece || until + score > cut.score) cut = {until + score, id, static_cast<std::uint32_t>(at)};
    };
    bool known = false;  // the code point is a piece
    std::uint32_t node = 0;
    for (std::size_t end = at; end < size && (node = trie.child(node, word_[end])) != PieceTrie::nowhere;) {
      ++end;
      const std::int32_t id = trie.piece(node);
      if (id == no_piece) continue;
      consider(end, id, of_->scores_[static_cast<std::size_t>(id)]);
      known = known || end == next;
    }
    if (!known) consider(next, of_->unknown_, of_->unknown_score_);
  }
  path_.clear();
  for (std::size_t end = size; end > 0; end = cuts_[end].from) {
    const std::int32_t id = cuts_[end].id;
    if (id != of_->unknown_ || path_.empty() || path_.back().id != id)  // else it is a part of the one after it
      path_.push_back({id, static_cast<std::uint32_t>(end)});
  }
  for (std::size_t k = 0; k < path_.size(); ++k) {
    if (path_[k].id != of_->unknown_) continue;
    const std::size_t begin = k + 1 < path_.size() ? path_[k + 1].end : 0;
    const std::int32_t id = of_->find(std::string_view(word_).substr(begin, path_[k].end - begin));
    if (id != no_piece) path_[k].id = id;  // adjacent unknown code points may spell a piece
  }
}

}  // namespace entrain::text
