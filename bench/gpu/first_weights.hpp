// bench: weights made from a seed, like those of an untrained BERT, and the folder from which transformers reads the
// same ones. Written without the JSON library, which a machine with a GPU need not have.
#pragma once
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "entrain/checkpoint/bert_config.hpp"
#include "entrain/core/error.hpp"
#include "entrain/core/hash.hpp"
#include "entrain/core/random.hpp"
#include "entrain/family/tensor_names.ipp"  // no other source of this program includes it
#include "entrain/tensor/flat.hpp"

namespace bench {

/// Matrices and tables: uniform, with deviation 0.02, transformers' initializer_range. Gains and biases stay 1 and 0.
template <class Trainer> void set_first_weights(Trainer& trainer, std::uint64_t seed) {
  float* const values = trainer.values();
  for (const entrain::Span& s : trainer.layout().spans) {
    if (s.rows == 1) continue;
    entrain::Random random(seed, static_cast<std::uint32_t>(entrain::hash_string(s.name)));
    const float reach = 0.02f * std::sqrt(3.0f);
    for (std::size_t i = 0; i < s.size(); ++i) values[s.offset + i] = reach * (2 * random.uniform() - 1);
  }
  trainer.start_average();
}

/// Writes config.json and model.safetensors with the trainer's values.
template <class Trainer> void write_folder(Trainer& trainer, const std::string& folder) {
  using Model = typename Trainer::Model;
  std::filesystem::create_directories(folder);
  const auto written = [&](std::ofstream& file, const std::string& path) {
    if (!file.flush()) throw entrain::Error("entrain.bench.1", path, "cannot write it");
  };

  entrain::checkpoint::BertConfig c;
  c.num_hidden_layers = 0;
  Model::extents(c);
  std::string config = "{\"architectures\": [\"BertForTokenClassification\"], \"model_type\": \"bert\"";
  const auto number = [&](const char* key, const std::string& value) {
    config.append(", \"").append(key).append("\": ").append(value);
  };
  number("vocab_size", std::to_string(c.vocab_size));
  number("max_position_embeddings", std::to_string(c.max_position_embeddings));
  number("type_vocab_size", std::to_string(c.type_vocab_size));
  number("hidden_size", std::to_string(c.hidden_size));
  number("num_hidden_layers", std::to_string(c.num_hidden_layers));
  number("num_attention_heads", std::to_string(c.num_attention_heads));
  number("intermediate_size", std::to_string(c.intermediate_size));
  number("layer_norm_eps", "1e-12");
  config += ", \"hidden_act\": \"gelu\", \"pad_token_id\": 0, \"id2label\": {";
  std::string ids;
  for (int i = 0; i < trainer.labels().count(); ++i) {
    const std::string name = "\"" + trainer.labels().name(i) + "\"", id = std::to_string(i);
    config.append(i > 0 ? ", " : "").append("\"" + id + "\": ").append(name);
    ids.append(i > 0 ? ", " : "").append(name).append(": " + id);
  }
  config += "}, \"label2id\": {" + ids + "}}\n";
  const std::string config_path = folder + "/config.json", weights_path = folder + "/model.safetensors";
  std::ofstream config_file(config_path);
  config_file << config;
  written(config_file, config_path);

  std::string header = "{\"__metadata__\": {\"format\": \"pt\"}";
  std::size_t at = 0;
  for (const entrain::Span& s : trainer.layout().spans) {
    const std::size_t end = at + s.size() * sizeof(float);
    const std::string rows = s.rows > 1 ? std::to_string(s.rows) + ", " : "";
    header += ", \"" + entrain::family::stored_name(s.name, Model::family) + "\": {\"dtype\": \"F32\", \"shape\": [" +
              rows + std::to_string(s.cols) + "], \"data_offsets\": [" + std::to_string(at) + ", " +
              std::to_string(end) + "]}";
    at = end;
  }
  header += "}";
  header.append((8 - header.size() % 8) % 8, ' ');
  std::ofstream weights(weights_path, std::ios::binary);
  const std::uint64_t length = header.size();
  const float* const values = trainer.values();
  weights.write(reinterpret_cast<const char*>(&length), 8);
  weights.write(header.data(), static_cast<std::streamsize>(header.size()));
  for (const entrain::Span& s : trainer.layout().spans)
    weights.write(reinterpret_cast<const char*>(values + s.offset),
                  static_cast<std::streamsize>(s.size() * sizeof(float)));
  written(weights, weights_path);
}

}  // namespace bench
