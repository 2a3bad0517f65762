// text > batch > embed > encode > head > optim > checkpoint > train > [app]
//
// Finds what a training waited for, and what helps: turns the activity of its threads (core/timeline.hpp) into a
// sentence.
#pragma once
#include <string>
#include <vector>

#include "entrain/core/activity.hpp"
#include "entrain/core/config.hpp"  // ENTRAIN_INLINE
#include "entrain/device/reading.hpp"

namespace entrain::app {

/// Something that kept the training waiting for batches.
struct Cause {
  Activity activity = Activity::idle;
  std::string name;
  double share = 0;        // of the training's time
  bool in_turn = false;    // one thread at a time does it
  bool by_itself = false;  // the training's own thread does it, between the steps
};

struct LoaderBottleneck {
  double seconds = 0;         // of training, but for evaluations and saving
  double waited = 0;          // the share of `seconds` in which the training had no batch
  std::vector<Cause> causes;  // their sum is at most `waited`; the largest first
};

/// Blames the loader stage that was busiest while the training waited: the whole stage, or its reading, which one
/// thread does at a time.
///
///   busy = seconds at work / (seconds of waiting * threads)         share = busy * waited / seconds of training
///   busy = seconds at work / (seconds of waiting * threads)         share = busy * waited / seconds of training
ENTRAIN_INLINE LoaderBottleneck loader_bottleneck(const Times& times);

/// The other facts that the sentence needs.
struct LoaderFacts {
  int loader_workers = 1;       // 0: the training's thread packs; -1: as many as are of use
  double cores = 1;             // of the machine
  bool cached = false;          // the encoded corpus is read from a file
  double bytes_per_second = 0;  // while reading, if known
};

/// `training waited 31.2 % of the time for data: tokenise 29.8 %, read 1.1 %; raise --loader-workers (now 1)`, or
/// `training never waited for data (0.3 %)`. For a GPU that reports its activity, also whether it had enough to do, and
/// why.
ENTRAIN_INLINE std::string verdict(const Times& times, const device::TimeSpent& gpu, const LoaderFacts& facts);

/// `train: compute 61.0 %, wait 31.2 %, update 5.1 %, other 1.7 %; meanwhile evaluate 2.0 s`: a line for the training
/// and one for each stage of the loader, with its number of threads. Shares of the threads' time.
ENTRAIN_INLINE std::vector<std::string> time_lines(const Times& times);

}  // namespace entrain::app

#if !defined(ENTRAIN_COMPILED)
#include "entrain/app/train/loader_bottleneck.ipp"
#endif
