// [text] > batch > embed > encode > head > optim > checkpoint
//
// Definitions of decompress.hpp: zlib if ENTRAIN_ZLIB is defined, libzstd if ENTRAIN_ZSTD is. CMake's targets
// entrain::zlib and entrain::zstd define them, and link the libraries.
#pragma once
#include <algorithm>
#include <limits>
#include <utility>

#if defined(ENTRAIN_ZLIB)
#include <zlib.h>
#endif
#if defined(ENTRAIN_ZSTD)
#include <zstd.h>
#endif

#include "entrain/core/error.hpp"
#include "entrain/text/files/decompress.hpp"

namespace entrain::text {

namespace detail {

[[noreturn, gnu::cold]] inline void refuse_broken(const std::string& name, const std::string& program,
                                                  std::uint64_t decompressed, const std::string& why,
                                                  const std::string& hint = {}) {
  throw Error(
      "entrain.text.34", name, "decompression failed after " + std::to_string(decompressed) + " bytes of text: " + why,
      "a valid " + program + " file", hint.empty() ? program + " -t tests the file; copy it or create it again" : hint);
}

[[noreturn, gnu::cold]] inline void refuse_without(const std::string& name, const std::string& program,
                                                   const std::string& library) {
  throw Error("entrain.text.33", name, "compressed with " + program + ", but this program was built without " + library,
              "plain text",
              "decompress it with " + program + " -d, or install " +
                  (program == "gzip" ? "zlib1g-dev" : "libzstd-dev") +
                  " (the Debian package) and rebuild: CMake's targets entrain::compiled and entrain::" + library +
                  " then link it");
}

#if defined(ENTRAIN_ZLIB)
class Gzip {
 public:
  explicit Gzip(const std::string& name) : name_(name) {
    if (inflateInit2(&stream_, 15 + 16) != Z_OK)
      throw Error("entrain.text.34", name_, "not enough memory to decompress it");
  }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;
  ~Gzip() { inflateEnd(&stream_); }

  std::size_t operator()(std::string_view& compressed, char* to, std::size_t room) {
    if (between_ && !next_member(compressed)) return 0;
    constexpr std::size_t most = std::numeric_limits<uInt>::max();
    const auto given = static_cast<uInt>(std::min(compressed.size(), most)),
               free = static_cast<uInt>(std::min(room, most));
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed.data()));  // zlib does not write to it
    stream_.avail_in = given;
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = free;
    const int said = inflate(&stream_, Z_NO_FLUSH);
    compressed.remove_prefix(given - stream_.avail_in);
    const std::size_t wrote = free - stream_.avail_out;
    decompressed_ += wrote;
    if (said == Z_STREAM_END) {
      between_ = true;
    } else if (said != Z_OK && said != Z_BUF_ERROR) {  // Z_BUF_ERROR: it needs more bytes
      refuse_broken(name_, "gzip", decompressed_,
                    stream_.msg ? stream_.msg : "not enough memory, or a preset dictionary");
    }
    return wrote;
  }
  bool over() const { return between_; }
  std::uint64_t decompressed() const { return decompressed_; }

 private:
  /// After a member: another one, zeros that a tape adds, or nothing.
  bool next_member(std::string_view& compressed) {
    while (!compressed.empty() && compressed.front() == '\0') compressed.remove_prefix(1), padded_ = true;
    if (compressed.empty()) return false;
    if (padded_ || compressed.front() != '\x1F')
      refuse_broken(name_, "gzip", decompressed_, "trailing bytes after a complete gzip member");
    between_ = false;
    inflateReset(&stream_);
    return true;
  }

  const std::string& name_;
  z_stream stream_{};
  std::uint64_t decompressed_ = 0;
  bool between_ = false;  // members
  bool padded_ = false;
};
#endif

#if defined(ENTRAIN_ZSTD)
class Zstd {
 public:
  explicit Zstd(const std::string& name) : name_(name), stream_(ZSTD_createDStream(), ZSTD_freeDStream) {
    if (!stream_) throw Error("entrain.text.34", name_, "not enough memory to decompress it");
  }

  std::size_t operator()(std::string_view& compressed, char* to, std::size_t room) {
    if (over_ && compressed.empty()) return 0;
    if (over_) {
      frame_bytes_ = ZSTD_getFrameContentSize(compressed.data(), compressed.size());
      frame_ = decompressed_;
      header_ = frame_bytes_ == ZSTD_CONTENTSIZE_ERROR ? longest_header : 0;
    }
    // A header that arrives in two parts is passed byte by byte: after the first part the library (1.5.4) takes the
    // next bytes for the frame's beginning, if they look like one.
    ZSTD_inBuffer in{compressed.data(), header_ > 0 ? std::min<std::size_t>(compressed.size(), 1) : compressed.size(),
                     0};
    ZSTD_outBuffer out{to, room, 0};
    const std::size_t wants = ZSTD_decompressStream(stream_.get(), &out, &in);
    compressed.remove_prefix(in.pos);
    header_ -= std::min(header_, in.pos);
    decompressed_ += out.pos;
    if (ZSTD_isError(wants)) refuse(ZSTD_getErrorName(wants));
    over_ = wants == 0;
    // The library checks this if it decompresses a whole frame at once, but not if it decompresses in pieces.
    const bool said = frame_bytes_ != ZSTD_CONTENTSIZE_UNKNOWN && frame_bytes_ != ZSTD_CONTENTSIZE_ERROR;
    if (over_ && said && decompressed_ - frame_ != frame_bytes_) refuse("Data corruption detected");
    return out.pos;
  }
  bool over() const { return over_; }
  std::uint64_t decompressed() const { return decompressed_; }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    const bool large = why.find("memory") != why.npos, dictionary = why.find("Dictionary") != why.npos;
    refuse_broken(name_, "zstd", decompressed_, why,
                  large        ? "its window is larger than 128 MiB; compress it again without --long or --ultra"
                  : dictionary ? "it was compressed with a dictionary; compress it again without one"
                               : "");
  }

  const std::string& name_;
  std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream_;
  static constexpr std::size_t longest_header = 18;  // bytes, magic number and all (RFC 8878, section 3.1.1)
  std::uint64_t decompressed_ = 0;
  std::size_t header_ = 0;                                     // most bytes left of a header in parts
  std::uint64_t frame_ = 0;                                    // decompressed before this frame
  unsigned long long frame_bytes_ = ZSTD_CONTENTSIZE_UNKNOWN;  // size that the frame declares
  bool over_ = true;                                           // true: no frame has begun
};
#endif

}  // namespace detail

struct Decompressor::State {
  std::string name;
#if defined(ENTRAIN_ZLIB)
  std::unique_ptr<detail::Gzip> gzip;
#endif
#if defined(ENTRAIN_ZSTD)
  std::unique_ptr<detail::Zstd> zstd;
#endif

  /// Calls f with the reader that exists.
  template <class F> void with([[maybe_unused]] F f) {
#if defined(ENTRAIN_ZLIB)
    if (gzip) f(*gzip, "gzip");
#endif
#if defined(ENTRAIN_ZSTD)
    if (zstd) f(*zstd, "zstd");
#endif
  }
};

ENTRAIN_INLINE Decompressor::Decompressor() noexcept = default;
ENTRAIN_INLINE Decompressor::Decompressor(Compression compression, std::string name)
    : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.name = std::move(name);
  switch (compression) {
    case Compression::gzip:
#if defined(ENTRAIN_ZLIB)
      s.gzip = std::make_unique<detail::Gzip>(s.name);
      return;
#else
      detail::refuse_without(s.name, "gzip", "zlib");
#endif
    case Compression::zstd:
#if defined(ENTRAIN_ZSTD)
      s.zstd = std::make_unique<detail::Zstd>(s.name);
      return;
#else
      detail::refuse_without(s.name, "zstd", "zstd");
#endif
    default: {
      const std::string program = compression == Compression::xz ? "xz" : "bzip2";
      throw Error("entrain.text.33", s.name, "compressed with " + program,
                  "plain text, or text compressed with gzip or zstd", "decompress it with " + program + " -d");
    }
  }
}
ENTRAIN_INLINE Decompressor::Decompressor(Decompressor&&) noexcept = default;
ENTRAIN_INLINE Decompressor& Decompressor::operator=(Decompressor&&) noexcept = default;
ENTRAIN_INLINE Decompressor::~Decompressor() = default;

ENTRAIN_INLINE std::size_t Decompressor::operator()([[maybe_unused]] std::string_view& compressed,
                                                    [[maybe_unused]] char* to, [[maybe_unused]] std::size_t room) {
  std::size_t wrote = 0;
  state_->with([&](auto& reader, const char*) { wrote = reader(compressed, to, room); });
  return wrote;
}

ENTRAIN_INLINE void Decompressor::end() {
  state_->with([&](auto& reader, const char* program) {
    if (!reader.over())
      throw Error("entrain.text.35", state_->name,
                  "the " + std::string(program) + " data is truncated after " + std::to_string(reader.decompressed()) +
                      " bytes of text",
                  "a complete file", "copy it or create it again");
  });
}

}  // namespace entrain::text
