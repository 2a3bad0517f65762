// tests > [train]
//
// Folders of Hugging Face's as people have them: other names, other number types, several files; and broken ones, each
// with its own sentence.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <map>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "entrain/checkpoint/convert.hpp"
#include "entrain/train/data/features.hpp"
#include "entrain/train/folder/load.hpp"
#include "entrain/train/folder/pretrained.hpp"
#include "entrain/train/folder/save.hpp"
#include "tests/scratch.hpp"
#include "tests/train/tiny_bert.hpp"

namespace pretrained_test {
using namespace entrain;
using namespace test;
using checkpoint::Dtype;

namespace {

/// The golden folder's tensors and texts, to be changed and written again.
struct Folder {
  struct Tensor {
    Dtype dtype;
    std::vector<std::int64_t> shape;
    std::vector<std::byte> bytes;
  };
  std::map<std::string, Tensor> tensors;
  std::string config, tokenizer_name, tokenizer;

  explicit Folder(const std::string& from = golden_bert)
      : config(get(from + "/config.json")),
        tokenizer_name(std::filesystem::exists(from + "/vocab.txt") ? "vocab.txt" : "tokenizer.json"),
        tokenizer(get(from + "/" + tokenizer_name)) {
    const auto file = checkpoint::read_safetensors(from + "/model.safetensors");
    for (const auto& t : file.tensors())
      tensors[std::string(t.name)] = {t.dtype, t.shape, {t.bytes.begin(), t.bytes.end()}};
  }
  void rename(const std::string& from, const std::string& to) {
    auto node = tensors.extract(from);
    REQUIRE(!node.empty());
    node.key() = to;
    tensors.insert(std::move(node));
  }
  /// Every number as another type: `Stored` has its bits.
  template <class Stored> void convert(Dtype dtype, std::function<Stored(double)> make) {
    for (auto& [name, t] : tensors) {
      std::vector<std::byte> bytes;
      for (std::size_t i = 0; i < t.bytes.size() / 8; ++i) {
        double number = 0;
        std::memcpy(&number, t.bytes.data() + 8 * i, 8);
        const Stored stored = make(number);
        const auto* const from = reinterpret_cast<const std::byte*>(&stored);
        bytes.insert(bytes.end(), from, from + sizeof stored);
      }
      t = {dtype, t.shape, bytes};
    }
  }
  void edit(const std::string& from, const std::string& to) {
    const auto at = config.find(from);
    REQUIRE(at != config.npos);
    config.replace(at, from.size(), to);
  }
  /// Tensors whose name satisfies `of` into a file.
  template <class Of> void write(const std::string& path, Of&& of) const {
    std::vector<checkpoint::TensorView> views;
    for (const auto& [name, t] : tensors)
      if (of(name)) views.push_back({name, t.dtype, t.shape, t.bytes});
    checkpoint::write_safetensors(path, views);
  }
  void write(const test::Scratch& to) const {
    put(to / "config.json", config);
    put(to / tokenizer_name, tokenizer);
    write(to / "model.safetensors", [](const std::string&) { return true; });
  }
};

template <class Model = Bert, class P = precision::Fp64>
std::vector<double> values_from(const test::Scratch& folder, std::size_t notes = 2) {
  using Trainer = train::Trainer<Model, P, device::Cpu<>, optim::AdamW>;
  const device::Cpu<> dev(1);
  Trainer trainer(dev, typename Trainer::Labels({"PER", "LOC"}), 8, 0);
  CHECK(train::start_from_pretrained(trainer, folder.path()).size() == notes);
  std::vector<double> encoder;
  for (const Span& s : trainer.layout().spans)
    if (!s.name.starts_with("head."))
      encoder.insert(encoder.end(), trainer.values() + s.offset, trainer.values() + s.offset + s.size());
  return encoder;
}
const std::vector<double>& golden() {
  static const std::vector<double> values = [] {
    const test::Scratch scratch;
    Folder().write(scratch);
    return values_from(scratch);
  }();
  return values;
}
/// A change of config.json, and what is said of it.
struct Edit {
  const char *from, *to, *sentence;
};
/// The sentence that a changed folder is refused with.
template <class Model = Bert> std::string refusal(const Folder& folder) {
  const test::Scratch scratch;
  folder.write(scratch);
  return sentence([&] { values_from<Model>(scratch); });
}
/// Each change of a folder's config.json is refused with its sentence.
template <class Model> void check_refusals(const std::string& golden_folder, std::initializer_list<Edit> edits) {
  for (const auto& [from, to, said] : edits) {
    CAPTURE(to);
    Folder edited(golden_folder);
    edited.edit(from, to);
    CHECK(has(refusal<Model>(edited), said));
  }
}
/// The rest of a message about ids beyond the table.
std::string beyond(const std::string& most) {
  return ", expected " + most + " 21, the rows of the model's table (vocab_size); use the model's tokenizer";
}
std::string added_token(const std::string& text, int id) {
  return R"({"id":)" + std::to_string(id) + R"(,"content":")" + text + R"(","normalized":false})";
}
std::string cls_sep(int cls, int sep) {
  return R"({"type":"BertProcessing","sep":["[SEP]",)" + std::to_string(sep) + R"(],"cls":["[CLS]",)" +
         std::to_string(cls) + "]}";
}
/// As many special tokens around every text.
std::string around(int count) {
  std::string single = R"({"Sequence":{"id":"A"}})";
  for (int i = 0; i < count; ++i) single += R"(,{"SpecialToken":{"id":"[SEP]"}})";
  return R"({"type":"TemplateProcessing","single":[)" + single + "]}";
}
/// A tokenizer of the golden folder's first pieces, and of `more` after them.
std::string tokenizer_json(int pieces, const std::string& added, const std::string& post,
                           const std::string& more = "") {
  std::string vocabulary;
  std::istringstream lines(Folder().tokenizer);
  std::string piece;
  for (int id = 0; id < pieces && std::getline(lines, piece); ++id)
    vocabulary += (id > 0 ? ",\"" : "\"") + piece + "\":" + std::to_string(id);
  return R"({"added_tokens":[)" + added + R"(],"normalizer":{"type":"BertNormalizer"},)" +
         R"("pre_tokenizer":{"type":"BertPreTokenizer"},"post_processor":)" + post +
         R"(,"model":{"type":"WordPiece","vocab":{)" + vocabulary + more + "}}}";
}
const std::string query = "bert.encoder.layer.1.attention.self.query.weight";

}  // namespace

TEST_CASE("pretrained: names without the prefix, and of old checkpoints") {
  Folder folder;
  for (const auto& [name, t] : Folder().tensors)
    if (name.starts_with("bert.")) folder.rename(name, name.substr(5));
  for (const std::string place : {"embeddings.", "encoder.layer.0.attention.output.", "encoder.layer.1.output."}) {
    folder.rename(place + "LayerNorm.weight", place + "LayerNorm.gamma");
    folder.rename(place + "LayerNorm.bias", place + "LayerNorm.beta");
  }
  const std::vector<std::byte> some(24);
  folder.tensors["pooler.dense.bias"] = {Dtype::f64, {3}, some};
  folder.tensors["embeddings.position_ids"] = {Dtype::i64, {1, 3}, some};
  folder.tensors["cls.predictions.bias"] = {Dtype::f64, {3}, some};
  const test::Scratch scratch;
  folder.write(scratch);
  CHECK(values_from(scratch, 5) == golden());
}

TEST_CASE("pretrained: weights in several files") {
  const test::Scratch scratch;
  const Folder folder;
  folder.write(scratch);
  std::filesystem::remove(scratch / "model.safetensors");
  const auto lower = [](const std::string& name) { return name.find("layer.1") == name.npos; };
  folder.write(scratch / "model-00001-of-00002.safetensors", lower);
  folder.write(scratch / "model-00002-of-00002.safetensors", [&](const std::string& n) { return !lower(n); });
  std::string map;
  for (const auto& [name, t] : folder.tensors)
    map += (map.empty() ? "\"" : ", \"") + name + "\": \"model-0000" + (lower(name) ? "1" : "2") +
           "-of-00002.safetensors\"";
  const std::string index = scratch / "model.safetensors.index.json";
  put(index, R"({"metadata": {"total_size": 9}, "weight_map": {)" + map + "}}");
  CHECK(values_from(scratch) == golden());

  const auto refused = [&](const std::string& text) {
    put(index, text);
    return sentence([&] { values_from(scratch); });
  };
  CHECK(refused(R"({"weight_map": {"x": "model-00001-of-00002.safetensors"}})") ==
        "entrain.checkpoint.64: " + (scratch / "model-00001-of-00002.safetensors") +
            ": no tensor 'x', expected a tensor that " + index + " lists; copy the folder again");
  CHECK(has(refused(R"({"weight_map": {"x": "../y.safetensors"}})"),
            "tensor 'x' in \"../y.safetensors\", expected the name of a file next to this one"));
  CHECK(has(refused(R"({"weight_map": {"x": 3}})"), "entrain.checkpoint.62"));
  CHECK(has(refused(R"({"weight_map": {}})"), "entrain.checkpoint.62: " + index + ": no weight_map"));
  CHECK(has(refused("[]"), "no weight_map"));
  CHECK(has(refused("{"), "entrain.checkpoint.30"));
  std::filesystem::remove(scratch / "model-00002-of-00002.safetensors");
  CHECK(
      has(refused(R"({"weight_map": {"x": "model-00002-of-00002.safetensors"}})"), "model-00002-of-00002.safetensors"));
}

TEST_CASE("pretrained: floats of every width become the composition's") {
  Folder folder;
  folder.convert<float>(Dtype::f32, [](double x) { return static_cast<float>(x); });
  const test::Scratch single;
  folder.write(single);
  const auto in_single = values_from<Bert, precision::Fp32>(single);
  for (std::size_t i = 0; i < golden().size(); ++i)
    CHECK(in_single[i] == static_cast<double>(static_cast<float>(golden()[i])));
  CHECK(values_from(single) == in_single);

  folder = Folder();
  folder.convert<bf16>(Dtype::bf16, [](double x) { return bf16(x); });
  const test::Scratch brain;
  folder.write(brain);
  const auto in_brain = values_from<Bert, precision::Fp32>(brain);
  for (std::size_t i = 0; i < golden().size(); ++i) CHECK(in_brain[i] == static_cast<double>(float(bf16(golden()[i]))));

  folder = Folder();
  folder.convert<std::uint16_t>(Dtype::f16,
                                [](double x) { return static_cast<std::uint16_t>(x < 0 ? 0xBC00 : 0x3555); });
  const test::Scratch half;
  folder.write(half);
  const auto in_half = values_from<Bert, precision::Fp32>(half);
  for (std::size_t i = 0; i < golden().size(); ++i) CHECK(in_half[i] == (golden()[i] < 0 ? -1 : 1365 / 4096.0));
}

/// A folder of a family is read with and without its prefix, and a trained model has its names, keys and values.
template <class Model>
void check_family(const std::string& golden_folder, const std::string& prefix, std::vector<std::string> in_config) {
  Folder folder(golden_folder);
  const test::Scratch whole, bare, model;
  folder.write(whole);
  const auto values = values_from<Model>(whole);
  for (const auto& [name, t] : Folder(golden_folder).tensors)
    if (name.starts_with(prefix)) folder.rename(name, name.substr(prefix.size()));
  folder.write(bare);
  CHECK(values_from<Model>(bare) == values);
  CHECK(train::config_of<Model>() == checkpoint::parse_bert_config(folder.config, "config.json"));

  using Trainer = train::Trainer<Model, precision::Fp64, device::Cpu<>, optim::AdamW>;
  const device::Cpu<> dev(1);
  Trainer trainer(dev, typename Trainer::Labels({"PER", "LOC"}), 8, 0);
  train::start_from_pretrained(trainer, golden_folder);
  checkpoint::Config about;
  train::save(trainer, model / "m", about, train::source_files_of<typename Model::Features>(golden_folder));
  const auto file = checkpoint::read_safetensors(model / "m/model.safetensors");
  const Folder theirs(golden_folder);
  CHECK(file.tensors().size() == theirs.tensors.size());
  for (const auto& t : file.tensors()) {
    CAPTURE(t.name);
    const auto in_theirs = theirs.tensors.find(std::string(t.name));
    REQUIRE(in_theirs != theirs.tensors.end());
    if (!t.name.starts_with("classifier."))
      CHECK(std::equal(t.bytes.begin(), t.bytes.end(), in_theirs->second.bytes.begin()));
  }
  for (const std::string& text : in_config) CHECK(has(get(model / "m/config.json"), text));
}

TEST_CASE("pretrained: DistilBERT, by its own names and keys") {
  check_family<DistilBert>(golden_distilbert, "distilbert.",
                           {"\"DistilBertForTokenClassification\"", "\"n_layers\": 2"});
  check_refusals<DistilBert>(
      golden_distilbert,
      {Edit{"\"dim\": 16", "\"dim\": 32", "dim 32, expected 16 of"},
       Edit{"\"n_layers\": 2", "\"n_layers\": 3", "n_layers 3, expected 2 of"},
       Edit{"\"n_layers\": 2", "\"n_layers\": 0", "n_layers 0, expected a whole number from 1"},
       Edit{"\"n_layers\": 2", "\"other\": 2", "n_layers 6, expected 2 of"},
       Edit{"\"n_heads\": 2", "\"n_heads\": 4", "n_heads 4, expected 2 of"},
       Edit{"\"hidden_dim\": 24", "\"hidden_dim\": 48", "hidden_dim 48, expected 24 of"},
       Edit{"\"activation\": \"gelu\"", "\"activation\": \"relu\"", "activation relu, expected gelu of"},
       Edit{"\"activation\": \"gelu\"", "\"activation\": \"silu\"", "activation \"silu\", expected gelu, gelu_new"},
       Edit{"\"activation\": \"gelu\"", "\"activation\": 1", "key 'activation' is the number 1"},
       Edit{"\"dim\": 16", "\"dim\": 32", ".positions = 40, .types = 0, .width = 32, "},
       Edit{"\"distilbert\"", "\"bert\"", "model_type bert, expected distilbert of"}});
  CHECK(has(refusal<Bert>(Folder(golden_distilbert)), "model_type distilbert, expected bert of"));
}

TEST_CASE("pretrained: ELECTRA, whose tables are as wide as its blocks, or narrower") {
  check_family<Electra>(golden_electra, "electra.", {"\"ElectraForTokenClassification\"", "\"embedding_size\": 16"});
  check_family<ElectraSmall>(golden_electra_small, "electra.",
                             {"\"ElectraForTokenClassification\"", "\"embedding_size\": 10"});
  check_refusals<Electra>(
      golden_electra,
      {Edit{"\"embedding_size\": 16", "\"embedding_size\": 8", "embedding_size 8, expected 16 of"},
       Edit{"\"embedding_size\": 16", "\"embedding_size\": 8",
            "or write embed::Projected<embed::Bert<embed::EmbeddingConfig{.vocabulary = 21, .positions = 40, .types = "
            "2, .width = 8, .eps = 1e-12}, family::Electra>, 16>, layer::Stack<2, "},
       Edit{"\"embedding_size\": 16", "\"other\": 16", "embedding_size 128, expected 16 of"},
       Edit{"\"embedding_size\": 16", "\"embedding_size\": \"8\"",
            "embedding_size \"8\", expected a whole number from 1"},
       Edit{"\"hidden_size\": 16", "\"other\": 16", "hidden_size 256, expected 16 of"},
       Edit{"\"electra\"", "\"bert\"", "model_type bert, expected electra of"}});
  CHECK(has(refusal<ElectraSmall>(Folder(golden_electra)), "embedding_size 16, expected 10 of"));
}

TEST_CASE("pretrained: RoBERTa, whose positions begin at 2") {
  check_family<Roberta>(golden_roberta, "roberta.", {"\"RobertaForTokenClassification\"", "\"pad_token_id\": 1"});
  check_refusals<Roberta>(
      golden_roberta,
      {Edit{"\"pad_token_id\": 1", "\"pad_token_id\": 0",
            "pad_token_id 0, expected 1; use a model whose positions begin at 2"},
       Edit{"\"max_position_embeddings\": 42", "\"other\": 42", "max_position_embeddings 512, expected 42"},
       Edit{"\"vocab_size\": 280", "\"other\": 280", "vocab_size 50265, expected 280"},
       Edit{"\"type_vocab_size\": 1", "\"other\": 1", "type_vocab_size 2, expected 1"},
       Edit{"\"is_decoder\": false", "\"is_decoder\": true", "is_decoder true, expected false"},
       Edit{"\"roberta\"", "\"camembert\"", "model_type \"camembert\", expected \"bert\""},
       Edit{"\"roberta\"", "\"xlm-roberta\"", "model_type xlm-roberta, expected roberta of"}});
}

TEST_CASE("pretrained: XLM-RoBERTa, with another tokenizer") {
  check_family<XlmRoberta>(golden_xlm_roberta, "roberta.",
                           {"\"XLMRobertaForTokenClassification\"", "\"model_type\": \"xlm-roberta\""});
  check_refusals<XlmRoberta>(golden_xlm_roberta,
                             {Edit{"\"pad_token_id\": 1", "\"pad_token_id\": 0",
                                   "pad_token_id 0, expected 1; use a model whose positions begin at 2"},
                              Edit{"\"vocab_size\": 38", "\"other\": 38", "vocab_size 30522, expected 38"},
                              Edit{"\"xlm-roberta\"", "\"roberta\"", "model_type roberta, expected xlm-roberta of"}});
}

TEST_CASE("pretrained: BERT with the pieces of a unigram model") {
  using MultilingualBert = model::Tagger<
      embed::Bert<embed::EmbeddingConfig{.vocabulary = 38, .positions = 42, .types = 1, .width = 16, .eps = 1e-5},
                  family::MultilingualBert>,
      XlmRoberta::Encode, BertHead>;
  Folder folder(golden_xlm_roberta);
  for (const auto& [name, t] : Folder(golden_xlm_roberta).tensors)
    if (name.starts_with("roberta.")) folder.rename(name, "bert." + name.substr(8));
  folder.edit("\"xlm-roberta\"", "\"bert\"");
  const test::Scratch scratch, model;
  folder.write(scratch);
  const auto open = [&] { return train::open_features<MultilingualBert::Features>(scratch.path()); };
  const std::string refused = sentence(open);
  CHECK(has(refused, "entrain.checkpoint.50: "));
  CHECK(has(refused, "tokenizer_config.json: no tokenizer_class, expected XLMRobertaTokenizer or"));
  put(scratch / "tokenizer_config.json", "{\"tokenizer_class\": \"XLMRobertaTokenizer\"}");
  CHECK(values_from<MultilingualBert>(scratch) == [] {
    const test::Scratch same;
    Folder(golden_xlm_roberta).write(same);
    return values_from<XlmRoberta>(same);
  }());
  CHECK(open().tokenizer().size() == 38);

  using Trainer = train::Trainer<MultilingualBert, precision::Fp64, device::Cpu<>, optim::AdamW>;
  const device::Cpu<> dev(1);
  Trainer trainer(dev, Trainer::Labels({"PER", "LOC"}), 8, 0);
  train::start_from_pretrained(trainer, scratch.path());
  checkpoint::Config about;
  train::save(trainer, model / "m", about, train::source_files_of<MultilingualBert::Features>(scratch.path()));
  CHECK(has(get(model / "m/config.json"), "\"BertForTokenClassification\""));
  CHECK(get(model / "m/tokenizer.json") == get(golden_xlm_roberta + "/tokenizer.json"));

  folder.edit("\"hidden_size\": 16", "\"hidden_size\": 32");
  CHECK(has(refusal<MultilingualBert>(folder),
            ".width = 32, .eps = 1e-05}, family::MultilingualBert>, layer::Stack<2, "));
  CHECK(has(sentence([&] { train::open_features<Bert::Features>(scratch.path()); }),
            "tokenizer_class 'XLMRobertaTokenizer', expected BertTokenizer"));
}

TEST_CASE("pretrained: ModernBERT, with blocks of two kinds and its prediction head") {
  check_family<ModernBert>(
      golden_modern_bert, "model.",
      {"\"ModernBertForTokenClassification\"", "\"local_attention\": 6", "\"classifier_pooling\": \"cls\""});
  {  // the prediction head is pretrained; without it, its first values are random, and the user hears it
    Folder folder(golden_modern_bert);
    using Trainer = train::Trainer<ModernBert, precision::Fp64, device::Cpu<>, optim::AdamW>;
    const device::Cpu<> dev(1);
    Trainer trainer(dev, typename Trainer::Labels({"PER", "LOC"}), 8, 0);
    train::start_from_pretrained(trainer, golden_modern_bert);
    for (const Span& s : trainer.layout().spans)
      if (s.name == "head.prediction.dense.weight")
        CHECK(std::memcmp(trainer.values() + s.offset, folder.tensors["head.dense.weight"].bytes.data(),
                          s.size() * 8) == 0);
    folder.tensors.erase("head.dense.weight");
    const test::Scratch scratch;
    folder.write(scratch);
    const auto notes = train::start_from_pretrained(trainer, scratch.path());
    REQUIRE(notes.size() == 3);
    CHECK(has(notes[0], "no tensor 'head.dense.weight'; its first values are random"));
  }
  check_refusals<ModernBert>(
      golden_modern_bert,
      {Edit{"\"local_attention\": 6", "\"local_attention\": 8", "local_attention 8, expected 6 of"},
       Edit{"\"local_attention\": 6", "\"other\": 6", "local_attention 128, expected 6 of"},
       Edit{"\"local_attention\": 6", "\"local_attention\": 0", "local_attention 0, expected a whole number from 1"},
       Edit{"\"rope_theta\": 50.0", "\"rope_theta\": 51", "global_rope_theta 51, expected 50 of"},
       Edit{"\"rope_theta\": 7.0", "\"rope_theta\": 7.5", "local_rope_theta 7.5, expected 7 of"},
       Edit{"\"rope_theta\": 7.0", "\"rope_theta\": 0", "local_rope_theta 0, expected a number above 0"},
       Edit{"\"rope_theta\": 7.0", "\"rope_theta\": null", "local_rope_theta null, expected a number above 0"},
       Edit{"\"rope_parameters\"", "\"other\"", "global_rope_theta 160000, expected 50 of"},
       Edit{"\"rope_type\": \"default\"", "\"rope_type\": \"yarn\"",
            "rope_type \"yarn\" of full_attention, expected \"default\"; use a model without scaled positions"},
       Edit{"\"norm_bias\": false", "\"norm_bias\": true",
            "norm_bias true, expected false; use a model without biases"},
       Edit{"\"attention_bias\": false", "\"attention_bias\": true", "attention_bias true, expected false"},
       Edit{"\"mlp_bias\": false", "\"mlp_bias\": true", "mlp_bias true, expected false"},
       Edit{"\"classifier_bias\": false", "\"classifier_bias\": true", "classifier_bias true, expected false"},
       Edit{"\"norm_bias\": false", "\"rope_scaling\": {\"factor\": 2}", "rope_scaling {\"factor\":2}, expected null"},
       Edit{"\"classifier_activation\": \"gelu\"", "\"classifier_activation\": \"silu\"",
            "classifier_activation \"silu\", expected \"gelu\""},
       Edit{"\"full_attention\",", "\"sliding_attention\",",
            "layer_types[0] \"sliding_attention\", expected one of 4 for each block: \"full_attention\" for the first "
            "and"},
       Edit{"\"full_attention\",", "\"chunked_attention\",", "layer_types[0] \"chunked_attention\", expected one of"},
       Edit{"\"full_attention\",", "", "layer_types of 3, expected one of 4 for each block"},
       Edit{"\"full_attention\",", "\"full_attention\", \"full_attention\",", "layer_types of 5, expected one of 4"},
       Edit{"    \"sliding_attention\"\n", "    \"full_attention\"\n",
            "layer_types[3] \"full_attention\", expected one of"},
       Edit{"\"norm_eps\": 1e-05", "\"norm_eps\": 1e-06", "norm_eps 1e-06, expected 1e-05 of"},
       Edit{"\"hidden_activation\": \"gelu\"", "\"hidden_activation\": \"gelu_pytorch_tanh\"",
            "or write embed::ModernBert<embed::EmbeddingConfig{.vocabulary = 280, .positions = 40, .types = 0, .width "
            "= "
            "16, .eps = 1e-05}>, encode::WithNorm<layer::Stack<4, "
            "encode::ModernBertBlock<encode::ModernBertConfig{.width = 16, .heads = 2, "
            ".intermediate = 24, .local_attention = 6, .global_attn_every_n_layers = 2, .global_rope_theta = 50, "
            ".local_rope_theta = 7, .eps = 1e-05}, act::GeluTanh>>, layer::NormWithoutBias<layer::NormConfig{.width = "
            "16, .eps = 1e-05}>>"},
       Edit{"\"modernbert\"", "\"bert\"", "model_type bert, expected modernbert of"}});
  Folder older(golden_modern_bert);
  older.edit("\"layer_types\"", "\"other\"");  // global_attn_every_n_layers says the same
  const test::Scratch scratch;
  older.write(scratch);
  CHECK(!values_from<ModernBert>(scratch).empty());
}

TEST_CASE("pretrained: ModernBERT's blocks in the forms of transformers 4 and 5") {
  const auto parsed = [](const std::string& keys) {
    return checkpoint::parse_bert_config(R"({"model_type": "modernbert")" + keys + "}", "config.json");
  };
  const auto usual = parsed("");
  CHECK(usual.local_attention == 128);
  CHECK(usual.global_attn_every_n_layers == 3);
  CHECK(usual.global_rope_theta == 160000);
  CHECK(usual.local_rope_theta == 10000);
  CHECK(usual == train::config_of<model::FineTuned<model::ModernBertBase, head::Softmax, text::Bio>>());
  CHECK(parsed(R"(, "global_attn_every_n_layers": 5, "global_rope_theta": 8e4)").global_attn_every_n_layers == 5);
  CHECK(parsed(R"(, "global_rope_theta": 8e4)").global_rope_theta == 8e4);
  // Further apart than there are blocks: only the first is global.
  CHECK(parsed(R"(, "num_hidden_layers": 2)").global_attn_every_n_layers == 2);
  CHECK(parsed(R"(, "num_hidden_layers": 2, "layer_types": ["full_attention", "sliding_attention"])")
            .global_attn_every_n_layers == 2);
  CHECK(parsed(R"(, "num_hidden_layers": 2, "layer_types": ["full_attention", "full_attention"])")
            .global_attn_every_n_layers == 1);
  CHECK(parsed(R"(, "layer_types": null, "global_attn_every_n_layers": 4)").global_attn_every_n_layers == 4);
  // The new form is followed where both are there, as transformers does.
  CHECK(
      parsed(
          R"(, "num_hidden_layers": 2, "layer_types": ["full_attention", "full_attention"], "global_attn_every_n_layers": 2)")
          .global_attn_every_n_layers == 1);
  CHECK(parsed(R"(, "local_rope_theta": 5, "rope_parameters": {"sliding_attention": {"rope_theta": 6}})")
            .local_rope_theta == 6);
  CHECK(
      parsed(R"(, "local_rope_theta": 5, "rope_parameters": {"full_attention": {"rope_theta": 6}})").local_rope_theta ==
      5);
  CHECK(has(sentence([&] { parsed(R"(, "layer_types": "full_attention")"); }),
            "layer_types \"full_attention\", expected one of 22"));
}

TEST_CASE("pretrained: another config is refused with the field, both values and the type to write") {
  CHECK(train::config_of<Bert>() == checkpoint::parse_bert_config(get(golden_bert + "/config.json"), "config.json"));
  Folder folder;
  folder.edit("\"num_hidden_layers\": 2", "\"num_hidden_layers\": 3");
  const std::string wrong = refusal(folder);
  CHECK(has(wrong, "entrain.train.21: "));
  CHECK(has(wrong, "config.json: num_hidden_layers 3, expected 2 of this program; ./dev train --pretrained "));
  CHECK(has(
      wrong,
      "builds the program of this folder, or write embed::Bert<embed::EmbeddingConfig{.vocabulary = 21, "
      ".positions = 40, .types = 2, .width = 16, .eps = 1e-12}>, layer::Stack<3, "
      "encode::PostNormBlock<encode::TransformerConfig{.width = 16, .heads = 2, .intermediate = 24, .eps = 1e-12}>>"));
  check_refusals<Bert>(
      golden_bert,
      {Edit{"\"hidden_size\": 16", "\"hidden_size\": 32", "hidden_size 32, expected 16 of"},
       Edit{"\"num_attention_heads\": 2", "\"num_attention_heads\": 4", "num_attention_heads 4, expected 2"},
       Edit{"\"intermediate_size\": 24", "\"intermediate_size\": 64", "intermediate_size 64, expected 24"},
       Edit{"\"vocab_size\": 21", "\"vocab_size\": 22", "vocab_size 22, expected 21"},
       Edit{"\"max_position_embeddings\": 40", "\"max_position_embeddings\": 64",
            "max_position_embeddings 64, expected 40"},
       Edit{"\"type_vocab_size\": 2", "\"type_vocab_size\": 1", "type_vocab_size 1, expected 2"},
       Edit{"\"layer_norm_eps\": 1e-12", "\"layer_norm_eps\": 1e-5", "layer_norm_eps 1e-05, expected 1e-12"},
       Edit{"\"hidden_act\": \"gelu\"", "\"hidden_act\": \"gelu_new\"",
            "hidden_act gelu_pytorch_tanh, expected gelu of"},
       Edit{"\"hidden_act\": \"gelu\"", "\"hidden_act\": \"gelu_new\"", ".eps = 1e-12}, act::GeluTanh>>"},
       Edit{"\"hidden_act\": \"gelu\"", "\"hidden_act\": \"relu\"", ".eps = 1e-12}, act::Relu>>"},
       Edit{"\"hidden_act\": \"gelu\"", "\"hidden_act\": \"silu\"", "entrain.checkpoint.60: "},
       Edit{"\"hidden_act\": \"gelu\"", "\"hidden_act\": 3", "key 'hidden_act' is the number 3"},
       Edit{"\"model_type\": \"bert\"", "\"model_type\": \"gpt2\"",
            "model_type \"gpt2\", expected \"bert\", \"distilbert\", \"electra\", \"modernbert\", \"roberta\" or "
            "\"xlm-roberta\""},
       Edit{"\"model_type\"", "\"position_embedding_type\": \"relative_key\", \"model_type\"",
            "position_embedding_type \"relative_key\", expected \"absolute\""},
       Edit{"\"is_decoder\": false", "\"is_decoder\": true", "is_decoder true, expected false; use an encoder"},
       Edit{"\"add_cross_attention\": false", "\"add_cross_attention\": true",
            "add_cross_attention true, expected false; use an encoder"},
       Edit{"\"hidden_size\": 16", "\"hidden_size\": 16.5", "entrain.checkpoint.61: "},
       Edit{"\"hidden_size\": 16", "\"hidden_size\": 0", "hidden_size 0, expected a whole number from 1"},
       Edit{"\"hidden_size\": 16", "\"hidden_size\": 10000000", "entrain.checkpoint.61"},
       Edit{"\"layer_norm_eps\": 1e-12", "\"layer_norm_eps\": 1", "layer_norm_eps 1, expected a number between"}});
  Folder list;
  list.config = "[]";
  CHECK(has(refusal(list), "entrain.checkpoint.32"));
}

TEST_CASE("pretrained: weights that are not the composition's, or broken") {
  Folder folder;
  folder.tensors.erase(query);
  CHECK(has(refusal(folder), "model.safetensors: no tensor '" + query + "', with or without its prefix"));
  folder = Folder();
  folder.tensors[query].shape = {8, 32};
  CHECK(has(refusal(folder), "entrain.train.23: "));
  CHECK(has(refusal(folder), "tensor '" + query + "' is [8,32], expected [16,16]"));
  folder = Folder();
  folder.tensors["bert.encoder.layer.2.output.dense.bias"] = folder.tensors["bert.encoder.layer.1.output.dense.bias"];
  CHECK(has(refusal(folder), "a tensor 'bert.encoder.layer.2.output.dense.bias' that this composition does not have"));
  folder = Folder();
  folder.tensors[query.substr(5)] = folder.tensors[query];
  CHECK(has(refusal(folder), "a tensor '" + query.substr(5) + "' that this composition does not have"));
  folder = Folder();
  const double none = NAN;
  std::memcpy(folder.tensors[query].bytes.data() + 8 * 37, &none, 8);
  CHECK(
      has(refusal(folder), "model.safetensors: number 37 of tensor '" + query +
                               "' is not finite, expected a finite number; the weights are corrupt: copy them again, " +
                               "or train again"));
  folder = Folder();
  const double large = 1e300;
  std::memcpy(folder.tensors[query].bytes.data() + 8 * 37, &large, 8);
  const test::Scratch wide;
  folder.write(wide);
  CHECK(sentence([&] { values_from<Bert, precision::Fp32>(wide); }) ==
        "entrain.checkpoint.67: " + (wide / "model.safetensors") + ": number 37 of tensor '" + query +
            "' is too large for 32 bits, expected a number below 3.5e38; the weights are corrupt: copy them again");
  CHECK(values_from(wide).size() == golden().size());  // in 64 bits it is a number
  folder = Folder();
  folder.tensors[query].dtype = Dtype::i64;
  CHECK(has(refusal(folder), "tensor '" + query + "' of I64, expected F64, F32, F16 or BF16"));

  const test::Scratch scratch;
  Folder().write(scratch);
  const std::string path = scratch / "model.safetensors", whole = get(path);
  const auto refused = [&] { return sentence([&] { values_from(scratch); }); };
  put(path, whole.substr(0, whole.size() - 1));
  std::size_t data = 0;
  for (const auto& [name, tensor] : Folder().tensors) data += tensor.bytes.size();
  CHECK(refused() == "entrain.checkpoint.25: " + path + ": " + std::to_string(data - 1) +
                         " bytes of data, but the tensors end at byte " + std::to_string(data) +
                         ", expected the same; the file is truncated: copy it again");
  put(path, "");
  CHECK(refused() == "entrain.checkpoint.10: " + path +
                         ": 0 bytes, expected at least 8, the length of a safetensors header; the file is truncated, "
                         "or is not a safetensors file");
  std::filesystem::remove(path);
  CHECK(has(refused(), path));
  put(scratch / "pytorch_model.bin", "PK");
  CHECK(has(refused(), "entrain.checkpoint.63: " + (scratch / "pytorch_model.bin") +
                           ": a pickle, which can run arbitrary code when it is read, expected model.safetensors; "
                           "convert it in a trusted environment: python -c \"from transformers import AutoModel"));
  std::filesystem::remove(scratch / "pytorch_model.bin");
  put(scratch / "tf_model.h5", "H5");
  CHECK(has(refused(), "weights of another framework"));
}

TEST_CASE("pretrained: tensors that no tagger reads are named; any other is an error") {
  const auto with = [](const std::string& name, const std::string& from = golden_bert) {
    Folder folder(from);
    folder.tensors[name] = {Dtype::f64, {1}, std::vector<std::byte>(8)};
    return folder;
  };
  const auto said_of = [](const Folder& folder, const test::Scratch& scratch, auto model) {
    using Trainer = train::Trainer<typename decltype(model)::type, precision::Fp64, device::Cpu<>, optim::AdamW>;
    folder.write(scratch);
    const device::Cpu<> dev(1);
    Trainer trainer(dev, typename Trainer::Labels({"PER", "LOC"}), 8, 0);
    return train::start_from_pretrained(trainer, scratch.path());
  };
  const auto is_noted = [](const std::vector<std::string>& notes, const test::Scratch& scratch, const char* name) {
    return std::count(
               notes.begin(), notes.end(),
               (scratch / "model.safetensors") + ": '" + name + "' is not used by this model and was not read") == 1;
  };
  for (const char* name :
       {"bert.pooler.dense.weight", "pooler.dense.bias", "bert.embeddings.position_ids", "embeddings.position_ids",
        "cls.predictions.transform.dense.weight", "cls.predictions.decoder.weight", "cls.seq_relationship.bias",
        "qa_outputs.weight", "classifier.more"}) {
    CAPTURE(name);
    const test::Scratch scratch;
    CHECK(is_noted(said_of(with(name), scratch, std::type_identity<Bert>()), scratch, name));
  }
  for (const char* name : {"vocab_transform.weight", "vocab_layer_norm.bias", "vocab_projector.weight",
                           "pre_classifier.bias", "distilbert.embeddings.position_ids", "qa_outputs.bias"}) {
    CAPTURE(name);
    const test::Scratch scratch;
    CHECK(is_noted(said_of(with(name, golden_distilbert), scratch, std::type_identity<DistilBert>()), scratch, name));
  }
  for (const char* name :
       {"discriminator_predictions.dense.weight", "discriminator_predictions.dense_prediction.bias",
        "generator_predictions.LayerNorm.weight", "generator_lm_head.bias", "classifier.dense.weight",
        "sequence_summary.summary.weight", "electra.embeddings.position_ids", "qa_outputs.bias"}) {
    CAPTURE(name);
    const test::Scratch scratch;
    CHECK(is_noted(said_of(with(name, golden_electra), scratch, std::type_identity<Electra>()), scratch, name));
  }
  for (const char* name : {"lm_head.dense.weight", "lm_head.bias", "roberta.pooler.dense.weight", "qa_outputs.weight",
                           "classifier.dense.weight", "roberta.embeddings.position_ids"}) {
    CAPTURE(name);
    const test::Scratch scratch;
    CHECK(is_noted(said_of(with(name, golden_roberta), scratch, std::type_identity<Roberta>()), scratch, name));
  }
  for (const std::string name :
       {"vocab_extra.weight", "vocab_", "bert.encoder.pooler.weight", "pooler.weight", "bert.pooler.dense.weight.more",
        "encoder.position_ids", "bert.embeddings.position_ids2", "cls.more", "classifiers.weight",
        "distilbert.embeddings.position_ids", "bertpooler.dense.weight"}) {
    const test::Scratch scratch;
    const Folder folder = with(name);
    CHECK(sentence([&] { said_of(folder, scratch, std::type_identity<Bert>()); }) ==
          "entrain.train.20: " + (scratch / "model.safetensors") + ": a tensor '" + name +
              "' that this composition does not have, expected the tensors of an encoder with this composition's "
              "number of layers; use the composition of the folder");
  }
}

TEST_CASE("pretrained: a tokenizer that knows more pieces than the table has rows") {
  Folder folder;
  folder.tokenizer += "more\n";
  const test::Scratch scratch;
  folder.write(scratch);
  CHECK(sentence([&] { train::open_features<Bert::Features>(scratch.path()); }) ==
        "entrain.batch.1: " + scratch.path() + ": 22 pieces" + beyond("at most"));
}

TEST_CASE("pretrained: ids beyond the table of pieces are refused, wherever the tokenizer has them from") {
  const auto refused = [](const std::string& tokenizer) {
    const test::Scratch scratch;
    put(scratch / "tokenizer.json", tokenizer);
    put(scratch / "tokenizer_config.json", R"({"tokenizer_class":"PreTrainedTokenizerFast"})");
    const std::string said = sentence([&] { train::open_features<Bert::Features>(scratch.path()); });
    const std::string where = ": " + scratch.path() + ": ";
    const auto at = said.find(where);
    return at == said.npos ? said : said.substr(0, at + 2) + said.substr(at + where.size());
  };
  CHECK(refused(tokenizer_json(21, "", cls_sep(2, 3))).empty());
  const std::string of_added = "entrain.batch.1: added token '<new>' with id ", below = "an id below";
  CHECK(refused(tokenizer_json(21, added_token("<new>", 21), cls_sep(2, 3))) == of_added + "21" + beyond(below));
  CHECK(has(refused(tokenizer_json(20, added_token("<new>", 1'000'000'000), cls_sep(2, 3))),
            "added token '<new>' has id 1000000000, expected the next free id, 20"));
  CHECK(refused(tokenizer_json(20, added_token("<new>", 20), cls_sep(2, 3))).empty());
  CHECK(has(refused(tokenizer_json(21, "", cls_sep(21, 3))), "gives '[CLS]' the id 21, expected its id 2"));
  CHECK(has(refused(tokenizer_json(21, "", cls_sep(2, 999))), "gives '[SEP]' the id 999, expected its id 3"));
  const auto pieces = std::make_shared<const text::WordPiece>(std::vector<std::string>{"[UNK]"});
  CHECK(sentence([&] { Bert::Features(pieces, {21}, {}, "here"); }) ==
        "entrain.batch.1: here: a special token with id 21" + beyond(below));
  CHECK(sentence([&] { Bert::Features(pieces, {}, {-1}, "here"); }) ==
        "entrain.batch.1: here: a special token with id -1" + beyond(below));
  CHECK(refused(tokenizer_json(21, "", around(39))).empty());  // a position is left
  CHECK(refused(tokenizer_json(21, "", around(40))) ==
        "entrain.batch.2: 40 special tokens around every text, expected fewer than 40, the model's positions "
        "(max_position_embeddings); use the model's tokenizer");
  CHECK(refused(tokenizer_json(1, "", "null")) ==
        "entrain.text.15: no piece [UNK] among 1, expected a piece for unknown words");
}

TEST_CASE("pretrained: what is saved tells transformers how words were cut, and nothing of the folder's own labels") {
  const test::Scratch scratch;
  Folder folder;
  folder.edit("\"is_decoder\"", "\"num_labels\": 9, \"is_decoder\"");
  folder.write(scratch);
  std::filesystem::remove(scratch / "vocab.txt");
  std::string cased = tokenizer_json(21, "", cls_sep(2, 3));
  cased.replace(cased.find("\"type\":\"BertNormalizer\""), 23, R"("type":"BertNormalizer","lowercase":false)");
  put(scratch / "tokenizer.json", cased);
  const auto start = train::read_start<Bert::Features>(scratch.path());
  REQUIRE(start.notes.size() == 2);
  CHECK(has(start.notes[0],
            "tokenizer_config.json: no such file: transformers uses do_lower_case true, but "
            "normalizer.lowercase of tokenizer.json is false"));
  REQUIRE(start.source_files.files.size() == 2);
  CHECK(start.source_files.files[1].name == "tokenizer_config.json");
  CHECK(start.source_files.files[1].text == "{\n  \"do_lower_case\": false\n}\n");
  for (const auto& key : start.source_files.config) CHECK(key.name != "num_labels");

  CHECK(sentence([&] { train::demand_the_same(scratch.path(), start.source_files); }).empty());
  put(scratch / "config.json", "{}");
  CHECK(
      sentence([&] { train::demand_the_same(scratch.path(), start.source_files); }) ==
      "entrain.train.27: " + (scratch / "config.json") +
          ": another process has saved into this folder since the training started, expected the model whose tokenizer "
          "was read; start the training again");
}

TEST_CASE("pretrained: a token added after the vocabulary, inside the table, is trained as a piece of it is") {
  using Trainer = train::Trainer<Bert, precision::Fp64, device::Cpu<>, optim::AdamW>;
  const auto trained = [](const std::string& tokenizer) {
    const test::Scratch scratch;
    Folder().write(scratch);
    std::filesystem::remove(scratch / "vocab.txt");  // which has another piece with id 20
    put(scratch / "tokenizer.json", tokenizer);
    text::Corpus corpus;
    for (const char* word : {"a", "<new>", "ab", "<new>"}) corpus.push(word, 0);
    corpus.end_sentence();
    auto e = batch::encode<Bert::Features>(corpus, train::open_features<Bert::Features>(scratch.path()));
    e.target = {0, 1, 0, 2};
    const device::Cpu<> dev(1);
    Trainer trainer(dev, Trainer::Labels({"PER", "LOC"}), 16, 0);
    train::start_from_pretrained(trainer, scratch.path());
    batch::Packer<Bert::Features> packer(16);
    const std::vector<std::uint32_t> order{0};
    const auto batch = packer.pack(e, order, trainer.labels().count());
    CHECK(std::count(batch.words.ids, batch.words.ids + batch.words.count, 20) == 2);
    trainer.accumulate(batch, 0);
    trainer.update({.weight_decay = 0}, 1e-2, 0);
    return std::vector<double>(trainer.values(), trainer.values() + trainer.layout().size);
  };
  const auto added = trained(tokenizer_json(20, added_token("<new>", 20), cls_sep(2, 3)));
  CHECK(added == trained(tokenizer_json(20, added_token("<new>", 20), cls_sep(2, 3), R"(,"<new>":20)")));
  const auto last_row = added.begin() + 20 * 16;  // of the first table
  CHECK(!std::equal(last_row, last_row + 16, golden().begin() + 20 * 16));
}

TEST_CASE("pretrained: a CRF's transitions are in a file of their own, and come back") {
  using Crf =
      model::Tagger<embed::Bert<embed::EmbeddingConfig{.vocabulary = 21, .positions = 40, .width = 16}>,
                    layer::Stack<2, encode::PostNormBlock<tiny_width>>, head::WithDropout<head::Crf<16, text::Bio>>>;
  using Trainer = train::Trainer<Crf, precision::Fp64, device::Cpu<>, optim::AdamW>;
  const device::Cpu<> dev(1);
  const test::Scratch scratch;
  Trainer trainer(dev, Trainer::Labels({"PER", "LOC"}), 8, 3);
  train::start_from_pretrained(trainer, golden_bert);
  checkpoint::Config about;
  about.splitter = "whitespace";
  about.sentence_splitter = "whole-text";
  const std::string model = scratch / "m";
  const auto source = train::source_files_of<Crf::Features>(golden_bert);
  std::filesystem::create_directories(model + "/crf.safetensors");  // a folder in its place is known before training
  CHECK(sentence([&] { train::prove_writable(trainer, model, about, source); }) ==
        "entrain.checkpoint.2: " + model + "/crf.safetensors: a folder, expected a file to write; give a file name");
  std::filesystem::remove(model + "/crf.safetensors");
  CHECK(sentence([&] { train::prove_writable(trainer, model, about, source); }).empty());
  train::save(trainer, model, about, source);
  const auto weights = checkpoint::read_safetensors(model + "/model.safetensors");
  for (const auto& t : weights.tensors()) CHECK((t.name.starts_with("bert.") || t.name.starts_with("classifier.")));
  CHECK(checkpoint::read_safetensors(model + "/crf.safetensors").tensors().size() == 3);
  auto back = train::load<Trainer>(dev, model, 8, 9);
  CHECK(std::equal(trainer.values(), trainer.values() + trainer.layout().size, back.values()));

  CHECK(train::command_for(model) == "./dev train --pretrained " + model + " --head crf");
  CHECK(has(get(model + "/config.json"), "\"dtype\": \"float64\""));
  train::Trainer<Crf, precision::Fp32, device::Cpu<>, optim::AdamW> narrow(dev, Trainer::Labels({"PER", "LOC"}), 8, 3);
  train::save(narrow, scratch / "narrow", about, train::source_files_of<Crf::Features>(golden_bert));
  CHECK(has(get(scratch / "narrow/config.json"), "\"dtype\": \"float32\""));

  const std::string chain = get(model + "/crf.safetensors");
  put(model + "/crf.safetensors", chain.substr(0, chain.size() - 1) + "x");
  CHECK(has(sentence([&] { train::load<Trainer>(dev, model, 8, 9); }), "crf.safetensors"));
  std::filesystem::remove(model + "/crf.safetensors");
  CHECK(has(sentence([&] { train::load<Trainer>(dev, model, 8, 9); }), "crf.safetensors"));
}

TEST_CASE("pretrained: ModernBERT with a chain after its prediction head") {
  using Crf = model::FineTuned<ModernBertEncoder, head::Crf, text::Bio>;
  using Trainer = train::Trainer<Crf, precision::Fp64, device::Cpu<>, optim::AdamW>;
  const device::Cpu<> dev(1);
  Trainer trainer(dev, Trainer::Labels({"PER", "LOC"}), 8, 3);
  train::start_from_pretrained(trainer, golden_modern_bert);
  const test::Scratch scratch;
  checkpoint::Config about;
  about.splitter = "whitespace";
  about.sentence_splitter = "whole-text";
  const std::string model = scratch / "m";
  train::save(trainer, model, about, train::source_files_of<Crf::Features>(golden_modern_bert));
  const auto weights = checkpoint::read_safetensors(model + "/model.safetensors");
  CHECK(weights.find("head.norm.weight") != nullptr);
  for (const auto& t : weights.tensors())
    CHECK((t.name.starts_with("model.") || t.name.starts_with("head.") || t.name.starts_with("classifier.")));
  CHECK(checkpoint::read_safetensors(model + "/crf.safetensors").tensors().size() == 3);
  auto back = train::load<Trainer>(dev, model, 8, 9);
  CHECK(std::equal(trainer.values(), trainer.values() + trainer.layout().size, back.values()));
  CHECK(train::command_for(model) == "./dev train --pretrained " + model + " --head crf");
}

TEST_CASE("pretrained: the default dropout is that of the family") {
  const auto of = [](auto type) {
    using Model = typename decltype(type)::type;
    return train::default_options<train::Trainer<Model, precision::Fp32, device::Cpu<>, optim::AdamW>>();
  };
  CHECK(of(std::type_identity<Bert>()).dropout == 0.1);
  CHECK(of(std::type_identity<DistilBert>()).dropout == 0.1);
  CHECK(of(std::type_identity<ModernBert>()).dropout == 0);
  CHECK(of(std::type_identity<ModernBert>()).learning_rate == 5e-5);
}

}  // namespace pretrained_test
