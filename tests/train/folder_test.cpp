// tests > [train]
#include "entrain/train/folder/folder.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "entrain/train/folder/load.hpp"
#include "entrain/train/folder/save.hpp"
#include "tests/scratch.hpp"
#include "tests/train/tiny.hpp"
#include "tests/train/tiny_bert.hpp"

namespace folder_test {
using namespace entrain;
using namespace test;

namespace {

using Averaged = TrainerOf<optim::Averaged<optim::AdamW>>;

checkpoint::Config about() {
  checkpoint::Config c;
  c.splitter = "unicode-words-1";
  c.sentence_splitter = "lines";
  return c;
}

/// A trainer in which every value is another one.
Trainer numbered(const device::Cpu<>& dev, const std::vector<std::string>& types) {
  Trainer trainer(dev, Labels(types), 10, 1);
  for (const entrain::Span& s : trainer.layout().spans)
    for (std::size_t i = s.offset; i < s.offset + s.size(); ++i) trainer.values()[i] = static_cast<float>(i) + 0.5f;
  return trainer;
}

/// Replaces a part of config.json, wherever it is.
void edit(const test::Scratch& folder, std::string_view what, std::string_view by) {
  std::string config = get(folder / "m/config.json");
  REQUIRE(has(config, what));
  for (auto at = config.find(what); at != config.npos; at = config.find(what, at + by.size()))
    config.replace(at, what.size(), by);
  put(folder / "m/config.json", config);
}

template <class Model = Tiny> std::string refusal(const test::Scratch& folder) {
  return sentence([&] { train::open<Model, float>(folder / "m"); });
}

}  // namespace

TEST_CASE("describe: a composition in words, every argument said") {
  CHECK(train::describe<Tiny>() ==
        "Tagger<MultiHash<8, HashedWords<2, 60, 20, 20, 20>, 2>, "
        "Stack<1, Residual<Sequence<Window<8, 1>, Maxout<24, 8, 2>, LayerNorm<8>, Dropout<8>>>>, Crf<8, Bioes>>");
  CHECK(train::describe<head::Softmax<4, text::Bio>>() == "Softmax<4, Bio>");
}

TEST_CASE("first_difference: the smallest parts that differ") {
  const auto differ = [](std::string_view a, std::string_view b) {
    const auto d = train::first_difference(a, b);
    return std::string(d.a) + " | " + std::string(d.b);
  };
  CHECK(differ("T<A<1, 2>, B<3>>", "T<A<1, 4>, B<5>>") == "A<1, 2> | A<1, 4>");
  CHECK(differ("T<A<1>, B<C<3>, D>>", "T<A<1>, B<C<4>, D>>") == "C<3> | C<4>");
  CHECK(differ("T<A<1>, B>", "T<A<1>, C>") == "T<A<1>, B> | T<A<1>, C>");
  CHECK(differ("T<A<1>>", "T<A<1>, B>") == "T<A<1>> | T<A<1>, B>");
  CHECK(differ("T<A<1>>", "S<A<1>>") == "T<A<1>> | S<A<1>>");
  CHECK(differ("T", "T<A>") == "T | T<A>");
  for (const char* broken : {"", "<", ">", "T<", "T<A", "T<A,", "T<>", "T<A>>", ",,"}) {
    CHECK(!differ(broken, "T<A<1>, B>").empty());  // whatever is in a file
    CHECK(!differ("T<A<1>, B>", broken).empty());
  }
}

TEST_CASE("composition_of: what follows the labels is known by itself") {
  const auto c = train::composition_of<Tiny, float>();
  std::size_t by = 0;
  for (const auto& t : c.tensors) by += t.rows == dynamic_labels || t.cols == dynamic_labels;
  CHECK(by == 5);  // classifier.weight and .bias, transitions, starts, ends
  CHECK(c.tensors.front().name == "embed.norm");
  CHECK(c.tensors.front().rows == 60);
}

TEST_CASE("save, load: the same values, the same labels, what was said about it") {
  const test::Scratch folder;
  const device::Cpu<> dev(1);
  Trainer trainer = numbered(dev, {"PER", "LOC"});
  checkpoint::Config said = about();
  train::Options options;
  options.seed = 12;
  train::remember(said, options);
  train::save(trainer, folder / "m", said);
  Trainer back = train::load<Trainer>(dev, folder / "m", 10, 99);
  CHECK(values_of(back) == values_of(trainer));
  CHECK(back.labels().types().names() == std::vector<std::string>{"PER", "LOC"});
  const auto stored = train::open<Tiny, float>(folder / "m");
  CHECK(stored.config.splitter == "unicode-words-1");
  CHECK(stored.config.sentence_splitter == "lines");
  CHECK(stored.config.scheme == "BIOES");
  CHECK(stored.config.labels.size() == 9);
  CHECK(stored.notes.empty());
  CHECK(has(get(folder / "m/config.json"), "\"seed\": 12"));
}

TEST_CASE("save: what is saved is what evaluation uses, the averages") {
  const test::Scratch folder;
  const device::Cpu<> dev(1);
  Averaged trainer(dev, Labels({"PER"}), 10, 1);
  const auto averaged = values_of(trainer);
  for (std::size_t i = 0; i < trainer.layout().size; ++i) trainer.values()[i] += 1;  // the average stays after
  train::save(trainer, folder / "m", about());
  Averaged back = train::load<Averaged>(dev, folder / "m", 10, 1);
  CHECK(values_of(back) == averaged);
  CHECK(std::equal(averaged.begin(), averaged.end(), back.best_values()));
}

TEST_CASE("load: into another composition is one error with the first difference") {
  const test::Scratch folder;
  const device::Cpu<> dev(1);
  Trainer small = numbered(dev, {"PER"});
  train::save(small, folder / "m", about());
  using Wider = model::Tagger<embed::MultiHash<8, batch::HashedWords<2, 80, 20, 20, 20>, 2>,
                              encode::MaxoutWindow<8, 1, 1, 2>, head::Crf<8, text::Bioes>>;
  using Deeper =
      model::Tagger<embed::MultiHash<8, Words, 2>, encode::MaxoutWindow<8, 2, 1, 2>, head::Crf<8, text::Bioes>>;
  using OtherHead =
      model::Tagger<embed::MultiHash<8, Words, 2>, encode::MaxoutWindow<8, 1, 1, 2>, head::Softmax<8, text::Bioes>>;
  using OtherScheme =
      model::Tagger<embed::MultiHash<8, Words, 2>, encode::MaxoutWindow<8, 1, 1, 2>, head::Crf<8, text::Bio>>;
  const std::string where = "entrain.train.11: " + (folder / "m/config.json") + ": a model with ";
  const std::string remedy = " in this program; run the program that trained it (after ./dev train: ./dev predict -m " +
                             (folder / "m") + " or ./dev evaluate), or train again";
  CHECK(refusal<Wider>(folder) ==
        where + "HashedWords<2, 60, 20, 20, 20>, expected HashedWords<2, 80, 20, 20, 20>" + remedy);
  CHECK(refusal<Deeper>(folder).starts_with(where + "Stack<1, "));
  CHECK(has(refusal<Deeper>(folder), "expected Stack<2, "));
  CHECK(refusal<OtherHead>(folder) == where + "Crf<8, Bioes>, expected Softmax<8, Bioes>" + remedy);
  CHECK(refusal<OtherScheme>(folder) == where + "Crf<8, Bioes>, expected Crf<8, Bio>" + remedy);
  CHECK(refusal(folder).empty());
  // A folder of BERT's family, whoever saved it, has a command that builds its trainer.
  const std::string command = "run the program that trained it: ./dev predict -m " + (folder / "m") +
                              " (or evaluate); or train again: ./dev train --pretrained " + (folder / "m");
  edit(folder, "\"id2label\"", "\"model_type\": \"bert\", \"id2label\"");
  CHECK(refusal<Deeper>(folder).ends_with("; " + command + " --head crf"));
  edit(folder, "Crf<8", "Softmax<8");
  CHECK(refusal<Deeper>(folder).ends_with("; " + command));
  edit(folder, "\"bert\"", "\"gpt2\"");
  CHECK(refusal<Deeper>(folder).ends_with("or train again"));
  edit(folder, "\"gpt2\"", "\"bert\", \"position_embedding_type\": \"relative_key\"");
  CHECK(refusal<Deeper>(folder).ends_with("or train again"));
  train::save(small, folder / "m", about());
  CHECK(!sentence([&] { train::open<Tiny, double>(folder / "m"); }).empty());  // numbers of another type
}

namespace {
template <int Window> using Looking =
    model::Tagger<embed::MultiHash<16, Words, 2>,
                  layer::Stack<1, encode::PostNormBlock<encode::TransformerConfig{
                                      .width = 16, .heads = 2, .intermediate = 24, .window = Window}>>,
                  head::Softmax<16, text::Bio>>;
}  // namespace

TEST_CASE("load: a number of labels that is not that of the labels") {
  const test::Scratch folder;
  const device::Cpu<> dev(1);
  Trainer small = numbered(dev, {"PER"});
  train::save(small, folder / "m", about());
  edit(folder, "\"id2label\"", "\"num_labels\": 5, \"id2label\"");
  CHECK(refusal(folder).empty());  // O, B, I, E and S of one type
  edit(folder, "\"num_labels\": 5", "\"num_labels\": 4");
  CHECK(refusal(folder).starts_with("entrain.train.12: " + (folder / "m/config.json") + ": num_labels 4"));
}

TEST_CASE("load: attention in another window, or in none, is another composition with the same tensors") {
  const test::Scratch folder;
  const device::Cpu<> dev(1);
  using In8 = train::Trainer<Looking<8>, precision::Fp32, device::Cpu<>, optim::AdamW>;
  In8 trainer(dev, In8::Labels({"PER"}), 10, 1);
  train::save(trainer, folder / "m", about());
  CHECK(refusal<Looking<8>>(folder).empty());
  const std::string found = "entrain.train.11: " + (folder / "m/config.json") +
                            ": a model with PostNormBlock<16, 2, 24, 1e-12, gelu, window 8>, expected ";
  const std::string remedy = " in this program; run the program that trained it (after ./dev train: ./dev predict -m " +
                             (folder / "m") + " or ./dev evaluate), or train again";
  CHECK(refusal<Looking<6>>(folder) == found + "PostNormBlock<16, 2, 24, 1e-12, gelu, window 6>" + remedy);
  CHECK(refusal<Looking<0>>(folder) == found + "PostNormBlock<16, 2, 24, 1e-12, gelu>" + remedy);
}

TEST_CASE("load: a folder that is none, or whose parts do not belong together") {
  const test::Scratch folder;
  const device::Cpu<> dev(1);
  CHECK(has(refusal(folder), "entrain.checkpoint.40"));
  Trainer numbers = numbered(dev, {"PER", "LOC"});
  const auto fresh = [&] { train::save(numbers, folder / "m", about()); };
  fresh();
  const std::string where = (folder / "m/config.json") + ": ";
  edit(folder, "\"B-PER\"", "\"B-ORG\"");
  CHECK(refusal(folder) ==
        "entrain.train.12: " + where +
            "scheme BIOES, label 1 'B-ORG', expected scheme BIOES, label 1 'B-PER' from its entity types; "
            "restore the file: labels, types and scheme must agree");
  fresh();
  edit(folder, "\"scheme\": \"BIOES\"", "\"scheme\": \"BIO\"");
  CHECK(has(refusal(folder), "entrain.train.12: " + where + "scheme BIO, label 9 absent, expected scheme BIOES"));
  fresh();
  edit(folder, train::describe<Tiny>(), "");
  CHECK(refusal(folder) ==
        "entrain.train.10: " + where + "no composition, expected a model saved by entrain; name another folder");
  CHECK(sentence([&] { train::open<Tiny, float>(golden_bert); }) ==
        "entrain.train.10: " + golden_bert +
            "/config.json: no composition, expected a model saved by entrain; name another folder, or create one: "
            "./dev train --pretrained " +
            golden_bert);
  CHECK(train::command_for(folder / "none").empty());
  fresh();
  const std::string weights = get(folder / "m/model.safetensors");
  put(folder / "m/model.safetensors", weights.substr(0, weights.size() - 1));
  CHECK(refusal(folder).starts_with("entrain.checkpoint."));
  CHECK(has(refusal(folder), "model.safetensors"));
  std::filesystem::remove(folder / "m/model.safetensors");
  CHECK(refusal(folder).starts_with("entrain.checkpoint."));
  CHECK(has(refusal(folder), "model.safetensors"));
}

TEST_CASE("load: tensors that are missing, too many or of another shape") {
  const test::Scratch folder;
  const auto here = train::composition_of<Tiny, float>();
  const auto write = [&](const auto& change) {
    auto other = here;
    entrain::Layout layout = layout_of<Tiny>(Labels({"PER"}).count());
    change(other, layout);
    const std::vector<std::byte> values(layout.size * 4);
    checkpoint::Config said = about();
    task::write_labels<Tiny::Task>(Labels({"PER"}), said);
    train::write_model(folder / "m", other, layout, values.data(), said);
    return refusal(folder);
  };
  CHECK(write([](auto&, auto&) {}).empty());
  CHECK(write([](auto& c, auto& l) { c.tensors.pop_back(), l.spans.pop_back(); }).starts_with("entrain.checkpoint.26"));
  CHECK(write([](auto& c, auto& l) {
          c.tensors[0].rows = 30, l.spans[0].rows = 30;
        }).starts_with("entrain.checkpoint.27"));
  const std::string more = write([](auto& c, auto& l) {
    c.tensors.push_back({"head.more", 1, 1});
    l.spans.push_back(l.spans.back());
    l.spans.back().name = "head.more";
    l.spans.back().rows = l.spans.back().cols = 1;
  });
  CHECK(more.starts_with("entrain.train.13: " + (folder / "m/model.safetensors")));
  CHECK(has(more, "a tensor 'head.more' that this model does not have"));
}

TEST_CASE("load: a number that is not finite is refused, whoever reads it") {
  const test::Scratch folder;
  const device::Cpu<> dev(1);
  Trainer trainer = numbered(dev, {"PER"});
  const entrain::Span& span = trainer.layout().spans[1];
  for (const float broken : {NAN, INFINITY, -INFINITY}) {
    trainer.values()[span.offset + 3] = broken;
    train::save(trainer, folder / "m", about());
    const std::string said =
        "entrain.checkpoint.66: " + (folder / "m/model.safetensors") + ": number 3 of tensor '" + span.name +
        "' is not finite, expected a finite number; the weights are corrupt: copy them again, or train again";
    CHECK(refusal(folder) == said);
    CHECK(sentence([&] { train::load<Trainer>(dev, folder / "m", 10, 1); }) == said);
    Trainer other(dev, Labels({"PER", "LOC"}), 10, 1);
    CHECK(sentence([&] { train::start_from(other, folder / "m"); }) == said);
  }
}

TEST_CASE("start_from: rows and columns of labels that survive are kept, new ones stay fresh, all are listed") {
  const test::Scratch folder;
  const device::Cpu<> dev(1);
  Trainer old = numbered(dev, {"PER", "LOC", "ORG"});
  train::save(old, folder / "m", about());
  const std::vector<std::string> types{"CAR", "ORG", "PER"};
  Averaged now(dev, Labels(types), 10, 3);
  Averaged fresh(dev, Labels(types), 10, 3);
  const train::Survival survival = train::start_from(now, folder / "m");
  CHECK(survival.kept == std::vector<std::string>{"ORG", "PER"});
  CHECK(survival.fresh == std::vector<std::string>{"CAR"});
  CHECK(survival.dropped == std::vector<std::string>{"LOC"});

  const auto c = train::composition_of<Tiny, float>();
  const auto old_tag = [&](int tag) {  // by name; -1: a new one
    for (text::Tag t = 0; t < old.labels().count(); ++t)
      if (old.labels().name(t) == now.labels().name(tag)) return t;
    return -1;
  };
  std::size_t kept = 0, stayed = 0;
  for (std::size_t i = 0; i < c.tensors.size(); ++i) {
    const entrain::Span &a = old.layout().spans[i], &b = now.layout().spans[i];
    CAPTURE(b.name);
    for (int row = 0; row < b.rows; ++row)
      for (int col = 0; col < b.cols; ++col) {
        const int r = c.tensors[i].rows == dynamic_labels ? old_tag(row) : row;
        const int k = c.tensors[i].cols == dynamic_labels ? old_tag(col) : col;
        const auto at = b.offset + static_cast<std::size_t>(row * b.cols + col);
        if (r < 0 || k < 0) {
          CHECK(now.values()[at] == fresh.best_values()[at]);
          ++stayed;
        } else {
          CHECK(now.values()[at] == old.values()[a.offset + static_cast<std::size_t>(r * a.cols + k)]);
          ++kept;
        }
      }
  }
  CHECK(stayed > 0);
  CHECK(kept + stayed == now.parameters());
  CHECK(std::equal(now.best_values(), now.best_values() + now.layout().size, now.values()));
}

TEST_CASE("start_from: the same labels in the same order are the same model") {
  const test::Scratch folder;
  const device::Cpu<> dev(1);
  Trainer old = numbered(dev, {"PER", "LOC"});
  train::save(old, folder / "m", about());
  Trainer now(dev, Labels({"PER", "LOC"}), 10, 3);
  train::start_from(now, folder / "m");
  CHECK(values_of(now) == values_of(old));
}

}  // namespace folder_test
