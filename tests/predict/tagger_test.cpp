// tests > [predict]
#include "entrain/predict/tagger.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <thread>

#include "tests/predict/model.hpp"
#include "tests/scratch.hpp"

namespace tagger_test {
using namespace test;
using entrain::predict::Limits;

namespace {

/// "PER Ada|LOC New Oslo"
std::string words(const Entities& found, std::string_view text) {
  std::string s;
  for (const auto& e : found) s.append(s.empty() ? "" : "|").append(e.type).append(" ").append(e.in(text));
  return s;
}
std::string words(std::string_view text) { return words(tagger().entities(text), text); }

/// Texts of every kind, some of them long.
std::vector<std::string> many_texts(std::size_t count) {
  std::vector<std::string> texts;
  const auto& known = trained_sentences();
  for (std::size_t i = 0; i < count; ++i) {
    std::string text;
    for (std::size_t k = 0; k < i % 7; ++k) text += known[(i * 3 + k) % known.size()] + (k % 2 ? "\n" : " ");
    if (i % 5 == 0) text += " word \xF0\x9F\x98\x80 \xFF https://a.b/c @Ada #Oslo";
    if (i % 31 == 0)
      for (int k = 0; k < 1500; ++k) text += " Ada met";
    texts.push_back(text);
  }
  return texts;
}

}  // namespace

TEST_CASE("entities: bytes and code points of a text that is not ASCII") {
  const std::string text = "\xF0\x9F\x98\x80 \xC3\x89va met Bo in New K\xC5\x8Dto .";
  const Entities found = tagger().entities(text);
  REQUIRE(words(found, text) == "PER \xC3\x89va|PER Bo|LOC New K\xC5\x8Dto");
  CHECK(found[0].begin == 5);
  CHECK(found[0].end == 9);
  CHECK(found[0].begin_cp == 2);
  CHECK(found[0].end_cp == 5);
  CHECK(found[2].begin == 20);
  CHECK(found[2].end == 29);
  CHECK(found[2].begin_cp == 16);
  CHECK(found[2].end_cp == 24);
  CHECK(found[0].type_id == tagger().labels().types().find("PER"));
  CHECK(found[0].type.data()[found[0].type.size()] == '\0');
}

TEST_CASE("entities: places in words count from the text's first, over sentences and texts") {
  const std::vector<std::string_view> texts{"Ada met Bo in New Lima .\n\nChen met Dara in New Accra .",
                                            "\xC3\x89va met Bo in New K\xC5\x8Dto ."};
  std::vector<Entities> found(2);
  tagger().entities(texts, found);
  std::vector<std::uint32_t> places;
  for (const Entities& of_text : found)
    for (const auto& e : of_text) places.insert(places.end(), {e.begin_word, e.end_word});
  CHECK(places == std::vector<std::uint32_t>{0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 13, 0, 1, 2, 3, 4, 6});
}

TEST_CASE("entities: sentences that are split already are what a text of their words is") {
  using Split = std::span<const std::string_view>;
  const std::vector<std::string_view> words{"Ada",        "met", "Bo", "in", "New", "Lima",        ".",
                                            "\xC3\x89va", "met", "Bo", "in", "New", "K\xC5\x8Dto", "."};
  const Split all(words);
  const std::vector<Split> split{all.first(7), {}, all.subspan(7)};
  std::vector<Entities> found(3, Entities(1));
  tagger().entities(split, found);
  CHECK(found[0] == tagger().entities("Ada met Bo in New Lima ."));
  CHECK(found[0].size() == 3);
  CHECK(found[1].empty());
  CHECK(found[2] == tagger().entities("\xC3\x89va met Bo in New K\xC5\x8Dto ."));

  const std::vector<std::string_view> odd{"", "Ada", "met", "Bo", "in", "New", "Os lo", "."};  // a space in a word
  const std::vector<Split> one{odd};
  std::vector<Entities> here(1);
  tagger().entities(one, here);
  REQUIRE(!here[0].empty());
  for (const auto& e : here[0]) CHECK(e.in(" Ada met Bo in New Os lo .").size() == e.end - e.begin);
  CHECK(sentence([&] { tagger().entities(split, here); }) ==
        "entrain.predict.2: 3 sentences, expected 1 buffers; one buffer for each sentence");
}

TEST_CASE("entities: from left to right, over sentences and lines") {
  CHECK(words("Ada met Bo in New Lima .\n\nChen met Dara in New Accra .") ==
        "PER Ada|PER Bo|LOC New Lima|PER Chen|PER Dara|LOC New Accra");
}

TEST_CASE("entities: nothing in a text without words") {
  for (const char* text : {"", " ", "\n\n\t ", "\xC2\xA0"}) CHECK(tagger().entities(text).empty());
}

TEST_CASE("entities: the buffer is emptied first; fewer or more buffers than texts are refused") {
  Entities found(3);
  tagger().entities("Ada met Bo in New Oslo .", found);
  CHECK(found.size() == 3);
  tagger().entities("", found);
  CHECK(found.empty());
  const std::vector<std::string_view> texts{"a", "b"};
  std::vector<Entities> one(1);
  CHECK(sentence([&] { tagger().entities(texts, one); }) ==
        "entrain.predict.2: 2 texts, expected 1 buffers; one buffer for each text");
  std::vector<Entities> none;
  tagger().entities(std::span<const std::string_view>(), none);
}

TEST_CASE("entities: a call for many texts is as many calls") {
  const auto texts = many_texts(200);
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  std::vector<Entities> together(views.size(), Entities(1));
  tagger().entities(views, together);
  std::size_t found = 0;
  for (std::size_t i = 0; i < views.size(); ++i) {
    CHECK(together[i] == tagger().entities(views[i]));
    found += together[i].size();
  }
  CHECK(found > 500);
}

TEST_CASE("entities: the same for any size of a batch and any number of threads of a call") {
  const auto texts = many_texts(40);
  for (const Limits limits :
       {Limits{.batch_tokens = 1}, Limits{.batch_tokens = 7, .threads = 2}, Limits{.threads = 3}}) {
    const auto other = entrain::predict::load<Model>(model_folder(), limits);
    for (const std::string& text : texts) CHECK(other.entities(text) == tagger().entities(text));
  }
}

TEST_CASE("entities: eight threads at once find what one finds") {
  const auto texts = many_texts(160);
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  std::vector<Entities> expected;
  for (const auto text : views) expected.push_back(tagger().entities(text));

  const Tagger shared(model_folder());  // no workspace yet: all eight ask for one
  std::vector<std::string> faults(8);
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < 8; ++t)
      threads.emplace_back([&, t] {
        Entities found;
        for (std::size_t round = 0; round < 3; ++round)
          for (std::size_t i = 0; i < views.size(); ++i) {
            const std::size_t at = (i * (2 * t + 1) + 20 * t) % views.size();  // each in an order of its own
            shared.entities(views[at], found);
            if (found != expected[at]) faults[t] = "text " + std::to_string(at);
          }
        std::vector<Entities> together(views.size());
        shared.entities(views, together);
        if (together != expected) faults[t] += " all together";
      });
  }
  for (const std::string& fault : faults) CHECK(fault.empty());
}

TEST_CASE("entities: a text of 200,000 words") {
  std::string text = "Ada";
  for (int i = 1; i < 200'000; ++i) text += " w" + std::to_string(i % 999);
  const Entities first = tagger().entities(text);
  CHECK(tagger().entities(text) == first);
  CHECK(words("Ada met Bo in New Oslo .") == "PER Ada|PER Bo|LOC New Oslo");  // and continues
  std::string known;
  for (int i = 0; i < 3000; ++i) known += trained_sentences()[static_cast<std::size_t>(i) % 40] + "\n";
  CHECK(tagger().entities(known).size() == 9000);
}

TEST_CASE("Decoder: a sentence that is read in parts has the tags that it has as a whole") {
  namespace batch = entrain::batch;
  using Cpu = entrain::device::Cpu<>;
  using Net = entrain::predict::Net<Model, entrain::precision::Fp32, Cpu>;
  using Decoder = entrain::predict::Decoder<Model, entrain::precision::Fp32, Cpu>;
  static_assert(entrain::train::decodes_in_parts<Model, Cpu>);
  static_assert(entrain::reach_of<Model::Encode> == 1);
  const Net net(model_folder());
  constexpr int budget = 66;  // of which 64 are new in each part
  CHECK(entrain::train::rows_to_decode<Model, Cpu>(1, 500) == budget);
  CHECK(entrain::train::rows_to_decode<Model, Cpu>(1, 5) == 5);
  CHECK(entrain::train::rows_to_decode<Model, Cpu>(100, 500) == 100);
  entrain::text::Corpus corpus;
  const auto& known = trained_sentences();
  std::uint32_t random = 1;
  for (const int length : {5, budget, budget + 1, 2, 64 + budget - 1, 64 + budget, 1, 1000, 5000, 3}) {
    for (int i = 0; i < length; ++i) {
      random = random * 1664525u + 1013904223u;  // a word of some sentence: what follows what is new
      const std::string& from = known[(random >> 16) % known.size()];
      const std::size_t at = from.find(' ', (random >> 8) % (from.size() - 2)) + 1;
      corpus.push(from.substr(at, from.find(' ', at) - at), 0);
    }
    corpus.end_sentence();
  }
  const auto e = batch::encode<Words>(corpus, net.features);
  const auto tags_of = [&](int rows) {
    Decoder decoder(net, rows);
    batch::Packer<Words> packer(rows);
    std::vector<std::vector<entrain::text::Tag>> tags(e.sentences());
    std::vector<std::size_t> order;
    entrain::train::predict_all(decoder, e, packer, [&](std::size_t s, std::span<const entrain::text::Tag> of) {
      order.push_back(s);
      tags[s].assign(of.begin(), of.end());
    });
    CHECK(decoder.rows() == rows);  // no more memory was taken
    for (std::size_t s = 0; s < order.size(); ++s) CHECK(order[s] == s);
    CHECK(order.size() == e.sentences());
    return tags;
  };
  const auto whole = tags_of(5000);
  for (const int rows : {budget, 67, 100, 1024}) CHECK(tags_of(rows) == whole);
  std::size_t entities = 0;
  for (const auto& of : whole) entities += of.size() - static_cast<std::size_t>(std::count(of.begin(), of.end(), 0));
  CHECK(entities > 500);
}

TEST_CASE("Decoder: takes the memory that was planned for, and more only for more rows") {
  using Net = entrain::predict::Net<Model, entrain::precision::Fp32, entrain::device::Cpu<>>;
  const Net net(model_folder());
  entrain::predict::Decoder<Model, entrain::precision::Fp32, entrain::device::Cpu<>> decoder(net, 100);
  CHECK(decoder.rows() == 100);
  const std::size_t bytes = decoder.bytes();
  CHECK(bytes > 0);
  decoder.reserve(50);
  CHECK(decoder.bytes() == bytes);
  decoder.reserve(1000);
  CHECK(decoder.rows() == 1000);
  CHECK(decoder.bytes() < 11 * bytes);
  CHECK(bytes <= entrain::train::cost_of<Model, entrain::precision::Fp32>({100, 100, net.labels.count()}).arena);
}

}  // namespace tagger_test
