// core > [report]
//
// The activities of a training's threads, as a trace that Perfetto (ui.perfetto.dev) and chrome://tracing open: a line
// of coloured intervals for each thread.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "entrain/core/timeline.hpp"
#include "entrain/report/number.hpp"

namespace entrain::report {
namespace detail {

/// Escapes text for a JSON string. The caller must make sure that it is UTF-8.
inline std::string json_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      out += Short("\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    else
      out += c;
  }
  return out;
}

/// Nanoseconds as microseconds, exactly.
inline Short microseconds(std::int64_t ns) {
  return Short("%lld.%03lld", static_cast<long long>(ns / 1000), static_cast<long long>(ns % 1000));
}

}  // namespace detail

/// The trace event format: an object whose `traceEvents` holds, for each thread, an event with its name and one "X" for
/// each interval that was kept, which begins at `ts` and takes `dur`, in microseconds since the timeline began.
/// otherData.left_out: the number of intervals beyond the limit. write(std::string_view) gets the text in pieces.
///
/// returns   the numbers of intervals written and left out
/// source    Trace Event Format, section "JSON Object Format"
struct TraceCounts {
  std::size_t written = 0, left_out = 0;
};
template <class Write> TraceCounts write_trace(Timeline& timeline, std::string_view process, Write&& write) {
  TraceCounts counts;
  std::string piece = R"({"displayTimeUnit":"ms","traceEvents":[
{"ph":"M","pid":1,"tid":0,"name":"process_name","args":{"name":")" +
                      detail::json_escaped(process) + "\"}}";
  int thread = 0;
  timeline.each_lane([&](const std::string& name, const Lane& lane) {
    const std::string tid = std::to_string(++thread);
    piece += ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":" + tid + R"(,"name":"thread_name","args":{"name":")" +
             detail::json_escaped(name) + "\"}}";
    for (const Lane::Interval& i : lane.intervals()) {
      piece += R"(,
{"ph":"X","pid":1,"tid":)" +
               tid + ",\"ts\":";
      piece += detail::microseconds(i.begin - timeline.begun());
      piece += ",\"dur\":";
      piece += detail::microseconds(i.end - i.begin);
      piece += ",\"name\":\"" + detail::json_escaped(timeline.name(static_cast<std::size_t>(i.activity))) + "\"}";
      ++counts.written;
      if (piece.size() < 1 << 16) continue;
      write(std::string_view(piece));
      piece.clear();
    }
    counts.left_out += lane.left_out();
  });
  piece += "\n],\"otherData\":{\"left_out\":" + std::to_string(counts.left_out) + "}}\n";
  write(std::string_view(piece));
  return counts;
}

}  // namespace entrain::report
