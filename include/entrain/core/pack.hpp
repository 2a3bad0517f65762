// [core] > device, precision > tensor > kernel > layer
//
// Several numbers in one register, through the vector extension of g++ and clang. CPU kernels process rows in packs,
// and a formula of core/math.hpp takes a pack where it takes a number.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

#include "entrain/core/config.hpp"
#include "entrain/core/intrinsics.hpp"  // square roots, loads by a mask; all else is plain operators

namespace entrain {

namespace detail {
template <class T> struct Register;
template <> struct Register<float> {
  typedef float Vector __attribute__((vector_size(ENTRAIN_VECTOR_BYTES)));
  typedef std::int32_t Mask __attribute__((vector_size(ENTRAIN_VECTOR_BYTES)));
};
template <> struct Register<double> {
  typedef double Vector __attribute__((vector_size(ENTRAIN_VECTOR_BYTES)));
  typedef std::int64_t Mask __attribute__((vector_size(ENTRAIN_VECTOR_BYTES)));
};

#if ENTRAIN_VECTOR_BYTES == 64
inline Register<float>::Vector root(Register<float>::Vector v) { return _mm512_sqrt_ps(v); }
inline Register<double>::Vector root(Register<double>::Vector v) { return _mm512_sqrt_pd(v); }
/// The first n numbers and zeros. A copy through memory would wait for its own stores.
inline Register<float>::Vector first_of(const float* from, int n) {
  return _mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << n) - 1), from);
}
inline Register<double>::Vector first_of(const double* from, int n) {
  return _mm512_maskz_loadu_pd(static_cast<__mmask8>((1u << n) - 1), from);
}
#elif ENTRAIN_VECTOR_BYTES == 32
inline Register<float>::Vector root(Register<float>::Vector v) { return _mm256_sqrt_ps(v); }
inline Register<double>::Vector root(Register<double>::Vector v) { return _mm256_sqrt_pd(v); }
#else
template <class V> V root(V v) {
  for (int i = 0; i < static_cast<int>(sizeof(V) / sizeof(v[0])); ++i) v[i] = std::sqrt(v[i]);
  return v;
}
#endif
}  // namespace detail

/// As many T as the widest register holds.
template <class T> struct Pack {
  static constexpr int size = ENTRAIN_VECTOR_BYTES / static_cast<int>(sizeof(T));
  using Vector = typename detail::Register<T>::Vector;
  using Mask = typename detail::Register<T>::Mask;  // all bits of a lane set, or none

  Vector v;

  Pack() = default;
  Pack(Vector vector) : v(vector) {}
  Pack(T number) : v(number - Vector{}) {}  // x - 0 is x for every x, x + 0 is not: compilers see a plain broadcast
  static Pack load(const T* from) {
    Pack p;
    std::memcpy(&p.v, from, sizeof(Vector));
    return p;
  }
  /// The first n numbers, and zeros after them.
  static Pack load(const T* from, int n) {
    if (n == size) return load(from);
#if ENTRAIN_VECTOR_BYTES == 64
    return detail::first_of(from, n);
#else
    Pack p(T(0));
    std::memcpy(&p.v, from, static_cast<std::size_t>(n) * sizeof(T));
    return p;
#endif
  }
  void store(T* to) const { std::memcpy(to, &v, sizeof(Vector)); }
  void store(T* to, int n) const {
    if (n == size) return store(to);
    std::memcpy(to, &v, static_cast<std::size_t>(n) * sizeof(T));
  }

  /// How many of C channels the pack that begins at c has. It is a compile-time constant where packs fill C.
  template <int C> static constexpr int lanes(int c) { return C % size == 0 || C - c >= size ? size : C - c; }

  /// One small number for each element, as stored masks and choices are: unsigned bytes or 16-bit words.
  template <class Small> static Mask widen(const Small* from) {
    typedef Small Few __attribute__((vector_size(size * sizeof(Small))));
    Few few;
    std::memcpy(&few, from, sizeof few);
    return __builtin_convertvector(few, Mask);
  }
  static void narrow(Mask from, std::uint8_t* to) {
    typedef std::uint8_t Few __attribute__((vector_size(size)));
    const Few few = __builtin_convertvector(from, Few);
    std::memcpy(to, &few, sizeof few);
  }

  friend Pack operator+(Pack a, Pack b) { return a.v + b.v; }
  friend Pack operator-(Pack a, Pack b) { return a.v - b.v; }
  friend Pack operator*(Pack a, Pack b) { return a.v * b.v; }
  friend Pack operator/(Pack a, Pack b) { return a.v / b.v; }
  friend Pack operator-(Pack a) { return -a.v; }
  Pack& operator+=(Pack b) { return *this = *this + b; }
  friend Mask operator<(Pack a, Pack b) { return a.v < b.v; }
  friend Mask operator<=(Pack a, Pack b) { return a.v <= b.v; }
  friend Mask operator>(Pack a, Pack b) { return a.v > b.v; }
  friend Mask operator==(Pack a, Pack b) { return a.v == b.v; }
  friend Pack select(Mask m, Pack a, Pack b) { return m ? a.v : b.v; }
  friend Pack sqrt(Pack a) { return detail::root(a.v); }
  friend Pack max(Pack a, Pack b) { return select(a > b, a, b); }
  friend Pack min(Pack a, Pack b) { return select(a < b, a, b); }

  /// Elements are added in a fixed order: halves, quarters, ...
  T sum() const {
    return folded([](Pack a, Pack b) { return a + b; });
  }
  T largest() const {
    return folded([](Pack a, Pack b) { return max(a, b); });
  }

 private:
  template <int By = size / 2, class F> T folded(F&& f) const {
    const Pack p = f(*this, turned<By>(std::make_integer_sequence<int, size>{}));
    if constexpr (By > 1) return p.template folded<By / 2>(f);
    return p.v[0];
  }
  /// Element i is element i + By of this, modulo the size.
  template <int By, int... I> Pack turned(std::integer_sequence<int, I...>) const {
    return __builtin_shufflevector(v, v, (I + By) % size...);
  }
};

}  // namespace entrain
