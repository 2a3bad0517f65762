// entrain: this optimizer's Rule is not callable as rule(T& value, T (&moments)[n], T gradient), const;
#include "entrain/optim/contract.hpp"
using namespace entrain;
struct Own {
  static constexpr std::string_view name = "own";
  static constexpr int moments = 1;
  template <class T> struct Rule {
    Rule(const optim::Knobs&, double, std::uint32_t, bool) {}
#if defined(WRONG)
    template <class S> void operator()(S& p, S g) const { p = p - g; }
#else
    template <class S> void operator()(S& p, S (&)[1], S g) const { p = p - g; }
#endif
  };
};
static_assert(optim::optimizer_contract<Own>());
