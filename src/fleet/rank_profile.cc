#include "fleet/rank_profile.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include "base/private_folder.h"
#include "base/remote/stored_files.h"
#include "store/content_key.h"
#include "store/file_checksum.h"
#include "store/profile_file.h"

namespace sightline::fleet {

namespace {

Error cannot_write(int reason, const std::string& path) {
  return {ErrorCode::unreadable, Message::verbatim(std::strerror(reason)), path};
}

// The bytes of the file.
Result<std::int64_t> write_here(const Profile& profile, const Record& about, const std::string& path) {
  static const std::atomic<bool> go_on{false};
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return cannot_write(errno, path);
  const Result<bool> written = write_profile_file(file, profile, about, profile_fingerprint(), go_on);
  const std::int64_t bytes = ::lseek(file, 0, SEEK_END);
  const bool closed = ::close(file) == 0;
  if (!written) return Error{written.error().code, written.error().message, path};
  if (!closed || bytes < 0) return cannot_write(errno, path);
  return bytes;
}

}  // namespace

Result<LakeFile> write_rank_profile(const Profile& profile, const Record& about, const std::string& lake,
                                    const std::string& path) {
  const Result<PrivateFolder> folder = PrivateFolder::make("fleet");
  if (!folder) return folder.error();
  const std::string made = folder->path() + "/rank.arrow";
  const Result<std::int64_t> bytes = write_here(profile, about, made);
  if (!bytes) return bytes.error();
  const Result<std::uint64_t> sum = checksum_of_file(made);
  if (!sum) return sum.error();
  if (const Result<bool> stored = store_copy(path_in(lake, path), made); !stored) return stored.error();
  return LakeFile{path, static_cast<std::int64_t>(profile.slices.rows()), *bytes, hex(*sum)};
}

}  // namespace sightline::fleet
