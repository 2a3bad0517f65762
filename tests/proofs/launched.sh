#!/usr/bin/env bash
# scripts/gpu/compare_launched.sh is content with a run that launched just the kernels of include/, and names what such a run lacks, what it
# has more, and a kernel that no code launches: in a tree of two kernels and two functors.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
mkdir -p "$work/include"
kernels() { cat >"$work/include/$1.cuh"; }
kernels each <<'END'
template <int N, class F> __global__ void __launch_bounds__(each_threads) each_few(F f, std::int64_t count) {}
template <class T>
__global__ void __launch_bounds__(rows* warp, (2 * 1024) / warp)
    sum_rows(const T* x, T* sum) {}
END
kernels functors <<'END'
template <class T, int C> struct GatherFew {
  __device__ void operator()(int row, int channel) const {}
};
struct MakeRows {
  __device__ void operator()(int row, int) const {}
};
struct Plus {
  template <class T> __device__ T operator()(T a, T b) const { return a + b; }
};
END
few='void entrain::device::each_few<4, entrain::kernel::detail::GatherFew<entrain::bf16, 4> >(entrain::kernel::detail::GatherFew<entrain::bf16, 4>, long)'
rows='void entrain::device::each_few<1, entrain::batch::detail::MakeRows>(entrain::batch::detail::MakeRows, long)'
sums='void entrain::kernel::detail::sum_rows<float>(float const*, float*)'
others='void (anonymous namespace)::sum_in_block<true>(int*)
void cub::detail::scan<cub::Policy>(cub::Policy, int)
void entrain::test::wrong_on_purpose<1>(int*)'
expect() { # CODE SENTENCE LAUNCHED ...
  local code=0
  printf '%s\n' "${@:3}" >"$work/launched"
  "$root/scripts/gpu/compare_launched.sh" check "$work/launched" "$work" >"$work/said" 2>&1 || code=$?
  if [ $code != "$1" ] || [ "$(cat "$work/said")" != "$2" ]; then
    echo "FAIL exit code $code, expected $1 and: $2"; cat "$work/said"; failures=$((failures + 1))
  fi
}
expect 0 "4 kernels and functors, all of them launched" "$few" "$rows" "$sums" "$others"
expect 1 "check: no test launches: sum_rows" "$few" "$rows" "$others"
expect 1 "check: no test launches: GatherFew" "$rows" "$sums" 'void entrain::kernel::detail::sum_rows<entrain::GatherFew>(entrain::GatherFew const*)'
expect 1 "check: launched, but scripts/gpu/list_kernels.sh does not find: column_sums" "$few" "$rows" "$sums" \
  'void entrain::kernel::detail::column_sums<3, entrain::Write>(float const*, entrain::Write)'
expect 1 "check: launched, but scripts/gpu/list_kernels.sh does not find: Doubled" "$few" "$rows" "$sums" \
  'void entrain::device::each_few<1, entrain::kernel::Map<(entrain::Write)1>::Doubled<float> >(entrain::kernel::Map<(entrain::Write)1>::Doubled<float>, long)'
expect 1 "check: launched, but scripts/gpu/list_kernels.sh does not find: plain" "$few" "$rows" "$sums" 'entrain::kernel::plain(int, float*)'
# Written in a way that the list does not see, or written and not launched.
kernels late <<<'__global__ void nobody_launches(int* x) {}'
expect 1 "check: no test launches: nobody_launches" "$few" "$rows" "$sums"
kernels late <<<'__global__ static void __attribute__((cold)) oddly_written(int* x) {}'
expect 1 "check: launched, but scripts/gpu/list_kernels.sh does not find: oddly_written" "$few" "$rows" "$sums" 'entrain::kernel::oddly_written(int*)'

echo "launched: $failures failed"
[ $failures = 0 ]
