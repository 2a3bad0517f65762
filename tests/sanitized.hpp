// tests > [sanitized]
//
// __SANITIZE_ADDRESS__ and __SANITIZE_THREAD__, which g++ defines where it compiles for these sanitizers, with clang 19
// too.
#pragma once

#if defined(__has_feature)
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__ 1
#endif
#if __has_feature(thread_sanitizer) && !defined(__SANITIZE_THREAD__)
#define __SANITIZE_THREAD__ 1
#endif
#endif

/// Whether a sanitizer checks this program. What the same code computes for many numbers, it then computes for few of
/// them: that code is checked all the same, and the values are checked by the program without sanitizers.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool SANITIZED = true;
#else
constexpr bool SANITIZED = false;
#endif

/// Of a function: neither the address nor the undefined behaviour sanitizer looks at it.
#if defined(__clang__)
#define NOT_SANITIZED __attribute__((no_sanitize("address", "undefined")))
#else
#define NOT_SANITIZED __attribute__((no_sanitize("address,undefined")))
#endif
