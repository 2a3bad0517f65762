// core > device, precision > tensor > [kernel] > layer
//
// Passes over the flat buffers: the sum of squares of a gradient, one optimizer step, and the missing steps of a
// table's stale rows. They process ranges of numbers, not layers.
#pragma once
#include <cstddef>
#include <cstdint>

#include "entrain/core/config.hpp"
#include "entrain/core/contract.hpp"
#include "entrain/device/plan.hpp"
#include "entrain/kernel/contract.hpp"
#include "entrain/kernel/gemm/contract.hpp"
#include "entrain/precision/loss_scale.hpp"

namespace entrain::kernel {

/// The rows of a table's gradient that this step wrote: those whose stamp is `now`. Without stamps: all.
struct Touched {
  const std::uint32_t* stamp = nullptr;
  std::uint32_t now = 0;
  int rows = 1;
  std::size_t cols = 0;
  std::uint32_t* done = nullptr;  // steps that a row has had; if given, the other rows become stale: see catch_up
};

/// A range of the flat buffers: value, gradient and moments of the same parameters. If layers read the parameters in
/// another type W, also a copy in that type, updated with every change.
template <class T, int Moments, class W = T> struct ParameterRange {
  T* value;
  const T* gradient;
  T* moment[Moments > 0 ? Moments : 1];
  std::size_t size;
  W* weight = nullptr;
};

/// The rules of the latest steps: the rule of step t is at t % memory, a power of two. Skipped steps change nothing.
template <class Rule> struct Rules {
  const Rule* rule;
  std::uint32_t memory;
  const std::uint32_t* skipped = nullptr;  // same layout as rule; if null, no step was skipped
};

/// Rows of a table: ids[0..count), -1 for none, or without ids first, first + 1, ... first + count - 1.
struct RowList {
  const std::int32_t* ids = nullptr;
  int first = 0;
  int count = 0;

  ENTRAIN_HD int operator[](int i) const { return ids != nullptr ? ids[i] : first + i; }
  ENTRAIN_HD RowList at(std::uint32_t) const { return *this; }
};

/// Rows of a table in parts of `count`, in rotation: each step selects one part.
struct RowTurns {
  int rows = 0, count = 0;
  std::uint32_t turns = 1;

  ENTRAIN_HD RowList at(std::uint32_t step) const {
    const int first = static_cast<int>(step % turns) * count, left = rows - first;
    return {nullptr, first, left < 0 ? 0 : left < count ? left : count};
  }
};

/// Stale rows of a table, and the number of steps that each row of the table has had.
///
/// Rows      RowList, RowTurns
template <class Rows, class T, int Moments, class W = T> struct WaitingRows {
  ParameterRange<T, Moments, W> table;
  int cols;
  std::uint32_t* done;
  Rows rows;
};
/// The maximum number of tables whose rows one call brings up to date.
inline constexpr int tables_at_once = 4;

/// Numbers of the flat buffers that share a rule. A chunk is part of one span, never of two. Of a table it has whole
/// rows, else rows = 0 and `cols` numbers.
struct Chunk {
  static constexpr std::size_t numbers = 4096;  // at most; of a table, the rows that a device processes at once
  std::size_t value, gradient, stamp;           // offsets in values, in gradients and moments, in stamps
  std::int32_t rows, cols;
  std::uint32_t rule;
  bool waits;  // rows that this step did not touch become stale
};
struct Chunks {
  const Chunk* of;
  int count;
};

/// All numbers; Chunk's offsets index them. The last moment of an averaging optimizer has the layout of values.
template <class T, int Moments, class W = T> struct ParameterView {
  T* value;
  const T* gradient;
  T* moment[Moments > 0 ? Moments : 1];
  W* weight;
  const std::uint32_t* stamps;
  std::uint32_t* done;
};

/// The factor for the next step's loss, and the counters that determine it (precision/loss_scale.hpp).
struct LossScale {
  float value = 1;
  std::uint32_t growth_tracker = 0;  // consecutive steps without a skip, since the scale last grew
  std::uint32_t skipped_steps = 0;   // in total
};

struct StepState;

/// The inputs of a step and its results, both in memory that the device reads.
struct StepOrder {
  double targets, max_grad_norm;
  std::uint32_t step;
  std::uint32_t skipped_steps;  // known to the host
  std::uint32_t kinds;          // rules of a step
  StepState* told;              // in host memory; the device writes its results there
};
struct StepState {
  double loss, targets, grad_norm;
  float scale;  // of gradients
  std::uint32_t step;
  std::uint32_t bad_step;  // 0 until a gradient is not finite, then the number of that step
  std::uint32_t skipped;   // whether this step was skipped
  float loss_scale;        // of this step
  LossScale next;
};

template <class D> struct Update : InTagger<D> {};

/// state->loss (+)= *loss
template <class D, class Sum> void add_loss(const D& dev, const Sum* loss, StepState* state, Write how) {
  Update<D>::add_loss(dev, loss, state, how);
}

/// squares[k] = the sum of squares of the gradients of chunk k, in double, over rows that the step touched. After a
/// gradient that was not finite, squares keep their values.
///
/// shapes    squares [chunks]
template <class D, class T, int Moments, class W>
void square_chunks(const D& dev, Chunks chunks, const ParameterView<T, Moments, W>& flat, const StepOrder* order,
                   const StepState* state, double* squares) {
  Update<D>::square_chunks(dev, chunks, flat, order, state, squares);
}

/// Computes the state and the rules of an optimizer step, as optim::step does: the norm of all gradients, clipping, the
/// rules. After a gradient that is not finite no step changes a value, neither this one nor any later one.
///
/// Scale     a dynamic one: gradients are multiplied by state->next.value. A gradient that is not finite then skips
///           only its own step, until the scale cannot be lowered any more
/// shapes    rules [order->kinds], one for each number in Chunk::rule. With a dynamic scale, the same again for each
///           step that may have been skipped since the host last knew, because an optimizer counts only steps that were
///           not skipped. decided [order->kinds], the rules that apply; squares [count], of all chunks
template <class Scale = precision::NoScale, class D, class Rule>
void decide_step(const D& dev, const double* squares, int count, const StepOrder* order, const Rule* rules,
                 StepState* state, Rule* decided) {
  Update<D>::template decide_step<Scale>(dev, squares, count, order, rules, state, decided);
}

/// Applies the last decided step to some chunks: decided[chunk.rule] for each number.
template <bool Averages, class D, class Rule, class T, int Moments, class W>
void update_chunks(const D& dev, Chunks chunks, const ParameterView<T, Moments, W>& flat, const StepState* state,
                   const Rule* decided) {
  Update<D>::template update_chunks<Averages>(dev, chunks, flat, state, decided);
}

/// sum of g[i]^2 in double, in an order that depends on the size only; rows that were not touched count as 0
template <class D, class T> double square_sum(const D& dev, const T* g, std::size_t size, Touched touched) {
  return Update<D>::square_sum(dev, g, size, touched);
}

/// rule(value, moments, gradient * scale) for every number; rows that were not touched have gradient 0, or become stale
///
/// Rule      `template <class S> void operator()(S& value, S (&moment)[M], S gradient) const`, S a number or a pack
template <class D, class Rule, class T, int Moments>
void update(const D& dev, const Rule& rule, ParameterRange<T, Moments> numbers, T scale, Touched touched) {
  Update<D>::run(dev, rule, numbers, scale, touched);
}

/// The same for a weight [rows, cols] and its copy, on a device whose products read copies.
template <class D, class Rule, class T, int Moments>
requires copies_weights<D, T>
void update_weight(const D& dev, const Rule& rule, ParameterRange<T, Moments> numbers, T scale, int rows, int cols,
                   std::byte* copy) {
  Update<D>::run(dev, rule, numbers, scale, typename Gemm<D>::Copy(rows, cols), copy);
}

/// Gives the rows of `count` tables, tables_at_once at most, their missing steps, done[row] + 1 to `upto`, each with
/// gradient 0; afterwards done[row] is at least `upto`. Same bits as if no row had been stale.
///
/// Upto      a step's number, or on a device with its own memory the address of that number
template <class D, class Rule, class Rows, class T, int Moments, class W, class Upto>
void catch_up(const D& dev, Rules<Rule> rules, const WaitingRows<Rows, T, Moments, W>* tables, int count, Upto upto) {
  Update<D>::catch_up(dev, rules, tables, count, upto);
}

/// rules[t % memory], skipped[t % memory] = *decided, and whether the step was skipped, for the last decided step t
template <class D, class Rule> void remember(const D& dev, const StepState* state, const Rule* decided, Rule* rules,
                                             std::uint32_t* skipped, std::uint32_t memory) {
  Update<D>::remember(dev, state, decided, rules, skipped, memory);
}

}  // namespace entrain::kernel
