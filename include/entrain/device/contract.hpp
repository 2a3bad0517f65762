// core > [device], precision > tensor > kernel > layer
//
// The members that a trainer requires of a device, as cpu.hpp and cuda.cuh have them. The trainer checks them before
// anything else. A device with its own memory has more members: those of device::Cuda.
#pragma once
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

#include "entrain/device/reading.hpp"

namespace entrain::device {
namespace detail {

struct Work {
  void operator()() const {}
};

template <class D>
concept HasNames = requires {
  { D::name } -> std::convertible_to<std::string_view>;
  { D::in_host_memory } -> std::convertible_to<bool>;
};
template <class B>
concept IsBuffer = std::default_initializable<B> && std::constructible_from<B, std::size_t> &&
    requires(B buffer, const B constant) {
  { buffer.data() } -> std::same_as<float*>;
  { constant.data() } -> std::same_as<const float*>;
  { constant.size() } -> std::convertible_to<std::size_t>;
};
template <class D>
concept HasBuffer = IsBuffer<typename D::template Buffer<float>>;
template <class D>
concept Copies = requires(const D& dev, float* to, const float* from, std::size_t count) {
  dev.upload(to, from, count);
  dev.download(to, from, count);
  dev.copy(to, from, count);
};
template <class D>
concept Replays = requires(typename D::Replay replay, const D& dev, Work work) {
  replay(dev, work, work);
  replay.pause();
  { replay.graphs() } -> std::convertible_to<std::size_t>;
  { replay.time_spent() } -> std::convertible_to<TimeSpent>;
};
template <class D>
concept IsMade = requires(const D& dev) {
  { D::with(1) } -> std::same_as<D>;
  { dev.threads() } -> std::convertible_to<int>;
  { dev.workspaces() } -> std::convertible_to<int>;
  { D::workspace_bytes } -> std::convertible_to<std::size_t>;
};
template <class D>
concept Reports = requires(const D& dev) {
  { dev.describe() } -> std::convertible_to<std::string>;
  { dev.reading() } -> std::convertible_to<GpuReading>;
};
template <class D>
concept NamesDeviceToPredict = HasNames<typename D::ToPredict>;

/// For static_assert: g++ lists the requirements of a concept line by line, but not those of a variable.
template <class D> inline constexpr bool has_buffer = HasBuffer<D>;
template <class D> inline constexpr bool copies = Copies<D>;
template <class D> inline constexpr bool replays = Replays<D>;
template <class D> inline constexpr bool is_made = IsMade<D>;
template <class D> inline constexpr bool reports = Reports<D>;
template <class D> inline constexpr bool names_device_to_predict = NamesDeviceToPredict<D>;

}  // namespace detail

template <class D>
concept IsDevice = detail::HasNames<D> && detail::HasBuffer<D> && detail::Copies<D> && detail::Replays<D> &&
    detail::IsMade<D> && detail::Reports<D> && detail::NamesDeviceToPredict<D>;

/// Whether a type is meant as a device: it has the names of one.
template <class D> inline constexpr bool is_device = detail::HasNames<D>;

/// `device_contract<D>()` does not compile for a device that lacks a member: one sentence for the first.
template <class D> consteval bool device_contract() {
  static_assert(detail::has_buffer<D>,
                "entrain: this device has no 'template <class T> class Buffer', zeroed memory made of nothing or of "
                "(std::size_t), with data() and size(); see docs/extending/device.md.");
  if constexpr (detail::HasBuffer<D>) {
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
    if constexpr (detail::Copies<D> && detail::Replays<D> && detail::IsMade<D>) {
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
