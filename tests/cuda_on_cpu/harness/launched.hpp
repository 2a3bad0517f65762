// tests > cuda_on_cpu > [harness]
//
// Which kernels ran: their names are compared with those of the sources (scripts/check_cuda_on_cpu.sh).
#pragma once
#include <cxxabi.h>
#include <dlfcn.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>

namespace harness {

/// Names of kernels and of their template arguments into the file that ENTRAIN_LAUNCHED names, when the program ends.
class Launched {
 public:
  void add(const void* kernel) {
    if (!seen_.insert(kernel).second) return;
    Dl_info info{};
    if (dladdr(kernel, &info) == 0 || info.dli_sname == nullptr) return;
    int status = 0;
    char* const whole = abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &status);
    if (status == 0) keep(whole);
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
  /// Of "void a::b<1, c::d<e> >(f)" keeps b and d: a kernel, and what it was made for.
  void keep(const std::string& name) {
    std::string word;
    for (const char c : name.substr(0, name.rfind('('))) {
      if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
        word += c;
      } else {
        if (c != ':') names_.insert(word);
        word.clear();
      }
    }
    names_.insert(word);
  }
  std::set<const void*> seen_;
  std::set<std::string> names_;
};

inline void launched(const void* kernel) {
  static Launched all;
  all.add(kernel);
}

}  // namespace harness
