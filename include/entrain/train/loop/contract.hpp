// text > batch > embed > encode > head > optim > checkpoint > [train]
//
// The requirements on a trainer's template arguments, one sentence for each violation.
#pragma once
#include <type_traits>

#include "entrain/core/bf16.hpp"
#include "entrain/device/contract.hpp"
#include "entrain/optim/contract.hpp"
#include "entrain/precision/policies.hpp"

namespace entrain::train {

/// A model, model::Tagger, has these types; a trainer has no Weights, and a part of a model no Features or no Task.
template <class T>
concept IsModel = requires {
  typename T::Task;
  typename T::Features;
  typename T::template Weights<float>;
};
template <class T>
concept IsTrainer = requires {
  typename T::Model;
  typename T::Policy;
  typename T::Device;
};
// Variables, for static_assert: g++ lists the requirements of a concept line by line, but not those of a variable.
template <class T> inline constexpr bool is_model = IsModel<T>;
template <class T> inline constexpr bool is_trainer = IsTrainer<T>;

/// `trainer_contract<Model, P, D, Optimizer>()` does not compile if one of its arguments is of another kind.
template <class Model, class P, class D, class Optimizer> consteval bool trainer_contract() {
  static_assert(
      is_model<Model>,
      "entrain: the first argument of train::Trainer is not a model, as model::Tagger<Embed, Encode, Head>; the "
      "arguments are Trainer<Model, Precision, Device, Optimizer>.");
  static_assert(
      !is_model<Model> || is_precision<P>,
      "entrain: the second argument of train::Trainer is not a precision; the arguments are Trainer<Model, Precision, "
      "Device, Optimizer>, as in Trainer<Net, precision::Fp32, device::Cpu<>, optim::AdamW>.");
  static_assert(!is_model<Model> || !is_precision<P> || device::is_device<D>,
                "entrain: the third argument of train::Trainer is not a device; the arguments are Trainer<Model, "
                "Precision, Device, "
                "Optimizer>, as in Trainer<Net, precision::Fp32, device::Cpu<>, optim::AdamW>.");
  if constexpr (is_model<Model> && Precision<P> && device::is_device<D>) {
    static_assert(device::device_contract<D>());
    if constexpr (device::IsDevice<D>) static_assert(optim::optimizer_contract<Optimizer>());
  }
  return true;
}

/// A trainer must get the labels of its head's task, for tags in the head's scheme. Both names appear in the message of
/// g++, clang and nvcc.
template <class Given, class Wanted> struct LabelsMeet {
  static_assert(std::is_same_v<Given, Wanted>,
                "entrain: the labels are not those of the head's task, as tags of another scheme; see "
                "LabelsMeet<Given, Wanted>: construct the labels as Trainer::Labels.");
  static constexpr bool value = true;
};

/// Whether a device computes in a precision: what the device states in `template <class P> static constexpr bool
/// computes`.
template <class D, class P> inline constexpr bool computes = false;
template <class D, class P>
requires requires { D::template computes<P>; }
inline constexpr bool computes<D, P> = D::template computes<P>;

/// Whether a device supports the number type of a precision: older GPUs have no bf16.
template <class D, class A> inline constexpr bool has_numbers = true;
template <class D>
requires requires { D::has_bf16; }
inline constexpr bool has_numbers<D, bf16> = D::has_bf16;

/// The device type that a precision's products need: with the device's own number type, if it has one.
template <class D, Precision P> struct DeviceOf { using type = D; };
template <class D, Precision P>
requires requires { typename D::template Multiplying<typename P::Product>; }
struct DeviceOf<D, P> {
  using type = typename D::template Multiplying<typename P::Product>;
};

/// A trainer must get the device on which its precision multiplies. Both names appear in the message.
template <class Given, class Wanted> struct DevicesMeet {
  static_assert(std::is_same_v<Given, Wanted>,
                "entrain: the type of this device is not the one that the trainer's precision needs; see "
                "DevicesMeet<Given, Wanted>: construct the device as typename Trainer::Device.");
  static constexpr bool value = true;
};

/// A trainer keeps a reference to its device.
template <class Temporary> struct DeviceOutlives {
  static_assert(sizeof(Temporary) == 0,
                "entrain: the device of a trainer must outlive it, and this one is a temporary: name it, as in 'const "
                "device::Cpu<> dev(2); Trainer trainer(dev, ...);'.");
  static constexpr bool value = true;
};

}  // namespace entrain::train
