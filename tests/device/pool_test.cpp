// tests > [device]
#include "entrain/device/pool.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <string>

#include "entrain/device/arena.hpp"
#include "entrain/device/cpu.hpp"

using namespace entrain;

TEST_CASE("Pool: the tiles with which workers begin are those that begin a share") {
  for (int threads : {1, 2, 3, 8}) {
    device::Pool pool(threads);
    for (int tiles : {1, 2, 7, 8, 16, 100}) {
      std::vector<int> begins;
      for (int tile = 0; tile < tiles; ++tile)
        if (pool.begins_share(tile, tiles)) begins.push_back(tile);
      std::vector<int> wanted;  // as Pool::open divides tiles; a share may have none
      for (int worker = 0; worker < threads; ++worker)
        if (const int first = tiles * worker / threads; wanted.empty() || wanted.back() != first)
          wanted.push_back(first);
      CHECK(begins == wanted);
    }
  }
}

TEST_CASE("Pool: every tile runs once, for any number of threads and tiles") {
  for (int threads : {1, 2, 3, 8}) {
    device::Pool pool(threads);
    CHECK(pool.threads() == threads);
    for (int round = 0; round < 200; ++round) {
      const int tiles = round % 17;
      std::vector<std::atomic<int>> runs(17);
      auto count = [&](int tile, int worker) {
        runs[static_cast<std::size_t>(tile)] += 1;
        if (worker < 0 || worker >= threads) runs[static_cast<std::size_t>(tile)] += 100;
      };
      pool.run(tiles, count);
      for (int t = 0; t < 17; ++t) REQUIRE(runs[static_cast<std::size_t>(t)] == (t < tiles ? 1 : 0));
    }
  }
}

TEST_CASE("Pool: a worker's tiles are neighbours, and the same ones in every round") {
  constexpr int threads = 3, tiles = 32;
  device::Pool pool(threads);
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> met{0};
    std::vector<int> first(threads, -1), who(tiles, -1);
    auto task = [&](int tile, int worker) {
      who[static_cast<std::size_t>(tile)] = worker;
      int& mine = first[static_cast<std::size_t>(worker)];
      if (mine >= 0) return;
      mine = tile;
      ++met;
      while (met < threads) std::this_thread::yield();  // no thread continues before all have begun
    };
    pool.run(tiles, task);
    REQUIRE(first == std::vector<int>{0, 10, 21});
    for (int t : {0, 10, 21}) REQUIRE(who[static_cast<std::size_t>(t)] == t / 10);
  }
}

TEST_CASE("Pool: a worker who has done its own takes of the others'") {
  device::Pool pool(2);
  std::atomic<int> left{63};
  std::vector<int> by(2, 0);
  int holder = 0, before = 0;
  auto task = [&](int tile, int worker) {
    int& mine = by[static_cast<std::size_t>(worker)];
    if (tile == 0) {  // as long as the other needs for all the rest
      holder = worker;
      before = mine;
      while (left > 0) std::this_thread::yield();
    } else {
      --left;
    }
    ++mine;
  };
  pool.run(64, task);
  CHECK(by[static_cast<std::size_t>(holder)] == before + 1);
  CHECK(by[0] + by[1] == 64);
}

TEST_CASE("Pool: sleeping workers wake up again") {
  device::Pool pool(2);
  for (int i = 0; i < 3; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::atomic<int> sum{0};
    auto add = [&](int tile, int) { sum += tile; };
    pool.run(100, add);
    CHECK(sum == 4950);
  }
}

TEST_CASE("Cpu: row blocks cover the rows without overlap") {
  const device::Cpu<> cpu(2);
  for (int n : {0, 1, 63, 64, 65, 1000}) {
    std::vector<std::atomic<int>> seen(static_cast<std::size_t>(n));
    cpu.rows(n, 64, [&](int first, int last) {
      for (int i = first; i < last; ++i) ++seen[static_cast<std::size_t>(i)];
    });
    for (auto& s : seen) CHECK(s == 1);
  }
}

TEST_CASE("Arena: pieces are aligned, scopes give back, too much is refused with a sentence") {
  alignas(64) std::byte memory[1024];
  Arena arena{memory, sizeof memory};
  CHECK(arena.take<char>(1) == reinterpret_cast<char*>(memory));
  {
    const Scratch give_back{arena};
    CHECK(arena.take<float>(4) == reinterpret_cast<float*>(memory + 64));
  }
  CHECK(arena.used == 1);
  CHECK(arena.peak == 80);
  CHECK_THROWS_WITH_AS(
      arena.take<char>(2000),
      "entrain.device.1: arena: 2064 bytes requested, expected at most 1024; plan the memory for the largest batch",
      Error);
}

TEST_CASE("Pool: what a tile throws, run throws when all tiles were tried, and the next round is as ever") {
  for (int threads : {1, 2, 5}) {
    device::Pool pool(threads);
    for (int round = 0; round < 50; ++round) {
      std::atomic<int> tried{0};
      auto task = [&](int tile, int) {
        ++tried;
        if (tile % 7 == 3) throw std::runtime_error("tile " + std::to_string(tile));
      };
      std::string message;
      try {
        pool.run(20, task);
      } catch (const std::runtime_error& e) {
        message = e.what();
      }
      CHECK(message.starts_with("tile "));
      if (threads > 1) CHECK(tried == 20);
      std::atomic<int> fine{0};
      auto other = [&](int, int) { ++fine; };
      pool.run(20, other);
      CHECK(fine == 20);
    }
  }
}
