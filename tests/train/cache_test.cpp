// Caches on the disk: made once and used from then on, made again for anything that changes, whole at every moment
// whatever fails, and whoever is killed while several programs make the same one.
#include "entrain/train/state/cache.hpp"
#include "entrain/task/tagging.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <random>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "entrain/batch/pack/packed.hpp"
#include "entrain/batch/pipeline/workers.hpp"
#include "entrain/text/conll/conll_stream.hpp"
#include "entrain/text/split/sentences.hpp"
#include "entrain/text/split/splitter.hpp"
#include "entrain/text/tokenizer/wordpiece.hpp"
#include "tests/checkpoint/faulty.hpp"
#include "tests/scratch.hpp"

namespace cache_test {
namespace batch = entrain::batch;
namespace task = entrain::task;
namespace text = entrain::text;
namespace train = entrain::train;
using entrain::Error;
using test::Fault;
using test::get;
using test::has;
using test::put;
using test::Scratch;
using test::sentence;

namespace {
using Words = batch::HashedWords<2, 500, 100, 100>;
using Encoded = batch::Encoded<Words>;
using Corpus = train::CachedCorpus<Words>;
constexpr int labels = 5;

/// A block of sentences; blocks share words.
Encoded block(int number, int sentences = 30) {
  std::mt19937 draw(static_cast<unsigned>(number));
  text::Corpus corpus;
  for (int s = 0; s < sentences; ++s) {
    for (int i = 1 + static_cast<int>(draw() % 9); i > 0; --i) corpus.push("w" + std::to_string(draw() % 60), 0);
    corpus.end_sentence();
  }
  Encoded e = batch::encode<Words>(corpus);
  for (std::size_t i = 0; i < e.size(); ++i) e.target[i] = static_cast<std::int32_t>(draw() % labels);
  return e;
}
Encoded joined(int blocks, int sentences = 30) {
  Encoded all;
  batch::Joined<Words> join(all);
  for (int b = 0; b < blocks; ++b) join(block(b, sentences));
  return all;
}
void check_same(const Encoded& a, const Encoded& b) {
  CHECK(a.sentence == b.sentence);
  CHECK(a.word == b.word);
  CHECK(a.target == b.target);
  CHECK(a.rows == b.rows);
  CHECK(a.vocabulary == b.vocabulary);
  CHECK(a.unknown_word_copies == b.unknown_word_copies);
}
bool equal(const Encoded& a, const Encoded& b) {
  return a.sentence == b.sentence && a.word == b.word && a.target == b.target && a.rows == b.rows &&
         a.vocabulary == b.vocabulary;
}
train::CacheOptions options_in(const std::string& folder) { return {folder, "train", labels, false}; }

template <class System = train::CacheSystem> Corpus cached(const std::string& folder, int blocks, System system = {}) {
  train::Ingredients of;
  of.number("blocks", blocks);
  return train::cached<Words>(
      of, options_in(folder), Words(),
      [&](auto& builder) {
        for (int b = 0; b < blocks; ++b) builder.append(block(b));
        builder.about("blocks " + std::to_string(blocks));
      },
      system);
}
}  // namespace

TEST_CASE("a cache is made once, is what joining the blocks gives, and is used from then on") {
  const Scratch folder;
  const std::string caches = folder / "caches";
  const Corpus first = cached(caches, 4), second = cached(caches, 4);
  CHECK(first.built);
  CHECK_FALSE(second.built);
  CHECK(first.path == second.path);
  CHECK(first.path.starts_with(caches + "/train-"));
  CHECK(first.path.ends_with(".entrain"));
  CHECK(first.path.size() == caches.size() + 7 + 16 + 8);
  CHECK(first.bytes == get(first.path).size());
  CHECK(second.about == "blocks 4");
  CHECK(second.fault.empty());
  const Encoded expected = joined(4);
  check_same(first.sentences, expected);
  check_same(second.sentences, expected);
  CHECK(second.sentences.word.is_view());
  CHECK(second.sentences.vocabulary.is_view());
  CHECK(cached(caches, 3).path != first.path);
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(caches)) names.insert(entry.path().filename().string());
  CHECK(names.size() == 2);
}

TEST_CASE("a corpus of many blocks is written by blocks, unknown-word copies after it; one in memory at once") {
  const Scratch folder;
  const int blocks = 12, sentences = 20'000;  // more words than stay in memory
  train::Ingredients of;
  train::CacheOptions options = options_in(folder.path());
  options.unknown_word_copies = true;
  const Corpus streamed = train::cached<Words>(of, options, Words(), [&](auto& builder) {
    for (int b = 0; b < blocks; ++b) builder.append(block(b, sentences));
  });
  Encoded expected = joined(blocks, sentences);
  CHECK(expected.size() > 1'000'000);
  batch::add_unknown_word_copies(expected);
  check_same(streamed.sentences, expected);

  const Corpus whole = train::cached_whole<Words>(of, options, Words(), [&] { return joined(blocks, sentences); });
  CHECK(whole.path != streamed.path);  // encode() keeps words apart that read alike
  check_same(whole.sentences, expected);
  CHECK(get(whole.path).substr(0, 1000) == get(streamed.path).substr(0, 1000));
  CHECK(get(whole.path).size() == get(streamed.path).size());
  CHECK_FALSE(train::cached_whole<Words>(of, options, Words(), [&]() -> Encoded { throw 1; }).built);
}

TEST_CASE("what is written into a cached corpus stays with who wrote it") {
  const Scratch folder;
  Corpus one = cached(folder.path(), 2);
  const Corpus other = cached(folder.path(), 2);
  one.sentences.target[0] = 3, one.sentences.word[1] = 0;
  const Encoded expected = joined(2);
  check_same(other.sentences, expected);
  check_same(cached(folder.path(), 2).sentences, expected);
  std::filesystem::remove(other.path);  // mapped it stays
  check_same(other.sentences, expected);
}

TEST_CASE("two programs write the same bytes") {
  const Scratch a, b;
  CHECK(get(cached(a.path(), 3).path) == get(cached(b.path(), 3).path));
}

TEST_CASE("a file that cannot be used is replaced, and said so") {
  const Scratch folder;
  const Corpus good = cached(folder.path(), 3);
  const std::string bytes = get(good.path);
  const auto replaced = [&](const std::string& by) {
    std::filesystem::remove(good.path);
    put(good.path, by);
    const Corpus again = cached(folder.path(), 3);
    CHECK(again.built);
    CHECK(get(again.path) == bytes);
    check_same(again.sentences, joined(3));
    return again.fault;
  };
  CHECK(
      replaced("").starts_with("entrain.batch.20: " + good.path + ": 0 bytes, expected a cache of an encoded corpus"));
  CHECK(has(replaced(bytes.substr(0, bytes.size() / 2)), "an incomplete cache"));
  std::string spoiled = bytes;
  spoiled[100] ^= 1;
  CHECK(has(replaced(spoiled), "entrain.batch.24"));
  std::string older = bytes;
  older[16] = 0;
  CHECK(has(replaced(older), "a cache of version 0"));
  std::string renamed = get(cached(folder.path(), 2).path);
  CHECK(has(replaced(renamed), "entrain.batch.23"));
  CHECK_FALSE(cached(folder.path(), 3).built);
}

TEST_CASE("the key: the files' bytes, not their names; every option; the version") {
  const Scratch folder;
  const auto key = [](auto add) {
    train::Ingredients of;
    add(of);
    const batch::CacheKey k = of.key();
    return std::string(k.begin(), k.end());
  };
  std::set<std::string> keys{key([](auto&) {})};
  // By sha256sum, of lengths and texts: another version is another key.
  CHECK(keys.contains("ac5d672e69a889f432db4dfd2138a95d6a0ce69a9ea8e18f09768a2950986d5b"));
  const auto is_new = [&](const std::string& k) { return keys.insert(k).second; };
  put(folder / "a", "one O\n"), put(folder / "b", "one O\n"), put(folder / "c", "one  O\n"), put(folder / "d", "");
  const auto of_files = [&](std::vector<std::string> names) {
    for (std::string& name : names) name = folder / name;
    return key([&](auto& of) { of.files(names); });
  };
  const std::string a = of_files({"a"});
  CHECK(is_new(a));
  CHECK(of_files({"b"}) == a);
  CHECK(is_new(of_files({"c"})));
  CHECK(is_new(of_files({"a", "b"})));
  CHECK(is_new(of_files({"a", "b", "d"})));
  CHECK(is_new(of_files({"a", "c"})));
  CHECK(is_new(of_files({"c", "a"})));
  CHECK(is_new(key([](auto& of) { of.say("scheme", "BIO"); })));
  CHECK(is_new(key([](auto& of) { of.say("scheme", "BIOES"); })));
  CHECK(is_new(key([](auto& of) { of.say("schem", "eBIO"); })));
  CHECK(is_new(key([](auto& of) { of.say("types", std::vector<std::string>{"PER", "LOC"}); })));
  CHECK(is_new(key([](auto& of) { of.say("types", std::vector<std::string>{"LOC", "PER"}); })));
  CHECK(is_new(key([](auto& of) { of.say("types", std::vector<std::string>{"PERLOC"}); })));
  CHECK(is_new(key([](auto& of) { of.number("columns", 2); })));
  CHECK(is_new(key([](auto& of) { of.number("columns", -2); })));
  CHECK(is_new(key([](auto& of) { of.words(Words()); })));
  CHECK(is_new(key([](auto& of) { of.words(batch::HashedWords<2, 500, 100, 101>()); })));
  CHECK(is_new(key([](auto& of) { of.words(batch::HashedWords<2, 500, 100>()); })));
  CHECK(is_new(key([](auto& of) { of.words(batch::HashedWords<1, 500, 100, 100>()); })));

  const auto of_conll = [&](auto change) {
    text::ConllOptions options;
    change(options);
    return key([&](auto& of) { of.reading(options); });
  };
  const std::string read = of_conll([](auto&) {});
  CHECK(is_new(read));
  CHECK(of_conll([](auto& o) { o.problem_cap = 3; }) == read);
  CHECK(is_new(of_conll([](auto& o) { o.token_column = 1; })));
  CHECK(is_new(of_conll([](auto& o) { o.tag_column = 1; })));
  CHECK(is_new(of_conll([](auto& o) { o.separator = text::Separator::tab; })));
  CHECK(is_new(of_conll([](auto& o) { o.hash = text::Hash::token; })));
  CHECK(is_new(of_conll([](auto& o) { o.types_alone = true; })));
  CHECK(is_new(of_conll([](auto& o) { o.plain = true; })));
  CHECK(is_new(of_conll([](auto& o) { o.tags = false; })));
  CHECK(is_new(of_conll([](auto& o) { o.strict = false; })));
  CHECK(is_new(of_conll([](auto& o) { o.lenient = true; })));
  const auto of_records = [&](auto change) {
    text::RecordOptions options;
    change(options);
    return key([&](auto& of) { of.reading(options); });
  };
  CHECK(is_new(of_records([](auto&) {})));
  CHECK(is_new(of_records([](auto& o) { o.unit = text::OffsetUnit::bytes; })));
  CHECK(is_new(of_records([](auto& o) { o.misaligned = text::Misaligned::drop; })));
  CHECK(is_new(of_records([](auto& o) { o.tag_names = {"O"}; })));
  CHECK(is_new(of_records([](auto& o) { o.lenient = true; })));
  CHECK(is_new(of_records([](auto& o) { o.split_words = {text::Whitespace::name, &text::Whitespace::split}; })));
  CHECK(is_new(of_records([](auto& o) { o.split_words = {text::UnicodeWords::name, &text::UnicodeWords::split}; })));
  CHECK(is_new(of_records([](auto& o) { o.split_sentences = {text::Lines::name, &text::Lines::split}; })));

  const auto of_pieces = [&]<class Features>(std::type_identity<Features>, auto change) {
    std::vector<std::string> vocabulary{"[UNK]", "[CLS]", "[SEP]", "a", "##b"};
    text::WordPieceOptions options;
    std::vector<std::int32_t> before{1}, after{2};
    change(vocabulary, options, before);
    const Features features(std::make_shared<const text::WordPiece>(vocabulary, options), before, after);
    return key([&](auto& of) { of.words(features); });
  };
  const std::type_identity<batch::Pieces<10, 9, text::WordPiece>> pieces;
  const std::string plain = of_pieces(pieces, [](auto&...) {});
  CHECK(is_new(plain));
  CHECK(of_pieces(pieces, [](auto&...) {}) == plain);
  CHECK(is_new(of_pieces(std::type_identity<batch::Pieces<11, 9, text::WordPiece>>(), [](auto&...) {})));
  CHECK(is_new(of_pieces(std::type_identity<batch::Pieces<10, 8, text::WordPiece>>(), [](auto&...) {})));
  CHECK(is_new(
      of_pieces(std::type_identity<batch::LabelAllTokens<batch::Pieces<10, 9, text::WordPiece>>>(), [](auto&...) {})));
  CHECK(is_new(of_pieces(pieces, [](auto& v, auto&...) { v.push_back("c"); })));
  CHECK(is_new(of_pieces(pieces, [](auto& v, auto&...) { std::swap(v[3], v[4]); })));
  CHECK(is_new(of_pieces(pieces, [](auto&, auto&, auto& before) { before.clear(); })));
  CHECK(is_new(key([&](auto& of) {  // other pieces after
    of.words(batch::Pieces<10, 9, text::WordPiece>(
        std::make_shared<const text::WordPiece>(std::vector<std::string>{"[UNK]", "[CLS]", "[SEP]", "a", "##b"}), {1},
        {1}));
  })));
  const auto of_options = [&](auto change) {
    return of_pieces(pieces, [&](auto&, text::WordPieceOptions& o, auto&) { change(o); });
  };
  CHECK(is_new(of_options([](auto& o) { o.normalizer.lowercase = false; })));
  CHECK(is_new(of_options([](auto& o) { o.normalizer.clean_text = false; })));
  CHECK(is_new(of_options([](auto& o) { o.normalizer.strip_accents = false; })));
  CHECK(is_new(of_options([](auto& o) { o.normalizer.handle_chinese_chars = false; })));
  CHECK(is_new(of_options([](auto& o) { o.unk_token = "a"; })));
  CHECK(is_new(of_options([](auto& o) { o.continuing_subword_prefix = "@"; })));
  CHECK(is_new(of_options([](auto& o) { o.max_input_chars_per_word = 7; })));
  const auto of_added = [&](const text::AddedPiece& one) { return of_options([&](auto& o) { o.added = {one}; }); };
  CHECK(is_new(of_added({"a", 3, false, false, false})));
  CHECK(is_new(of_added({"a", 4, false, false, false})));
  CHECK(is_new(of_added({"a", 3, true, false, false})));
  CHECK(is_new(of_added({"a", 3, false, true, false})));
  CHECK(is_new(of_added({"a", 3, false, false, true})));
  CHECK(is_new(of_added({"c", 3, false, false, false})));

  const auto path_of = [&](auto change) {
    train::CacheOptions options = options_in(folder.path());
    change(options);
    return train::cached<Words>({}, options, Words(), [&](auto& builder) { builder.append(block(0)); }).path;
  };
  CHECK(is_new(path_of([](auto&) {})));
  CHECK(is_new(path_of([](auto& o) { o.labels = 6; })));
  CHECK(is_new(path_of([](auto& o) { o.unknown_word_copies = true; })));
}

TEST_CASE("files that cannot be read twice, or change meanwhile, are refused") {
  const Scratch folder;
  CHECK(sentence([] { train::Ingredients().files({"-"}); }) ==
        "entrain.train.40: standard input: an input that cannot be read again, expected a file, as --cache needs; "
        "save it in a file, or omit --cache");
  CHECK(sentence([&] { train::Ingredients().files({folder.path()}); }).starts_with("entrain.train.40: "));
  CHECK(sentence([&] { train::Ingredients().files({folder / "none"}); }) ==
        "entrain.checkpoint.5: " + (folder / "none") + ": cannot open: No such file or directory; check the path");

  put(folder / "corpus", "one O\n");
  train::Ingredients of;
  of.files({folder / "corpus"});
  const auto make = [&](const std::string& text) {
    return sentence([&] {
      train::cached<Words>(of, options_in(folder / "caches"), Words(), [&](auto& builder) {
        builder.append(block(1));
        put(folder / "corpus", text);
      });
    });
  };
  CHECK(make("one O\ntwo O\n") == "entrain.train.41: " + (folder / "corpus") +
                                      ": changed while it was read, expected an unchanged file; start again");
  CHECK(std::filesystem::is_empty(folder / "caches"));
}

TEST_CASE("blocks of a stage, from files to a cache and back into batches") {
  const Scratch folder;
  std::string corpus;
  for (int s = 0; s < 300; ++s)
    corpus += "word" + std::to_string(s % 40) + " B-PER\nlives O\nin O\ncity" + std::to_string(s % 7) + " B-LOC\n\n";
  put(folder / "corpus", corpus);
  const text::Labels<text::Bioes> tags({"PER", "LOC"});
  using Encode = batch::Encode<Words, task::Tagging<text::Bioes>, text::Conll<text::Bio>>;
  train::CacheOptions options = options_in(folder / "caches");
  options.labels = tags.count();
  const auto make = [&](std::size_t block_bytes) {
    train::Ingredients of;
    of.files({folder / "corpus"});
    of.say("scheme", text::Bioes::name);
    of.say("types", tags.types().names());
    return train::cached<Words>(of, options, Words(), [&](auto& builder) {
      batch::InTurn<Encode> stage(Encode({}, tags, text::Conll<text::Bio>({folder / "corpus"}, {}, block_bytes)));
      train::append_all(stage, builder);
    });
  };
  const Corpus one = make(100);
  const std::string bytes = get(one.path);
  CHECK(one.sentences.size() == 1200);
  CHECK(one.sentences.target[0] == tags.find("S-PER"));
  CHECK(one.sentences.target[3] == tags.find("S-LOC"));
  std::filesystem::remove(one.path);
  CHECK(get(make(1 << 20).path) == bytes);  // however it was cut into blocks
}

TEST_CASE("what text becomes: when these change, batch::cache_version counts up") {
  const auto sum_of = []<class Features>(const Features& features) {
    text::Corpus corpus;
    for (const char* sentence :
         {"The CATS sat on 17 mats .", "Zürich\xE2\x80\x99s caf\xC3\xA9s , \xE6\x9D\xB1 unbelievably"}) {
      std::istringstream words(sentence);
      for (std::string word; words >> word;) corpus.push(word, 0);
      corpus.end_sentence();
    }
    const Scratch folder;
    const train::CacheOptions options{folder.path(), "c", 3, true};
    const auto cache = train::cached<Features>(
        {}, options, features, [&](auto& builder) { builder.append(batch::encode<Features>(corpus, features)); });
    const std::string bytes = get(cache.path);
    return entrain::Fingerprint::of(std::as_bytes(std::span(bytes)))[0];
  };
  const text::WordPiece pieces({"[UNK]", "[CLS]", "[SEP]", "the", "cat", "##s", "sat", "on", "1", "##7", "mat", ".",
                                "zu", "##rich", "cafe", ",", "un", "##believ", "##ably"});
  CHECK(sum_of(batch::AffixWords()) == 10077884653773584050u);
  CHECK(sum_of(batch::Pieces<10, 19, text::WordPiece>(std::make_shared<const text::WordPiece>(pieces), {1}, {2})) ==
        3121263350935433893u);
}

TEST_CASE("tweets in BERT's pieces, from a cache: the batches of the same tweets in memory") {
  const char* const data = std::getenv("ENTRAIN_DATA");
  if (data == nullptr) {
    MESSAGE("skipped: ENTRAIN_DATA is not set");
    return;
  }
  const std::string file = std::string(data) + "/btc/train.conll";
  std::vector<std::string> vocabulary;
  std::ifstream lines(std::string(data) + "/bert-uncased/vocab.txt");
  for (std::string piece; std::getline(lines, piece);) vocabulary.push_back(piece);
  using Pieces = batch::Pieces<512, 30522, text::WordPiece>;
  const Pieces pieces(std::make_shared<const text::WordPiece>(vocabulary), {101}, {102});
  const text::Labels<text::Bioes> tags({"PER", "LOC", "ORG"});
  using Encode = batch::Encode<Pieces, task::Tagging<text::Bioes>, text::Conll<text::Bio>>;
  const auto each_block = [&](auto&& use) {
    batch::Workers<Encode> stage(Encode(pieces, tags, text::Conll<text::Bio>({file})), {2});
    stage.start(0, {});
    for (batch::EncodedBlock<Pieces> block; stage.next(block);) use(block.sentences);
  };
  batch::Encoded<Pieces> in_memory;
  batch::Joined<Pieces> join(in_memory);
  each_block([&](const auto& sentences) { join(sentences); });

  const Scratch folder;
  train::Ingredients of;
  of.files({file});
  train::CacheOptions options = options_in(folder.path());
  options.labels = tags.count();
  for (const bool first : {true, false}) {
    auto corpus = train::cached<Pieces>(of, options, pieces, [&](auto& builder) {
      each_block([&](const auto& sentences) { builder.append(sentences); });
    });
    CHECK(corpus.built == first);
    CHECK(corpus.sentences.size() > 80'000);
    batch::PackedOptions packed;
    packed.token_budget = 2048;
    packed.labels = tags.count();
    batch::InTurn cached(batch::Packed(batch::Cached<Pieces>(std::move(corpus.sentences), 3), packed));
    batch::InTurn whole(batch::Packed(batch::Whole<Pieces>(in_memory, 3), packed));
    cached.start(1, {});
    whole.start(1, {});
    batch::Loaded<Pieces> a, b;
    int batches = 0;
    for (; whole.next(b); ++batches) {
      REQUIRE(cached.next(a));
      REQUIRE(a.batch.words.count == b.batch.words.count);
      const auto rows = static_cast<std::size_t>(b.batch.words.count);
      REQUIRE(std::equal(b.batch.words.ids, b.batch.words.ids + rows, a.batch.words.ids));
      REQUIRE(std::equal(b.batch.words.position, b.batch.words.position + rows, a.batch.words.position));
      REQUIRE(std::equal(b.batch.targets.data, b.batch.targets.data + b.batch.shape.rows, a.batch.targets.data));
    }
    CHECK_FALSE(cached.next(a));
    CHECK(batches > 40);
  }
}

// ---------------------------------------------------------------- what goes wrong

namespace {
/// The calls of a cache, with one planted fault.
class FaultyCache : public test::Faulty {
 public:
  using Faulty::Faulty;
  int create_shared(const std::string& p) const { return hit() ? -1 : cache_.create_shared(p); }
  int open_both(const std::string& p) const { return hit() ? -1 : cache_.open_both(p); }
  ssize_t read_at(int fd, void* to, std::size_t n, std::uint64_t at) const {
    return hit() ? -1 : cache_.read_at(fd, to, portion(n), at);
  }
  int wait_for_lock(int fd) const { return hit() ? -1 : cache_.wait_for_lock(fd); }
  std::int64_t bytes_of(int fd) const { return hit() ? -1 : cache_.bytes_of(fd); }
  void* map(int fd, std::size_t n) const { return hit() ? MAP_FAILED : cache_.map(fd, n); }
  void unmap(void* at, std::size_t n) const { cache_.unmap(at, n); }
  void advise(void*, std::size_t, int) const {}
  int names(const std::string& folder, std::vector<std::string>& out) const {
    return hit() ? -1 : cache_.names(folder, out);
  }

 private:
  train::CacheSystem cache_;
};
}  // namespace

TEST_CASE("whatever call fails, there is the whole cache or none, and the next program makes it") {
  const Encoded expected = joined(2);
  int calls = 0;
  {
    const Scratch folder;
    FaultyCache counts(Fault::none, 0);
    cached(folder.path(), 2, counts);
    calls = counts.calls();
  }
  CHECK(calls > 40);
  for (const Fault fault : {Fault::no_space, Fault::io_error, Fault::killed, Fault::interrupted, Fault::half}) {
    int thrown = 0;
    for (int at = 0; at < calls; ++at) {
      const Scratch folder;
      CAPTURE(at);
      std::string said;
      try {
        check_same(cached(folder.path(), 2, FaultyCache(fault, at)).sentences, expected);
      } catch (const Error& e) {
        ++thrown;
        said = e.what();
        CHECK((e.id() == "entrain.checkpoint.1" || e.id() == "entrain.checkpoint.5" || e.id() == "entrain.train.42"));
        if (fault == Fault::no_space) CHECK(has(said, "No space left on device"));
      }
      for (const std::string& name : folder.names())  // nothing under a name that is not whole
        if (name.ends_with(".entrain")) {
          CHECK(equal(cached(folder.path(), 2).sentences, expected));
        }
      if (fault != Fault::killed) CHECK(folder.names().size() == (said.empty() ? 1 : folder.names().size()));
      const Corpus next = cached(folder.path(), 2);
      CHECK(equal(next.sentences, expected));
      CHECK(folder.names() == std::set<std::string>{next.path.substr(folder.path().size() + 1)});
    }
    CAPTURE(static_cast<int>(fault));
    CHECK((thrown > 20) == (fault == Fault::no_space || fault == Fault::io_error || fault == Fault::killed));
  }
}

TEST_CASE("sweeping removes what no program writes any more, and nothing else") {
  const Scratch folder;
  const std::string dead = "train-0123456789abcdef.entrain.tmp-0123456789abcdef";
  put(folder / dead, "left by a killed program");
  put(folder / "train.entrain.tmp-short", "somebody's");
  put(folder / "notes.tmp-0123456789abcdef", "somebody's");
  std::set<std::string> stay{"train.entrain.tmp-short", "notes.tmp-0123456789abcdef"};
  {
    const train::LockedFile<train::CacheSystem> alive(folder / "other.entrain", {});
    CHECK(train::sweep_caches(folder.path(), train::CacheSystem()) == 1);
    CHECK(folder.names().size() == 3);
    CHECK(train::sweep_caches(folder.path(), train::CacheSystem()) == 0);
  }
  CHECK(folder.names() == stay);
  CHECK(train::sweep_caches(folder / "none", train::CacheSystem()) == 0);
}

namespace {
/// A system in which somebody sweeps the folder between a file's making and its locking, n times.
struct Hasty : train::CacheSystem {
  std::string folder;
  std::shared_ptr<int> times;
  int wait_for_lock(int fd) const {
    if (*times > 0) {
      --*times;
      train::sweep_caches(folder, train::CacheSystem());
    }
    return train::CacheSystem::wait_for_lock(fd);
  }
};
}  // namespace

TEST_CASE("a file that is swept before it is locked is made again") {
  const Scratch folder;
  Hasty system;
  system.folder = folder.path();
  system.times = std::make_shared<int>(6);
  const Corpus corpus = cached(folder.path(), 2, system);
  CHECK(*system.times == 0);
  check_same(corpus.sentences, joined(2));
  CHECK(folder.names().size() == 1);
}

TEST_CASE("programs that make one cache at once, some of them killed meanwhile, leave it whole and no other file") {
  const Encoded expected = joined(150);
  std::mt19937 draw(11);
  int finished = 0, killed = 0;
  for (int round = 0; round < 25; ++round) {
    const Scratch folder;
    std::vector<pid_t> children;
    for (int c = 0; c < 6; ++c) {
      const pid_t child = ::fork();
      REQUIRE(child >= 0);
      if (child == 0) {
        int code = 1;
        try {
          code = equal(cached(folder.path(), 150).sentences, expected) ? 0 : 2;
        } catch (...) {
        }
        ::_exit(code);
      }
      children.push_back(child);
    }
    for (int k = 0; k < 3; ++k) {  // half of them
      std::this_thread::sleep_for(std::chrono::microseconds(draw() % 8000));
      ::kill(children[static_cast<std::size_t>(k) * 2], SIGKILL);
    }
    for (const pid_t child : children) {
      int status = 0;
      REQUIRE(::waitpid(child, &status, 0) == child);
      if (WIFSIGNALED(status)) {
        ++killed;
        continue;
      }
      CHECK(WEXITSTATUS(status) == 0);
      ++finished;
    }
    const Corpus after = cached(folder.path(), 150);
    CHECK_FALSE(after.built);  // three lived to the end
    CHECK(equal(after.sentences, expected));
    CHECK(folder.names().size() == 1);
  }
  CHECK(finished >= 75);
  CHECK(killed > 10);
}

}  // namespace cache_test
