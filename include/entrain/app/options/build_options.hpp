// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Names that users type as options but that a type decides. The choice is made when the program is built; the error
// message names the build option to use.
#pragma once
#include <array>
#include <string>
#include <string_view>

namespace entrain::app {

struct BuildOption {
  std::string_view name;  // as typed, without dashes
  std::string_view dev;   // what to give to ./dev train
  std::string_view cpp;   // what to write in CMake or C++
};
inline constexpr std::string_view of_precision =
    "PRECISION of entrain_add_trainer, or precision::Fp32, Fp64 and device::Cpu<kernel::FastBf16Gemm>, on a GPU "
    "precision::Tf32, Bf16Mixed and Fp16Mixed";
inline constexpr std::array build_options{
    BuildOption{"precision", "--precision bf16", of_precision},
    BuildOption{"bf16", "--precision bf16", of_precision},
    BuildOption{"fp16", "--device cuda --precision fp16", of_precision},
    BuildOption{"tf32", "--device cuda --precision tf32", of_precision},
    BuildOption{"fp32", "--precision fp32", of_precision},
    BuildOption{"fp64", "--precision fp64", of_precision},
    BuildOption{"device", "--device cuda", "DEVICE of entrain_add_trainer, or device::Cpu, device::Cuda"},
    BuildOption{"head", "--head crf", "HEAD of entrain_add_trainer, or head::Softmax, head::Crf"},
    BuildOption{"loss", "--loss focal", "LOSS of entrain_add_trainer, or loss::CrossEntropy, Smoothed, Focal"},
    BuildOption{"optimizer", "--optimizer sgd", "OPTIMIZER of entrain_add_trainer, or optim::AdamW, Adam, Sgd"},
    BuildOption{"schedule", "--schedule usual",
                "SCHEDULE of entrain_add_trainer, or optim::Scheduled; usual is constant, linear or cosine by "
                "--lr-scheduler-type"},
    BuildOption{"freeze", "--freeze 4", "FREEZE of entrain_add_trainer, or model::FrozenFirst<4, ...>"},
    BuildOption{"label-all-tokens", "--label-all-tokens",
                "LABEL_ALL_TOKENS of entrain_add_trainer, or model::LabelAllTokens"},
    BuildOption{"recompute", "--recompute", "RECOMPUTE of entrain_add_trainer, or model::Recomputed"},
    BuildOption{"gradient-checkpointing", "--recompute", "RECOMPUTE of entrain_add_trainer, or model::Recomputed"},
    BuildOption{"resident", "--device cuda --resident", "RESIDENT of entrain_add_trainer, or batch::Resident"}};

/// The build option to use in place of an option that a type decides; empty for every other name.
inline std::string where_it_is_built(std::string_view name) {
  for (const BuildOption& option : build_options)
    if (option.name == name)
      return "this is a build option: ./dev train " + std::string(option.dev) + "; " + std::string(option.cpp);
  return {};
}

}  // namespace entrain::app
