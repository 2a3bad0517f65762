// Former names that a user's program may still have: deprecated aliases of the types.
#include <doctest/doctest.h>

#include <type_traits>

#include "entrain/cpu.hpp"
#include "entrain/cpu_transformer.hpp"
#include "entrain/model/bert.hpp"

using namespace entrain;

TEST_CASE("deprecated names are aliases") {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  using Mix = embed::MultiHash<8, batch::HashedWords<2, 60, 20, 20, 20>, 2>;
  using Bert = model::Encoder<embed::Bert<embed::Tables{.vocabulary = 21, .positions = 40, .width = 16}>,
                              encode::PostNormBlock<encode::Width{.width = 16, .heads = 2, .intermediate = 24}>>;
  CHECK(std::is_same_v<Wide<float>, LabelMatrix<float>>);
  CHECK(std::is_same_v<Segments, CsrIndex>);
  CHECK(std::is_same_v<Factor<float, 2, 3>, MatmulWeight<float, 2, 3>>);
  CHECK(std::is_same_v<Weight<float, by_label, 3>, Weight<float, dynamic_labels, 3>>);
  CHECK(std::is_same_v<On<Mix, precision::Fp32, device::Cpu<>>, Impl<Mix, precision::Fp32, device::Cpu<>>>);
  CHECK(std::is_same_v<head::Dropped<head::Softmax<16, text::Bio>>, head::WithDropout<head::Softmax<16, text::Bio>>>);
  CHECK(std::is_same_v<optim::Deferred<optim::AdamW>, optim::LazyUpdate<optim::AdamW>>);
  CHECK(std::is_same_v<batch::EveryPiece<Bert::Embed::Features>, batch::LabelAllTokens<Bert::Embed::Features>>);
  CHECK(std::is_same_v<batch::TagInPieces, batch::PieceTargets>);
  CHECK(std::is_same_v<batch::TagTargets, batch::LabelPerRow>);
  CHECK(std::is_same_v<embed::LabelledByPiece<Bert::Embed>, embed::LabelAllTokens<Bert::Embed>>);
  CHECK(std::is_same_v<model::LabelledByPiece<Bert>, model::LabelAllTokens<Bert>>);
#pragma GCC diagnostic pop
}
