// Damages a file of the cache as the input says: each five bytes are a place (four) and the change there (one); the
// remaining bytes truncate the file. After any damage, the file is refused or the profile is the one that was written.
// (The checksums are compared, as for every file whose identity has changed since it was written.)
#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <string_view>

#include "store/profile_file.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/random_profile.h"
#include "tests/support/temporary_folder.h"

namespace {

using namespace sightline::tests;

constexpr char kFingerprint[] = "fingerprint";
const std::atomic<bool> kGoOn{false};

void put_bytes(const std::string& path, std::string_view bytes) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (::write(fd, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) std::abort();
  ::close(fd);
}

struct Whole {
  TemporaryFolder folder;
  Profile profile = random_profile(1, 20);
  std::string path = folder.path() + "/file";
  std::string bytes;

  Whole() {
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
    if (!write_profile_file(fd, profile, {{"path", "somewhere"}}, kFingerprint, kGoOn).ok()) std::abort();
    bytes.resize(static_cast<std::size_t>(::lseek(fd, 0, SEEK_END)));
    if (::pread(fd, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) std::abort();
    ::close(fd);
  }
};

}  // namespace

FUZZ_TARGET(profile_file_fuzz, data, size) {
  static const Whole whole;
  std::string bytes = whole.bytes;
  for (; size >= 5; data += 5, size -= 5) {
    std::uint32_t place = 0;
    std::memcpy(&place, data, sizeof place);
    bytes[place % bytes.size()] = static_cast<char>(bytes[place % bytes.size()] ^ data[4]);
  }
  for (; size > 0; ++data, --size) bytes.resize(bytes.size() - bytes.size() * *data / 512);
  put_bytes(whole.path, bytes);
  const auto mapped = MappedFile::open(whole.path);
  if (mapped == nullptr) return 0;
  const Result<StoredProfile> stored = open_profile_file(mapped, kFingerprint, Trust::nothing);
  if (!stored) return 0;
  const std::string found = difference(whole.profile, *stored->profile);
  if (found.empty()) return 0;
  std::cerr << "another profile was read: " << found << "\n";
  std::abort();
}
