// tests > [embed]
#include "entrain/embed/bert.hpp"
#include "entrain/embed/projected.hpp"

#include <doctest/doctest.h>

#include "entrain/family/distilbert.hpp"
#include "entrain/kernel/bias/cpu.hpp"
#include "entrain/kernel/dropout/cpu.hpp"
#include "entrain/kernel/gemm/cpu.hpp"
#include "entrain/kernel/hash_embed/cpu.hpp"
#include "entrain/kernel/layer_norm/cpu.hpp"
#include "entrain/kernel/piece_embed/cpu.hpp"
#include "tests/gradient.hpp"

using namespace entrain;

namespace {
constexpr embed::EmbeddingConfig with_segments{.vocabulary = 9, .positions = 12, .types = 2, .width = 6, .eps = 1e-3},
    without{.vocabulary = 9, .positions = 12, .types = 0, .width = 6, .eps = 1e-3};
using Bert = embed::Bert<with_segments>;
using DistilBert = embed::Bert<without, family::DistilBert>;
using Projected = embed::Projected<Bert, 5>;
using Features = Bert::Features;
using Cpu = device::Cpu<>;

Features features() {
  return {std::make_shared<const text::WordPiece>(
              std::vector<std::string>{"[UNK]", "[CLS]", "[SEP]", "a", "b", "c", "##a", "##b", "##c"}),
          {1},
          {2}};
}
}  // namespace

TEST_CASE_TEMPLATE(
    "Bert embedding: gradients match differences; untouched rows are neither written nor stamped; leaves add", Net,
    Bert, DistilBert, Projected) {
  using Real = Impl<Net, precision::Fp64, Cpu, Needs{true, false}>;
  const Features f = features();
  auto read = f.reader();
  Features::Vocabulary vocabulary;
  for (const char* word : {"a", "ba", "abc"}) vocabulary.push_back(read(word));
  for (const std::vector<std::int32_t>& cu_seqlens :
       std::vector<std::vector<std::int32_t>>{{0}, {0, 1}, {0, 2, 3, 9}}) {
    for (int threads : {1, 3}) {
      const Cpu dev(threads);
      std::vector<std::int32_t> words;
      for (int i = 0; i < cu_seqlens.back(); ++i) words.push_back(i * 2 % 3);
      Features::Buffer buffer;
      const auto pieces = buffer.pack(f, words, cu_seqlens, vocabulary);
      const Shape shape = Features::inside({cu_seqlens.back(), static_cast<int>(cu_seqlens.size()) - 1, 0}, pieces);
      const auto n = static_cast<std::size_t>(shape.rows);
      const Layout layout = layout_of<Net>(0);
      CHECK(layout.stamps == 9 + 12 + (std::is_same_v<Net, DistilBert> ? 0 : 2));
      auto params = test::noise(layout.size, 1);
      const auto r = test::noise(n * Net::out, 3);
      std::vector<double> y(r.size()), grads(layout.size, 1e300);
      std::vector<std::uint32_t> stamps(layout.stamps, 0);
      Counters counters{.seed = 42, .step = 3, .dropout = 0.25f};
      test::OwnedArena memory(1 << 20);
      const auto run = [&](bool back, Write how, bool training = true) {
        memory.arena.used = 0;
        const Step<Cpu> at{dev, shape, {}, training, how, memory.arena, &counters};
        const auto w = bind<Net, const double>(params.data(), 0);
        auto saved = Real::allocate_saved(memory.arena, shape);
        Real::forward(at, w, pieces, {y.data(), shape.rows}, saved);
        if (back)
          Real::backward(at, w, saved, pieces, {r.data(), shape.rows},
                         bind<Net, double>(grads.data(), 0, stamps.data()));
        double loss = 0;
        for (std::size_t i = 0; i < y.size(); ++i) loss += y[i] * r[i];
        return loss;
      };
      for (const bool training : {true, false}) {
        grads.assign(layout.size, 1e300);
        stamps.assign(layout.stamps, 0);
        run(true, Write::assign, training);
        for (const Span& s : layout.spans)
          for (int row = 0; row < s.rows; ++row) {
            const std::size_t first = s.offset + static_cast<std::size_t>(row) * static_cast<std::size_t>(s.cols);
            const bool touched = !s.sparse || stamps[s.stamp_offset + static_cast<std::size_t>(row)] == 4;
            if (s.sparse) CHECK((stamps[s.stamp_offset + static_cast<std::size_t>(row)] == 0) == !touched);
            for (std::size_t i = first; i < first + static_cast<std::size_t>(s.cols); i += touched ? 2 : 1) {
              CHECK((grads[i] == 1e300) == !touched);
              const double keep = params[i];
              params[i] = keep + 1e-5;
              const double up = run(false, Write::assign, training);
              params[i] = keep - 1e-5;
              const double down = run(false, Write::assign, training);
              params[i] = keep;
              const double gradient = touched ? grads[i] : 0;
              CHECK(std::abs((up - down) / 2e-5 - gradient) < 1e-6 * (1 + std::abs(gradient)));
            }
          }
      }
      counters.step = 4;  // the next step assigns again, though nothing was zeroed
      run(true, Write::assign);
      const auto once = grads;
      run(true, Write::add);  // a second micro-batch of the same step
      for (std::size_t i = 0; i < grads.size(); ++i)
        if (std::abs(once[i]) < 1e299) CHECK(grads[i] == doctest::Approx(2 * once[i]));
    }
  }
}

TEST_CASE("Bert embedding: names as Hugging Face's, and the composition in words") {
  const Layout layout = layout_of<Bert>(0);
  REQUIRE(layout.spans.size() == 5);
  CHECK(layout.spans[0].name == "word_embeddings.weight");
  CHECK(layout.spans[2].name == "token_type_embeddings.weight");
  CHECK(layout.spans[4].name == "LayerNorm.bias");
  CHECK(layout_of<DistilBert>(0).spans.size() == 4);
  CHECK(Bert::describe() == "Bert<9, 12, 2, 6, 0.001>");
  CHECK(DistilBert::describe() == "Bert<9, 12, 0, 6, 0.001>");
  const Layout projected = layout_of<Projected>(0);
  REQUIRE(projected.spans.size() == 7);
  CHECK(projected.spans[0].name == "word_embeddings.weight");
  CHECK(projected.spans[5].name == "project.weight");
  CHECK(projected.spans[5].rows == 5);
  CHECK(projected.spans[5].cols == 6);
  CHECK(projected.spans[6].name == "project.bias");
  CHECK(Projected::describe() == "Bert<9, 12, 2, 6, 0.001> to 5");
}
