// tests > [proofs]
//
// What symbols.sh must find: a virtual function (PLANT=1), a std::function around a callable of ours (PLANT=2).
#include <functional>

namespace entrain::layer {
struct Plain {
  int size = 0;
};
int size(const Plain& plain) { return plain.size; }

#if PLANT == 1
struct Any {
  virtual ~Any() = default;
  virtual int width() const { return 1; }
};
Any any;
#elif PLANT == 2
struct Twice {
  int operator()(int x) const { return 2 * x; }
};
std::function<int(int)> twice = Twice{};
#endif
}  // namespace entrain::layer

int main() { return 0; }
