// tests > [ptx]
//
// The machine that carries out PTX, by small programs written by hand: what instructions give, who may go where, and
// that it notices what must not be.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/ptx/machine.hpp"
#include "tests/ptx/races.hpp"

namespace {

using std::uint32_t;
using std::uint64_t;

/// A kernel `f` that gets one address as %rd1 and the thread's number as %r1.
std::string kernel(const std::string& body, const std::string& outside = "") {
  return ".version 9.0\n.target sm_90\n.address_size 64\n" + outside +
         ".visible .entry f(.param .u64 to)\n{\n"
         ".reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<40>; .reg .f32 %f<40>; .reg .b64 %rd<9>; .reg .f64 %fd<9>;\n"
         "ld.param.u64 %rd1, [to];\nmov.u32 %r1, %tid.x;\n" +
         body + "\n}\n";
}
/// Runs it over `numbers`, and gives what became of them. They begin at a multiple of 256 bytes, as what cudaMalloc
/// gives does: how many sectors a kernel asks for depends on it.
template <class T> std::vector<T> run(const std::string& text, const std::vector<T>& numbers, unsigned threads = 32,
                                      unsigned blocks = 1, ptx::Counts* counts = nullptr, std::size_t shared = 0) {
  ptx::Module module(text);
  const ptx::Kernel* const f = module.kernel("f");
  REQUIRE(f != nullptr);
  constexpr std::size_t kStart = 256;
  std::vector<std::byte> room(numbers.size() * sizeof(T) + kStart);
  void* start = room.data();
  std::size_t left = room.size();
  T* const data = static_cast<T*>(std::align(kStart, numbers.size() * sizeof(T), start, left));
  std::copy(numbers.begin(), numbers.end(), data);
  struct Held {
    const void* data;
    Held(const void* begin, std::size_t bytes) : data(begin) { ptx::memory().add(begin, bytes); }
    ~Held() { ptx::memory().remove(data); }
  } held(data, numbers.size() * sizeof(T));
  const void* params[] = {&data};
  module.launch(*f, {blocks, 1, 1}, {threads, 1, 1}, shared, params);
  if (counts != nullptr) *counts = f->counts;
  return {data, data + numbers.size()};
}
std::string fault(const std::string& text, unsigned threads = 32, unsigned blocks = 1, std::size_t shared = 0) {
  try {
    run<uint32_t>(text, std::vector<uint32_t>(256), threads, blocks, nullptr, shared);
  } catch (const ptx::Failure& failure) {
    return failure.what();
  }
  return {};
}
bool says(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return true;
  MESSAGE(text);
  return false;
}

/// %r10 of a single thread
uint32_t value(const std::string& body) {
  return run<uint32_t>(kernel(body + "st.global.u32 [%rd1], %r10;"), {0}, 1)[0];
}
float real(const std::string& body) { return std::bit_cast<float>(value(body + "mov.b32 %r10, %f10;")); }
uint64_t wide(const std::string& body) {
  return run<uint64_t>(kernel(body + "st.global.u64 [%rd1], %rd8;"), {0}, 1)[0];
}

}  // namespace

TEST_CASE("PTX: whole numbers") {
  CHECK(value("add.s32 %r10, 2147483647, 1;") == 0x80000000u);
  CHECK(value("sub.u32 %r10, 1, 2;") == ~0u);
  CHECK(value("mul.lo.s32 %r10, -3, 5;") == static_cast<uint32_t>(-15));
  CHECK(value("mul.hi.u32 %r10, 0x80000000, 6;") == 3);
  CHECK(value("mul.hi.s32 %r10, -2147483648, 6;") == static_cast<uint32_t>(-3));
  CHECK(wide("mul.wide.s32 %rd8, -3, 5;") == static_cast<uint64_t>(-15));
  CHECK(wide("mul.wide.u32 %rd8, 0xFFFFFFFF, 0xFFFFFFFF;") == 0xFFFFFFFE00000001u);
  CHECK(wide("mul.hi.u64 %rd8, 0x8000000000000000, 6;") == 3);
  CHECK(value("mad.lo.s32 %r10, 3, 5, -1;") == 14);
  CHECK(value("div.s32 %r10, -7, 2;") == static_cast<uint32_t>(-3));
  CHECK(value("rem.s32 %r10, -7, 2;") == static_cast<uint32_t>(-1));
  CHECK(value("div.u32 %r10, 7, 0;") == ~0u);
  CHECK(value("min.s32 %r10, -1, 1;") == ~0u);
  CHECK(value("min.u32 %r10, -1, 1;") == 1);
  CHECK(value("abs.s32 %r10, -5;") == 5);
  CHECK(value("neg.s32 %r10, 5;") == static_cast<uint32_t>(-5));
}

TEST_CASE("PTX: bits") {
  CHECK(value("shl.b32 %r10, 1, 31;") == 0x80000000u);
  CHECK(value("shl.b32 %r10, 1, 32;") == 0);
  CHECK(value("shr.u32 %r10, 0x80000000, 31;") == 1);
  CHECK(value("shr.s32 %r10, 0x80000000, 40;") == ~0u);
  CHECK(wide("mov.u64 %rd2, 0x8000000000000000; shr.u64 %rd8, %rd2, 64;") == 0);
  CHECK(value("brev.b32 %r10, 1;") == 0x80000000u);
  CHECK(value("clz.b32 %r10, 1;") == 31);
  CHECK(value("clz.b32 %r10, 0;") == 32);
  CHECK(value("popc.b32 %r10, 0xF0F;") == 8);
  CHECK(value("bfe.u32 %r10, 0xABCD, 4, 8;") == 0xBC);
  CHECK(value("bfe.s32 %r10, 0xABCD, 4, 8;") == 0xFFFFFFBCu);
  CHECK(value("bfe.u32 %r10, 0xABCD, 4, 0;") == 0);
  CHECK(value("bfi.b32 %r10, 0xF, 0, 8, 2;") == 0x300);
  CHECK(value("bmsk.clamp.b32 %r10, 4, 3;") == 0x70);
  CHECK(value("bmsk.clamp.b32 %r10, 4, 60;") == 0xFFFFFFF0u);
  CHECK(value("shf.l.wrap.b32 %r10, 0x80000001, 0x1, 4;") == 0x18);
  CHECK(value("shf.r.clamp.b32 %r10, 0x10, 0x1, 4;") == 0x10000001u);
  CHECK(value("shf.r.clamp.b32 %r10, 7, 9, 40;") == 9);
  CHECK(value("lop3.b32 %r10, 0xF0, 0xCC, 0xAA, 0x96;") == (0xF0u ^ 0xCCu ^ 0xAAu));
  CHECK(value("lop3.b32 %r10, 0xF0, 0xCC, 0xAA, 0xE8;") == ((0xF0u & 0xCCu) | (0xF0u & 0xAAu) | (0xCCu & 0xAAu)));
  CHECK(value("prmt.b32 %r10, 0x33221100, 0x77665544, 0x7250;") == 0x77225500u);
  CHECK(value("prmt.b32 %r10, 0x80, 0, 0x1118;") == 0x000000FFu);
  CHECK(value("mov.b32 {%rs1, %rs2}, 0xABCD1234; mov.b32 %r10, {%rs2, %rs1};") == 0x1234ABCDu);
}

TEST_CASE("PTX: real numbers") {
  CHECK(real("fma.rn.f32 %f10, 0f3F800800, 0f3F800800, 0fBF801000;") ==
        std::bit_cast<float>(0x33800000u));  // one rounding
  CHECK(real("max.f32 %f10, 0f7FC00000, 0fBF800000;") == -1);
  CHECK(real("div.rn.f32 %f10, 0f3F800000, 0f40400000;") == 1.f / 3.f);
  CHECK(real("rcp.approx.ftz.f32 %f10, 0f7F800000;") == 0);
  CHECK(real("sqrt.approx.ftz.f32 %f10, 0f40800000;") == 2);
  CHECK(real("ex2.approx.ftz.f32 %f10, 0f40400000;") == 8);
  CHECK(real("ex2.approx.ftz.f32 %f10, 0fC3020000;") == 0);  // 2^-130 is below the normal numbers
  CHECK(real("copysign.f32 %f10, 0fBF800000, 0f40000000;") == -2);
  CHECK(real("cvt.sat.f32.f32 %f10, 0f40000000;") == 1);
  CHECK(real("cvt.sat.f32.f32 %f10, 0f7FC00000;") == 0);
  CHECK(real("cvt.rni.f32.f32 %f10, 0f40200000;") == 2);  // 2.5
  CHECK(real("cvt.rpi.f32.f32 %f10, 0f40200000;") == 3);
  CHECK(value("cvt.rzi.u32.f32 %r10, 0fBF800000;") == 0);
  CHECK(value("cvt.rzi.s32.f32 %r10, 0f7F800000;") == 0x7FFFFFFFu);
  CHECK(value("cvt.rzi.s32.f32 %r10, 0f7FC00000;") == 0);
  CHECK(value("cvt.rn.f16.f32 %rs1, 0f3F800000; cvt.u32.u16 %r10, %rs1;") == 0x3C00);
  const auto half = [](const std::string& bits) {
    return value("cvt.rn.f16.f32 %rs1, 0f" + bits + "; cvt.u32.u16 %r10, %rs1;");
  };
  CHECK(half("477FEFFF") == 0x7BFF);  // just below 65520
  CHECK(half("C77FF000") == 0xFC00);
  CHECK(half("3F801000") == 0x3C00);  // ties, to the even one
  CHECK(half("3F803000") == 0x3C02);
  CHECK(half("387FFFFF") == 0x0400);  // up to the least normal number
  CHECK(half("33800000") == 1);       // the least of all
  CHECK(half("33000000") == 0);
  CHECK(half("7FC00000") == 0x7FFF);
  const auto single = [](const std::string& bits) {
    return value("mov.b16 %rs1, 0x" + bits + "; cvt.f32.f16 %f10, %rs1; mov.b32 %r10, %f10;");
  };
  CHECK(single("0001") == 0x33800000u);
  CHECK(single("83FF") == 0xB87FC000u);
  CHECK(single("7BFF") == 0x477FE000u);
  CHECK(single("FC00") == 0xFF800000u);
  CHECK(value("cvt.rn.bf16.f32 %rs1, 0f3F808000; cvt.u32.u16 %r10, %rs1;") == 0x3F80);  // a tie, to the even one
  CHECK(value("cvt.rn.bf16.f32 %rs1, 0f3F818000; cvt.u32.u16 %r10, %rs1;") == 0x3F82);
  CHECK(value("mov.b16 %rs1, 0xFF; cvt.s32.s8 %r10, %rs1;") == ~0u);
  CHECK(wide("cvt.s64.s32 %rd8, -1;") == ~uint64_t(0));
}

TEST_CASE("PTX: comparisons, of what is no number too") {
  const auto yes = [](const std::string& how, const std::string& a, const std::string& b) {
    return value("setp." + how + " %p1, " + a + ", " + b + "; selp.b32 %r10, 1, 0, %p1;") == 1;
  };
  const std::string nan = "0f7FC00000", one = "0f3F800000", two = "0f40000000";
  CHECK(yes("lt.s32", "-1", "1"));
  CHECK_FALSE(yes("lt.u32", "-1", "1"));
  CHECK(yes("lt.f32", one, two));
  CHECK_FALSE(yes("lt.f32", one, nan));
  CHECK_FALSE(yes("ne.f32", one, nan));
  CHECK(yes("neu.f32", one, nan));
  CHECK(yes("geu.f32", one, nan));
  CHECK_FALSE(yes("geu.f32", one, two));
  CHECK(yes("nan.f32", one, nan));
  CHECK_FALSE(yes("num.f32", one, nan));
  CHECK(value("setp.eq.s32 %p1, 1, 1; setp.lt.and.s32 %p2|%p3, 1, 2, !%p1; selp.b32 %r1, 1, 0, %p2; selp.b32 %r2, 2, "
              "0, %p3;"
              "add.s32 %r10, %r1, %r2;") == 0);
  CHECK(value("setp.eq.s32 %p1, 1, 2; not.pred %p2, %p1; xor.pred %p3, %p1, %p2; @!%p1 mov.u32 %r10, 7; @%p1 mov.u32 "
              "%r10, 8;") == 7);
}

TEST_CASE("PTX: lanes part and meet again, in a loop too") {
  // Lane l adds up 0 to l - 1, then all hand on to their neighbour.
  const std::vector<uint32_t> sums = run<uint32_t>(kernel(R"(
    mov.u32 %r2, 0; mov.u32 %r3, 0;
  again:
    setp.ge.u32 %p1, %r2, %r1;
    @%p1 bra done;
    add.u32 %r3, %r3, %r2; add.u32 %r2, %r2, 1;
    bra.uni again;
  done:
    shfl.sync.bfly.b32 %r4|%p2, %r3, 1, 31, -1;
    mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r4;
    ret;)"),
                                                   std::vector<uint32_t>(32));
  for (uint32_t l = 0; l < 32; ++l) CHECK(sums[l] == (l ^ 1) * ((l ^ 1) - 1) / 2);
}

TEST_CASE("PTX: what lanes tell each other") {
  const auto all = [](const std::string& body) {
    return run<uint32_t>(
        kernel(body + "mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r10;"),
        std::vector<uint32_t>(32));
  };
  std::vector<uint32_t> down = all("shfl.sync.down.b32 %r10|%p1, %r1, 3, 31, -1;");
  CHECK(down[0] == 3);
  CHECK(down[30] == 30);  // no lane there: its own
  CHECK(all("shfl.sync.up.b32 %r10, %r1, 1, 0, -1;")[0] == 0);
  CHECK(all("shfl.sync.up.b32 %r10, %r1, 1, 0, -1;")[5] == 4);
  CHECK(all("shfl.sync.idx.b32 %r10, %r1, 1, 0x1C1F, -1;")[9] == 9);  // segments of four: lane 8's second
  CHECK(all("and.b32 %r2, %r1, 1; setp.eq.s32 %p1, %r2, 1; vote.sync.ballot.b32 %r10, %p1, -1;")[3] == 0xAAAAAAAAu);
  CHECK(all("and.b32 %r2, %r1, 3; match.any.sync.b32 %r10, %r2, -1;")[1] == 0x22222222u);
  CHECK(all("redux.sync.add.s32 %r10, %r1, -1;")[7] == 496);
}

TEST_CASE("PTX: shared memory, barriers and atomics") {
  ptx::Counts counts;
  const std::string text = kernel(R"(
    .shared .align 4 .b8 room[512];
    mov.u32 %r2, room;
    shl.b32 %r3, %r1, 2; add.u32 %r4, %r2, %r3;
    st.shared.u32 [%r4], %r1;
    bar.sync 0;
    sub.u32 %r5, 127, %r1; shl.b32 %r5, %r5, 2; add.u32 %r6, %r2, %r5;
    ld.shared.u32 %r7, [%r6];
    atom.global.add.u32 %r8, [%rd1], %r7;
    mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3+4], %r7;
    ret;)");
  const std::vector<uint32_t> got = run<uint32_t>(text, std::vector<uint32_t>(129), 128, 1, &counts);
  CHECK(got[0] == 127 * 128 / 2);
  for (uint32_t t = 0; t < 128; ++t) CHECK(got[t + 1] == 127 - t);
  CHECK(counts.barriers == 4);
  CHECK(counts.waves == counts.least_waves);
  CHECK(counts.shared_requests == 8);
}

TEST_CASE("PTX: asynchronous copies arrive when it waits for them") {
  // In shared memory are four words of thread t, of which it copies those that %r5 bytes hold, after `early`.
  const auto copied = [](const std::string& early, const std::string& late, const std::string& copy) {
    return kernel(
        ".shared .align 16 .b8 room[512]; mov.u32 %r2, room; shl.b32 %r3, %r1, 4; add.u32 %r4, %r2, %r3; "
        "mul.wide.u32 %rd2, %r1, 16; add.s64 %rd3, %rd1, %rd2; and.b32 %r5, %r1, 1; shl.b32 %r5, %r5, 4; " +
        copy + early + "ld.shared.v4.u32 {%r6, %r7, %r8, %r9}, [%r4]; " + late +
        "st.global.v4.u32 [%rd3], {%r6, %r7, %r8, %r9}; ret;");
  };
  const std::string wait = "cp.async.wait_all; ", all = "cp.async.cg.shared.global [%r4], [%rd3], 16, %r5; ";
  std::vector<uint32_t> memory(128);
  for (uint32_t k = 0; k < 128; ++k) memory[k] = k + 1;
  ptx::Counts counts;
  std::vector<uint32_t> got = run<uint32_t>(copied(wait, "", all), memory, 32, 1, &counts);
  for (uint32_t k = 0; k < 128; ++k) CHECK(got[k] == (k / 4 % 2 == 1 ? k + 1 : 0));
  CHECK(counts.sectors == 16 + 16);  // of 16 lanes each of its own, and those of the stores
  CHECK(counts.shared_requests == 2);
  got = run<uint32_t>(copied("", wait, all), memory);
  CHECK(got == std::vector<uint32_t>(128, ~0u));  // what was there before
  got = run<uint32_t>(copied(wait, "", "cp.async.ca.shared.global [%r4+8], [%rd3], 8, 8; "), memory);
  for (uint32_t k = 0; k < 128; ++k) CHECK(got[k] == (k % 4 > 1 ? k - 1 : ~0u));
  const auto refused = [&](const std::string& copy, const std::string& after) {
    return fault(copied(after, "", copy));
  };
  CHECK(says(refused(all, ""), "a thread leaves before it has waited for its copies"));
  CHECK(says(refused("cp.async.ca.shared.global [%r4+4], [%rd3], 8, 8; ", wait), "is no multiple of 8 bytes"));
  CHECK(says(refused("mov.u32 %r5, 17; " + all, wait), "reads more than it copies"));
  CHECK(says(refused("cp.async.cg.shared.global [%r4], [%rd3], 8, 8; ", wait), "is of so many bytes nowhere"));
}

TEST_CASE("PTX: matrices of a warp come from memory and are multiplied") {
  // A [16, 16] by rows, B' [8, 16] by rows, in fp16: small whole numbers, exact.
  const std::string text = kernel(R"(
    .shared .align 16 .b8 a[512]; .shared .align 16 .b8 b[256];
    mov.u32 %r2, a; mov.u32 %r3, b;
    mul.wide.u32 %rd2, %r1, 16; add.s64 %rd3, %rd1, %rd2;
    ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%rd3];
    shl.b32 %r8, %r1, 4; add.u32 %r9, %r2, %r8; st.shared.v4.u32 [%r9], {%r4, %r5, %r6, %r7};
    setp.lt.u32 %p1, %r1, 16;
    @%p1 ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%rd3+512];
    add.u32 %r9, %r3, %r8;
    @%p1 st.shared.v4.u32 [%r9], {%r4, %r5, %r6, %r7};
    bar.warp.sync -1;
    and.b32 %r10, %r1, 15; shl.b32 %r10, %r10, 5; shr.u32 %r11, %r1, 4; shl.b32 %r11, %r11, 4; add.u32 %r12, %r10, %r11; add.u32 %r12, %r12, %r2;
    ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r20, %r21, %r22, %r23}, [%r12];
    and.b32 %r10, %r1, 7; shl.b32 %r10, %r10, 5; shr.u32 %r11, %r1, 3; and.b32 %r11, %r11, 1; shl.b32 %r11, %r11, 4; add.u32 %r12, %r10, %r11; add.u32 %r12, %r12, %r3;
    ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r24, %r25, %r26, %r27}, [%r12];
    mov.f32 %f1, 0f00000000;
    mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f10, %f11, %f12, %f13}, {%r20, %r21, %r22, %r23}, {%r24, %r25}, {%f1, %f1, %f1, %f1};
    mov.f32 %f2, 0f3F800000;
    mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f20, %f21, %f22, %f23}, {%r20, %r21}, {%r24}, {%f2, %f2, %f2, %f2};
    mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f20, %f21, %f22, %f23}, {%r22, %r23}, {%r25}, {%f20, %f21, %f22, %f23};
    bar.warp.sync -1;
    shr.u32 %r13, %r1, 2; shl.b32 %r13, %r13, 5; and.b32 %r14, %r1, 3; shl.b32 %r14, %r14, 3; add.u32 %r13, %r13, %r14;
    mul.wide.u32 %rd4, %r13, 1; add.s64 %rd5, %rd1, %rd4;
    st.global.v2.f32 [%rd5], {%f10, %f11}; st.global.v2.f32 [%rd5+256], {%f12, %f13};
    st.global.v2.f32 [%rd5+512], {%f20, %f21}; st.global.v2.f32 [%rd5+768], {%f22, %f23};
    ret;)");
  const auto half = [](int n) -> uint32_t {  // of 0 to 7
    constexpr uint32_t bits[] = {0, 0x3C00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700};
    return bits[n];
  };
  int a[16][16], b[8][16];
  std::vector<uint32_t> memory(256);
  for (int r = 0; r < 16; ++r)
    for (int c = 0; c < 16; ++c) a[r][c] = (r * 5 + c * 3 + r * c) % 8;
  for (int r = 0; r < 8; ++r)
    for (int c = 0; c < 16; ++c) b[r][c] = (r * 3 + c * c + 1) % 8;
  for (int r = 0; r < 16; ++r)
    for (int c = 0; c < 16; c += 2)
      memory[static_cast<std::size_t>(r * 8 + c / 2)] = half(a[r][c]) | half(a[r][c + 1]) << 16;
  for (int r = 0; r < 8; ++r)
    for (int c = 0; c < 16; c += 2)
      memory[static_cast<std::size_t>(128 + r * 8 + c / 2)] = half(b[r][c]) | half(b[r][c + 1]) << 16;
  const std::vector<uint32_t> got = run<uint32_t>(text, memory);
  for (int r = 0; r < 16; ++r) {
    for (int c = 0; c < 8; ++c) {
      int sum = 0;
      for (int k = 0; k < 16; ++k) sum += a[r][k] * b[c][k];
      CHECK(std::bit_cast<float>(got[static_cast<std::size_t>(r * 8 + c)]) == sum);
      CHECK(std::bit_cast<float>(got[static_cast<std::size_t>(128 + r * 8 + c)]) == sum + 1);
    }
  }
}

TEST_CASE("PTX: a matrix of 16-bit numbers is turned on its way from memory") {
  const std::string text = kernel(R"(
    .shared .align 16 .b8 a[512];
    mov.u32 %r2, a; mul.wide.u32 %rd2, %r1, 16; add.s64 %rd3, %rd1, %rd2;
    ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%rd3];
    shl.b32 %r8, %r1, 4; add.u32 %r9, %r2, %r8; st.shared.v4.u32 [%r9], {%r4, %r5, %r6, %r7};
    bar.warp.sync -1;
    ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r20, %r21, %r22, %r23}, [%r9];
    st.global.v4.u32 [%rd3], {%r20, %r21, %r22, %r23};
    ret;)");
  std::vector<uint32_t> memory(128);
  for (uint32_t k = 0; k < 128; ++k)
    memory[k] = 2 * k | (2 * k + 1) << 16;  // number n of matrix m, row r: 64 m + 8 r + n
  const std::vector<uint32_t> got = run<uint32_t>(text, memory);
  for (uint32_t l = 0; l < 32; ++l) {
    for (uint32_t m = 0; m < 4; ++m) {
      const uint32_t row = l % 4 * 2, column = l / 4;
      CHECK(got[4 * l + m] == ((64 * m + 8 * row + column) | (64 * m + 8 * (row + 1) + column) << 16));
    }
  }
}

TEST_CASE("PTX: functions are called, with memory of the caller's own") {
  const std::string outside = R"(
    .func (.param .b32 twice) g(.param .align 4 .b8 pair[8], .param .b32 more)
    {
      .reg .b32 %r<5>; .reg .pred %p<2>;
      ld.param.u32 %r1, [pair]; ld.param.u32 %r2, [pair+4]; ld.param.u32 %r3, [more];
      setp.gt.u32 %p1, %r3, 3;
      @%p1 bra large;
      add.u32 %r4, %r1, %r2; st.param.b32 [twice], %r4; ret;
    large:
      mov.u32 %r4, 99; st.param.b32 [twice], %r4; ret;
    }
)";
  const std::vector<uint32_t> got = run<uint32_t>(kernel(R"(
    {
    .param .align 4 .b8 param0[8]; st.param.b32 [param0], %r1; st.param.b32 [param0+4], 100;
    .param .b32 param1; st.param.b32 [param1], %r1;
    .param .b32 retval0;
    call.uni (retval0), g, (param0, param1);
    ld.param.b32 %r2, [retval0];
    }
    mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r2; ret;)",
                                                         outside),
                                                  std::vector<uint32_t>(32));
  CHECK(got[2] == 102);
  CHECK(got[3] == 103);
  CHECK(got[4] == 99);
}

TEST_CASE("PTX: sectors and turns of banks are counted") {
  const auto counted = [](const std::string& body) {
    ptx::Counts counts;
    run<uint32_t>(kernel(body), std::vector<uint32_t>(1024), 32, 1, &counts);
    return counts;
  };
  const ptx::Counts dense = counted("mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], 1;");
  CHECK(dense.least_sectors == 4);
  CHECK(dense.sectors == 4);
  const ptx::Counts sparse = counted("mul.wide.u32 %rd2, %r1, 128; add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], 1;");
  CHECK(sparse.sectors == 32);
  const std::string room = ".shared .align 16 .b8 room[8192]; mov.u32 %r2, room;";
  const auto turns = [&](const std::string& bytes, const std::string& what) {
    return counted(room + "mul.lo.u32 %r3, %r1, " + bytes + "; add.u32 %r4, %r2, %r3;" + what).waves;
  };
  CHECK(turns("4", "ld.shared.u32 %r5, [%r4];") == 1);
  CHECK(turns("0", "ld.shared.u32 %r5, [%r4];") == 1);  // the same word for all
  CHECK(turns("8", "ld.shared.u32 %r5, [%r4];") == 2);
  CHECK(turns("128", "ld.shared.u32 %r5, [%r4];") == 32);
  CHECK(turns("16", "ld.shared.v4.u32 {%r5, %r6, %r7, %r8}, [%r4];") == 4);  // no less can be
  CHECK(turns("32", "ld.shared.v4.u32 {%r5, %r6, %r7, %r8}, [%r4];") == 8);
}

TEST_CASE("PTX: what may not be is said") {
  CHECK(says(fault(kernel("st.global.u32 [%rd1+1024], 1;")), "thread 0: address"));
  CHECK(says(fault(kernel("st.global.u32 [%rd1+1024], 1;")), "is outside of what was allocated"));
  CHECK(says(fault(kernel("setp.eq.u32 %p1, %r1, 5; @%p1 st.global.u32 [%rd1-4], 1;")), "thread 5: address"));
  CHECK(says(fault(kernel("st.global.u32 [%rd1+2], 1;")), "is no multiple of 4 bytes"));
  CHECK(says(fault(kernel(".shared .align 4 .b8 room[64]; mov.u32 %r2, room; ld.shared.u32 %r3, [%r2+64];")),
             "is outside of the block's shared memory"));
  CHECK(says(fault(kernel("setp.lt.u32 %p1, %r1, 16; @%p1 bra out; shfl.sync.idx.b32 %r2, %r1, 0, 31, -1; out: ret;")),
             "a lane that is named has left"));
  CHECK(says(fault(kernel("setp.lt.u32 %p1, %r1, 16; @%p1 bra out; shfl.sync.idx.b32 %r2, %r1, 0, 31, -1; bra.uni end; "
                          "out: bar.sync 0; end: ret;")),
             "lanes wait for each other at unlike instructions"));
  CHECK(says(fault(kernel("shfl.sync.idx.b32 %r2, %r1, 0, 31, 0xFFFF;")), "a lane is not in the mask that it names"));
  CHECK(says(
      fault(kernel("setp.lt.u32 %p1, %r1, 32; @%p1 bra out; bar.sync 0; bra.uni end; out: bar.sync 1; end: ret;"), 64),
      "the block waits for ever"));
  CHECK(says(fault(kernel("trap;")), "trap"));
  CHECK(says(fault(kernel("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [x, {%f1, %f2}];")), "what is that address: x"));
  CHECK(says(fault(kernel("cp.async.commit_group;")), "line 9: cp.async.commit_group is not known here"));
  CHECK(says(fault(kernel("add.s32 %r2, %rd1, 1;")), "add.s32 reads what is no register of its type"));
}

TEST_CASE("PTX: races are found, between lanes, warps and blocks") {
  struct Looking {
    Looking() { ptx::races() = std::make_unique<ptx::Races>(); }
    ~Looking() { ptx::races().reset(); }
  } looking;
  const std::string room =
      ".shared .align 4 .b8 room[1024]; mov.u32 %r2, room; shl.b32 %r3, %r1, 2; add.u32 %r4, %r2, %r3; xor.b32 %r5, "
      "%r3, ";
  const auto handed_on = [&](const std::string& to, const std::string& barrier) {
    return fault(kernel(room + to + "; add.u32 %r6, %r2, %r5; st.shared.u32 [%r4], %r1; " + barrier +
                        " ld.shared.u32 %r7, [%r6];"),
                 64);
  };
  CHECK(says(handed_on("4", ""), "races with block 0, thread 1, which wrote the same byte"));
  CHECK(handed_on("4", "bar.warp.sync -1;").empty());
  CHECK(
      says(handed_on("128", "bar.warp.sync -1;"), "thread 32: races with block 0, thread 0, which read the same byte"));
  CHECK(handed_on("128", "bar.sync 0;").empty());
  const std::string copy = "cp.async.ca.shared.global [%r4], [%rd1], 4, 4; cp.async.wait_all; ";
  const std::string read = room + "4; add.u32 %r6, %r2, %r5; " + copy;
  CHECK(says(fault(kernel(read + "ld.shared.u32 %r7, [%r6];")), "which wrote the same byte"));
  CHECK(fault(kernel(read + "bar.warp.sync -1; ld.shared.u32 %r7, [%r6];")).empty());
  // Read by the neighbour, then written, without a barrier between.
  CHECK(says(fault(kernel(room + "4; add.u32 %r6, %r2, %r5; ld.shared.u32 %r7, [%r6]; st.shared.u32 [%r4], %r1;")),
             "which read the same byte"));
  // Two blocks write one word; one adds to it.
  CHECK(says(fault(kernel("setp.eq.u32 %p1, %r1, 0; @%p1 st.global.u32 [%rd1], 7;"), 32, 2),
             "races with block 0, thread 0, which wrote"));
  CHECK(says(fault(kernel("setp.eq.u32 %p1, %r1, 0; mov.u32 %r2, %ctaid.x; mul.wide.u32 %rd2, %r2, 4; add.s64 %rd3, "
                          "%rd1, %rd2; @%p1 ld.global.u32 %r3, [%rd1+4]; @%p1 st.global.u32 [%rd3], 7;"),
                   32, 2),
             "which read the same byte"));
  CHECK(fault(kernel("atom.global.add.u32 %r2, [%rd1], 1;"), 64, 2).empty());
  // A byte that all of a block read, and one of them writes.
  CHECK(says(fault(kernel("ld.global.u32 %r2, [%rd1]; setp.eq.u32 %p1, %r1, 40; @%p1 st.global.u32 [%rd1], 1;"), 64),
             "which read the same byte"));
  CHECK(fault(kernel("ld.global.u32 %r2, [%rd1]; bar.sync 0; setp.eq.u32 %p1, %r1, 40; @%p1 st.global.u32 [%rd1], 1;"),
              64)
            .empty());
}
