// core > [report]
//
// Numbers of a step as TensorBoard reads them: a TensorFlow record around a protocol buffer. It is encoded by hand, as
// it has only six fields.
#pragma once
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "entrain/core/crc32c.hpp"

namespace entrain::report {

/// Fields of a protocol buffer, one after the other.
///
/// source    protobuf.dev, "Encoding"
class Message {
 public:
  void add(int field, std::uint64_t number) {
    varint(static_cast<std::uint64_t>(field) << 3);
    varint(number);
  }
  void add(int field, double number) {
    varint(static_cast<std::uint64_t>(field) << 3 | 1u);
    little_endian(std::bit_cast<std::uint64_t>(number), 8);
  }
  void add(int field, float number) {
    varint(static_cast<std::uint64_t>(field) << 3 | 5);
    little_endian(std::bit_cast<std::uint32_t>(number), 4);
  }
  void add(int field, std::string_view bytes) {
    varint(static_cast<std::uint64_t>(field) << 3 | 2);
    varint(bytes.size());
    bytes_.append(bytes);
  }
  const std::string& bytes() const { return bytes_; }
  void clear() { bytes_.clear(); }

 private:
  void varint(std::uint64_t n) {
    for (; n >= 0x80; n >>= 7) bytes_ += static_cast<char>((n & 0x7F) | 0x80);
    bytes_ += static_cast<char>(n);
  }
  void little_endian(std::uint64_t n, int bytes) {
    for (int i = 0; i < bytes; ++i) bytes_ += static_cast<char>(n >> 8 * i & 0xFF);
  }
  std::string bytes_;
};

/// The numbers of a training at one moment, with names.
///
///   Event event(seconds, step);
///   event.scalar("loss", 0.25);
///   file << event.record();
///
/// seconds   since 1970
/// source    tensorflow/core/util/event.proto, summary.proto, lib/io/record_writer.cc
class Event {
 public:
  Event(double seconds, std::uint64_t step) {
    event_.add(1, seconds);
    if (step > 0) event_.add(2, step);  // a missing number means 0
  }
  /// The first event of a file.
  static Event version(double seconds) {
    Event e(seconds);
    e.event_.add(3, std::string_view("brain.Event:2"));
    return e;
  }

  void scalar(std::string_view tag, double value) {
    Message one;
    one.add(1, tag);
    one.add(2, static_cast<float>(value));
    summary_.add(1, one.bytes());
  }

  /// Data for a plugin of TensorBoard: `content`, a message that the plugin defines, and a tensor without numbers.
  void of_plugin(std::string_view tag, std::string_view plugin, std::string_view content) {
    using namespace std::string_view_literals;
    Message data, metadata, one;
    data.add(1, plugin);
    data.add(2, content);
    metadata.add(1, std::string_view(data.bytes()));
    one.add(1, tag);
    one.add(8, "\x08\x01\x12\x02\x12\0"sv);
    one.add(9, std::string_view(metadata.bytes()));
    summary_.add(1, one.bytes());
  }

  /// The event as it is stored in a file: its length, a checksum of that, the event, a checksum of that.
  std::string record() const {
    Message event = event_;
    if (!summary_.bytes().empty()) event.add(5, summary_.bytes());
    const std::string& bytes = event.bytes();
    std::string out = little_endian(bytes.size(), 8);
    out += little_endian(masked(crc32c(out)), 4);
    return out + bytes + little_endian(masked(crc32c(bytes)), 4);
  }

 private:
  explicit Event(double seconds) { event_.add(1, seconds); }

  static std::uint32_t masked(std::uint32_t crc) { return (crc >> 15 | crc << 17) + 0xA282EAD8u; }
  static std::string little_endian(std::uint64_t n, int bytes) {
    std::string s;
    for (int i = 0; i < bytes; ++i) s += static_cast<char>(n >> 8 * i & 0xFF);
    return s;
  }

  Message event_, summary_;
};

}  // namespace entrain::report
