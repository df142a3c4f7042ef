// Mapped bytes do not change, even when other programs change the file.
#include "store/mapped_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "tests/support/sanitized.h"
#include "tests/support/temporary_folder.h"

namespace sightline::store {

using namespace tests;
namespace {

namespace fs = std::filesystem;

class Mapped : public testing::Test {
 protected:
  Mapped() {
    for (std::size_t i = 0; i < text_.size(); ++i) text_[i] = static_cast<char>('a' + i / 4096 % 26);
  }
  void write() {
    std::ofstream(path_, std::ios::binary) << text_;
    fs::permissions(path_, fs::perms(0600));
  }
  static std::string bytes_of(const MappedFile& file) {
    return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.path() + "/file";
  std::string text_ = std::string(40 * 4096 + 100, '\0');
};

TEST_F(Mapped, BytesStayWhenTheFileIsTruncatedOrWrittenToOrRemoved) {
  const std::function<void()> changes[] = {
      [&] { fs::resize_file(path_, 0); },
      [&] { fs::resize_file(path_, 5000); },
      [&] { std::fstream(path_, std::ios::in | std::ios::out | std::ios::binary) << std::string(50'000, '!'); },
      [&] { std::ofstream(path_, std::ios::binary) << "short"; },
      [&] { fs::remove(path_); },
  };
  if (kSignalsComeLate) GTEST_SKIP() << "the signal that says that a file is about to change comes too late";
  for (const auto& change : changes) {
    write();
    const auto file = MappedFile::open(path_), again = MappedFile::open(path_);
    ASSERT_NE(file, nullptr);
    change();
    EXPECT_TRUE(bytes_of(*file) == text_);
    EXPECT_TRUE(bytes_of(*again) == text_);
  }
}

// Such a file gets no lease, so the bytes are a copy from the beginning.
TEST_F(Mapped, BytesStayWhenTheFileWasOpenForWritingBefore) {
  write();
  const int fd = ::open(path_.c_str(), O_RDWR | O_CLOEXEC);
  const auto file = MappedFile::open(path_);
  ASSERT_NE(file, nullptr);
  ASSERT_EQ(::ftruncate(fd, 0), 0);
  ::close(fd);
  EXPECT_TRUE(bytes_of(*file) == text_);
}

// A reader that opens the file during a write may get incomplete bytes. They do not change any more, and checksums detect them.
TEST_F(Mapped, ManyReadersDoNotNoticeThatAFileIsTruncatedRepeatedly) {
  std::atomic<bool> ended{false};
  std::atomic<int> opened{0}, wrong{0};
  write();
  std::vector<std::thread> readers;
  for (int reader = 0; reader < 3; ++reader) {
    readers.emplace_back([&] {
      while (!ended) {
        const auto file = MappedFile::open(path_);
        if (file == nullptr) continue;
        const std::string first = bytes_of(*file), second = bytes_of(*file);
        wrong += first != second;
        ++opened;
      }
    });
  }
  for (int round = 0; round < 300 || opened < 100; ++round) {
    fs::resize_file(path_, static_cast<std::uintmax_t>(round * 977) % text_.size());
    write();
  }
  ended = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace sightline::store
