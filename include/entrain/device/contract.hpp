// core > [device], precision > tensor > kernel > layer
//
// The members that a trainer requires of a device, as cpu.hpp and cuda.cuh have them. The trainer checks them before
// anything else. A device with its own memory has more members: those of device::Cuda.
#pragma once
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

#include "entrain/core/contract.hpp"
#include "entrain/device/reading.hpp"

namespace entrain::device {
namespace detail {

struct Work {
  void operator()() const {}
};

// Variables, as in core/contract.hpp.

template <class D> inline constexpr bool has_names = requires {
  requires refuse::has_name<D>;
  { D::in_host_memory } -> std::convertible_to<bool>;
};
template <class B> inline constexpr bool is_buffer = requires(B buffer, const B constant) {
  requires std::default_initializable<B> && std::constructible_from<B, std::size_t>;
  { buffer.data() } -> std::same_as<float*>;
  { constant.data() } -> std::same_as<const float*>;
  { constant.size() } -> std::convertible_to<std::size_t>;
};
template <class D> inline constexpr bool has_buffer = requires {
  requires is_buffer<typename D::template Buffer<float>>;
};
template <class D>
inline constexpr bool copies = requires(const D& dev, float* to, const float* from, std::size_t count) {
  dev.upload(to, from, count);
  dev.download(to, from, count);
  dev.copy(to, from, count);
};
template <class D> inline constexpr bool replays = requires(typename D::Replay replay, const D& dev, Work work) {
  replay(dev, work, work);
  replay.pause();
  { replay.graphs() } -> std::convertible_to<std::size_t>;
  { replay.time_spent() } -> std::convertible_to<TimeSpent>;
};
template <class D> inline constexpr bool is_made = requires(const D& dev) {
  { D::with(1) } -> std::same_as<D>;
  { dev.threads() } -> std::convertible_to<int>;
  { dev.workspaces() } -> std::convertible_to<int>;
  { D::workspace_bytes } -> std::convertible_to<std::size_t>;
};
template <class D> inline constexpr bool reports = requires(const D& dev) {
  { dev.describe() } -> std::convertible_to<std::string>;
  { dev.reading() } -> std::convertible_to<GpuReading>;
};
template <class D> inline constexpr bool names_device_to_predict = requires {
  requires has_names<typename D::ToPredict>;
};

}  // namespace detail

template <class D>
concept IsDevice = detail::has_names<D> && detail::has_buffer<D> && detail::copies<D> && detail::replays<D> &&
    detail::is_made<D> && detail::reports<D> && detail::names_device_to_predict<D>;

/// Whether a type is meant as a device: it has the names of one.
template <class D> inline constexpr bool is_device = detail::has_names<D>;

/// `device_contract<D>()` does not compile for a device that lacks a member: one sentence for the first.
template <class D> consteval bool device_contract() {
  static_assert(detail::has_buffer<D>,
                "entrain: this device has no 'template <class T> class Buffer', zeroed memory made of nothing or of "
                "(std::size_t), with data() and size(); see docs/extending/device.md.");
  if constexpr (detail::has_buffer<D>) {
    static_assert(detail::copies<D>,
                  "entrain: this device has no upload, download and copy (T* to, const T* from, std::size_t count), "
                  "const; see docs/extending/device.md.");
    static_assert(!detail::copies<D> || detail::replays<D>,
                  "entrain: this device has no 'Replay', called as replay(device, key, work), with pause(), graphs() "
                  "and time_spent(); see docs/extending/device.md.");
    static_assert(!detail::copies<D> || !detail::replays<D> || detail::is_made<D>,
                  "entrain: this device has no 'static Device with(int threads)' that returns this type, or no "
                  "threads(), workspaces() and 'static constexpr std::size_t workspace_bytes'; see "
                  "docs/extending/device.md.");
    if constexpr (detail::copies<D> && detail::replays<D> && detail::is_made<D>) {
      static_assert(detail::reports<D>,
                    "entrain: this device has no describe(), which returns a string, or no reading(), which returns "
                    "device::GpuReading; see docs/extending/device.md.");
      static_assert(!detail::reports<D> || detail::names_device_to_predict<D>,
                    "entrain: this device has no type 'ToPredict', the device on which its models predict; see "
                    "docs/extending/device.md.");
    }
  }
  return true;
}

}  // namespace entrain::device
