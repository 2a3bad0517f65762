// tests > [app]: --plan, --token-budget auto, and what is said where memory is too small.
#include <doctest/doctest.h>

#include <filesystem>
#include <limits>

#include "entrain/app/train/auto_budget.hpp"
#include "entrain/app/train/memory_table.hpp"
#include "entrain/app/train/session.hpp"
#include "entrain/core/free_memory.hpp"
#include "entrain/train/loop/decode_parts.hpp"
#include "tests/app/program.hpp"

namespace memory_test {
using namespace test;
namespace app = entrain::app;
namespace train = entrain::train;

namespace {

constexpr std::size_t mib = 1 << 20;

/// A machine as /proc and /sys tell of it.
struct Machine {
  Scratch root;
  void file(const std::string& name, const std::string& text) const {
    const std::string path = root / name;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    put(path, text);
  }
  std::size_t free() const { return entrain::free_memory(root.path()); }
};

/// A plan of 10 MiB and one for each row.
std::size_t mebibyte_each(int rows) { return 10 * mib + static_cast<std::size_t>(rows) * mib; }

train::StepBatches fitted(int token_budget, int accumulation, int longest, std::size_t free_mib) {
  train::Options options;
  options.token_budget = token_budget;
  options.gradient_accumulation_steps = accumulation;
  const app::DeviceMemory memory{.free = free_mib * mib, .reserve = 5 * mib};
  return app::batches_that_fit(options, longest, memory, "words", mebibyte_each);
}

}  // namespace

TEST_CASE("free memory: what the system could give") {
  const Machine machine;
  CHECK(machine.free() == std::numeric_limits<std::size_t>::max());  // no file says: nothing is refused
  machine.file("proc/meminfo", "MemTotal:  1000 kB\nMemFree: 10 kB\nMemAvailable:  700 kB\nBuffers: 1 kB\n");
  CHECK(machine.free() == 700 * 1024);
}

TEST_CASE("free memory: less, where a control group is allowed less") {
  const Machine machine;
  machine.file("proc/meminfo", "MemAvailable: 700 kB\n");
  machine.file("proc/self/cgroup", "0::/a/b\n");
  CHECK(machine.free() == 700 * 1024);
  machine.file("sys/fs/cgroup/a/b/memory.max", "max\n");
  CHECK(machine.free() == 700 * 1024);
  machine.file("sys/fs/cgroup/a/memory.max", "500000\n");  // of the group above
  machine.file("sys/fs/cgroup/a/memory.current", "300000\n");
  CHECK(machine.free() == 200'000);
  machine.file("sys/fs/cgroup/a/memory.stat", "anon 1\ninactive_file 50000\nactive_file 7\n");
  CHECK(machine.free() == 250'000);
  machine.file("sys/fs/cgroup/a/b/memory.max", "100\n");
  machine.file("sys/fs/cgroup/a/b/memory.current", "200\n");
  CHECK(machine.free() == 0);

  const Machine contained;  // its own group is the root
  contained.file("proc/meminfo", "MemAvailable: 700 kB\n");
  contained.file("proc/self/cgroup", "0::/\n");
  contained.file("sys/fs/cgroup/memory.max", "300000\n");
  contained.file("sys/fs/cgroup/memory.current", "100000\n");
  CHECK(contained.free() == 200'000);

  const Machine old;  // version 1
  old.file("proc/meminfo", "MemAvailable: 700 kB\n");
  old.file("proc/self/cgroup", "5:memory:/x\n");
  old.file("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  CHECK(old.free() == 700 * 1024);
  old.file("sys/fs/cgroup/memory/memory.limit_in_bytes", "300000\n");
  old.file("sys/fs/cgroup/memory/memory.usage_in_bytes", "250000\n");
  old.file("sys/fs/cgroup/memory/memory.stat", "total_inactive_file 1000\n");
  CHECK(old.free() == 51'000);
}

TEST_CASE("free memory: groups are found where they are mounted, below the mount too") {
  // As on a machine with both versions, and the memory controller in version 1.
  const std::string mounts =
      "31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755\n"
      "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:5 - cgroup cgroup rw,cpu,cpuacct\n"
      "35 31 0:32 / /groups/mem rw,relatime shared:7 master:2 - cgroup cgroup rw,hugetlb,memory\n"
      "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n";
  const Machine mixed;
  mixed.file("proc/meminfo", "MemAvailable: 900 kB\n");
  mixed.file("proc/self/mountinfo", mounts);
  mixed.file("proc/self/cgroup", "9:name=systemd:/\n4:hugetlb,memory:/jobs/one\n1:cpu:/jobs/one\n0::/jobs/one\n");
  CHECK(mixed.free() == 900 * 1024);
  mixed.file("groups/mem/memory.limit_in_bytes", "9223372036854771712\n");
  mixed.file("groups/mem/jobs/one/memory.limit_in_bytes", "500000\n");
  mixed.file("groups/mem/jobs/one/memory.usage_in_bytes", "100000\n");
  CHECK(mixed.free() == 400'000);
  mixed.file("groups/mem/jobs/memory.limit_in_bytes", "450000\n");  // of the group above, with what others use
  mixed.file("groups/mem/jobs/memory.usage_in_bytes", "300000\n");
  CHECK(mixed.free() == 150'000);
  mixed.file("sys/fs/cgroup/unified/jobs/one/memory.max", "90000\n");
  mixed.file("sys/fs/cgroup/unified/jobs/one/memory.current", "20000\n");
  CHECK(mixed.free() == 70'000);

  // A container sees its own part of the hierarchy, under the path that the host knows.
  const Machine contained;
  contained.file("proc/meminfo", "MemAvailable: 900 kB\n");
  contained.file("proc/self/mountinfo", "35 31 0:32 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n");
  contained.file("proc/self/cgroup", "4:memory:/docker/abc/inner\n");
  contained.file("sys/fs/cgroup/memory/memory.limit_in_bytes", "600000\n");
  contained.file("sys/fs/cgroup/memory/memory.usage_in_bytes", "50000\n");
  CHECK(contained.free() == 550'000);
  contained.file("sys/fs/cgroup/memory/inner/memory.limit_in_bytes", "9223372036854771712\n");
  contained.file("sys/fs/cgroup/memory/inner/memory.stat", "cache 5\nhierarchical_memory_limit 300000\n");
  CHECK(contained.free() == 300'000);  // a group above, which cannot be seen, allows no more
}

TEST_CASE("auto budget: the step stays, its batches fit") {
  const auto is = [](train::StepBatches b, int budget, int accumulation) {
    CHECK(b.token_budget == budget);
    CHECK(b.gradient_accumulation_steps == accumulation);
  };
  is(fitted(64, 1, 9, 10'000), 64, 1);  // memory that is free does not make a step larger
  is(fitted(64, 4, 9, 10'000), 256, 1);
  is(fitted(64, 1, 9, 64 + 15), 64, 1);
  is(fitted(64, 1, 9, 63 + 15), 32, 2);
  is(fitted(64, 1, 9, 20 + 15), 16, 4);
  is(fitted(64, 1, 100, 100 + 15), 64, 1);  // a sentence longer than the step
  is(fitted(64, 1, 20, 20 + 15), 16, 4);    // and one longer than a batch
}

TEST_CASE("auto budget: too little memory for one sentence") {
  CHECK(sentence([] { fitted(64, 1, 20, 19 + 15); }) ==
        "entrain.app.24: memory: too little for one sentence: a plan of 30.0 MiB for the 20 words of the longest, "
        "expected at most 29.0 MiB, of 34.0 MiB of free memory; split longer sentences, or stop other programs");
  CHECK(has(sentence([] { fitted(64, 1, 1, 3); }), "expected at most 0.0 MiB, of 3.0 MiB of free memory"));
}

TEST_CASE("a plan that is larger than what is free is refused before any is taken") {
  app::Settings settings;
  settings.files.train = "a.conll";
  settings.quiet = true;
  app::Session session(settings);
  train::MemoryPlan plan;
  plan.rows = 1024;
  plan.cost.arena = 3 * mib;
  CHECK(sentence([&] { session.refuse_oversize(plan, {.total = 9 * mib, .free = 3 * mib + 1}); }).empty());
  CHECK(has(sentence([&] { session.refuse_oversize(plan, {.total = 9 * mib, .free = 3 * mib}); }),
            "entrain.app.5: memory: a plan of 3.0 MiB, expected less than the 3.0 MiB of free GPU memory; the "
            "largest batch has 1,024 words: lower --token-budget, or set it to auto, or split longer sentences"));
  // A CPU: what is free of the machine's memory, not all that it has.
  CHECK(sentence([&] { session.refuse_oversize(plan, {.free = 3 * mib + 1}); }).empty());
  CHECK(
      has(sentence([&] { session.refuse_oversize(plan, {.free = 3 * mib}); }),
          "entrain.app.5: memory: a plan of 3.0 MiB, expected less than the 3.0 MiB of free memory; the largest batch "
          "has 1,024 words: lower --token-budget, or set it to auto, or split longer sentences"));
}

TEST_CASE("a plan that goes into the reserve of a GPU's memory is said to") {
  CHECK(app::little_left(7 * mib, {.total = 9 * mib, .free = 8 * mib, .reserve = 2 * mib}) ==
        "a memory plan of 7.0 MiB leaves 1.0 MiB of GPU memory for kernels and graphs, and 2.0 MiB are recommended: if "
        "memory "
        "runs out, lower --token-budget, or set it to auto");
}

TEST_CASE("memory table: lines that there are, and what would fit") {
  train::MemoryPlan plan;
  plan.rows = 256;
  plan.values = 2 * mib;
  plan.copies = mib;
  plan.cost.arena = 5 * mib / 2;
  plan.rounding = mib / 2;
  const app::DeviceMemory gpu{.total = 100 * mib, .workspace = 32 * mib, .free = 60 * mib, .reserve = 4 * mib};
  CHECK(app::memory_table(plan, {1234, 8}, gpu, "words", 5000) ==
        "memory                                   bytes   MiB\n"
        "values                               2,097,152   2.0\n"
        "copies in lower precision            1,048,576   1.0\n"
        "arena                                2,621,440   2.5\n"
        "rounding to pages                      524,288   0.5\n"
        "total of training                    6,291,456   6.0\n"
        "matmul workspace, allocated before  33,554,432  32.0\n"
        "context, libraries, other programs   8,388,608   8.0\n"
        "free                                62,914,560  60.0\n"
        "of it kept free                      4,194,304   4.0\n"
        "\n"
        "for batches of at most 256 words; each further one takes 1,234 bytes, plus 8 if it is a sentence of its own\n"
        "batches of 5,000 words would fit\n");
  CHECK(has(
      app::memory_table(plan, {1, 0}, {.free = ~std::size_t(0)}, "pieces", app::most_rows),
      "each further one takes 1 bytes, plus 0 if it is a sentence of its own\n16,777,216 pieces and more would fit\n"));
  CHECK(!has(app::memory_table(plan, {}, {.free = ~std::size_t(0)}, "words", 1), "free"));
}

TEST_CASE("app: --plan prints the table and trains nothing") {
  const Scratch folder;
  const Ran ran = run({"train", "--data", home(), "--output", folder / "m", "--token-budget", "100", "--plan"});
  CHECK(ran.exit == 0);
  CHECK(ran.out.starts_with("memory "));
  CHECK(has(ran.out, "total of training"));
  CHECK(has(ran.out, "\nfor batches of at most 100 words; each further one takes "));
  CHECK(has(ran.out, " would fit\n"));
  CHECK(ran.out.ends_with(
      "\n24 optimisation steps, batches of at most 100 words; adamw, constant learning rate, seed 0\n"));
  CHECK(folder.names().empty());
  // one more word costs what it says
  const auto number = [](const std::string& text, const std::string& before) {
    std::size_t at = text.find(before), value = 0;
    REQUIRE(at != text.npos);
    at = text.find_first_of("0123456789", at + before.size());
    for (; text[at] == ',' || (text[at] >= '0' && text[at] <= '9'); ++at)
      if (text[at] != ',') value = value * 10 + static_cast<std::size_t>(text[at] - '0');
    return value;
  };
  const Ran more = run({"train", "--data", home(), "--token-budget", "1100", "--plan", "--quiet"});
  CHECK(more.err.empty());
  const std::size_t each = number(more.out, "each further one takes") + number(more.out, "bytes, plus");
  const std::size_t grown = number(more.out, "total of training") - number(ran.out, "total of training");
  CHECK(grown / 1000 <= each + 8);
  CHECK(grown / 1000 + 8 >= each);
}

TEST_CASE("app: --token-budget auto trains as the usual budget does, where that fits") {
  const Scratch folder;
  const Ran plain = run({"train", "--data", home(), "--output", folder / "a", "--max-steps", "5", "--threads", "1"});
  const Ran fits = run({"train", "--data", home(), "--output", folder / "b", "--max-steps", "5", "--threads", "1",
                        "--token-budget", "auto"});
  CHECK(fits.exit == 0);
  CHECK(has(fits.err, "budget      auto: a step of 64 words in 1 batch of at most 64\n"));
  CHECK(has(fits.err, ", batches of at most 64 words;"));
  CHECK(!has(plain.err, "budget "));
  CHECK(get(folder / "a/model.safetensors") == get(folder / "b/model.safetensors"));
  const Ran together = run({"train", "--data", home(), "--output", folder / "c", "--max-steps", "2", "--token-budget",
                            "auto", "--gradient-accumulation-steps", "3"});
  CAPTURE(together.err);
  CHECK(has(together.err, "budget      auto: a step of 192 words in 1 batch of at most 192\n"));
}

TEST_CASE("app: --token-budget takes a number or auto, from a file too") {
  for (const char* wrong : {"autos", "AUTO", "0", "-3", "1.5", "16777217", "99999999999", "12x", ""}) {
    const Ran ran = run({"train", "--data", home(), "--token-budget", wrong});
    CAPTURE(wrong);
    CHECK(ran.exit == 2);
    CHECK(ran.out.empty());
    CHECK(ran.err == "error: --token-budget: '" + std::string(wrong) +
                         "' is neither auto nor a number from 1 to 16777216; see --help\n");
  }
  const auto dumped = [](std::vector<std::string> options) {
    options.insert(options.begin(), "train");
    options.push_back("--dump-config");
    return run(options).out;
  };
  CHECK(has(dumped({}), "\ntoken-budget = \"64\"\n"));
  CHECK(has(dumped({"--token-budget", "auto"}), "\ntoken-budget = \"auto\"\n"));
  CHECK(has(dumped({"--batch-tokens", "70"}), "\ntoken-budget = \"70\"\n"));  // its other name
  const Scratch folder;
  put(folder / "c.ini", "token-budget = auto\n");
  CHECK(has(dumped({"--config", folder / "c.ini"}), "\ntoken-budget = \"auto\"\n"));
  put(folder / "c.ini", "token-budget = many\n");
  CHECK(has(run({"train", "--data", home(), "--config", folder / "c.ini"}).err,
            "c.ini:1: --token-budget: 'many' is neither auto nor a number from 1 to 16777216"));
}

TEST_CASE("memory: a sentence that finds no room is named by file and line") {
  struct NoFeatures {
    using Vocabulary = std::vector<char>;
  };
  entrain::text::Corpus corpus;
  corpus.name = "a.conll";
  entrain::batch::Encoded<NoFeatures> e;
  for (int s = 0, at = 0; s < 3; ++s) {
    for (int i = 0; i <= s; ++i) corpus.push("word", static_cast<std::uint32_t>(++at));
    corpus.end_sentence();
    e.sentence.push_back(static_cast<std::uint32_t>(at));
    e.rows.push_back(10 * (s + 1));
  }
  const auto said = [&](int rows) {
    try {
      train::naming_sentence(corpus, e, [&] { throw train::NoRoom(rows, 512 * mib, 256 * mib); });
    } catch (const entrain::Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string takes =
      " rows takes 512 MiB, expected less than the 256 MiB of free memory; split it, or stop other programs";
  CHECK(said(30) == "entrain.train.50: a.conll:4: a sentence of 30" + takes);
  CHECK(said(20) == "entrain.train.50: a.conll:2: a sentence of 20" + takes);
  CHECK(said(7) == "entrain.train.50: memory: a sentence of 7" + takes);  // of no sentence: a batch
  corpus.name.clear();
  CHECK(said(30) == "entrain.train.50: memory: a sentence of 30" + takes);
}

}  // namespace memory_test
