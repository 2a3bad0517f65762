// [text] > batch > embed > encode > head > optim > checkpoint
//
// Decompresses files of gzip or zstd while they are read. The libraries are optional: a program without them reports it
// when it opens such a file.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "entrain/core/config.hpp"  // ENTRAIN_INLINE

namespace entrain::text {

enum class Compression : std::uint8_t { none, gzip, zstd, xz, bzip2 };

/// How many bytes of a file determine how it is compressed.
inline constexpr std::size_t compression_bytes = 10;

namespace detail {
/// The first bytes of a compressed file. '?' is any byte.
struct Magic {
  std::string_view bytes;
  Compression compression;

  /// Whether a file may begin so, as far as its bytes are known.
  constexpr bool fits(std::string_view begin) const {
    for (std::size_t i = 0; i < bytes.size() && i < begin.size(); ++i)
      if (bytes[i] != '?' && bytes[i] != begin[i]) return false;
    return compression != Compression::zstd || bytes[0] != '?' || begin.empty() || (begin[0] & 0xF0) == 0x50;
  }
};
inline constexpr Magic magics[]{
    {"\x1F\x8B", Compression::gzip},
    {"\x28\xB5\x2F\xFD", Compression::zstd},
    {"?\x2A\x4D\x18", Compression::zstd},  // 0x50 to 0x5F: a skippable frame, as pzstd writes it
    {{"\xFD"
      "7zXZ\0",
      6},
     Compression::xz},
    {"BZh?1AY&SY", Compression::bzip2}};
}  // namespace detail

/// The compression of a file with this beginning. Names do not matter, only the content does. No text begins so.
constexpr Compression compression_of(std::string_view begin) {
  for (const detail::Magic& magic : detail::magics)
    if (begin.size() >= magic.bytes.size() && magic.fits(begin)) return magic.compression;
  return Compression::none;
}
/// Whether more bytes are needed to decide.
constexpr bool may_be_compressed(std::string_view begin) {
  for (const detail::Magic& magic : detail::magics)
    if (begin.size() < magic.bytes.size() && magic.fits(begin)) return true;
  return false;
}

/// Decompresses bytes: members of gzip and frames of zstd, one after the other.
///
/// memory    the window that the compressor used: 32 KiB with gzip, at most 128 MiB with zstd (8 MiB with its command,
///           without --ultra or --long)
class Decompressor {
 public:
  ENTRAIN_INLINE Decompressor() noexcept;

  /// name      of the file, for messages
  /// throws    entrain.text.33: the program was built without the library, or does not know the compression
  ENTRAIN_INLINE Decompressor(Compression compression, std::string name);
  ENTRAIN_INLINE Decompressor(Decompressor&&) noexcept;
  ENTRAIN_INLINE Decompressor& operator=(Decompressor&&) noexcept;
  ENTRAIN_INLINE ~Decompressor();

  explicit operator bool() const { return static_cast<bool>(state_); }

  /// Decompresses from `compressed`, whose begin it moves, and returns how many bytes it wrote, at most `room` (1 or
  /// more). If it returns 0, it needs the bytes after `compressed`, unless `compressed` is not empty yet.
  ///
  /// throws    entrain.text.34: the bytes are broken
  ENTRAIN_INLINE std::size_t operator()(std::string_view& compressed, char* to, std::size_t room);

  /// Call it at the end of the file.
  ///
  /// throws    entrain.text.35: the compressed data is incomplete
  ENTRAIN_INLINE void end();

 private:
  struct State;
  std::unique_ptr<State> state_;
};
using Unpacker [[deprecated("entrain: the name is Decompressor")]] = Decompressor;
using Packing [[deprecated("entrain: the name is Compression")]] = Compression;

}  // namespace entrain::text

#if !defined(ENTRAIN_COMPILED)
#include "entrain/text/files/decompress.ipp"
#endif
