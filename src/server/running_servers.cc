// One record per server (store/file_io.h), which that server keeps locked.
#include "server/running_servers.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>

#include "store/file_io.h"

namespace sightline::server {

namespace {

constexpr std::size_t kMostBytes = 1 << 20;

std::string list_folder(const std::string& folder) { return folder + "/servers"; }

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

// Whether the server that made the file has ended. Unknown if files cannot be locked.
bool is_left_behind(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool free = ::flock(fd, LOCK_EX | LOCK_NB) == 0;
  ::close(fd);
  return free;
}

std::optional<RunningServer> read_server(const std::string& path) {
  const std::optional<std::string> text = read_small_file(path, kMostBytes);
  const std::optional<Record> record = text ? parse_record(*text) : std::nullopt;
  if (!record) return std::nullopt;
  return RunningServer{.address = std::string(record_value(*record, "address")),
                       .machine = std::string(record_value(*record, "machine")),
                       .pid = record_number(*record, "pid", 0),
                       .shows = std::string(record_value(*record, "shows"))};
}

}  // namespace

std::string machine_name() {
  char name[256] = "localhost";
  gethostname(name, sizeof name - 1);
  return name;
}

ServerEntry::ServerEntry(const std::string& folder) {
  if (folder.empty() || !make_folder(list_folder(folder))) return;
  path_ = unfinished_name(list_folder(folder) + "/");
  fd_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd_ >= 0) ::flock(fd_, LOCK_EX | LOCK_NB);
}

bool ServerEntry::publish(const std::string& address, const std::string& shows) {
  if (fd_ < 0) return false;
  const Record record{{"address", address}, {"machine", machine_name()}, {"pid", std::to_string(::getpid())}, {"shows", shows}};
  const std::string name = path_.substr(0, path_.rfind('/') + 1) + machine_name() + "." + std::to_string(::getpid());
  if (!write_all(fd_, record_text(record)) || ::rename(path_.c_str(), name.c_str()) != 0) return false;
  path_ = name;
  return true;
}

void ServerEntry::remove() {
  if (fd_ < 0) return;
  ::unlink(path_.c_str());
  ::close(fd_);
  fd_ = -1;
}

std::vector<RunningServer> running_servers(const std::string& folder) {
  std::vector<RunningServer> servers;
  std::error_code failed;
  for (const auto& file : std::filesystem::directory_iterator(list_folder(folder), failed)) {
    const std::string path = file.path().string();
    if (is_unfinished(path)) continue;  // of a server that is just starting
    if (is_left_behind(path)) {
      ::unlink(path.c_str());
    } else if (std::optional<RunningServer> server = read_server(path)) {
      servers.push_back(*std::move(server));
    }
  }
  std::sort(servers.begin(), servers.end(), [](const auto& a, const auto& b) { return a.address < b.address; });
  return servers;
}

}  // namespace sightline::server
