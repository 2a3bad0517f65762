// tests > [app]
#include "entrain/app/options/machine.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <fstream>
#include <string>

#include "entrain/kernel/gemm/fast.hpp"
#include "tests/scratch.hpp"

namespace machine_test {
using namespace entrain;

TEST_CASE("machine: a remark on products in bf16 without AMX, on CPUs of Intel only") {
  CHECK(app::remark_on_products<device::Cpu<>>().empty());
  CHECK(app::remark_on_products<device::Cpu<kernel::AmxGemm>>().empty());
#if defined(__x86_64__)
  CHECK(app::remark_on_products<device::Cpu<kernel::Bf16Gemm>>().empty() == !__builtin_cpu_is("intel"));
#endif
}

TEST_CASE("machine: what products need is a part of what a program was compiled for") {
  CHECK(app::compiled_for<device::Cpu<>>().starts_with(app::compiled_for()));
  const std::string needs(kernel::AmxGemm::instructions);
  CHECK(app::compiled_for<device::Cpu<kernel::AmxGemm>>().starts_with(app::compiled_for() +
                                                                      (needs.empty() ? "" : " " + needs)));
}

TEST_CASE("a program for a GPU names the one for the CPU, if it is in the same folder") {
  const test::Scratch folder;
  const auto at = [&](const std::string& name) { return folder.path() + "/" + name; };
  const std::string advice = "to run on the CPU: build with device::Cpu";
  for (const char* const name : {"ner_cuda", "ner-cuda", "ner_gpu", "ner-gpu", "ner", "cuda"}) {
    CHECK(app::cpu_program(at(name)).empty());
    CHECK(app::on_the_cpu(at(name)).starts_with(advice));
  }
  std::ofstream(at("ner")) << "#!/bin/sh\n";
  CHECK(app::cpu_program(at("ner_cuda")).empty());  // no user may run it
  REQUIRE(::chmod(at("ner").c_str(), 0755) == 0);
  for (const char* const name : {"ner_cuda", "ner-cuda", "ner_gpu", "ner-gpu"}) {
    CHECK(app::cpu_program(at(name)) == at("ner"));
    CHECK(app::on_the_cpu(at(name)) == "to run on the CPU: " + at("ner"));
  }
  CHECK(app::cpu_program(at("ner")).empty());
  CHECK(app::cpu_program(at("other_cuda")).empty());
}

}  // namespace machine_test
