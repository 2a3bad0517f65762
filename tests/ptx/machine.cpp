// tests > [ptx]
//
// Who runs next: of a warp's lanes those that are furthest after, of a block's warps one after the other until a
// barrier, blocks in order.
#include "tests/ptx/machine.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <utility>

#include "tests/ptx/text.hpp"

namespace ptx {
namespace {

using Kind = Instruction::Kind;

/// Bytes that are no number of any kind, so that reading unwritten memory is noticed.
constexpr int unwritten = 0xff;
/// Instructions of a warp after which another one has its turn, and after which a block is taken to never end.
constexpr std::size_t patience = 1 << 16, endless = std::size_t(1) << 31;

std::string readable(const std::string& name) {
  if (name.substr(0, 2) != "_Z") return name;
  int status = 0;
  char* const text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  const std::string it = text != nullptr ? text : name;
  std::free(text);
  return it;
}

unsigned long long number(std::uint64_t n) { return n; }

enum class Stop { done, barrier, turn };

class Runner {
 public:
  explicit Runner(Warp& w) : w_(w), code_(w.block->code->instructions) {}

  Stop run() {
    std::size_t steps = 0;
    while (true) {
      if (w_.groups.empty()) return Stop::done;
      if (++steps > patience) return Stop::turn;
      Group& group = w_.groups[next()];
      const Instruction& i = code_[group.at];
      std::uint32_t mask = group.mask;
      if (i.guarded) mask &= chosen(i);
      ++w_.counts->instructions;
      ++w_.block->code->excess[group.at].times;
      w_.counts->lanes += static_cast<std::uint64_t>(std::popcount(mask));
      switch (i.kind) {
        case Kind::plain:
          if (mask != 0) {
            w_.mask = mask;
            i.run(w_, i);
          }
          ++group.at;
          break;
        case Kind::branch:
          branch(group, i, mask);
          break;
        case Kind::exit:
          leave(group, mask);
          break;
        case Kind::meeting:
          meet(group, i, mask);
          break;
        case Kind::warp_barrier:
          meet_anywhere(group, i, mask);
          break;
        case Kind::barrier:
          if (mask == 0) {
            ++group.at;
            break;
          }
          if (mask != w_.alive) {  // others may still come
            group.waits = true;
            break;
          }
          arrive(group, i, mask);
          return Stop::barrier;
      }
      if (w_.groups.size() > 1) merge();
    }
  }
  /// Beyond the barrier at which the warp waits.
  void release() {
    Group& group = w_.groups.front();
    const Instruction& i = code_[group.at];
    Block& block = *w_.block;
    const auto id = static_cast<std::size_t>(w_.at_barrier);
    if (i.choice == 1 || i.choice == 2)
      each_lane(group.mask, [&](unsigned l) {
        w_.reg<std::uint8_t>(i.to[0])[l] = (i.choice == 1 ? block.any[id] : block.all[id]) != 0;
      });
    if (i.choice == 3) w_.fail(i, "bar.red.popc is not known here");
    ++group.at;
    w_.at_barrier = -1;
  }

 private:
  std::uint32_t chosen(const Instruction& i) {
    const std::uint8_t* const guard = w_.reg<std::uint8_t>(i.guard);
    std::uint32_t yes = 0;
    for (unsigned l = 0; l < lanes; ++l) yes |= std::uint32_t((guard[l] != 0) != i.unless) << l;
    return yes;
  }
  /// The group that is furthest after, of those that do not wait.
  std::size_t next() {
    if (w_.groups.size() == 1 && !w_.groups[0].waits) return 0;
    std::size_t best = w_.groups.size();
    for (std::size_t g = 0; g < w_.groups.size(); ++g)
      if (!w_.groups[g].waits && (best == w_.groups.size() || w_.groups[g].at < w_.groups[best].at)) best = g;
    if (best == w_.groups.size()) {
      const Group& stuck = w_.groups.front();
      w_.fail(code_[stuck.at], "lanes wait for each other at unlike instructions", std::countr_zero(stuck.mask));
    }
    return best;
  }
  void merge() {
    std::vector<Group>& groups = w_.groups;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      for (std::size_t h = g + 1; h < groups.size();) {
        if (groups[g].at == groups[h].at) {
          groups[g].mask |= groups[h].mask;
          groups[g].waits = false;
          groups.erase(groups.begin() + static_cast<long>(h));
        } else {
          ++h;
        }
      }
    }
  }
  void branch(Group& group, const Instruction& i, std::uint32_t mask) {
    const auto there = static_cast<std::size_t>(i.offset);
    if (mask == group.mask) {
      group.at = there;
    } else {
      ++group.at;
      if (mask == 0) return;
      group.mask &= ~mask;
      w_.groups.push_back({mask, there});
    }
  }
  void leave(Group& group, std::uint32_t mask) {
    for (const UnderWay& copy : w_.under_way)
      if ((copy.mask & mask) != 0)
        w_.fail(*copy.begun_by, "a thread leaves before it has waited for its copies",
                std::countr_zero(copy.mask & mask));
    w_.alive &= ~mask;
    group.mask &= ~mask;
    ++group.at;
    if (group.mask == 0) w_.groups.erase(w_.groups.begin() + (&group - w_.groups.data()));
    for (Group& other : w_.groups) other.waits = false;  // perhaps they waited for these
  }
  /// Whom the lanes name; all must name the same.
  std::uint32_t named(const Instruction& i, std::uint32_t mask) {
    const std::uint32_t* const names = w_.reg<std::uint32_t>(i.from[9]);
    const std::uint32_t first = names[std::countr_zero(mask)];
    each_lane(mask, [&](unsigned l) {
      if (names[l] != first) w_.fail(i, "lanes name unlike masks", static_cast<int>(l));
      if ((first >> l & 1) == 0) w_.fail(i, "a lane is not in the mask that it names", static_cast<int>(l));
    });
    return first;
  }
  void meet(Group& group, const Instruction& i, std::uint32_t mask) {
    if (mask == 0) {
      ++group.at;
      return;
    }
    const std::uint32_t needed = named(i, mask);
    if ((needed & ~w_.alive) != 0) w_.fail(i, "a lane that is named has left");
    if ((needed & ~mask) != 0) {
      if ((needed & ~group.mask) == 0) w_.fail(i, "a lane that is named passes by");
      group.waits = true;
      return;
    }
    w_.mask = mask;
    i.run(w_, i);
    ++group.at;
  }
  /// bar.warp.sync: lanes may come to it at unlike places.
  void meet_anywhere(Group& group, const Instruction& i, std::uint32_t mask) {
    if (mask == 0) {
      ++group.at;
      return;
    }
    const std::uint32_t needed = named(i, mask) & w_.alive;
    group.waits = true;
    std::uint32_t here = 0;
    for (const Group& other : w_.groups)
      if (other.waits && code_[other.at].kind == Kind::warp_barrier) here |= other.mask;
    if ((needed & ~here) != 0) return;
    ++w_.epoch;
    for (Group& other : w_.groups) {
      if (!other.waits || code_[other.at].kind != Kind::warp_barrier || (other.mask & needed) == 0) continue;
      other.waits = false;
      ++other.at;
    }
  }
  void arrive(Group& group, const Instruction& i, std::uint32_t mask) {
    const auto lane = static_cast<unsigned>(std::countr_zero(mask));
    const std::size_t id = w_.reg<std::uint32_t>(i.from[0])[lane] % 16;
    Block& block = *w_.block;
    block.arrived[id] += static_cast<std::uint32_t>(std::popcount(group.mask));
    if (i.choice != 0) {
      if (!block.voted[id]) block.any[id] = 0, block.all[id] = 1;
      block.voted[id] = true;
      each_lane(mask, [&](unsigned l) {
        const bool yes = (w_.reg<std::uint8_t>(i.from[2])[l] != 0) != i.negated[2];
        block.any[id] |= yes;
        block.all[id] &= yes;
      });
    }
    if (i.many != 0 && w_.reg<std::uint32_t>(i.from[1])[lane] != block.size.x * block.size.y * block.size.z)
      w_.fail(i, "a barrier of a part of the block is not known here");
    ++w_.counts->barriers;
    w_.at_barrier = static_cast<int>(id);
  }

  Warp& w_;
  const std::vector<Instruction>& code_;
};

class BlockRunner {
 public:
  BlockRunner(const Kernel& kernel, Dim grid, Dim size, std::size_t shared_bytes)
      : threads_(size.x * size.y * size.z), shared_(rounded(shared_bytes)), code_(*kernel.code) {
    block_.kernel = &kernel;
    block_.code = kernel.code.get();
    block_.grid = grid;
    block_.size = size;
    block_.shared_bytes = shared_bytes;
    static std::uint32_t launches = 0;
    block_.launch = ++launches;
    const unsigned warps = (threads_ + lanes - 1) / lanes;
    // EpilogueOperands each warp's registers none of another's.
    images_.resize(warps * (code_.image / sizeof(std::max_align_t) + 8));
    local_.resize(warps * (code_.local * lanes / sizeof(std::max_align_t) + 8));
    fresh_.resize(code_.image, static_cast<std::byte>(unwritten));
    for (const Constant& c : code_.constants)
      for (unsigned l = 0; l < lanes; ++l) std::memcpy(fresh_.data() + c.slot + l * c.bytes, &c.bits, c.bytes);
    warps_.resize(warps);
  }

  void run(Dim index) {
    begin(index);
    ++block_.number;
    static std::uint32_t blocks = 0;
    block_.serial = ++blocks;
    std::size_t left = warps_.size(), steps = 0;
    while (left != 0) {
      bool moved = false;
      for (Warp& w : warps_) {
        if (w.groups.empty() || w.at_barrier >= 0) continue;
        const Stop stop = Runner(w).run();
        moved = true;
        steps += patience;
        if (stop == Stop::done) --left;
      }
      moved |= release();
      if (!moved && left != 0) stuck();
      if (steps / warps_.size() > endless) stuck();
    }
    ++block_.kernel->counts.blocks;
  }

 private:
  static std::size_t rounded(std::size_t bytes) { return (bytes + 127) / 128 + 1; }
  struct alignas(128) Line {
    std::byte bytes[128];
  };

  void begin(Dim index) {
    block_.index = index;
    block_.shared = shared_[0].bytes;
    block_.arrived = {};
    block_.voted = {};
    std::memset(shared_.data(), unwritten, shared_.size() * sizeof(Line));
    const std::size_t image = code_.image / sizeof(std::max_align_t) + 8;
    const std::size_t own = code_.local * lanes / sizeof(std::max_align_t) + 8;
    for (unsigned n = 0; n < warps_.size(); ++n) {
      Warp& w = warps_[n];
      w.block = &block_;
      w.image = reinterpret_cast<std::byte*>(images_.data() + n * image);
      w.local = reinterpret_cast<std::byte*>(local_.data() + n * own);
      w.first_thread = n * lanes;
      const unsigned here = std::min(lanes, threads_ - n * lanes);
      w.alive = here == lanes ? everyone : (1u << here) - 1;
      w.groups.assign(1, {w.alive, 0});
      w.at_barrier = -1;
      w.under_way.clear();
      w.counts = &block_.kernel->counts;
      ++w.counts->warps;
      std::memset(w.local, unwritten, own * sizeof(std::max_align_t));
      std::memcpy(w.image, fresh_.data(), fresh_.size());
      for (const auto& [name, slot] : code_.special) special(w, name, w.reg<std::uint32_t>(slot));
    }
  }
  void special(const Warp& w, const std::string& name, std::uint32_t* to) const {
    const auto of = [&](const Dim& d) { return name.back() == 'x' ? d.x : name.back() == 'y' ? d.y : d.z; };
    for (unsigned l = 0; l < lanes; ++l) {
      const unsigned thread = w.first_thread + l;
      const Dim place{thread % block_.size.x, thread / block_.size.x % block_.size.y,
                      thread / (block_.size.x * block_.size.y)};
      if (name.rfind("%tid.", 0) == 0)
        to[l] = of(place);
      else if (name.rfind("%ntid.", 0) == 0)
        to[l] = of(block_.size);
      else if (name.rfind("%ctaid.", 0) == 0)
        to[l] = of(block_.index);
      else if (name.rfind("%nctaid.", 0) == 0)
        to[l] = of(block_.grid);
      else if (name == "%laneid")
        to[l] = l;
      else if (name == "%warpid")
        to[l] = w.first_thread / lanes;
      else if (name == "%lanemask_lt")
        to[l] = (1u << l) - 1;
      else if (name == "%lanemask_le")
        to[l] = (2u << l) - 1;
      else if (name == "%lanemask_eq")
        to[l] = 1u << l;
      else if (name == "%lanemask_gt")
        to[l] = ~((2u << l) - 1);
      else if (name == "%lanemask_ge")
        to[l] = ~((1u << l) - 1);
      else
        throw Failure(name + " is not known here");
    }
  }

  bool release() {
    std::uint32_t alive = 0;
    for (const Warp& w : warps_) alive += static_cast<std::uint32_t>(std::popcount(w.alive));
    bool any = false;
    for (std::size_t id = 0; id < block_.arrived.size(); ++id) {
      if (block_.arrived[id] == 0 || block_.arrived[id] != alive) continue;
      for (Warp& w : warps_)
        if (w.at_barrier == static_cast<int>(id)) Runner(w).release();
      block_.arrived[id] = 0;
      block_.voted[id] = false;
      ++block_.epoch;
      any = true;
    }
    return any;
  }
  [[noreturn]] void stuck() const {
    for (const Warp& w : warps_)
      if (!w.groups.empty()) w.fail(code_.instructions[w.groups.front().at], "the block waits for ever");
    throw Failure("a block waits for ever");
  }

  unsigned threads_;
  std::vector<Line> shared_;
  const Code& code_;
  Block block_{};
  std::vector<std::max_align_t> images_, local_;
  std::vector<std::byte> fresh_;  // a warp's image before it begins
  std::vector<Warp> warps_;
};

}  // namespace

void Warp::fail(const Instruction& i, const std::string& what, int lane) const {
  const Block& b = *block;
  const auto index = [](const Dim& d) {
    return std::to_string(d.x) + ", " + std::to_string(d.y) + ", " + std::to_string(d.z);
  };
  throw Failure(readable(b.kernel->name) + ": line " + std::to_string(i.line) + ", block (" + index(b.index) +
                "), thread " + std::to_string(first_thread + static_cast<unsigned>(std::max(lane, 0))) +
                (lane < 0 ? " and its warp" : "") + ": " + what);
}

Memory& memory() {
  static Memory all;
  return all;
}

Module::Module(std::string_view text) : text_(std::make_unique<Text>(text)) {
  for (auto& [name, value] : text_->variables) memory().add(value.data(), value.size());
}
Module::~Module() {
  for (auto& [name, value] : text_->variables) memory().remove(value.data());
}
const std::map<std::string, Kernel, std::less<>>& Module::kernels() const { return text_->kernels; }
const Kernel* Module::kernel(std::string_view name) const {
  const auto found = text_->kernels.find(name);
  return found == text_->kernels.end() ? nullptr : &found->second;
}
namespace {

/// The lines of the source that a kernel's instructions are of: a fiftieth of the work or more, or too much of memory.
std::string by_line(const Text& text, const Kernel& kernel) {
  std::map<std::pair<int, int>, Excess> lines;
  for (std::size_t at = 0; at < kernel.code->instructions.size(); ++at) {
    const Instruction& i = kernel.code->instructions[at];
    Excess& line = lines[{i.file, i.source_line}];
    line.times += kernel.code->excess[at].times;
    line.sectors += kernel.code->excess[at].sectors;
    line.waves += kernel.code->excess[at].waves;
  }
  std::string all;
  for (const auto& [place, line] : lines) {
    if (50 * line.times < kernel.counts.instructions && line.sectors + line.waves == 0) continue;
    const auto file = text.files.find(place.first);
    char counts[160];
    std::snprintf(counts, sizeof counts, ":%d: %llu instructions (%.1f %%), %llu sectors and %llu turns too many\n",
                  place.second, number(line.times),
                  100. * static_cast<double>(line.times) / static_cast<double>(kernel.counts.instructions),
                  number(line.sectors), number(line.waves));
    all += "    " + (file == text.files.end() ? "?" : file->second) + counts;
  }
  return all;
}

}  // namespace

std::string Module::report() const {
  std::string all;
  for (const auto& [name, kernel] : text_->kernels) {
    const Counts& c = kernel.counts;
    if (c.launches == 0) continue;
    char line[512];
    std::snprintf(
        line, sizeof line,
        "\n  %llu launches, %llu blocks, %llu warps, %llu instructions of %.1f lanes, %llu products, %llu "
        "barriers, %llu shuffles; memory: %llu requests, %llu sectors, least %llu; shared: %llu requests, %llu "
        "turns, least %llu\n",
        number(c.launches), number(c.blocks), number(c.warps), number(c.instructions),
        c.instructions == 0 ? 0. : static_cast<double>(c.lanes) / static_cast<double>(c.instructions), number(c.mma),
        number(c.barriers), number(c.shuffles), number(c.global_requests), number(c.sectors), number(c.least_sectors),
        number(c.shared_requests), number(c.waves), number(c.least_waves));
    all += readable(name) + line;
    all += by_line(*text_, kernel);
  }
  return all;
}
void* Module::variable(std::string_view name) {
  const auto found = text_->variables.find(name);
  return found == text_->variables.end() ? nullptr : found->second.data();
}

void Module::launch(const Kernel& kernel, Dim grid, Dim block, std::size_t dynamic_shared, const void* const* params) {
  if (!kernel.code) kernel.code = code_of(*text_, kernel);
  for (std::size_t p = 0; p < kernel.params.size(); ++p)
    std::memcpy(kernel.code->params.data() + kernel.params[p].offset, params[p], kernel.params[p].bytes);
  ++kernel.counts.launches;
  BlockRunner runner(kernel, grid, block, kernel.code->static_shared + dynamic_shared);
  for (unsigned z = 0; z < grid.z; ++z)
    for (unsigned y = 0; y < grid.y; ++y)
      for (unsigned x = 0; x < grid.x; ++x) runner.run({x, y, z});
}

}  // namespace ptx
