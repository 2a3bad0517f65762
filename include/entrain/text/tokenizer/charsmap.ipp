// [text] > batch > embed > encode > head > optim > checkpoint
//
// Definitions of charsmap.hpp.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entrain/core/error.hpp"
#include "entrain/text/tokenizer/charsmap.hpp"
#include "entrain/text/unicode/graphemes.hpp"
#include "entrain/text/unicode/utf8.hpp"

namespace entrain::text {

namespace detail {

/// One unit of a double array: the byte that leads to it, whether a key ends at it, and how far its children are.
///
/// source    Yata, Darts-clone 0.32, the format of its units
struct ArrayUnit {
  std::uint32_t bits;

  bool ends_key() const noexcept { return (bits >> 8 & 1) != 0; }
  std::uint32_t label() const noexcept { return bits & 0x800000FF; }  // more than 255: it holds a value
  std::uint32_t value() const noexcept { return bits & 0x7FFFFFFF; }
  /// By exclusive or with the unit's own place: the place of the value, and with a byte more that of a child.
  std::size_t offset() const noexcept { return std::size_t{bits >> 10} << ((bits & 0x200) >> 6); }
};

/// Writes what a map makes of a text, and the places. A removal belongs to the code point that was written last.
class MapWriter {
 public:
  explicit MapWriter(MappedText& out) : out_(out) {}

  void keep(char ascii) { put({&ascii, 1}, 0); }
  void keep(std::string_view code_point) { put(code_point, 0); }
  /// `count`: how many code points it replaces.
  void replace(std::uint32_t count, std::string_view with) {
    std::uint32_t written = 0;
    for (std::size_t at = 0; at < with.size(); ++written) {
      const std::size_t bytes = decode(with, at).bytes;
      put(with.substr(at, bytes), written >= count);
      at += bytes;
    }
    if (written >= count) return;
    const std::uint32_t removed = count - written;
    if (last_bytes_ == 0) {
      read_ += removed;
    } else if (last_is_new_) {
      last_is_new_ = false;
      removed_ += removed - 1;
    } else {
      removed_ += removed;
    }
  }
  std::uint32_t finish() {
    settle();
    return read_;
  }

 private:
  void put(std::string_view code_point, bool is_new) {
    settle();
    out_.text += code_point;
    last_bytes_ = code_point.size(), last_is_new_ = is_new;
  }
  void settle() {
    if (last_bytes_ == 0) return;
    out_.place.insert(out_.place.end(), last_bytes_, last_is_new_ ? read_ - 1 : read_);
    if (!last_is_new_) read_ += 1 + removed_;
    last_bytes_ = 0, removed_ = 0;
  }

  MappedText& out_;
  std::uint32_t read_ = 0;      // code points of the text that have a place
  std::size_t last_bytes_ = 0;  // of the code point that was written last, whose place may still change
  bool last_is_new_ = false;    // it has the place of the one before it
  std::uint32_t removed_ = 0;   // code points after it that nothing replaces
};

}  // namespace detail

ENTRAIN_INLINE Charsmap::Charsmap(std::string bytes, const std::string& where) : bytes_(std::move(bytes)) {
  if (bytes_.empty()) return;
  const auto number = [&](std::size_t at) {
    std::uint32_t n = 0;
    for (std::size_t i = 0; i < 4; ++i)
      n |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes_[at + i])) << (8 * i);
    return n;
  };
  const auto refuse = [&](const std::string& found) {
    throw Error("entrain.text.18", where, found, "SentencePiece's map of characters", "restore the file");
  };
  if (bytes_.size() < 4) refuse("a map of characters of " + std::to_string(bytes_.size()) + " bytes");
  const std::size_t size = number(0);
  if (size % 4 != 0 || size > bytes_.size() - 4)
    refuse("a map of characters of " + std::to_string(bytes_.size()) + " bytes with an array of " +
           std::to_string(size) + " bytes");
  for (std::size_t i = 0; i < size / 4; ++i) units_.push_back(number(4 + 4 * i));
  if (const std::string found = fault(); !found.empty()) refuse("a map of characters with " + found);
  for (std::size_t c = 1; c < changes_.size(); ++c) {
    const char ascii = static_cast<char>(c);
    changes_[c] = find({&ascii, 1}).has_value();
  }
}

/// Looks at every unit that a text may reach, so that find() needs no checks.
ENTRAIN_INLINE std::string Charsmap::fault() const {
  using detail::ArrayUnit;
  if (units_.empty()) return "no units";
  if (!is_valid_utf8(texts())) return "a replacement that is not UTF-8";
  std::vector<bool> met(units_.size());
  std::vector<std::size_t> open{0};
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    const ArrayUnit unit{units_[at]};
    const std::size_t base = at ^ unit.offset();
    if ((base | 0xFF) >= units_.size()) return "a unit outside its array";
    if (unit.ends_key() && at != 0) {  // no key is empty
      const std::size_t value = ArrayUnit{units_[base]}.value();
      if (value >= texts().size()) return "a replacement outside its texts";
      if ((static_cast<unsigned char>(texts()[value]) & 0xC0) == 0x80) return "a replacement that is not UTF-8";
    }
    for (std::size_t byte = 1; byte < 256; ++byte) {
      const std::size_t child = base ^ byte;
      if (ArrayUnit{units_[child]}.label() != byte || met[child]) continue;
      if (child == 0) return "a root that is a child";
      met[child] = true;
      open.push_back(child);
    }
  }
  return {};
}

ENTRAIN_INLINE std::optional<std::string_view> Charsmap::find(std::string_view text) const noexcept {
  using detail::ArrayUnit;
  if (units_.empty()) return std::nullopt;
  std::size_t node = ArrayUnit{units_[0]}.offset();
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte == 0) break;
    node ^= byte;
    const ArrayUnit unit{units_[node]};
    if (unit.label() != byte) break;
    node ^= unit.offset();
    if (!unit.ends_key()) continue;
    const std::string_view rest = texts().substr(ArrayUnit{units_[node]}.value());
    return rest.substr(0, rest.find('\0'));
  }
  return std::nullopt;
}

ENTRAIN_INLINE std::uint32_t Charsmap::apply(std::string_view text, MappedText& out) const {
  constexpr std::size_t most_bytes = 5;  // of a cluster that is replaced as a whole
  detail::MapWriter writer(out);
  const auto is_ascii = [&](std::size_t i) { return static_cast<unsigned char>(text[i]) < 0x80; };
  for (std::size_t at = 0, end; at < text.size(); at = end) {
    end = at + 1;
    if (is_ascii(at) && (end == text.size() || is_ascii(end)) && text[at] != '\r' && !changes(text[at])) {
      writer.keep(text[at]);
      continue;
    }
    end = end_of_grapheme(text, at);
    const std::string_view cluster = text.substr(at, end - at);
    if (cluster.size() <= most_bytes)
      if (const auto with = find(cluster)) {
        writer.replace(static_cast<std::uint32_t>(count_code_points(cluster)), *with);
        continue;
      }
    for (std::size_t i = 0, bytes; i < cluster.size(); i += bytes) {
      bytes = decode(cluster, i).bytes;
      if (const auto with = find(cluster.substr(i, bytes)))
        writer.replace(1, *with);
      else
        writer.keep(cluster.substr(i, bytes));
    }
  }
  return writer.finish();
}

}  // namespace entrain::text
