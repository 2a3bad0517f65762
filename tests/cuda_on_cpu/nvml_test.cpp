// tests > [cuda_on_cpu]
//
// What the driver's management library says, and what is known where it is not there or says nothing.
#include "entrain/device/nvml.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <string>

namespace nvml_test {
using namespace entrain;

namespace {

const char* const library = ENTRAIN_PRETENDED_NVML;
const char* const bus_id = "0000:81:00.0";

/// A fault of the pretended library, for as long as this lives.
struct Fault {
  void* open = ::dlopen(library, RTLD_NOW);
  char* name = static_cast<char*>(::dlsym(open, "nvml_pretended_fault"));
  explicit Fault(const char* what) { std::strcpy(name, what); }
  ~Fault() {
    name[0] = 0;
    ::dlclose(open);
  }
  int times_open() const { return *static_cast<int*>(::dlsym(open, "nvml_pretended_open")); }
};

}  // namespace

TEST_CASE("a GPU's clocks, power and memory are read") {
  const Fault none("");
  {
    const device::Nvml nvml(bus_id, library);
    CHECK(none.times_open() == 1);
    const device::GpuReading now = nvml.read();
    CHECK(now.known());
    CHECK(now.megahertz == 1980);
    CHECK(now.memory_megahertz == 3201);
    CHECK(now.watts == doctest::Approx(611.6));
    CHECK(now.watts_limit == doctest::Approx(700));
    CHECK(now.used_bytes == 700);
    CHECK(now.total_bytes == 1000);
  }
  CHECK(none.times_open() == 0);
}

TEST_CASE("what cannot be read is not known, and nothing else is missed") {
  const auto read = [](const char* fault) {
    const Fault one(fault);
    return device::Nvml(bus_id, library).read();
  };
  CHECK(!read("init").known());
  CHECK(!read("handle").known());
  CHECK(read("power").watts == 0);
  CHECK(read("power").watts_limit == doctest::Approx(700));
  CHECK(read("limit").watts_limit == 0);
  CHECK(read("clock").megahertz == 0);
  CHECK(read("clock").memory_megahertz == 0);
  CHECK(read("clock").known());
  CHECK(read("memory").total_bytes == 0);
  CHECK(!device::Nvml("0000:01:00.0", library).read().known());
  CHECK(!device::Nvml(bus_id, "libnowhere.so.1").read().known());
}

}  // namespace nvml_test
