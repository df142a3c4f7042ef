// Tar files made by hand, in pieces of every size.
#include "formats/neuron/neff_file.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace sightline::formats::neuron {

namespace {

// A member: its header, its bytes, its padding.
std::string member(const std::string& name, const std::string& data, char kind = '0', const std::string& prefix = "") {
  std::string header(512, '\0');
  header.replace(0, name.size(), name);
  char octal[13];
  std::snprintf(octal, sizeof octal, "%011zo", data.size());
  header.replace(124, 11, octal);
  header[156] = kind;
  header.replace(257, 5, "ustar");
  header.replace(345, prefix.size(), prefix);
  header.replace(148, 8, 8, ' ');
  unsigned sum = 0;
  for (const char byte : header) sum += static_cast<unsigned char>(byte);
  std::snprintf(octal, sizeof octal, "%06o", sum);
  header.replace(148, 7, octal, 7);
  return header + data + std::string((512 - data.size() % 512) % 512, '\0');
}

TarMembers read_neff(const std::string& bytes, std::size_t piece) {
  TarMembers tar;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    if (!tar.add(bytes.data() + at, std::min(piece, bytes.size() - at))) break;
  }
  return tar;
}

using Members = std::vector<std::pair<std::string, std::uint64_t>>;

TEST(TarMembers, PiecesOfAnySize) {
  const std::string end(1024, '\0');
  const std::string bytes =
      member("sg00/info.json", "{\"a\": 1}") + member("folder/", "", '5') + member("pe.bin", std::string(700, 'x')) +
      member("././@LongLink", std::string("a/very/long/name") + '\0', 'L') + member("cut", "12") +
      member("last", "", '0', "behind") + member("x", "29 path=a/name/of/pax.json\n", 'x') + member("y", "3") + end;
  for (const std::size_t piece : {1ul, 7ul, 511ul, 512ul, 513ul, bytes.size()}) {
    TarMembers tar = read_neff(bytes, piece);
    EXPECT_TRUE(tar.ended()) << tar.damage();
    EXPECT_EQ(
        tar.take_members(),
        (Members{
            {"sg00/info.json", 8}, {"pe.bin", 700}, {"a/very/long/name", 2}, {"behind/last", 0}, {"a/name/of/pax.json", 1}}));
    const auto documents = tar.take_documents();
    ASSERT_EQ(documents.size(), 1u);
    EXPECT_EQ(documents[0].second, "{\"a\": 1}");
  }
}

TEST(TarMembers, NamesDamageAndKeepsWhatCameBefore) {
  std::string bytes = member("a", "1") + member("b", "2");
  bytes[1024 + 3] = 'x';
  TarMembers tar = read_neff(bytes, 100);
  EXPECT_FALSE(tar.ended());
  EXPECT_EQ(tar.damage(), "a header whose checksum is wrong (byte 1024 of the unpacked archive)");
  EXPECT_EQ(tar.take_members(), (Members{{"a", 1}}));
  EXPECT_FALSE(read_neff(member("a", "1"), 512).ended()) << "the two empty blocks are missing";
}

}  // namespace
}  // namespace sightline::formats::neuron
