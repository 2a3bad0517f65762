// tests > [ptx]
//
// Addresses of the five spaces. A generic address is the host's own, of all of them; those of shared and of local
// memory begin at 0 in each block and lane.
#include "tests/ptx/access.hpp"

#include <algorithm>
#include <cstdio>

#include "tests/ptx/races.hpp"

namespace ptx {
namespace {

constexpr std::size_t sector = 32, bank = 4, banks = 32;

std::string written(std::uint64_t address) {
  char text[32];
  std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(address));
  return text;
}

/// Whether all lanes take part, each with the bytes after those of the lane before it: most of what kernels ask for.
bool side_by_side(const Warp& w, const Places& at, std::size_t bytes) {
  if (w.mask != everyone) return false;
  bool all = true;
  for (unsigned l = 1; l < lanes; ++l) all &= at.of[l] == at.of[0] + l * bytes;
  return all;
}

/// How many pieces of 32 bytes of the GPU's memory the lanes touch, and how many hold n bytes.
void count_global(Warp& w, Excess& excess, const Places& at, std::size_t bytes) {
  if (side_by_side(w, at, bytes)) {
    const auto first = reinterpret_cast<std::uintptr_t>(at.of[0]);
    const std::uint64_t sectors = (first + lanes * bytes - 1) / sector - first / sector + 1;
    w.counts->global_requests += 1;
    w.counts->sectors += sectors;
    w.counts->least_sectors += lanes * bytes / sector;
    excess.sectors += sectors - lanes * bytes / sector;
    return;
  }
  std::uintptr_t touched[lanes * 2];
  std::uintptr_t words[lanes];
  std::size_t n = 0, k = 0;
  each_lane(w.mask, [&](unsigned l) {
    const auto first = reinterpret_cast<std::uintptr_t>(at.of[l]);
    words[k++] = first;
    touched[n++] = first / sector;
    if ((first + bytes - 1) / sector != first / sector) touched[n++] = (first + bytes - 1) / sector;
  });
  std::sort(touched, touched + n);
  std::sort(words, words + k);
  const auto unlike = static_cast<std::size_t>(std::unique(words, words + k) - words);
  w.counts->global_requests += 1;
  const auto sectors = static_cast<std::uint64_t>(std::unique(touched, touched + n) - touched);
  const std::uint64_t least = (unlike * bytes + sector - 1) / sector;
  w.counts->sectors += sectors;
  w.counts->least_sectors += least;
  excess.sectors += sectors - least;
}

/// The banks serve 32 words of 4 bytes a turn: lanes with 8 bytes in two halves, with 16 in four quarters. Lanes that
/// want the same word share it.
void count_shared(Warp& w, Excess& excess, const Places& at, std::size_t bytes) {
  const std::size_t words = std::max<std::size_t>(bytes / bank, 1), group = lanes / words;
  w.counts->shared_requests += 1;
  if (bytes >= bank && side_by_side(w, at, bytes)) {
    w.counts->waves += words;
    w.counts->least_waves += words;
    return;
  }
  for (unsigned first = 0; first < lanes; first += static_cast<unsigned>(group)) {
    std::uintptr_t seen[lanes];
    unsigned of_bank[banks] = {};
    std::size_t n = 0;
    for (unsigned l = first; l < first + group; ++l) {
      if ((w.mask >> l & 1) == 0) continue;
      const auto begin = reinterpret_cast<std::uintptr_t>(at.of[l]) / bank;
      for (std::size_t k = 0; k < words; ++k) {
        if (std::find(seen, seen + n, begin + k) != seen + n) continue;
        seen[n++] = begin + k;
        ++of_bank[(begin + k) % banks];
      }
    }
    if (n == 0) continue;
    const unsigned waves = *std::max_element(of_bank, of_bank + banks);
    w.counts->waves += waves;
    w.counts->least_waves += 1;
    excess.waves += waves - 1;
  }
}

/// All lanes' at once, where all of them read the GPU's memory, or the block's, and all may: most of what there is.
bool found_at_once(Warp& w, const Instruction& i, Slot base, std::size_t bytes, Places& at) {
  const bool shared = i.space == Space::shared;
  if (w.mask != everyone || (!shared && i.space != Space::global)) return false;
  std::uint64_t address[lanes], low = ~std::uint64_t(0), high = 0, bits = 0;
  const auto find = [&](const auto* start) {
    for (unsigned l = 0; l < lanes; ++l) address[l] = start[l] + static_cast<std::uint64_t>(i.offset);
  };
  if (i.width == 8)
    find(w.reg<std::uint64_t>(base));
  else
    find(w.reg<std::uint32_t>(base));
  for (unsigned l = 0; l < lanes; ++l) {
    bits |= address[l];
    low = std::min(low, address[l]);
    high = std::max(high, address[l]);
  }
  if (bits % bytes != 0) return false;
  if (shared ? high > w.block->shared_bytes - bytes || w.block->shared_bytes < bytes
             : !memory().holds(reinterpret_cast<void*>(low), high - low + bytes))
    return false;
  std::byte* const from = shared ? w.block->shared : nullptr;
  for (unsigned l = 0; l < lanes; ++l) at.of[l] = shared ? from + address[l] : reinterpret_cast<std::byte*>(address[l]);
  return true;
}

/// Lane by lane; fails where one may not go.
void find_each(Warp& w, const Instruction& i, Slot base, std::size_t bytes, Places& at) {
  const Block& block = *w.block;
  const std::size_t local = block.code->local;
  each_lane(w.mask, [&](unsigned l) {
    const std::uint64_t start = i.width == 8 ? w.reg<std::uint64_t>(base)[l] : w.reg<std::uint32_t>(base)[l];
    const std::uint64_t address = start + static_cast<std::uint64_t>(i.offset);
    if (address % bytes != 0)
      w.fail(i, "address " + written(address) + " is no multiple of " + std::to_string(bytes) + " bytes",
             static_cast<int>(l));
    const auto outside = [&](const char* what) {
      w.fail(i, "address " + written(address) + " is outside of " + what, static_cast<int>(l));
    };
    std::byte* const mine = w.local + l * local;
    if (i.space == Space::shared) {
      if (address + bytes > block.shared_bytes) outside("the block's shared memory");
      at.of[l] = block.shared + address;
      return;
    }
    if (i.space == Space::local || (i.space == Space::param && address < local)) {
      if (address + bytes > local) outside("the lane's own memory");
      at.of[l] = mine + address;
      return;
    }
    auto* const p = reinterpret_cast<std::byte*>(address);
    at.of[l] = p;
    const auto within = [&](const std::byte* from, std::size_t n) { return p >= from && p + bytes <= from + n; };
    if (i.space == Space::param && within(block.code->params.data(), block.code->params.size())) return;
    if (memory().holds(p, bytes)) return;
    if (i.space == Space::generic && (within(block.shared, block.shared_bytes) || within(mine, local) ||
                                      within(block.code->params.data(), block.code->params.size())))
      return;
    outside("what was allocated");
  });
}

}  // namespace

void look_for_races(Warp& w, const Instruction& i, const Places& at, std::size_t bytes) {
  if (!races() || i.atomic || i.space == Space::local || i.space == Space::param) return;
  const Block& block = *w.block;
  Visit visit{block.launch, block.number, block.epoch, w.epoch, 0};
  each_lane(w.mask, [&](unsigned l) {
    const auto within = [&](const std::byte* from, std::size_t n) { return at.of[l] >= from && at.of[l] < from + n; };
    if (within(w.local, lanes * block.code->local) || within(block.code->params.data(), block.code->params.size()))
      return;
    // Each block has the same shared memory here, one after the other, and none of them that of another.
    visit.launch = within(block.shared, block.shared_bytes) ? block.serial : block.launch;
    visit.thread = w.first_thread + l;
    const std::string whom = races()->see(visit, at.of[l], bytes, i.writes);
    if (!whom.empty()) w.fail(i, whom, static_cast<int>(l));
  });
}

Places places_of(Warp& w, const Instruction& i, Slot base, std::size_t bytes) {
  Places at;
  const Block& block = *w.block;
  if (!found_at_once(w, i, base, bytes, at)) find_each(w, i, base, bytes, at);
  look_for_races(w, i, at, bytes);
  Excess& excess = block.code->excess[i.place];
  if (i.space == Space::global || i.space == Space::generic)
    count_global(w, excess, at, bytes);
  else if (i.space == Space::shared)
    count_shared(w, excess, at, bytes);
  return at;
}

}  // namespace ptx
