// tests > [text]
#include "entrain/text/tags/scheme.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "entrain/text/tags/spans.hpp"
#include "tests/text/enumerate.hpp"

namespace scheme_test {
using namespace entrain;
using namespace entrain::text;

namespace {

// The definition of a scheme with no rule in it: a sequence is valid if it is how some entities are written.
template <class S> std::set<std::vector<Tag>> written_sequences(std::uint32_t n) {
  std::set<std::vector<Tag>> valid;
  for (const auto& spans : test::all_entities(n)) {
    std::vector<Tag> tags(n);
    encode<S>(spans, tags);
    valid.insert(tags);
  }
  return valid;
}

template <class S> bool allowed(const std::vector<Tag>& tags) {
  bool ok = tags.empty() || (Allowed<S>::starts(tags.front()) && Allowed<S>::ends(tags.back()));
  for (std::size_t i = 1; i < tags.size(); ++i) ok = ok && Allowed<S>::follows(tags[i - 1], tags[i]);
  return ok;
}

}  // namespace

TEST_CASE_TEMPLATE("Allowed: lets pass exactly the sequences that some entities are written as", S, Io, Iob1, Bio,
                   Bioes, Bilou, Bmes) {
  for (std::uint32_t n = 0; n <= 4; ++n) {
    const auto valid = written_sequences<S>(n);
    test::all_sequences(n, 1 + 2 * S::parts,
                        [&](const std::vector<Tag>& tags) { CHECK(allowed<S>(tags) == valid.contains(tags)); });
  }
}

TEST_CASE_TEMPLATE("Tag ids: dense, and taken apart again, at 2,001 tags and more", S, Io, Iob1, Bio, Bioes, Bilou,
                   Bmes) {
  Tag next = 1;
  for (std::int32_t type = 0; type < 500; ++type)
    for (int part = 0; part < S::parts; ++part, ++next) {
      CHECK(make_tag<S>(type, part) == next);
      CHECK(tag_type<S>(next) == type);
      CHECK(tag_part<S>(next) == part);
    }
  CHECK(part_of<S>('O') == -1);
  CHECK(part_of<S>('?') == -1);
  for (int part = 0; part < S::parts; ++part) CHECK(part_of<S>(S::letters[static_cast<std::size_t>(part)]) == part);
}

TEST_CASE("Allowed: is known at compile time") {
  constexpr Tag b_per = make_tag<Bio>(0, Bio::begin), i_per = make_tag<Bio>(0, Bio::inside), i_loc = i_per + 2;
  static_assert(Allowed<Bio>::follows(b_per, i_per) && !Allowed<Bio>::follows(b_per, i_loc));
  static_assert(!Allowed<Bio>::starts(i_per) && Allowed<Bio>::ends(b_per));
  static_assert(!Allowed<Bioes>::ends(make_tag<Bioes>(499, Bioes::begin)));
}

TEST_CASE("scheme_by_name: takes every usual name in either case") {
  CHECK(scheme_by_name("IO") == SchemeId::io);
  CHECK(scheme_by_name("iob1") == SchemeId::iob1);
  for (auto name : {"bio", "BIO", "iob2", "IOB2"}) CHECK(scheme_by_name(name) == SchemeId::bio);
  for (auto name : {"bioes", "IOBES"}) CHECK(scheme_by_name(name) == SchemeId::bioes);
  for (auto name : {"bilou", "BILUO"}) CHECK(scheme_by_name(name) == SchemeId::bilou);
  CHECK(scheme_by_name("bmes") == SchemeId::bmes);
  for (auto id : all_schemes) CHECK(scheme_by_name(scheme_name(id)) == id);
}

TEST_CASE("scheme_by_name: an unknown name lists the known ones, and IOB asks which") {
  const auto message = [](std::string_view name) {
    try {
      scheme_by_name(name);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK(message("xyz") ==
        "entrain.text.20: --scheme: tag scheme 'xyz', expected io, iob1, iob2 (= bio), iobes (= bioes), bilou (= "
        "biluo) or "
        "bmes");
  CHECK(message("IOB") ==
        "entrain.text.20: --scheme: tag scheme 'IOB', expected io, iob1, iob2 (= bio), iobes (= bioes), bilou (= "
        "biluo) or "
        "bmes; IOB is ambiguous: use iob1 or iob2");
}

}  // namespace scheme_test
