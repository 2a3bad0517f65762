// tests > fuzz > [text]
//
// Any vocabulary with scores, any map of characters, and any bytes as a text: the pieces and their code points are
// those that a search over all ways to cut gives, word by word. With a cache of words and almost without one, they are
// the same. With added pieces in addition, all code points are in range and in order.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "demand.hpp"
#include "entrain/text/tokenizer/unigram.hpp"
#include "entrain/text/unicode/graphemes.hpp"

using namespace entrain;
using test::demand;

namespace {

using Map = std::map<std::string, std::string>;

/// The bytes of a map of characters: 256 units for each node, so that no two nodes share one.
std::string charsmap(const Map& map) {
  if (map.empty()) return {};
  std::map<std::string, std::size_t> nodes{{"", 0}};  // a beginning of a key, and its number
  for (const auto& [key, with] : map)
    for (std::size_t n = 1; n <= key.size(); ++n) nodes.emplace(key.substr(0, n), nodes.size());
  std::vector<std::uint32_t> units((nodes.size() + 1) * 256);
  std::string texts;
  for (const auto& [beginning, number] : nodes) {
    const auto block = [](std::size_t node) { return (node + 1) * 256; };
    const auto byte = static_cast<unsigned char>(beginning.empty() ? '\0' : beginning.back());
    const std::size_t at = beginning.empty() ? 0 : block(nodes.at(beginning.substr(0, beginning.size() - 1))) + byte;
    const auto key = map.find(beginning);
    units[at] |= static_cast<std::uint32_t>((at ^ block(number)) << 10 | std::size_t{key != map.end()} << 8 | byte);
    if (key == map.end()) continue;
    units[block(number)] |= static_cast<std::uint32_t>(texts.size()) | 0x80000000u;
    texts += key->second + '\0';
  }
  std::string bytes;
  const auto put = [&](std::size_t n) {
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(n >> shift & 0xFF);
  };
  put(units.size() * 4);
  for (const std::uint32_t unit : units) put(unit);
  return bytes + texts;
}

/// What the map makes of a text.
std::string mapped(const Map& map, std::string_view text) {
  const auto shortest = [&](std::string_view key) {
    for (std::size_t n = 1; n <= key.size(); ++n)
      if (const auto it = map.find(std::string(key.substr(0, n))); it != map.end()) return it;
    return map.end();
  };
  std::string out;
  for (std::size_t at = 0, end; at < text.size(); at = end) {
    end = text::end_of_grapheme(text, at);
    const std::string_view cluster = text.substr(at, end - at);
    if (const auto it = cluster.size() <= 5 ? shortest(cluster) : map.end(); it != map.end()) {
      out += it->second;
      continue;
    }
    for (std::size_t i = 0, bytes; i < cluster.size(); i += bytes) {
      bytes = text::decode(cluster, i).bytes;
      const auto it = shortest(cluster.substr(i, bytes));
      out += it != map.end() ? it->second : std::string(cluster.substr(i, bytes));
    }
  }
  return out;
}

/// A code point of a text that the rules changed, and its place in the text itself.
struct Letter {
  std::string bytes;
  std::uint32_t place;
};
using Letters = std::vector<Letter>;

struct Model {
  std::map<std::string, std::int32_t> ids;
  std::vector<std::string> vocabulary{"<unk>"};
  std::vector<double> scores{0};
  text::UnigramOptions options;

  /// The pieces of a word: its best way of the best ways before each place, from the end to the beginning.
  void word(const Letters& letters, text::Pieces& out) const {
    double least = 0;
    for (const double score : scores) least = std::min(least, score);
    const std::size_t size = letters.size();
    std::vector<double> best(size + 1);
    std::vector<std::size_t> last(size + 1);  // where the last piece begins
    std::vector<std::int32_t> id(size + 1);
    for (std::size_t end = 1; end <= size; ++end) {
      bool found = false;
      for (std::size_t from = 0; from < end; ++from) {
        const auto it = ids.find(joined(letters, from, end));
        if (it == ids.end() && end > from + 1) continue;
        const std::int32_t piece = it == ids.end() ? 0 : it->second;
        const double score = best[from] + (it == ids.end() ? least - 10 : scores[static_cast<std::size_t>(piece)]);
        if (found && score <= best[end]) continue;
        found = true, best[end] = score, last[end] = from, id[end] = piece;
      }
      demand(found);
    }
    std::vector<std::size_t> ends;
    for (std::size_t end = size; end > 0; end = last[end]) ends.insert(ends.begin(), end);
    for (std::size_t k = 0, from = 0; k < ends.size(); ++k) {
      if (id[ends[k]] == 0 && k + 1 < ends.size() && id[ends[k + 1]] == 0) continue;  // adjacent unknown ones are one
      const auto it = ids.find(joined(letters, from, ends[k]));
      out.add(it == ids.end() ? 0 : it->second, letters[from].place, letters[ends[k] - 1].place + 1);
      from = ends[k];
    }
  }
  static std::string joined(const Letters& letters, std::size_t from, std::size_t end) {
    std::string text;
    for (std::size_t i = from; i < end; ++i) text += letters[i].bytes;
    return text;
  }
  static bool is_space(const Letter& letter) { return text::is_space(text::decode(letter.bytes, 0).cp); }

  /// The pieces of a text without added ones. places: of the bytes of what the map made of it.
  void text(const std::string& changed, const std::vector<std::uint32_t>& places, text::Pieces& out) const {
    Letters all;
    for (std::size_t at = 0, bytes; at < changed.size(); at += bytes) {
      bytes = text::decode(changed, at).bytes;
      all.push_back({changed.substr(at, bytes), places[at]});
    }
    while (options.strip_left && !all.empty() && is_space(all.front())) all.erase(all.begin());
    while (options.strip_right && !all.empty() && is_space(all.back())) all.pop_back();
    Letters kept;
    for (std::size_t i = 0, n; i < all.size(); i += n) {
      n = 1;
      while (all[i].bytes == " " && i + n < all.size() && all[i + n].bytes == " ") ++n;
      if (n == 1 || !options.two_spaces.empty())
        kept.push_back({n == 1 ? all[i].bytes : options.two_spaces, all[i + n - 1].place});
      else
        kept.insert(kept.end(), all.begin() + static_cast<std::ptrdiff_t>(i),
                    all.begin() + static_cast<std::ptrdiff_t>(i + n));
    }
    const std::string mark(text::Unigram::mark);
    std::vector<Letters> words;
    bool fresh = true;  // the next letter begins a word
    for (Letter letter : kept) {
      if (options.whitespace_split && is_space(letter)) {
        fresh = true;
        continue;
      }
      if (letter.bytes == " ") letter.bytes = mark;
      if (letter.bytes == mark)
        words.emplace_back();
      else if (fresh)
        words.push_back({{mark, letter.place}});
      words.back().push_back(letter);
      fresh = false;
    }
    for (const Letters& one : words) word(one, out);
  }
};

bool same(const text::Pieces& a, const text::Pieces& b) { return a.id == b.id && a.begin == b.begin && a.end == b.end; }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::size_t at = 0;
  const auto next = [&]() -> std::uint8_t { return at < size ? data[at++] : 0; };
  constexpr std::array<std::string_view, 16> letters{"a",      "b",      "c", "\xE2\x96\x81", "\u00e9", " ",
                                                     "\u4e2d", "\u0301", "<", "\u1100",       "\u3000", "\t",
                                                     "\r",     "\n",     "x", "\U0001F44D"};
  const auto written = [&](std::size_t most) {
    std::string s;
    for (std::size_t n = next() % (most + 1), i = 0; i < n; ++i) s += letters[next() % letters.size()];
    return s;
  };
  Model model;
  const std::uint8_t flags = next();
  auto& o = model.options;
  o.strip_left = (flags & 1) != 0, o.strip_right = (flags & 2) != 0,
  o.two_spaces = (flags & 4) == 0    ? ""
                 : (flags & 16) == 0 ? " "
                                     : "\xE2\x96\x81";
  o.whitespace_split = (flags & 8) == 0;
  model.ids.emplace("<unk>", 0);
  for (int k = next() % 32; k > 0; --k) {
    const std::string piece = written(5);
    const double score = static_cast<std::int8_t>(next()) / 4.0;  // sums of them are exact
    if (piece.empty() || !model.ids.emplace(piece, static_cast<std::int32_t>(model.vocabulary.size())).second) continue;
    model.vocabulary.push_back(piece);
    model.scores.push_back(score);
  }
  Map map;
  for (int k = (flags & 16) != 0 ? next() % 8 : 0; k > 0; --k)
    if (const std::string key = written(2); !key.empty()) map.emplace(key, written(3));
  o.precompiled_charsmap = charsmap(map);
  const bool with_added = (flags & 32) != 0;
  if (with_added) {
    const auto id = static_cast<std::int32_t>(model.vocabulary.size());
    const std::uint8_t how = next();
    o.added.push_back({written(3), id, (how & 1) != 0, (how & 2) != 0, (how & 4) != 0, false});
    o.added.push_back({written(3), id + 1, (how & 8) != 0, (how & 16) != 0, (how & 32) != 0, true});
  }
  std::string input;
  if ((flags & 64) != 0)
    while (at < size) input += letters[next() % letters.size()];
  else
    input.assign(reinterpret_cast<const char*>(data) + at, size - at);

  const text::Unigram tokenizer(model.vocabulary, model.scores, o);
  text::Unigram::Reader reader(tokenizer, 256), forgetful(tokenizer, 2);
  text::Pieces pieces, again, third;
  const std::uint32_t count = reader.encode(input, pieces, 5);
  demand(count == 5 + text::count_code_points(input));
  demand(forgetful.encode(input, again, 5) == count && reader.encode(input, third, 5) == count);
  demand(same(pieces, again) && same(pieces, third));
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    demand(0 <= pieces.id[i] && static_cast<std::size_t>(pieces.id[i]) < model.vocabulary.size() + o.added.size());
    demand(5 <= pieces.begin[i] && pieces.begin[i] <= pieces.end[i] && pieces.end[i] <= count);
    demand(with_added || pieces.begin[i] < pieces.end[i]);  // one that another's rstrip took has no code points left
    demand(i == 0 || (pieces.begin[i - 1] <= pieces.begin[i] && pieces.end[i - 1] <= pieces.end[i]));
  }
  if (with_added) return 0;

  std::string valid;
  text::repair_utf8(input, valid);
  text::MappedText changed;
  const text::Charsmap made(o.precompiled_charsmap);
  demand(5 + made.apply(valid, changed) == count);
  demand(changed.text == mapped(map, valid) && changed.place.size() == changed.text.size());
  for (std::size_t i = 0, begun = 0; i < changed.place.size(); ++i) {
    begun += (static_cast<unsigned char>(changed.text[i]) & 0xC0) != 0x80;
    demand(5 + changed.place[i] < count && (i == 0 || changed.place[i - 1] <= changed.place[i]));
    demand(!map.empty() || changed.place[i] == begun - 1);
  }
  for (std::uint32_t& place : changed.place) place += 5;
  text::Pieces expected;
  model.text(changed.text, changed.place, expected);
  demand(same(pieces, expected));
  return 0;
}
