// tests > [ptx]
//
// Which instruction an opcode names, and of which registers.
//
// source    PTX ISA 9.0, the instruction set
#include <algorithm>

#include "tests/ptx/bits.hpp"
#include "tests/ptx/conversions.hpp"
#include "tests/ptx/memories.hpp"
#include "tests/ptx/text.hpp"
#include "tests/ptx/together.hpp"

namespace ptx {
namespace {

using namespace doing;

Run pick(Type type, Run f16_, Run u16_, Run s16_, Run u32_, Run s32_, Run u64_, Run s64_, Run f32_, Run f64_) {
  switch (type) {
    case Type::f16:
      return f16_;
    case Type::u16:
    case Type::b16:
      return u16_;
    case Type::s16:
      return s16_;
    case Type::u32:
    case Type::b32:
      return u32_;
    case Type::s32:
      return s32_;
    case Type::u64:
    case Type::b64:
      return u64_;
    case Type::s64:
      return s64_;
    case Type::f32:
      return f32_;
    case Type::f64:
      return f64_;
    default:
      return nullptr;
  }
}
template <class Op> Run one(Type t) {
  return pick(t, nullptr, run_one<Op, u16>, run_one<Op, s16>, run_one<Op, u32>, run_one<Op, s32>, run_one<Op, u64>,
              run_one<Op, s64>, run_one<Op, float>, run_one<Op, double>);
}
template <class Op> Run two(Type t) {
  return pick(t, nullptr, run_two<Op, u16>, run_two<Op, s16>, run_two<Op, u32>, run_two<Op, s32>, run_two<Op, u64>,
              run_two<Op, s64>, run_two<Op, float>, run_two<Op, double>);
}
template <class Op> Run three(Type t) {
  return pick(t, nullptr, run_three<Op, u16>, run_three<Op, s16>, run_three<Op, u32>, run_three<Op, s32>,
              run_three<Op, u64>, run_three<Op, s64>, run_three<Op, float>, run_three<Op, double>);
}
template <int C> Run comparing(Type t) {
  if constexpr (C >= equ)
    return t == Type::f32 ? run_compare<float, C> : t == Type::f64 ? run_compare<double, C> : nullptr;
  else
    return pick(t, nullptr, run_compare<u16, C>, run_compare<s16, C>, run_compare<u32, C>, run_compare<s32, C>,
                run_compare<u64, C>, run_compare<s64, C>, run_compare<float, C>, run_compare<double, C>);
}
Run comparing(std::string_view how, Type t) {
  if (how == "eq") return comparing<eq>(t);
  if (how == "ne") return comparing<ne>(t);
  if (how == "lt" || how == "lo") return comparing<lt>(t);
  if (how == "le" || how == "ls") return comparing<le>(t);
  if (how == "gt" || how == "hi") return comparing<gt>(t);
  if (how == "ge" || how == "hs") return comparing<ge>(t);
  if (how == "equ") return comparing<equ>(t);
  if (how == "neu") return comparing<neu>(t);
  if (how == "ltu") return comparing<ltu>(t);
  if (how == "leu") return comparing<leu>(t);
  if (how == "gtu") return comparing<gtu>(t);
  if (how == "geu") return comparing<geu>(t);
  if (how == "num") return comparing<num>(t);
  if (how == "nan") return comparing<nan>(t);
  return nullptr;
}
template <bool Left> Run shifting(Type t) {
  return pick(t, nullptr, run_shift<u16, Left>, run_shift<s16, Left>, run_shift<u32, Left>, run_shift<s32, Left>,
              run_shift<u64, Left>, run_shift<s64, Left>, nullptr, nullptr);
}

class Decoder {
 public:
  Decoder(Instruction& made, std::string_view opcode, std::vector<Operand>& operands, Slots& slots)
      : it_(made), opcode_(opcode), operands_(operands), slots_(slots) {
    it_.to.fill(nowhere);
    for (std::size_t at = 0; at <= opcode.size();) {
      const std::size_t end = std::min(opcode.find('.', at), opcode.size());
      parts_.push_back(opcode.substr(at, end - at));
      at = end + 1;
    }
    for (const std::string_view part : parts_)
      if (const Type t = type_named(part); t != Type::none) type_ = t;
  }

  void decode() {
    const std::string_view name = parts_.front();
    if (!arithmetic(name) && !bits(name) && !moves(name) && !memories(name) && !together(name))
      refuse("is not known here");
    if (it_.run == nullptr && it_.kind == Instruction::Kind::plain) refuse("is not known here with this type");
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const { fail_at(it_.line, std::string(opcode_) + " " + what); }
  bool has(std::string_view part) const { return std::find(parts_.begin(), parts_.end(), part) != parts_.end(); }

  const Operand& operand(std::size_t k) const {
    if (k >= operands_.size()) refuse("has too few operands");
    return operands_[k];
  }
  Slot target(const Operand& o, std::size_t bytes) const {
    if (o.kind == Operand::Kind::sink) return nowhere;
    if (o.kind != Operand::Kind::reg || bytes_of(o.type) != bytes) refuse("writes what is no register of its type");
    return o.slot;
  }
  Slot source(const Operand& o, std::size_t bytes) const {
    if (o.kind == Operand::Kind::number) {
      if (o.real && bytes == 4 && !o.single) refuse("has a number of 64 bits for one of 32");
      return slots_.constant(o.bits, bytes);
    }
    if (o.kind != Operand::Kind::reg || bytes_of(o.type) != bytes) refuse("reads what is no register of its type");
    return o.slot;
  }
  void to(std::size_t k, std::size_t operand_at, std::size_t bytes) { it_.to[k] = target(operand(operand_at), bytes); }
  void from(std::size_t k, std::size_t operand_at, std::size_t bytes) {
    it_.from[k] = source(operand(operand_at), bytes);
    it_.negated[k] = operand(operand_at).negated;
  }
  void plain(Run run, std::size_t sources) {
    const std::size_t bytes = bytes_of(type_);
    it_.run = run;
    to(0, 0, bytes);
    for (std::size_t k = 0; k < sources; ++k) from(k, k + 1, bytes);
  }

  bool arithmetic(std::string_view name) {
    const bool flush = has("ftz");
    if (name == "add")
      plain(two<Add>(type_), 2);
    else if (name == "sub")
      plain(two<Subtract>(type_), 2);
    else if (name == "div")
      plain(two<Divide>(type_), 2);
    else if (name == "rem")
      plain(two<Remainder>(type_), 2);
    else if (name == "min")
      plain(two<Least>(type_), 2);
    else if (name == "max")
      plain(two<Largest>(type_), 2);
    else if (name == "copysign")
      plain(two<CopySign>(type_), 2);
    else if (name == "fma")
      plain(three<MultiplyAdd>(type_), 3);
    else if (name == "neg")
      plain(one<Negative>(type_), 1);
    else if (name == "abs")
      plain(one<Absolute>(type_), 1);
    else if (name == "sqrt")
      plain(one<Real<RootOf>>(type_), 1);
    else if (name == "rsqrt")
      plain(one<Real<InverseRootOf>>(type_), 1);
    else if (name == "rcp")
      plain(flush ? one<Real<InverseOfFlushed>>(type_) : one<Real<InverseOf>>(type_), 1);
    else if (name == "ex2")
      plain(flush ? one<Real<PowerOfTwoFlushed>>(type_) : one<Real<PowerOfTwo>>(type_), 1);
    else if (name == "lg2")
      plain(one<Real<LogarithmOfTwo>>(type_), 1);
    else if (name == "sin")
      plain(one<Real<SineOf>>(type_), 1);
    else if (name == "cos")
      plain(one<Real<CosineOf>>(type_), 1);
    else if (name == "tanh")
      plain(one<Real<TangentOf>>(type_), 1);
    else if (name == "mul" || name == "mad")
      multiply(name == "mad");
    else if (name == "setp")
      comparison();
    else if (name == "selp") {
      plain(pick(type_, nullptr, run_select<u16>, run_select<u16>, run_select<u32>, run_select<u32>, run_select<u64>,
                 run_select<u64>, run_select<u32>, run_select<u64>),
            2);
      from(2, 3, 1);
    } else
      return false;
    return true;
  }
  void multiply(bool more) {
    if (has("wide")) {
      const std::size_t bytes = bytes_of(type_);
      it_.run = more ? pick(type_, nullptr, run_wide<u16, true>, run_wide<s16, true>, run_wide<u32, true>,
                            run_wide<s32, true>, nullptr, nullptr, nullptr, nullptr)
                     : pick(type_, nullptr, run_wide<u16, false>, run_wide<s16, false>, run_wide<u32, false>,
                            run_wide<s32, false>, nullptr, nullptr, nullptr, nullptr);
      to(0, 0, 2 * bytes);
      from(0, 1, bytes);
      from(1, 2, bytes);
      if (more) from(2, 3, 2 * bytes);
    } else if (has("hi")) {
      plain(more ? three<MultiplyHighAdd>(type_) : two<MultiplyHigh>(type_), more ? 3 : 2);
    } else {
      plain(more ? three<MultiplyAdd>(type_) : two<Multiply>(type_), more ? 3 : 2);
    }
  }
  void comparison() {
    const std::size_t bytes = bytes_of(type_);
    it_.run = comparing(parts_.at(1), type_);
    it_.choice = has("and") ? with_and : has("or") ? with_or : has("xor") ? with_xor : alone;
    to(0, 0, 1);
    if (!operand(0).parts.empty()) it_.to[1] = target(operand(0).parts[0], 1);
    from(0, 1, bytes);
    from(1, 2, bytes);
    if (it_.choice != alone) from(2, 3, 1);
  }

  bool bits(std::string_view name) {
    const std::size_t bytes = bytes_of(type_);
    if (name == "and" || name == "or" || name == "xor") {
      const bool pred = type_ == Type::pred;
      if (name == "and")
        plain(pred ? run_predicates<And> : two<And>(type_), 2);
      else if (name == "or")
        plain(pred ? run_predicates<Or> : two<Or>(type_), 2);
      else
        plain(pred ? run_predicates<ExclusiveOr> : two<ExclusiveOr>(type_), 2);
    } else if (name == "not") {
      plain(type_ == Type::pred ? run_not : one<Not>(type_), 1);
    } else if (name == "shl" || name == "shr") {
      plain(name == "shl" ? shifting<true>(type_) : shifting<false>(type_), 1);
      from(1, 2, 4);
    } else if (name == "brev") {
      plain(type_ == Type::b32 ? run_one<Reversed, u32> : run_one<Reversed, u64>, 1);
    } else if (name == "popc" || name == "clz") {
      it_.run = name == "clz" ? (bytes == 4 ? run_leading<u32> : run_leading<u64>)
                : bytes == 4  ? run_count
                              : run_count_long;
      to(0, 0, 4);
      from(0, 1, bytes);
    } else if (name == "bfi") {
      plain(bytes == 4 ? run_insert<u32> : run_insert<u64>, 2);
      from(2, 3, 4);
      from(3, 4, 4);
    } else if (name == "bfe") {
      plain(pick(type_, nullptr, nullptr, nullptr, run_extract<u32>, run_extract<s32>, run_extract<u64>,
                 run_extract<s64>, nullptr, nullptr),
            1);
      from(1, 2, 4);
      from(2, 3, 4);
    } else if (name == "bmsk") {
      it_.choice = has("wrap");
      plain(run_mask, 2);
    } else if (name == "shf") {
      it_.choice = (has("l") ? 1 : 0) | (has("clamp") ? 2 : 0);
      plain(run_funnel, 3);
    } else if (name == "lop3") {
      plain(run_table, 4);
    } else if (name == "prmt") {
      if (parts_.size() != 2) refuse("has a mode, which is not known here");
      plain(run_permute, 3);
    } else {
      return false;
    }
    return true;
  }

  bool moves(std::string_view name) {
    const std::size_t bytes = bytes_of(type_);
    if (name == "mov") {
      if (operand(0).kind == Operand::Kind::many)
        spread(bytes);
      else if (operand(1).kind == Operand::Kind::many)
        gather(bytes);
      else if (type_ == Type::pred)
        plain(run_move_predicate, 1);
      else if (operand(1).kind == Operand::Kind::reg && bytes_of(operand(1).type) != bytes)
        refuse("reads a register of another size");
      else
        plain(one<Same>(type_), 1);
    } else if (name == "cvt") {
      convert();
    } else if (name == "cvta") {
      it_.space = space();
      plain(has("to")    ? (bytes == 8 ? run_address<u64, true> : run_address<u32, true>)
            : bytes == 8 ? run_address<u64, false>
                         : run_address<u32, false>,
            1);
    } else if (name == "isspacep") {
      it_.space = space();
      it_.run = run_is_space;
      to(0, 0, 1);
      from(0, 1, 8);
    } else {
      return false;
    }
    return true;
  }
  void gather(std::size_t bytes) {
    const std::vector<Operand>& parts = operand(1).parts;
    it_.run = run_pack;
    it_.many = static_cast<u8>(parts.size());
    it_.width = static_cast<u8>(bytes / parts.size());
    to(0, 0, bytes);
    for (std::size_t k = 0; k < parts.size(); ++k) it_.from.at(k) = source(parts[k], it_.width);
  }
  void spread(std::size_t bytes) {
    const std::vector<Operand>& parts = operand(0).parts;
    it_.run = run_unpack;
    it_.many = static_cast<u8>(parts.size());
    it_.width = static_cast<u8>(bytes / parts.size());
    from(0, 1, bytes);
    for (std::size_t k = 0; k < parts.size(); ++k) it_.to.at(k) = target(parts[k], it_.width);
  }
  void convert() {
    std::vector<Type> both;
    for (const std::string_view part : parts_)
      if (const Type t = type_named(part); t != Type::none) both.push_back(t);
    if (both.size() != 2) refuse("is not known here: it has not two types");
    const bool real = (both[0] == Type::f32 || both[0] == Type::f64) && both[0] == both[1];
    if ((has("sat") && !real) || has("relu") || has("satfinite")) refuse("is not known here");
    const auto as_number = [](Type t) {
      return t == Type::b16 ? Type::u16 : t == Type::b32 ? Type::u32 : t == Type::b64 ? Type::u64 : t;
    };
    it_.run = conversion(as_number(both[0]), as_number(both[1]));
    it_.choice = has("sat")   ? into_one
                 : has("rni") ? nearest
                 : has("rzi") ? to_zero
                 : has("rmi") ? down
                 : has("rpi") ? up
                              : as_is;
    const std::size_t wide_to = bytes_of(operand(0).type);
    if (wide_to < bytes_of(both[0])) refuse("writes a register that is too small");
    it_.many = static_cast<u8>(wide_to);
    it_.to[0] = operand(0).slot;
    const std::size_t wide_from = operand(1).kind == Operand::Kind::reg ? bytes_of(operand(1).type) : bytes_of(both[1]);
    if (wide_from < bytes_of(both[1])) refuse("reads a register that is too small");
    it_.width = static_cast<u8>(wide_from);
    from(0, 1, wide_from);
  }

  Space space() const {
    if (has("global") || has("const")) return Space::global;
    for (const std::string_view part : parts_) {
      if (part.substr(0, 6) == "shared") return Space::shared;
      if (part.substr(0, 5) == "param") return Space::param;
    }
    return has("local") ? Space::local : Space::generic;
  }
  /// Slot of an address's base, whatever it is; its number is in `offset`.
  Slot address(const Operand& o) {
    if (o.kind != Operand::Kind::address) refuse("has no address where one should be");
    it_.offset = o.offset;
    if (o.parts.empty()) {
      it_.width = 8;
      return slots_.constant(o.bits, 8);
    }
    it_.width = static_cast<u8>(bytes_of(o.parts[0].type));
    if (it_.width != 4 && it_.width != 8) refuse("has an address of another size than 4 or 8 bytes");
    return o.parts[0].slot;
  }

  bool memories(std::string_view name) {
    if (name == "ld" || name == "ldu")
      load();
    else if (name == "st")
      store();
    else if (name == "atom" || name == "red")
      atom(name == "red");
    else if (name == "cp")
      copy_async();
    else if (name == "membar" || name == "fence" || name == "nanosleep" || name == "prefetch" ||
             name == "griddepcontrol" || name == "discard")
      it_.run = run_nothing;
    else if (name == "trap" || name == "brkpt")
      it_.run = run_trap;
    else
      return false;
    return true;
  }
  static const std::vector<Operand> parts_of(const Operand& o) {
    return o.kind == Operand::Kind::many ? o.parts : std::vector<Operand>{o};
  }
  bool is_atomic() const { return has("volatile") || has("relaxed") || has("acquire") || has("release"); }
  void load() {
    it_.space = space();
    it_.atomic = is_atomic();
    it_.from[0] = address(operand(1));
    const std::vector<Operand> parts = parts_of(operand(0));
    it_.many = static_cast<u8>(parts.size());
    std::size_t bytes = bytes_of(type_);
    for (const Operand& o : parts)
      if (o.kind == Operand::Kind::reg) bytes = bytes_of(o.type);
    if (bytes < bytes_of(type_)) refuse("reads into a register that is too small");
    it_.choice = static_cast<int>(bytes);
    for (std::size_t k = 0; k < parts.size(); ++k) it_.to.at(k) = target(parts[k], bytes);
    switch (type_) {
      case Type::u8:
      case Type::b8:
        it_.run = run_load<u8>;
        break;
      case Type::s8:
        it_.run = run_load<s8>;
        break;
      default:
        it_.run = pick(type_, run_load<u16>, run_load<u16>, run_load<s16>, run_load<u32>, run_load<s32>, run_load<u64>,
                       run_load<s64>, run_load<u32>, run_load<u64>);
    }
  }
  void store() {
    it_.space = space();
    it_.writes = true;
    it_.atomic = is_atomic();
    it_.to[0] = address(operand(0));
    const std::vector<Operand> parts = parts_of(operand(1));
    it_.many = static_cast<u8>(parts.size());
    std::size_t bytes = bytes_of(type_);
    for (const Operand& o : parts)
      if (o.kind == Operand::Kind::reg) bytes = bytes_of(o.type);
    if (bytes < bytes_of(type_)) refuse("writes from a register that is too small");
    it_.choice = static_cast<int>(bytes);
    for (std::size_t k = 0; k < parts.size(); ++k) it_.from.at(k) = source(parts[k], bytes);
    switch (bytes_of(type_)) {
      case 1:
        it_.run = run_store<u8>;
        break;
      case 2:
        it_.run = run_store<u16>;
        break;
      case 4:
        it_.run = run_store<u32>;
        break;
      default:
        it_.run = run_store<u64>;
    }
  }
  void copy_async() {
    if (!has("async") || has("bulk")) refuse("is not known here");
    if (has("wait_all")) {
      it_.run = run_wait_for_copies;
      return;
    }
    if (!has("shared") || !has("global") || operands_.size() != 4 || operand(2).kind != Operand::Kind::number)
      refuse("is not known here");
    it_.run = run_copy_async;
    it_.space = Space::shared;
    it_.writes = true;
    it_.from[0] = address(operand(1));
    it_.other = it_.offset;
    it_.many = it_.width;
    it_.to[0] = address(operand(0));
    it_.choice = static_cast<int>(operand(2).bits);
    if (it_.choice != 16 && (has("cg") || (it_.choice != 4 && it_.choice != 8))) refuse("is of so many bytes nowhere");
    from(1, 3, 4);
  }
  int which_atom() const {
    return has("exch")  ? exchange
           : has("add") ? add
           : has("min") ? least
           : has("max") ? largest
           : has("and") ? bit_and
           : has("or")  ? bit_or
           : has("xor") ? bit_xor
           : has("cas") ? swap
           : has("inc") ? up_to
                        : down_from;
  }
  void atom(bool silent) {
    const std::size_t first = silent ? 0 : 1, bytes = bytes_of(type_);
    it_.space = space();
    it_.writes = it_.atomic = true;
    it_.choice = which_atom();
    it_.run = pick(type_, nullptr, nullptr, nullptr, run_atom<u32>, run_atom<s32>, run_atom<u64>, run_atom<s64>,
                   run_atom<float>, run_atom<double>);
    if (!silent) to(0, 0, bytes);
    it_.from[0] = address(operand(first));
    from(1, first + 1, bytes);
    if (it_.choice == swap) from(2, first + 2, bytes);
  }

  void meets(Run run, const Operand* mask) {
    it_.kind = Instruction::Kind::meeting;
    it_.run = run;
    it_.from[9] = mask != nullptr ? source(*mask, 4) : slots_.constant(everyone, 4);
  }
  bool together(std::string_view name) {
    if (name == "shfl") {
      it_.choice = has("up")     ? shuffle_up
                   : has("down") ? shuffle_down
                   : has("bfly") ? shuffle_butterfly
                                 : shuffle_index;
      to(0, 0, 4);
      if (!operand(0).parts.empty()) it_.to[1] = target(operand(0).parts[0], 1);
      for (std::size_t k = 0; k < 3; ++k) from(k, k + 1, 4);
      meets(run_shuffle, &operand(4));
    } else if (name == "vote") {
      it_.choice = has("ballot") ? ballot : has("any") ? vote_any : has("all") ? vote_all : vote_uniform;
      to(0, 0, it_.choice == ballot ? 4 : 1);
      from(0, 1, 1);
      meets(run_vote, &operand(2));
    } else if (name == "match") {
      if (!has("any")) refuse("is not known here");
      to(0, 0, 4);
      from(0, 1, bytes_of(type_));
      meets(bytes_of(type_) == 4 ? run_match<u32> : run_match<u64>, &operand(2));
    } else if (name == "redux") {
      it_.choice = which_atom();
      to(0, 0, 4);
      from(0, 1, 4);
      meets(type_ == Type::s32 ? run_reduce<s32> : run_reduce<u32>, &operand(2));
    } else if (name == "activemask") {
      it_.run = run_active;
      to(0, 0, 4);
    } else if (name == "bar" || name == "barrier") {
      barrier();
    } else if (name == "ldmatrix") {
      load_matrices();
    } else if (name == "mma") {
      multiply_matrices();
    } else {
      return false;
    }
    return true;
  }
  void barrier() {
    if (has("warp")) {
      it_.kind = Instruction::Kind::warp_barrier;
      it_.from[9] = source(operand(0), 4);
      return;
    }
    it_.kind = Instruction::Kind::barrier;
    std::size_t at = 0;
    if (has("red")) {
      it_.choice = has("or") ? 1 : has("and") ? 2 : 3;
      to(0, 0, has("popc") ? 4 : 1);
      from(2, operands_.size() - 1, 1);
      at = 1;
    } else if (!has("sync")) {
      refuse("is not known here");
    }
    from(0, at, 4);
    it_.many = operands_.size() > at + (has("red") ? 2 : 1);
    if (it_.many != 0) from(1, at + 1, 4);
  }
  void load_matrices() {
    if (!has("b16") || !has("m8n8")) refuse("is not known here");
    it_.space = space();
    it_.many = has("x4") ? 4 : has("x2") ? 2 : 1;
    it_.choice = has("trans");
    const std::vector<Operand> parts = parts_of(operand(0));
    for (std::size_t k = 0; k < parts.size(); ++k) it_.to.at(k) = target(parts[k], 4);
    it_.from[0] = address(operand(1));
    meets(run_load_matrices, nullptr);
  }
  void multiply_matrices() {
    const bool bf16 = has("bf16");
    if ((!bf16 && !has("f16")) || !has("row") || !has("col") || (!has("m16n8k16") && !has("m16n8k8")) ||
        parts_.back() != "f32" || parts_.at(parts_.size() - 4) != "f32")
      refuse("is not known here");
    it_.many = has("m16n8k16") ? 16 : 8;
    for (std::size_t k = 0; k < 4; ++k) it_.to[k] = target(operand(0).parts.at(k), 4);
    for (std::size_t k = 0; k < it_.many / 4u; ++k) it_.from[k] = source(parts_of(operand(1)).at(k), 4);
    for (std::size_t k = 0; k < it_.many / 8u; ++k) it_.from[4 + k] = source(parts_of(operand(2)).at(k), 4);
    for (std::size_t k = 0; k < 2; ++k) it_.from[6 + k] = source(operand(3).parts.at(k), 4);
    for (std::size_t k = 2; k < 4; ++k) it_.to[4 + k] = source(operand(3).parts.at(k), 4);
    meets(bf16 ? run_mma<true> : run_mma<false>, nullptr);
  }

  Instruction& it_;
  std::string_view opcode_;
  std::vector<Operand>& operands_;
  Slots& slots_;
  std::vector<std::string_view> parts_;
  Type type_ = Type::none;
};

}  // namespace

void decode(Instruction& made, std::string_view opcode, std::vector<Operand>& operands, Slots& slots) {
  Decoder(made, opcode, operands, slots).decode();
}

}  // namespace ptx
