// The list of a user's running servers. Each server writes its address, which holds its token, into its own file, which only
// this user can read, and keeps the file locked: the system releases the lock of a server that was killed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sightline::server {

struct RunningServer {
  std::string address;   // with the token
  std::string machine;   // machines that share the home folder share the list
  std::int64_t pid = 0;  // on that machine
  std::string shows;     // the paths it was given; empty: all profiles of the cache
};

// One entry of the list, until it is removed or the program ends.
class ServerEntry {
 public:
  // `folder`: the cache's, in which the list is kept; empty: there is no list.
  explicit ServerEntry(const std::string& folder);
  ~ServerEntry() { remove(); }
  ServerEntry(const ServerEntry&) = delete;
  ServerEntry& operator=(const ServerEntry&) = delete;

  // False where nothing can be written, so that the server will not be on the list.
  bool possible() const { return fd_ >= 0; }

  // Puts this process on the list. False when it cannot be written.
  bool publish(const std::string& address, const std::string& shows);

  void remove();

 private:
  std::string path_;  // where the file is now
  int fd_ = -1;
};

// The running servers, sorted by address. Removes the files of servers that have ended.
std::vector<RunningServer> running_servers(const std::string& folder);

// The name of this machine.
std::string machine_name();

}  // namespace sightline::server
