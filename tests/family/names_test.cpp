// tests > [family]
//
// What families call tensors, and which of them a model_type finds.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "entrain/family/all.hpp"
#include "entrain/family/tensor_names.hpp"

namespace names_test {
using namespace entrain::family;

namespace {

/// A family that is not registered: no prefix, and its own names everywhere.
struct Own {
  static constexpr std::string_view model_type = "own", architecture = "OwnModel", type = "Own", embedding = "Own";
  using Tokenizer = Bert::Tokenizer;
  static constexpr int first_position = 2;
  static constexpr Keys keys = Bert::keys;
  static constexpr List<Only> only{};
  static constexpr Renamed in_embeddings[]{{"word_embeddings.", "tokens."}};
  static constexpr Renamed in_block[]{{"attention.self.query.", "q."}};
  static constexpr Names names{.prefix = "",
                               .embeddings = "",
                               .blocks = "layers.",
                               .in_embeddings = in_embeddings,
                               .in_block = in_block,
                               .older_ends = {},
                               .not_read = {},
                               .other_heads = {}};
};

}  // namespace

TEST_CASE("names: each family's of the same parameter") {
  const auto* const bert = &of<Bert>;
  const auto* const distilbert = &of<DistilBert>;
  const auto* const electra = &of<Electra>;
  const auto* const roberta = &of<Roberta>;
  const std::string word = "embed.word_embeddings.weight", query = "encode.11.attention.self.query.weight",
                    norm = "encode.0.output.LayerNorm.bias", bias = "head.classifier.bias";
  CHECK(stored_name(word, bert) == "bert.embeddings.word_embeddings.weight");
  CHECK(stored_name(query, bert) == "bert.encoder.layer.11.attention.self.query.weight");
  CHECK(stored_name(norm, bert) == "bert.encoder.layer.0.output.LayerNorm.bias");
  CHECK(stored_name(bias, bert) == "classifier.bias");
  CHECK(stored_name(word, distilbert) == "distilbert.embeddings.word_embeddings.weight");
  CHECK(stored_name(query, distilbert) == "distilbert.transformer.layer.11.attention.q_lin.weight");
  CHECK(stored_name(norm, distilbert) == "distilbert.transformer.layer.0.output_layer_norm.bias");
  CHECK(stored_name(bias, distilbert) == "classifier.bias");
  CHECK(stored_name(word, electra) == "electra.embeddings.word_embeddings.weight");
  CHECK(stored_name("embed.project.bias", electra) == "electra.embeddings_project.bias");
  CHECK(stored_name("embed.LayerNorm.bias", electra) == "electra.embeddings.LayerNorm.bias");
  CHECK(stored_name(query, electra) == "electra.encoder.layer.11.attention.self.query.weight");
  CHECK(stored_name(norm, electra) == "electra.encoder.layer.0.output.LayerNorm.bias");
  CHECK(stored_name(bias, electra) == "classifier.bias");
  CHECK(stored_name(word, roberta) == "roberta.embeddings.word_embeddings.weight");
  CHECK(stored_name(query, roberta) == "roberta.encoder.layer.11.attention.self.query.weight");
  CHECK(stored_name(norm, roberta) == "roberta.encoder.layer.0.output.LayerNorm.bias");
  CHECK(stored_name(bias, roberta) == "classifier.bias");
  CHECK(stored_name(bias, roberta, true) == "classifier.out_proj.bias");
  CHECK(stored_name("head.pooler.dense.bias", electra, true) == "classifier.dense.bias");
  CHECK(stored_name("head.pooler.dense.bias", bert, true) == "bert.pooler.dense.bias");
  CHECK(stored_name(bias, bert, true) == "classifier.bias");
  CHECK(stored_names("head.pooler.dense.bias", *roberta, true) == std::vector<std::string>{"classifier.dense.bias"});
  CHECK(stored_name(query, &of<XlmRoberta>) == stored_name(query, roberta));
  CHECK(stored_name(bias, &of<XlmRoberta>, true) == "classifier.out_proj.bias");
  const auto* const modern = &of<ModernBert>;
  CHECK(stored_name(word, modern) == "model.embeddings.tok_embeddings.weight");
  CHECK(stored_name("embed.LayerNorm.weight", modern) == "model.embeddings.norm.weight");
  CHECK(stored_name("encode.21.attn.Wqkv.weight", modern) == "model.layers.21.attn.Wqkv.weight");
  CHECK(stored_name("encode.final_norm.weight", modern) == "model.final_norm.weight");
  CHECK(stored_name("head.prediction.dense.weight", modern) == "head.dense.weight");
  CHECK(stored_name("head.pooler.norm.weight", modern, true) == "head.norm.weight");
  CHECK(stored_name(bias, modern) == "classifier.bias");
  CHECK(stored_names("encode.final_norm.weight", *modern) ==
        std::vector<std::string>{"model.final_norm.weight", "final_norm.weight"});
  CHECK(stored_name(word, &of<Own>) == "tokens.weight");
  CHECK(stored_name(query, &of<Own>) == "layers.11.q.weight");
  for (const std::string& ours : {word, query, norm, bias}) CHECK(stored_name(ours, nullptr) == ours);
}

TEST_CASE("names: those that are read have the prefix or not, and the older ends") {
  CHECK(stored_names("embed.LayerNorm.weight", of<Bert>) ==
        std::vector<std::string>{"bert.embeddings.LayerNorm.weight", "bert.embeddings.LayerNorm.gamma",
                                 "embeddings.LayerNorm.weight", "embeddings.LayerNorm.gamma"});
  CHECK(stored_names("encode.3.output.LayerNorm.bias", of<DistilBert>) ==
        std::vector<std::string>{"distilbert.transformer.layer.3.output_layer_norm.bias",
                                 "transformer.layer.3.output_layer_norm.bias"});
  CHECK(not_for_tagging("bert.pooler.dense.bias", of<Bert>));
  CHECK(not_for_tagging("pooler.dense.bias", of<Bert>));
  CHECK(not_for_tagging("vocab_projector.weight", of<DistilBert>));
  CHECK(not_for_tagging("discriminator_predictions.dense_prediction.bias", of<Electra>));
  CHECK(not_for_tagging("lm_head.decoder.weight", of<Roberta>));
  CHECK(not_for_tagging("roberta.pooler.dense.bias", of<Roberta>));
  CHECK_FALSE(not_for_tagging("lm_head.bias", of<Bert>));
  CHECK_FALSE(not_for_tagging("vocab_projector.weight", of<Bert>));
  CHECK_FALSE(not_for_tagging("electra.embeddings_project.weight", of<Electra>));
  CHECK_FALSE(not_for_tagging("electra.pooler.dense.bias", of<Electra>));
  CHECK_FALSE(not_for_tagging("pooler.dense.bias", of<Own>));
}

TEST_CASE("names: which tensors of a head pretrained folders have") {
  CHECK(is_pretrained("bert.pooler.dense.weight", of<Bert>));
  CHECK_FALSE(is_pretrained("classifier.weight", of<Bert>));
  CHECK(is_pretrained("head.dense.weight", of<ModernBert>));
  CHECK(is_pretrained("model.final_norm.weight", of<ModernBert>));
  CHECK_FALSE(is_pretrained("classifier.weight", of<ModernBert>));
  CHECK_FALSE(is_pretrained("head.dense.weight", of<Roberta>));
  CHECK(not_for_tagging("decoder.bias", of<ModernBert>));
  CHECK(not_for_tagging("head.dense.weight", of<ModernBert>));
}

TEST_CASE("names: a model_type finds a registered family, or a program's own") {
  CHECK(find("bert") == &of<Bert>);
  CHECK(find("distilbert") == &of<DistilBert>);
  CHECK(find("electra") == &of<Electra>);
  CHECK(find("modernbert") == &of<ModernBert>);
  CHECK(find("roberta") == &of<Roberta>);
  CHECK(find("xlm-roberta") == &of<XlmRoberta>);
  CHECK(find("bert", &of<MultilingualBert>) == &of<MultilingualBert>);
  CHECK(find("own") == nullptr);
  CHECK(find("own", &of<Own>) == &of<Own>);
  CHECK(find("bert", &of<Own>) == &of<Bert>);
  CHECK(model_types() == "\"bert\", \"distilbert\", \"electra\", \"modernbert\", \"roberta\" or \"xlm-roberta\"");
  CHECK(model_types(&of<Bert>) == model_types());
  CHECK(model_types(&of<Own>) ==
        "\"bert\", \"distilbert\", \"electra\", \"modernbert\", \"roberta\", \"xlm-roberta\" or \"own\"");
}

}  // namespace names_test
