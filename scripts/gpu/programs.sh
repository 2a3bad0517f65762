# Functions that compile programs of scripts/gpu/gpu.sh for a GPU, to be sourced. They read `number`, the compute capability without its point,
# `processor`, g++'s -march, `include`, the search path of headers, and `linked`, options of the linker.
gpu_code() { echo "-std=c++20 -O2 -diag-suppress 20013,20015 -Xcompiler -Wno-unknown-pragmas -lineinfo -gencode arch=compute_$number,code=[sm_$number,compute_$number]"; }

# test_object SOURCE FOLDER: compiles one of the sources of tests/cuda
test_object() {
  local object; object=$2/$(basename "$1").o
  case $1 in
    *.cu) nvcc $(gpu_code) $include $lacks -DENTRAIN_COMPILED "-DENTRAIN_TEST_TARGET=Sm$number" -c "$1" -o "$object" ;;
    src/*) g++ -std=c++20 -O2 -Iinclude -DENTRAIN_COMPILED -c "$1" -o "$object" ;;
    *) g++ -std=c++20 -O2 "-march=$processor" $include $lacks -DEIGEN_DONT_PARALLELIZE -DDOCTEST_CONFIG_SUPER_FAST_ASSERTS -c "$1" -o "$object" ;;
  esac
}
# Those that take long first.
test_sources() { printf '%s\n' tests/cuda/{precisions,trainer,crf}.cu tests/cuda/*.cu tests/cuda/*_test.cpp tests/main.cpp src/{batch,tensor,text,decompress}.cpp | awk '!seen[$0]++'; }

# bench_program FOLDER SOURCE NAME [MODEL]: compiles one of bench/gpu
bench_program() {
  nvcc $(gpu_code) $flags "-DENTRAIN_TARGET=Sm$number" ${4:+"-DENTRAIN_BENCH_MODEL=$4"} "bench/gpu/$2.cu" src/{batch,tensor,text,decompress}.cpp \
    -lcublasLt $linked -o "$1/$3.new" && mv "$1/$3.new" "$1/$3"
}
# bench_programs STAGE ...: source, name and model of the programs that the stages need
bench_programs() {
  local one
  for one in "$@"; do
    case $one in
      kernels) echo "kernels kernels" ;;
      build) printf '%s\n' "kernels kernels" "ways ways-minilm-l6 MiniLmL6" "ways ways-light Light" \
        "finetune finetune-minilm-l6 MiniLmL6" "finetune finetune-bert-base BertBase" ;;
      ways) printf '%s\n' "ways ways-minilm-l6 MiniLmL6" "ways ways-light Light" ;;
      *) printf '%s\n' "finetune finetune-minilm-l6 MiniLmL6" "finetune finetune-bert-base BertBase" ;;
    esac
  done | sort -u
}

# missing_in FOLDER: those of standard input's lines (SOURCE NAME ...) whose program does not exist
missing_in() { while read -r source name rest; do [ -e "$1/$name" ] || echo "$source $name $rest"; done; }
export -f gpu_code test_object bench_program
