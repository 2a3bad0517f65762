// tests > [c]: the C interface, called as C would, compared with the C++ that it wraps.
#include <doctest/doctest.h>

#include <array>
#include <limits>
#include <thread>

#include "entrain/cpu.hpp"
#include "entrain/predict.hpp"
#include "entrain/train/folder/save.hpp"
#include "tests/scratch.hpp"

namespace test {
using namespace entrain;
using Model = model::Tagger<embed::MultiHash<8, batch::HashedWords<2, 60, 20, 20, 20>, 2>,
                            encode::MaxoutWindow<8, 1, 1, 2>, head::Crf<8, text::Bioes>>;
using Trainer = train::Trainer<Model, precision::Fp32, device::Cpu<>, optim::Sgd>;
}  // namespace test

namespace entrain::c {
using Tagger = predict::TaggerOf<test::Trainer>;
}
#include "entrain/c/predictor.ipp"

using namespace test;

namespace {

/// A folder of first values: it finds something in most sentences, whatever that is.
const std::string& folder() {
  static const test::Scratch scratch;
  static const std::string path = [] {
    const device::Cpu<> dev(1);
    Trainer trainer(dev, Trainer::Labels({"PER", "creative-work"}), 16, 7);
    checkpoint::Config about;
    about.splitter = "unicode-words-1";
    about.sentence_splitter = "unicode-sentences-1";
    train::save(trainer, scratch / "m", about);
    return scratch / "m";
  }();
  return path;
}

const predict::Tagger<Model>& tagger() {
  static const predict::Tagger<Model> it(folder());
  return it;
}

const std::vector<std::string> texts{
    "",
    "Ada met Bo in Oslo.",
    "\xC3\x89va \xF0\x9F\x98\x80 met \xE5\x8C\x97\xE4\xBA\xAC Bo\nand Chen. Dara wrote \xE2\x80\x9CNotes\xE2\x80\x9D.",
    "bytes \xFF\xC3 that are \xED\xA0\x80 no UTF-8, Ada",
    std::string("a zero\0byte in Oslo", 19),
    "one two three four five six seven eight nine ten eleven twelve",
};

struct Load {
  char* error = nullptr;
  entrain_predictor* p;
  explicit Load(int threads = 1) : p(entrain_load(folder().c_str(), threads, &error)) { REQUIRE(p != nullptr); }
  ~Load() { entrain_free_predictor(p); }
  Load(const Load&) = delete;
};

/// A result's text t, as C++ has it.
std::vector<predict::Entity> entities(const entrain_result* r, std::size_t t, std::string_view text) {
  std::size_t count = 99;
  const entrain_entity* const e = entrain_entities(r, t, &count);
  CHECK((e == nullptr) == (count == 0));
  std::vector<predict::Entity> all;
  for (std::size_t i = 0; i < count; ++i) {
    all.push_back({e[i].begin, e[i].end, e[i].begin_cp, e[i].end_cp, e[i].begin_word, e[i].end_word, e[i].type_id,
                   tagger().labels().types().name(e[i].type_id)});
    CHECK(std::string_view(e[i].type) == all.back().type);
    CHECK(std::string_view(e[i].text, e[i].end - e[i].begin) == all.back().in(text));
    CHECK(e[i].text[e[i].end - e[i].begin] == '\0');
    CHECK(e[i].reserved == 0);
  }
  return all;
}

/// The sentence of a call that fails; `call` takes the error.
template <class Call> std::string failure(Call&& call) {
  static char untouched[] = "untouched";
  char* error = untouched;
  CHECK(call(&error) == nullptr);
  REQUIRE(error != nullptr);
  REQUIRE(error != untouched);
  std::string said = error;
  entrain_free_error(error);
  CHECK(call(nullptr) == nullptr);  // who does not want to know
  return said;
}

}  // namespace

TEST_CASE("c: one text, and many at once, are what C++ finds") {
  const Load load(2);
  std::vector<const char*> pointers;
  std::vector<std::size_t> bytes;
  std::size_t found = 0;
  for (const std::string& text : texts) {
    char* error = nullptr;
    entrain_result* const r = entrain_predict(load.p, text.data(), text.size(), &error);
    REQUIRE(r != nullptr);
    CHECK(error == nullptr);
    CHECK(entrain_texts(r) == 1);
    const auto expected = tagger().entities(text);
    CHECK(entities(r, 0, text) == expected);
    found += expected.size();
    entrain_free_result(r);
    pointers.push_back(text.data());
    bytes.push_back(text.size());
  }
  CHECK(found > 10);
  entrain_result* const r = entrain_predict_batch(load.p, pointers.data(), bytes.data(), texts.size(), nullptr);
  REQUIRE(r != nullptr);
  CHECK(entrain_texts(r) == texts.size());
  for (std::size_t t = 0; t < texts.size(); ++t) CHECK(entities(r, t, texts[t]) == tagger().entities(texts[t]));
  entrain_free_result(r);
}

TEST_CASE("c: words that are split already, sentences without any among them") {
  const Load load;
  const std::vector<const char*> words{"Ada", "met", "\xC3\x89va", ".", "", "Oslo", "\xFF", "wrote", "Notes"};
  std::vector<std::size_t> bytes;
  std::vector<std::string_view> views;
  for (const char* word : words) bytes.push_back(views.emplace_back(word).size());
  const std::array<std::size_t, 5> sentence{0, 4, 0, 5, 0};
  entrain_result* const r =
      entrain_predict_words(load.p, words.data(), bytes.data(), sentence.data(), sentence.size(), nullptr);
  REQUIRE(r != nullptr);
  CHECK(entrain_texts(r) == 5);
  const std::span<const std::string_view> all(views);
  const std::vector<std::span<const std::string_view>> split{{}, all.first(4), {}, all.subspan(4), {}};
  std::vector<std::vector<predict::Entity>> expected(5);
  tagger().entities(split, expected);
  const std::array<std::string, 5> joined{"", "Ada met \xC3\x89va .", "", " Oslo \xFF wrote Notes", ""};
  for (std::size_t s = 0; s < 5; ++s) CHECK(entities(r, s, joined[s]) == expected[s]);
  CHECK(expected[1].size() + expected[3].size() > 1);
  entrain_free_result(r);
}

TEST_CASE("c: a result outlives its predictor") {
  entrain_predictor* const p = entrain_load(folder().c_str(), 1, nullptr);
  REQUIRE(p != nullptr);
  entrain_result* const r = entrain_predict(p, texts[1].data(), texts[1].size(), nullptr);
  entrain_free_predictor(p);
  CHECK(entities(r, 0, texts[1]) == tagger().entities(texts[1]));
  entrain_free_result(r);
}

TEST_CASE("c: what the library and the model are") {
  CHECK(entrain_abi() == ENTRAIN_ABI);
  CHECK(std::string_view(entrain_version()) == entrain::version);
  const Load load;
  std::size_t count = 0;
  const char* const* const types = entrain_types(load.p, &count);
  REQUIRE(count == 2);
  CHECK(std::string_view(types[0]) == "PER");
  CHECK(std::string_view(types[1]) == "creative-work");
  CHECK(entrain_types(load.p, nullptr) == types);
  CHECK(entrain_notes(load.p, &count) == nullptr);
  CHECK(count == 0);
}

TEST_CASE("c: what the user should hear about a folder") {
  const test::Scratch scratch;
  std::filesystem::copy(folder(), scratch / "m");
  std::string config = get(scratch / "m/config.json");
  put(scratch / "m/config.json", "{\"strange\": 1," + config.substr(1));
  entrain_predictor* const p = entrain_load((scratch / "m").c_str(), 1, nullptr);
  REQUIRE(p != nullptr);
  std::size_t count = 0;
  const char* const* const notes = entrain_notes(p, &count);
  REQUIRE(count == predict::Tagger<Model>(scratch / "m").notes().size());
  REQUIRE(count > 0);
  CHECK(has(notes[0], "strange"));
  entrain_free_predictor(p);
}

TEST_CASE("c: the same entities from many threads") {
  const Load load;
  std::array<bool, 4> same{};
  {
    std::vector<std::jthread> threads;
    for (bool& mine : same)
      threads.emplace_back([&load, &mine] {
        bool all = true;
        for (int round = 0; round < 20; ++round)
          for (const std::string& text : texts) {
            entrain_result* const r = entrain_predict(load.p, text.data(), text.size(), nullptr);
            std::size_t count = 0;
            const entrain_entity* const e = entrain_entities(r, 0, &count);
            const auto expected = tagger().entities(text);
            all = all && count == expected.size();
            for (std::size_t i = 0; all && i < count; ++i) all = e[i].begin_cp == expected[i].begin_cp;
            entrain_free_result(r);
          }
        mine = all;
      });
  }
  for (const bool all : same) CHECK(all);
}

TEST_CASE("c: every failure says its whole sentence, and nothing is thrown") {
  const Load load;
  CHECK(failure([](char** e) { return entrain_load(nullptr, 1, e); }) ==
        "entrain.c.1: entrain_load: folder is NULL, expected the path of a model folder");
  CHECK(failure([](char** e) { return entrain_load(folder().c_str(), 0, e); }) ==
        "entrain.c.2: entrain_load: 0 threads, expected 1 to 1024");
  CHECK(failure([](char** e) { return entrain_load(folder().c_str(), 1025, e); }) ==
        "entrain.c.2: entrain_load: 1025 threads, expected 1 to 1024");
  const std::string bert = ENTRAIN_SOURCE_DIR "/tests/train/golden/bert";
  CHECK(has(failure([&](char** e) { return entrain_load(bert.c_str(), 1, e); }),
            "name another folder, or create one: ./dev train --pretrained " + bert));
  CHECK(failure([](char** e) { return entrain_load("no/such/folder", 1, e); }) ==
        sentence([] { predict::Tagger<Model>("no/such/folder"); }));

  CHECK(failure([](char** e) { return entrain_predict(nullptr, "a", 1, e); }) ==
        "entrain.c.1: entrain_predict: predictor is NULL, expected the result of entrain_load");
  CHECK(failure([&](char** e) { return entrain_predict(load.p, nullptr, 3, e); }) ==
        "entrain.c.1: entrain_predict: text is NULL, expected 3 bytes");

  const char* const one[]{nullptr};
  const std::size_t two = 2;
  CHECK(failure([&](char** e) { return entrain_predict_batch(load.p, nullptr, &two, 1, e); }) ==
        "entrain.c.1: entrain_predict_batch: texts is NULL, expected an array of 1");
  CHECK(failure([&](char** e) { return entrain_predict_batch(load.p, one, nullptr, 1, e); }) ==
        "entrain.c.1: entrain_predict_batch: bytes is NULL, expected an array of 1");
  CHECK(failure([&](char** e) { return entrain_predict_batch(load.p, one, &two, 1, e); }) ==
        "entrain.c.1: entrain_predict_batch: texts[0] is NULL, expected 2 bytes");
  CHECK(failure([&](char** e) { return entrain_predict_batch(nullptr, one, &two, 1, e); }) ==
        "entrain.c.1: entrain_predict_batch: predictor is NULL, expected the result of entrain_load");

  const std::size_t first = 1;
  CHECK(failure([&](char** e) { return entrain_predict_words(load.p, one, &two, nullptr, 1, e); }) ==
        "entrain.c.1: entrain_predict_words: sentence is NULL, expected an array of 1");
  CHECK(failure([&](char** e) { return entrain_predict_words(load.p, nullptr, &two, &first, 1, e); }) ==
        "entrain.c.1: entrain_predict_words: words is NULL, expected an array of 1");
  CHECK(failure([&](char** e) { return entrain_predict_words(nullptr, one, &two, &first, 1, e); }) ==
        "entrain.c.1: entrain_predict_words: predictor is NULL, expected the result of entrain_load");
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  const std::array<std::size_t, 2> endless{most, 2};  // their sum has no number
  const std::string no_memory = "entrain.c.3: memory: allocation failed; pass shorter texts, or fewer at a time";
  CHECK(failure([&](char** e) { return entrain_predict_words(load.p, one, &two, endless.data(), 2, e); }) == no_memory);
  CHECK(failure([&](char** e) { return entrain_predict_batch(load.p, one, &two, most, e); }) == no_memory);
}

TEST_CASE("c: nothing at all is an answer, not an error") {
  const Load load;
  char* error = nullptr;
  entrain_result* r = entrain_predict(load.p, nullptr, 0, &error);
  CHECK(error == nullptr);
  CHECK(entrain_texts(r) == 1);
  std::size_t count = 99;
  CHECK(entrain_entities(r, 0, &count) == nullptr);
  CHECK(count == 0);
  entrain_free_result(r);
  r = entrain_predict_batch(load.p, nullptr, nullptr, 0, &error);
  CHECK(error == nullptr);
  CHECK(entrain_texts(r) == 0);
  count = 99;
  CHECK(entrain_entities(r, 0, &count) == nullptr);
  CHECK(count == 0);
  entrain_free_result(r);
  r = entrain_predict_words(load.p, nullptr, nullptr, nullptr, 0, &error);
  CHECK(error == nullptr);
  CHECK(entrain_texts(r) == 0);
  entrain_free_result(r);

  CHECK(entrain_texts(nullptr) == 0);
  CHECK(entrain_entities(nullptr, 0, &count) == nullptr);
  CHECK(entrain_types(nullptr, &count) == nullptr);
  CHECK(count == 0);
  entrain_free_predictor(nullptr);
  entrain_free_result(nullptr);
  entrain_free_error(nullptr);
}

TEST_CASE("c: exceptions of every kind end in a sentence") {
  int value = 0;
  const auto with = [&](auto thrown) {
    return failure([&](char** e) { return c::guarded(e, [&]() -> int* { throw thrown; }); });
  };
  CHECK(c::guarded(nullptr, [&] { return &value; }) == &value);
  CHECK(with(std::runtime_error("words")) == "words");
  CHECK(with(std::bad_alloc()).starts_with("entrain.c.3: memory"));
  CHECK(with(std::length_error("vector")).starts_with("entrain.c.3: memory"));
  CHECK(with(5) == "entrain.c.4: an exception of an unknown type");
}
