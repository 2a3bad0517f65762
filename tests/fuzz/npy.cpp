// tests > fuzz > [batch]
//
// Any bytes as an array of NumPy: refused in words, or the numbers that follow the header, in chunks of any size
// and from any row on.
#include "entrain/batch/numpy/npy.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "file_of.hpp"

namespace {
using namespace entrain;

template <class T> struct Result {
  std::vector<T> values;
  std::string refusal;
  std::size_t columns = 0;
};

template <class T> Result<T> read(const std::string& path, std::size_t rows, std::uint64_t from) {
  Result<T> all;
  try {
    batch::Npy<T> stage({path}, rows);
    stage.start(0, {0, from});
    for (typename batch::Npy<T>::Item item; stage.next(item);) {
      if (item.values.size() != item.rows * item.columns || item.rows == 0) std::abort();
      all.values.insert(all.values.end(), item.values.begin(), item.values.end());
    }
    all.columns = stage.columns();
  } catch (const Error& e) {
    all.refusal = e.what();
  }
  return all;
}

template <class T> void check(const std::uint8_t* data, std::size_t size, std::size_t rows, std::uint64_t from) {
  const std::string& path = fuzz::file_of(data, size);
  const auto whole = read<T>(path, 1000, 0);
  if (!whole.refusal.empty()) return;
  const std::size_t bytes = whole.values.size() * sizeof(T);
  if (bytes >= size || std::memcmp(whole.values.data(), data + size - bytes, bytes) != 0) std::abort();
  const auto rest = read<T>(path, rows, from);
  if (from > whole.values.size() / whole.columns) {
    if (rest.refusal.empty()) std::abort();
    return;
  }
  const std::size_t left = bytes - from * whole.columns * sizeof(T);
  if (!rest.refusal.empty() || rest.values.size() * sizeof(T) != left ||
      (left > 0 && std::memcmp(rest.values.data(), data + size - left, left) != 0))
    std::abort();
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  if (data[0] % 2 == 0)
    check<float>(data + 2, size - 2, 1 + data[0], data[1]);
  else
    check<std::int64_t>(data + 2, size - 2, 1 + data[0], data[1]);
  return 0;
}
