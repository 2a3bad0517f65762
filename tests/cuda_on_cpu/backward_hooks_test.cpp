// tests > [cuda_on_cpu]
//
// What a net's backward pass says of its gradients while it goes down.
#include "entrain/device/backward_hooks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "entrain/cuda.cuh"
#include "entrain/cuda_transformer.cuh"
#include "tests/cuda/cases/trainer.hpp"

namespace backward_hooks_test {
using namespace entrain;

TEST_CASE("a net says on its way down when the gradients of a height are there, and no sooner") {
  using Case = entrain::test::TrainerCase<entrain::test::DeepTransformer, optim::AdamW>;
  using Trainer = train::Trainer<Case::Model, precision::Fp32, device::Cuda<>, optim::AdamW>;
  using D = Trainer::Device;
  using Net = Case::Model::Impl<precision::Fp32, D>;
  const Case::Data<Trainer> data(6);
  const int labels = data.labels.count();
  const Layout layout = layout_of<Case::Model>(labels);
  const D dev;
  train::Parameters<optim::AdamW, precision::Fp32, D> parameters(layout);
  parameters.initialise(dev, layout, 1);
  const float poison = 7e30f;
  dev.upload(parameters.gradients(), std::vector<float>(layout.gradients, poison).data(), layout.gradients);
  const auto gradients = [&](const D& queue) {
    std::vector<float> all(layout.gradients);
    queue.download(all.data(), parameters.gradients(), all.size());
    return all;
  };
  std::vector<std::pair<int, std::vector<float>>> found;
  auto work = [&](const D& beside, int height) { found.emplace_back(height, gradients(beside)); };
  device::BackwardHooks<D> hooks(dev, layout.height);
  hooks.start(work);

  batch::Packer<Case::Words> packer(data.rows);
  batch::Upload<D, Case::Words> upload(data.rows);
  const auto sent = upload(dev, packer.pack(data.encoded, data.order, labels), Counters{});
  D::Buffer<std::byte> memory(Trainer::planned(labels, data.rows).cost.arena);
  D::Buffer<float> loss{1};
  Arena arena{memory.data(), memory.size()};
  const auto& b = sent.batch;
  const Step<D> at{dev, b.shape, b.geometry, true, Write::assign, arena, sent.counters, 0, {nullptr, &hooks}};
  const auto w = bind<Case::Model>(parameters.weights(dev, layout), labels);
  auto saved = Net::allocate_saved(arena, b.shape, b.words);
  Net::forward(at, w, b.words, b.targets, loss.data(), saved);
  CHECK(found.empty());
  Net::backward(at, w, saved, b.words, b.targets,
                bind<Case::Model, float>(parameters.gradients(), labels, parameters.stamps()));
  CHECK(hooks.arrive() == 0);

  const std::vector<float> last = gradients(dev);
  REQUIRE(found.size() == 6);  // the head, and five blocks
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto& [height, then] = found[i];
    CHECK(height == layout.height - static_cast<int>(i));
    for (const Span& s : layout.spans) {
      if (s.sparse) continue;
      CAPTURE(s.name);
      const std::vector<float>& expected = s.height >= height ? last : std::vector<float>(layout.gradients, poison);
      const auto from = static_cast<std::ptrdiff_t>(s.gradient_offset),
                 to = from + static_cast<std::ptrdiff_t>(s.size());
      CHECK(std::equal(then.begin() + from, then.begin() + to, expected.begin() + from));
    }
  }
}

}  // namespace backward_hooks_test
