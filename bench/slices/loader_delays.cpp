// bench: loaders whose samples take time, compared with the ideal time, and a number of workers that is chosen during
// the run, compared with all fixed numbers.
//
//   loader_delays delays [SHARE]          loaders of 10,000 and 50,000 samples; SHARE of them, 1 by default
//   loader_delays auto VOCAB FILE ...     pieces of the files' words, samples that sleep, batches that cost nothing
//   loader_delays again WORKLOAD RUNS [WORKERS]   sleeping, short, computing or fast, RUNS times: does it always agree?
//
// delays: a line of JSON per workload and number of workers. ideal: the sum of all delays, each as measured, divided by
// the threads, or by the cores if the samples compute and there are more threads than cores; for `automatic` by the
// largest number of threads. auto: a line for each run, three rounds in turn, then per workload the best number of
// workers and the result of `automatic`.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "entrain/batch/pipeline/chunked.hpp"
#include "entrain/batch/pipeline/each_sample.hpp"
#include "entrain/batch/pipeline/mapped.hpp"
#include "entrain/batch/pipeline/workers.hpp"
#include "entrain/text/files/file.hpp"
#include "entrain/text/tokenizer/wordpiece.hpp"

using namespace entrain;

namespace {
double now() { return batch::seconds_now(); }

/// Question 4: 20 ids of 1,000, and a label.
struct Ids {
  std::array<std::int32_t, 20> id;
  char label;
};
/// Question 5: 2,048 floats, and a label.
struct Floats {
  std::vector<float> x;
  char label;
};

const std::vector<std::vector<float>>& rows() {
  static const std::vector<std::vector<float>> rows = [] {
    std::vector<std::vector<float>> all(1000);
    for (std::size_t i = 0; i < all.size(); ++i)
      for (int j = 0; j < 2048; ++j) all[i].push_back(static_cast<float>(i) + 1e-3f * static_cast<float>(j));
    return all;
  }();
  return rows;
}
/// Samples drawn by their number; floats are rows in memory that are used again and again.
template <class Sample> struct Drawn {
  using Item = Sample;
  using Cursor = std::uint64_t;

  explicit Drawn(std::uint64_t count) : samples(count) {}
  void start(std::uint32_t, std::uint64_t cursor) { at = cursor; }
  std::uint64_t cursor() const { return at; }
  bool next(Item& item) {
    if (at == samples) return false;
    state = ++at * 0x9e3779b97f4a7c15u | 1;
    fill(item);
    return true;
  }

 private:
  std::uint32_t draw() {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return static_cast<std::uint32_t>(state >> 32);
  }
  void fill(Ids& item) {
    for (auto& id : item.id) id = static_cast<std::int32_t>((std::uint64_t{draw()} * 1000) >> 32);
    item.label = draw() % 2;
  }
  void fill(Floats& item) {
    item.x = rows()[at % rows().size()];
    item.label = draw() % 2;
  }
  std::uint64_t samples, at = 0, state = 1;
};

enum class Kind { sleep, compute };

/// The cost of a sample, and the sum of the real costs: in wall time; for samples that compute, in CPU time, as
/// threads that share a core would otherwise count each other's time.
struct Delay {
  Kind kind = Kind::sleep;
  double seconds = 0;
  std::shared_ptr<std::atomic<std::int64_t>> nanoseconds = std::make_shared<std::atomic<std::int64_t>>(0);

  template <class Sample> void operator()(Sample&) const {
    const clockid_t clock = kind == Kind::sleep ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
    const double begin = batch::seconds_of(clock);
    if (kind == Kind::sleep) {
      std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    } else {
      while (batch::seconds_of(clock) - begin < seconds) {
      }
    }
    *nanoseconds += static_cast<std::int64_t>(1e9 * (batch::seconds_of(clock) - begin));
  }
};

double check = 0;  // of the samples taken, so that they are really made
void use(const Ids& s) { check += s.id[7] + s.label; }
void use(const Floats& s) { check += s.x[7] + static_cast<float>(s.label); }
void use(const text::Pieces& p) { check += static_cast<double>(p.size()); }

struct Run {
  double wall, cpu;
  batch::WorkersMeasured measured;
};
template <class S> Run run(S stage, const batch::WorkersOptions& options, int epochs = 1) {
  batch::Workers<S> loader(std::move(stage), options);
  const double begin = now(), cpu = batch::seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  typename S::Item item;
  for (int e = 0; e < epochs; ++e) {
    loader.start(static_cast<std::uint32_t>(e), {});
    while (loader.next(item)) {
      if constexpr (requires {
                      item.size();
                      item[0];
                    }) {
        for (const auto& sample : item) use(sample);
      } else {
        use(item);
      }
    }
  }
  return {now() - begin, batch::seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu, loader.measured()};
}
std::string named(int workers) { return workers == batch::automatic ? "\"auto\"" : std::to_string(workers); }

void say(const char* workload, int workers, const Run& r, const std::string& more = "") {
  std::printf(
      "{\"workload\": \"%s\", \"workers\": %s, \"seconds\": %.4f, \"cpu_seconds\": %.4f, \"items\": %llu, "
      "\"threads\": %d, \"most_threads\": %d, \"depth\": %d, \"waited_for_item\": %.4f%s}\n",
      workload, named(workers).c_str(), r.wall, r.cpu, static_cast<unsigned long long>(r.measured.items),
      r.measured.threads, r.measured.most_threads, r.measured.depth, r.measured.waited_for_item, more.c_str());
  std::fflush(stdout);
}

template <class Sample> void delayed(const char* workload, std::uint64_t samples, Delay delay, std::size_t batch) {
  using Stage = batch::Chunked<batch::Mapped<Delay, Drawn<Sample>>>;
  for (const int workers : {1, 2, 8, batch::automatic}) {
    *delay.nanoseconds = 0;
    const Run r = run(Stage({delay, Drawn<Sample>(samples)}, batch), {workers});
    int threads = workers > 0 ? workers : std::max(1, r.measured.most_threads);
    if (delay.kind == Kind::compute) threads = std::min(threads, batch::cores_here());
    const double each = 1e-9 * static_cast<double>(*delay.nanoseconds) / static_cast<double>(samples);
    const double ideal = each * static_cast<double>(samples) / threads;
    char more[200];
    std::snprintf(more, sizeof more,
                  ", \"samples\": %llu, \"delay_ms\": %.4f, \"ideal_seconds\": %.4f, \"of_ideal\": %.4f",
                  static_cast<unsigned long long>(samples), 1e3 * each, ideal, r.wall / ideal);
    say(workload, workers, r, more);
  }
}
template <class Sample> void undelayed(const char* workload, std::uint64_t samples, std::size_t batch) {
  for (const int workers : {0, 1, batch::automatic})
    say(workload, workers, run(batch::Chunked<Drawn<Sample>>(Drawn<Sample>(samples), batch), {workers}));
}

int delays(double share) {
  const auto of = [&](double samples) { return static_cast<std::uint64_t>(samples * share); };
  undelayed<Ids>("ids: batches of 32", of(1e4), 32);
  undelayed<Ids>("ids: batches of 128", of(1e4), 128);
  delayed<Ids>("ids: a sample sleeps 1 ms", of(1e4), {Kind::sleep, 1e-3}, 128);
  delayed<Ids>("ids: a sample computes 1 ms", of(1e4), {Kind::compute, 1e-3}, 128);
  delayed<Floats>("floats: a sample sleeps 0.1 ms", of(5e4), {Kind::sleep, 1e-4}, 128);
  delayed<Floats>("floats: a sample computes 0.1 ms", of(5e4), {Kind::compute, 1e-4}, 128);
  return 0;
}

/// Ranges of a text.
struct TextRanges {
  using Item = std::string_view;
  using Cursor = std::size_t;
  const std::vector<std::string>* texts = nullptr;
  std::size_t bytes = 1 << 14, text = 0, at = 0;

  void start(std::uint32_t, std::size_t) { text = at = 0; }
  std::size_t cursor() const { return at; }
  bool next(Item& item) {
    while (text < texts->size() && at >= (*texts)[text].size()) ++text, at = 0;
    if (text == texts->size()) return false;
    item = std::string_view((*texts)[text]).substr(at, bytes);
    at += item.size();
    return true;
  }
};
/// Each thread has a reader of its own, which lives as long as its tool.
struct Tokenise {
  const text::WordPiece* wordpiece;
  std::shared_ptr<text::WordPiece::Reader> reader = nullptr;

  explicit Tokenise(const text::WordPiece& of) : wordpiece(&of) {}
  text::Pieces operator()(std::string_view& text) {
    if (!reader) reader = std::make_shared<text::WordPiece::Reader>(*wordpiece);
    text::Pieces pieces;
    reader->encode(text, pieces);
    return pieces;
  }
};

int best_of(const char* vocabulary, std::vector<std::string> files) {
  std::vector<std::string> pieces;
  std::ifstream lines(vocabulary);
  for (std::string piece; std::getline(lines, piece);) pieces.push_back(piece);
  const text::WordPiece wordpiece(std::move(pieces));
  std::vector<std::string> texts;
  for (const std::string& file : files) texts.push_back(text::read_file(file));

  const auto contest = [](const char* workload, std::vector<int> settings, auto once) {
    std::map<int, std::vector<double>> seconds;
    settings.push_back(batch::automatic);
    for (int round = 0; round < 3; ++round)
      for (const int workers : settings) {
        const Run r = once(workers);
        say(workload, workers, r);
        seconds[workers].push_back(r.wall);
      }
    const auto median = [&](int workers) {
      auto& s = seconds[workers];
      std::sort(s.begin(), s.end());
      return s[s.size() / 2];
    };
    int best = settings[0];
    for (const int workers : settings)
      if (workers != batch::automatic && median(workers) < median(best)) best = workers;
    std::printf(
        "{\"workload\": \"%s\", \"what\": \"best\", \"workers\": %d, \"seconds\": %.4f, \"auto_seconds\": %.4f, "
        "\"auto_of_best\": %.4f}\n",
        workload, best, median(best), median(batch::automatic), median(batch::automatic) / median(best));
    std::fflush(stdout);
  };
  contest("tokenise", {0, 1, 2, 4, 8}, [&](int workers) {
    return run(batch::Mapped<Tokenise, TextRanges>(Tokenise(wordpiece), TextRanges{&texts}), {workers}, 2);
  });
  contest("sleeping", {8, 16, 32, 64}, [&](int workers) {  // fewer workers would only take longer
    using Stage = batch::Chunked<batch::Mapped<Delay, Drawn<Ids>>>;
    return run(Stage({Delay{Kind::sleep, 1e-3}, Drawn<Ids>(10'000)}, 16), {workers}, 2);
  });
  contest("fast", {0, 1, 2, 4, 8},
          [&](int workers) { return run(batch::Chunked<Drawn<Ids>>(Drawn<Ids>(1'000'000), 32), {workers}, 2); });
  return 0;
}
/// Prints the least, the median and the most of many runs; by default of `automatic`.
int again(std::string_view workload, int runs, int workers) {
  std::vector<Run> all;
  for (int i = 0; i < runs; ++i) {
    using Sleeping = batch::Chunked<batch::Mapped<Delay, Drawn<Ids>>>;
    using Computing = batch::Chunked<batch::Mapped<Delay, Drawn<Floats>>>;
    if (workload == "sleeping")
      all.push_back(run(Sleeping({{Kind::sleep, 1e-3}, Drawn<Ids>(10'000)}, 16), {workers}, 2));
    else if (workload == "short")
      all.push_back(run(Computing({{Kind::sleep, 1e-4}, Drawn<Floats>(20'000)}, 128), {workers}));
    else if (workload == "computing")
      all.push_back(run(Computing({{Kind::compute, 1e-4}, Drawn<Floats>(5'000)}, 128), {workers}));
    else if (workload == "fast")
      all.push_back(run(batch::Chunked<Drawn<Ids>>(Drawn<Ids>(1'000'000), 32), {workers}, 2));
    else
      return 2;
  }
  std::sort(all.begin(), all.end(), [](const Run& a, const Run& b) { return a.wall < b.wall; });
  const std::string name(workload);
  say(name.c_str(), workers, all.back(), ", \"what\": \"most\"");
  std::printf(
      "{\"workload\": \"%s\", \"workers\": %s, \"runs\": %d, \"least\": %.4f, \"median\": %.4f, \"p90\": %.4f, "
      "\"most\": %.4f, \"most_of_median\": %.3f}\n",
      name.c_str(), named(workers).c_str(), runs, all[0].wall, all[all.size() / 2].wall, all[all.size() * 9 / 10].wall,
      all.back().wall, all.back().wall / all[all.size() / 2].wall);
  return 0;
}
}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  int rc = 2;
  rows();  // before timing begins
  if (what == "delays") {
    rc = delays(argc > 2 ? std::atof(argv[2]) : 1);
  } else if (what == "auto" && argc > 3) {
    rc = best_of(argv[2], std::vector<std::string>(argv + 3, argv + argc));
  } else if (what == "again" && argc > 3) {
    rc = again(argv[2], std::max(1, std::atoi(argv[3])), argc > 4 ? std::atoi(argv[4]) : batch::automatic);
  } else {
    std::fprintf(stderr, "usage: loader_delays delays [SHARE] | auto VOCAB FILE ... | again WORKLOAD RUNS [WORKERS]\n");
  }
  if (check == 0.5) std::puts("");
  return rc;
}
