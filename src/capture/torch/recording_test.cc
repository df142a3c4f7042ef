// The search for the file of a recorded process, and its content.
#include "capture/torch/recording.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/input_file.h"
#include "capture/result_files.h"
#include "tests/support/temporary_folder.h"

namespace sightline::capture {

using namespace tests;
namespace {

void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

TEST(TraceSearch, AFileThatIsRenamedIsWholeOnceItStaysTheSame) {
  const TemporaryFolder folder;
  TraceSearch search(folder.path() + "/trace.json", 12);
  EXPECT_FALSE(search.look());
  EXPECT_FALSE(search.begun());
  write(folder.path() + "/trace_12.json.tmp", "{");
  EXPECT_FALSE(search.look());
  EXPECT_TRUE(search.begun());
  write(folder.path() + "/trace_12.json", "{\"traceEvents\": []}\n");
  EXPECT_FALSE(search.look()->whole);
  EXPECT_TRUE(search.look()->whole);
}

TEST(TraceSearch, AFileThatIsWrittenInPlaceIsWholeWhenItEndsAsATraceDoes) {
  const TemporaryFolder folder;
  TraceSearch search(folder.path() + "/trace.json", 12);
  write(folder.path() + "/trace_12.json", "{\"traceEvents\": [");
  EXPECT_FALSE(search.look()->whole);
  EXPECT_FALSE(search.look()->whole);
  write(folder.path() + "/trace_12.json", "{\"traceEvents\": [{}");
  EXPECT_FALSE(search.look()->whole);  // it grew: this bracket is not the last
  write(folder.path() + "/trace_12.json", "{\"traceEvents\": [{}]}");
  EXPECT_FALSE(search.look()->whole);
  EXPECT_TRUE(search.look()->whole);
}

TEST(TraceSearch, FindsTheFileOfAProcessThatEnded) {
  const TemporaryFolder folder;
  const TraceSearch search(folder.path() + "/trace.json", 12);
  EXPECT_FALSE(search.remains());
  write(folder.path() + "/trace_12.json.tmp", "{\"traceEvents\": [{");
  ASSERT_TRUE(search.remains());
  EXPECT_FALSE(search.remains()->whole);
}

TEST(TraceSearch, OtherPlaceOfNewerReleases) {
  const TemporaryFolder folder;
  const std::string elsewhere = "/tmp/libkineto_activities_999999999.json";  // no process has this number
  write(elsewhere, "{\"traceEvents\": []}");
  TraceSearch search(folder.path() + "/trace.json", 999999999);
  EXPECT_FALSE(search.look()) << "it is of another time";
  std::filesystem::last_write_time(elsewhere, std::filesystem::file_time_type::clock::now() + std::chrono::seconds(1));
  EXPECT_TRUE(search.look());
  EXPECT_EQ(search.look()->path, elsewhere);
  std::filesystem::remove(elsewhere);
}

TEST(TraceFile, OperatorsAreFoundAcrossBlocks) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/trace.json";
  for (const std::size_t before :
       {std::size_t{0}, (std::size_t{1} << 20) - 7, std::size_t{1} << 20, (std::size_t{2} << 20) - 25}) {
    write(path, std::string(before, ' ') + "\"cat\": \"cpu_op\"");
    EXPECT_TRUE(holds_operators(path)) << before;
  }
  write(path, std::string(3 << 20, ' ') + "\"cat\": \"python_function\"");
  EXPECT_FALSE(holds_operators(path));
}

TEST(TraceFile, Rank) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/trace.json";
  write(path, "{\"distributedInfo\": {\"backend\": \"gloo\", \"rank\": 3, \"world_size\": 4}}");
  EXPECT_EQ(rank_in(path), 3);
  write(path, "{\"traceEvents\": [{\"rank\": 3}]}");
  EXPECT_EQ(rank_in(path), std::nullopt);
}

TEST(PackedFile, HoldsTheSameBytesInOneOrManyPieces) {
  const TemporaryFolder folder;
  for (const std::size_t size : {std::size_t{0}, std::size_t{5}, std::size_t{16} << 20, (std::size_t{33} << 20) + 1}) {
    std::string text(size, 'x');
    for (std::size_t i = 0; i < size; i += 1000) text[i] = static_cast<char>('a' + i / 1000 % 26);
    write(folder.path() + "/plain", text);
    const std::string packed = folder.path() + "/packed" + std::to_string(size);
    ASSERT_TRUE(store_packed(folder.path() + "/plain", packed).ok());
    const Result<std::string> back = read_head(packed, size + 1);
    ASSERT_TRUE(back.ok());
    EXPECT_TRUE(*back == text) << size;
    const std::string again = packed + "_again";  // a packed file stays unchanged
    ASSERT_TRUE(store_packed(packed, again).ok());
    if (size > 0) {
      EXPECT_EQ(std::filesystem::file_size(again), std::filesystem::file_size(packed));
    }
  }
}

}  // namespace

}  // namespace sightline::capture
