// [core] > device, precision > tensor > kernel > layer
//
// Every macro of the library, and nothing else. Read this first when a keyword looks unfamiliar.
#pragma once

// A function that runs on the host and, when nvcc compiles it, on the device too.
#if defined(__CUDACC__)
#define ENTRAIN_HD __host__ __device__
#else
#define ENTRAIN_HD
#endif

// The GPU architecture that is compiled for, 800 for sm_80, where PTX is allowed; 0 for the host. nvcc compiles each
// file for both.
#if defined(__CUDA_ARCH__)
#define ENTRAIN_PTX __CUDA_ARCH__
#else
#define ENTRAIN_PTX 0
#endif

// ENTRAIN_UNROLL: unrolls a loop with a known count. g++ at -O2 would keep a short loop and divide again in each
// iteration. ENTRAIN_ROLLED: keeps a loop, where a GPU has too few registers to unroll it.
#if defined(__CUDACC__)
#define ENTRAIN_UNROLL _Pragma("unroll")
#define ENTRAIN_ROLLED _Pragma("unroll 1")
#else
#define ENTRAIN_UNROLL _Pragma("GCC unroll 32")
#define ENTRAIN_ROLLED _Pragma("GCC unroll 1")
#endif

// Functions that are not templates, or that need CLI11 or nlohmann-json, are declared in a header and defined in the
// `.ipp` file next to it. CMake compiles those once (target entrain::compiled defines ENTRAIN_COMPILED). A program that
// includes everything by hand gets them inline.
#if defined(ENTRAIN_SEPARATE) && !defined(ENTRAIN_COMPILED)  // the former name
#define ENTRAIN_COMPILED
#endif
#if defined(ENTRAIN_COMPILED)
#define ENTRAIN_INLINE
#else
#define ENTRAIN_INLINE inline
#endif

// Bytes of the widest vector that the compiler may use. It follows -march, which entrain::native sets.
#if defined(__AVX512F__)
#define ENTRAIN_VECTOR_BYTES 64
#elif defined(__AVX2__)
#define ENTRAIN_VECTOR_BYTES 32
#else
#define ENTRAIN_VECTOR_BYTES 16
#endif

// Whether the CPU has an instruction that adds products of bf16 pairs to fp32 sums.
#if defined(__AVX512BF16__) && defined(__AVX512BW__)
#define ENTRAIN_BF16_PRODUCTS 1
#else
#define ENTRAIN_BF16_PRODUCTS 0
#endif

// Whether the CPU has registers for matrices, and an instruction that multiplies two of them in bf16 (Intel AMX, from
// Sapphire Rapids).
#if defined(__AMX_TILE__) && defined(__AMX_BF16__) && ENTRAIN_BF16_PRODUCTS
#define ENTRAIN_MATRIX_TILES 1
#else
#define ENTRAIN_MATRIX_TILES 0
#endif

// Whether the compiler optimises (-O1 and above).
#if defined(__OPTIMIZE__)
#define ENTRAIN_OPTIMISED 1
#else
#define ENTRAIN_OPTIMISED 0
#endif
