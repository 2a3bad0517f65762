// An embedding model on ids: a vector for each id, their mean, and one sigmoid.
#pragma once
#include <entrain/cpu.hpp>
#include <entrain/cpu_classifier.hpp>
#include <entrain/embed/token.hpp>
#include <entrain/layer/identity.hpp>

namespace embedding {
using namespace entrain;

// Keras: Embedding(1000, 100), GlobalAveragePooling1D(), Dense(1, activation="sigmoid"), loss "binary_crossentropy".
using Net =
    model::Classifier<embed::Token<1000, 100>, layer::Identity<100>,
                      head::Classify<100, task::Classification<task::Binary>, pool::Mean, layer::Identity<100>>>;
using Trainer = train::Trainer<Net, precision::Fp32, device::Cpu<>, optim::Adam>;
}  // namespace embedding
