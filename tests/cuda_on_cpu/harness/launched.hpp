// tests > cuda_on_cpu > [harness]
//
// Which kernels ran: their names are compared with those of the sources (scripts/gpu/compare_launched.sh).
#pragma once
#include <cxxabi.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>

namespace harness {

/// Names of kernels, whole, into the file that ENTRAIN_LAUNCHED names, when the program ends.
class Launched {
 public:
  void add(const void* kernel) {
    if (!seen_.insert(kernel).second) return;
    Dl_info info{};
    if (dladdr(kernel, &info) == 0 || info.dli_sname == nullptr) return;
    int status = 0;
    char* const whole = abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &status);
    if (status == 0) names_.insert(whole);
    std::free(whole);
  }
  ~Launched() {
    const char* const file = std::getenv("ENTRAIN_LAUNCHED");
    std::FILE* const to = file != nullptr ? std::fopen(file, "a") : nullptr;
    if (to == nullptr) return;
    for (const std::string& name : names_) std::fprintf(to, "%s\n", name.c_str());
    std::fclose(to);
  }

 private:
  std::set<const void*> seen_;
  std::set<std::string> names_;
};

inline void launched(const void* kernel) {
  static Launched all;
  all.add(kernel);
}

}  // namespace harness
