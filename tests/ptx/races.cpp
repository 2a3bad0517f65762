// tests > [ptx]
//
// Of each byte the last writer is remembered, and the last reader since: enough to name one of two that race.
#include "tests/ptx/races.hpp"

#include <cstdlib>

namespace ptx {
namespace {

constexpr unsigned warp = 32;

}  // namespace

bool Races::ordered(const Seen& before, const Visit& now) {
  const Visit& v = before.visit;
  if (v.launch != now.launch) return true;
  if (before.many == Many::blocks || v.block != now.block) return false;
  if (v.epoch != now.epoch) return true;
  if (before.many == Many::warps || v.thread / warp != now.thread / warp) return false;
  return v.warp_epoch != now.warp_epoch || (before.many == Many::one && v.thread == now.thread);
}

void Races::note_reader(Seen& before, const Visit& now) {
  const Visit& v = before.visit;
  if (v.launch != now.launch) {
    before = {now, Many::one};
  } else if (v.block != now.block || before.many == Many::blocks) {
    before.many = Many::blocks;
  } else if (v.epoch != now.epoch) {
    before = {now, Many::one};
  } else if (v.thread / warp != now.thread / warp || before.many == Many::warps) {
    before.many = Many::warps;
  } else if (v.warp_epoch != now.warp_epoch) {
    before = {now, Many::one};
  } else if (v.thread != now.thread) {
    before.many = Many::threads;
  }
}

Races::Page& Races::page_of(std::uintptr_t number) {
  if (number != last_) {
    std::unique_ptr<Page>& page = pages_[number];
    if (!page) page = std::make_unique<Page>();
    last_ = number;
    last_page_ = page.get();
  }
  return *last_page_;
}

std::string Races::see(const Visit& now, const void* at, std::size_t bytes, bool writes) {
  const auto whom = [](const Seen& seen, const char* did) {
    return "races with block " + std::to_string(seen.visit.block - 1) + ", thread " +
           std::to_string(seen.visit.thread) + ", which " + did + " the same byte";
  };
  const auto first = reinterpret_cast<std::uintptr_t>(at);
  for (std::uintptr_t address = first; address < first + bytes; ++address) {
    Byte& byte = page_of(address / 1024)[address % 1024];
    if (!ordered(byte.writer, now)) return whom(byte.writer, "wrote");
    if (!writes) {
      note_reader(byte.reader, now);
      continue;
    }
    if (!ordered(byte.reader, now)) return whom(byte.reader, "read");
    byte.writer = {now, Many::one};
  }
  return {};
}

std::unique_ptr<Races>& races() {
  static std::unique_ptr<Races> all = std::getenv("ENTRAIN_PTX_RACES") != nullptr ? std::make_unique<Races>() : nullptr;
  return all;
}

}  // namespace ptx
