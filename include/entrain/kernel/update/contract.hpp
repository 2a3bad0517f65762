// core > device, precision > tensor > [kernel] > layer
//
// Passes over the flat buffers: the sum of squares of a gradient, one optimizer step, and the steps that rows of a
// table wait for. They see stretches of numbers, never a layer.
#pragma once
#include <cstddef>
#include <cstdint>

#include "entrain/core/config.hpp"
#include "entrain/core/contract.hpp"
#include "entrain/device/plan.hpp"
#include "entrain/kernel/contract.hpp"
#include "entrain/precision/loss_scale.hpp"

namespace entrain::kernel {

/// Which rows of a table's gradient this step wrote: those whose stamp is `now`. Without stamps: all.
struct Touched {
  const std::uint32_t* stamp = nullptr;
  std::uint32_t now = 0;
  int rows = 1;
  std::size_t cols = 0;
  std::uint32_t* done = nullptr;  // if given, the other rows wait: the steps that a row has had; see catch_up
};

/// A stretch of the flat buffers: value, gradient and moments of the same parameters; and where layers read them in
/// another type W, a copy in that, which follows every change.
template <class T, int Moments, class W = T> struct Stretch {
  T* value;
  const T* gradient;
  T* moment[Moments > 0 ? Moments : 1];
  std::size_t size;
  W* weight = nullptr;
};

/// The rules of the latest steps: that of step t at t % memory, a power of two. Steps that were skipped change nothing.
template <class Rule> struct Rules {
  const Rule* rule;
  std::uint32_t memory;
  const std::uint32_t* skipped = nullptr;  // laid out as rules are; without it none was
};

/// Rows of a table: ids[0..count), -1 for none, or without ids first, first + 1, ... first + count - 1.
struct RowList {
  const std::int32_t* ids = nullptr;
  int first = 0;
  int count = 0;

  ENTRAIN_HD int operator[](int i) const { return ids != nullptr ? ids[i] : first + i; }
  ENTRAIN_HD RowList at(std::uint32_t) const { return *this; }
};

/// Rows of a table in parts of `count`, which take turns: at a step the part whose turn it is.
struct RowTurns {
  int rows = 0, count = 0;
  std::uint32_t turns = 1;

  ENTRAIN_HD RowList at(std::uint32_t step) const {
    const int first = static_cast<int>(step % turns) * count, left = rows - first;
    return {nullptr, first, left < 0 ? 0 : left < count ? left : count};
  }
};

/// Rows of a table that wait, and the steps that each of its rows has had.
///
/// Rows      RowList, RowTurns
template <class Rows, class T, int Moments, class W = T> struct WaitingRows {
  Stretch<T, Moments, W> table;
  int cols;
  std::uint32_t* done;
  Rows rows;
};
/// Tables whose rows catch up by one call.
inline constexpr int tables_at_once = 4;

/// Numbers of the flat buffers that share a rule: some of one span, and never of two. Of a table whole rows, else
/// rows = 0 and `cols` numbers.
struct Chunk {
  static constexpr std::size_t numbers = 4096;  // at most; of a table as many rows as a device walks at once
  std::size_t value, gradient, stamp;           // places in values, in gradients and moments, in stamps
  std::int32_t rows, cols;
  std::uint32_t rule;
  bool waits;  // rows that this step did not touch wait
};
struct Chunks {
  const Chunk* of;
  int count;
};

/// All numbers, as Chunk's places count them. The last moment of an average lies as values do.
template <class T, int Moments, class W = T> struct Flat {
  T* value;
  const T* gradient;
  T* moment[Moments > 0 ? Moments : 1];
  W* weight;
  const std::uint32_t* stamps;
  std::uint32_t* done;
};

/// What the next step's loss is multiplied by, and what that follows from (precision/loss_scale.hpp).
struct LossScale {
  float value = 1;
  std::uint32_t growth_tracker = 0;  // steps in a row that were not skipped, since it last grew
  std::uint32_t skipped_steps = 0;   // so far
};

struct StepState;

/// What a step is told, and what it finds out, both where the device reads them.
struct StepOrder {
  double targets, max_grad_norm;
  std::uint32_t step;
  std::uint32_t skipped_steps;  // that the host knew of
  std::uint32_t kinds;          // rules of a step
  StepState* told;              // the host's, which the device writes what it found to
};
struct StepState {
  double loss, targets, grad_norm;
  float scale;  // of gradients
  std::uint32_t step;
  std::uint32_t bad_step;  // not 0 from the step on whose gradient was not finite, and then its own
  std::uint32_t skipped;   // whether this step was
  float loss_scale;        // of this step
  LossScale next;
};

template <class D> struct Update : InTagger<D> {};

/// state->loss (+)= *loss
template <class D, class Sum> void add_loss(const D& dev, const Sum* loss, StepState* state, Write how) {
  Update<D>::add_loss(dev, loss, state, how);
}

/// squares[k] = the sum of squares of the gradients of chunk k, in double, of rows that the step touched. After a
/// gradient that was not finite they keep what was found.
///
/// shapes    squares [chunks]
template <class D, class T, int Moments, class W>
void square_chunks(const D& dev, Chunks chunks, const Flat<T, Moments, W>& flat, const StepOrder* order,
                   const StepState* state, double* squares) {
  Update<D>::square_chunks(dev, chunks, flat, order, state, squares);
}

/// What an optimizer step will be, as optim::step writes it: the norm of all gradients, clipping, the rules. After a
/// gradient that is not finite no step changes a value, neither this nor any later one.
///
/// Scale     a dynamic one: gradients are state->next.value times too large, and one that is not finite skips its own
///           step alone, until the scale cannot be lowered any more
/// shapes    rules [order->kinds], one for each number in Chunk::rule; of a dynamic scale the same again for each step
///           that may have been skipped since the host last knew: what an optimizer counts are steps that were not.
///           decided [order->kinds], those of them that hold; squares [count], of all chunks
template <class Scale = precision::NoScale, class D, class Rule>
void decide_step(const D& dev, const double* squares, int count, const StepOrder* order, const Rule* rules,
                 StepState* state, Rule* decided) {
  Update<D>::template decide_step<Scale>(dev, squares, count, order, rules, state, decided);
}

/// The step that was decided last, over some chunks: decided[chunk.rule] for each number.
template <bool Averages, class D, class Rule, class T, int Moments, class W>
void update_chunks(const D& dev, Chunks chunks, const Flat<T, Moments, W>& flat, const StepState* state,
                   const Rule* decided) {
  Update<D>::template update_chunks<Averages>(dev, chunks, flat, state, decided);
}

/// sum of g[i]^2 in double, in an order that depends on the size only; rows that were not touched count as 0
template <class D, class T> double square_sum(const D& dev, const T* g, std::size_t size, Touched touched) {
  return Update<D>::square_sum(dev, g, size, touched);
}

/// rule(value, moments, gradient * scale) for every number; rows that were not touched have gradient 0, or wait
///
/// Rule      `template <class S> void operator()(S& value, S (&moment)[M], S gradient) const`, S a number or a pack
template <class D, class Rule, class T, int Moments>
void update(const D& dev, const Rule& rule, Stretch<T, Moments> numbers, T scale, Touched touched) {
  Update<D>::run(dev, rule, numbers, scale, touched);
}

/// The rows of `count` tables, tables_at_once at most, get the steps that they wait for, done[row] + 1 to `upto`, each
/// with gradient 0; after it done[row] is at least `upto`. Same bits as if no row had waited.
///
/// Upto      a step's number, or on a device with memory of its own where it finds that
template <class D, class Rule, class Rows, class T, int Moments, class W, class Upto>
void catch_up(const D& dev, Rules<Rule> rules, const WaitingRows<Rows, T, Moments, W>* tables, int count, Upto upto) {
  Update<D>::catch_up(dev, rules, tables, count, upto);
}

/// rules[t % memory], skipped[t % memory] = *decided, and whether it was skipped, of the step t that was decided last
template <class D, class Rule> void remember(const D& dev, const StepState* state, const Rule* decided, Rule* rules,
                                             std::uint32_t* skipped, std::uint32_t memory) {
  Update<D>::remember(dev, state, decided, rules, skipped, memory);
}

}  // namespace entrain::kernel
