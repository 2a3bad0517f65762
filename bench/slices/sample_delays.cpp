// bench: the time that the delays of samples alone take on a number of threads: the ideal of bench/samples.sh.
//
//   sample_delays SAMPLES MICROSECONDS WORKERS
//
// Threads take the next sample, sleep, and do nothing else. Prints seconds.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

int main(int argc, char** argv) {
  if (argc != 4) return 1;
  const int samples = std::atoi(argv[1]), workers = std::atoi(argv[3]);
  const std::chrono::microseconds delay(std::atoi(argv[2]));
  const auto begin = std::chrono::steady_clock::now();
  std::atomic<int> next{0};
  std::vector<std::thread> threads;
  for (int w = 0; w < workers; ++w)
    threads.emplace_back([&] {
      while (next.fetch_add(1) < samples) std::this_thread::sleep_for(delay);
    });
  for (std::thread& t : threads) t.join();
  std::printf("%.4f\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
}
