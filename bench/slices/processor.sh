# Sourced by the benches that measure products in bf16, whose results are stored apart for each kind of processor.

bf16=$(grep -owE -m 1 'amx_bf16|avx512_bf16' /proc/cpuinfo | head -n 1 || true) # what it multiplies bf16 with; empty: nothing
kind=''                                                                        # the end of the results' name
if grep -qw amx_bf16 /proc/cpuinfo; then kind=-amx; elif grep -q 'model name.*EPYC' /proc/cpuinfo; then kind=-epyc; fi
