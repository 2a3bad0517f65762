// The code of checkpoint/ that reads and writes files without nlohmann-json, compiled once per build.
#include "entrain/checkpoint/header.ipp"
#include "entrain/checkpoint/safetensors.ipp"
#include "entrain/checkpoint/training_state.ipp"

namespace entrain::checkpoint {
template void save_training_state(const std::string&, const TrainingState&, std::span<const TensorView>, Posix);
template StoredTrainingState load_training_state(const std::string&, Posix);
}  // namespace entrain::checkpoint
