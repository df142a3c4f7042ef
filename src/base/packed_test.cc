// Packing: an unpacked value equals the packed one, and bytes that are cut or too long give no value.
#include "base/packed.h"

#include <gtest/gtest.h>

namespace sightline::base {

struct PackedLeaf {
  std::string name;
  std::optional<double> share;
  friend bool operator==(const PackedLeaf&, const PackedLeaf&) = default;
};
SIGHTLINE_MEMBERS(PackedLeaf, name, share)

struct PackedTree {
  std::int64_t rows = 0;
  std::vector<std::variant<std::monostate, PackedLeaf, std::vector<std::int32_t>>> parts;
  std::vector<std::pair<std::string, bool>> flags;
  friend bool operator==(const PackedTree&, const PackedTree&) = default;
};
SIGHTLINE_MEMBERS(PackedTree, rows, parts, flags)

namespace {

PackedTree some_tree() {
  return {.rows = -7,
          .parts = {std::monostate(), PackedLeaf{"leaf", 0.5}, std::vector<std::int32_t>{1, -2, 3}, PackedLeaf{"", std::nullopt}},
          .flags = {{"yes", true}, {"no", false}}};
}

// nullopt when the bytes are not those of a tree.
std::optional<PackedTree> tree_in(const std::string& bytes) {
  std::optional<PackedTree> tree(std::in_place);
  Unpacker unpacker(std::as_bytes(std::span(bytes)));
  if (!unpacker.get(*tree) || !unpacker.at_end()) tree.reset();
  return tree;
}

std::string packed(const PackedTree& tree) {
  Packer packer;
  packer.add(tree);
  return packer.take();
}

TEST(Packed, ComesBackEqual) {
  EXPECT_EQ(tree_in(packed(some_tree())), some_tree());
  EXPECT_EQ(tree_in(packed(PackedTree())), PackedTree());
}

TEST(Packed, CutOrLongerBytesGiveNothing) {
  const std::string whole = packed(some_tree());
  for (std::size_t size = 0; size < whole.size(); ++size) EXPECT_EQ(tree_in(whole.substr(0, size)), std::nullopt) << size;
  EXPECT_EQ(tree_in(whole + "x"), std::nullopt);
  EXPECT_EQ(tree_in(std::string(64, '\xff')), std::nullopt);  // lists longer than the bytes
}

}  // namespace
}  // namespace sightline::base
