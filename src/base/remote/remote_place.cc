// The file systems that were made. A region is a bucket's own, so S3 has one for every bucket; Azure one for every account.
#include "base/remote/remote_place.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>

#include "base/remote/remote_file.h"

namespace sightline::base {

namespace {

constexpr double kSeconds = 60;

std::mutex mutex;
// Never destroyed: threads that were given up may still hold what is in it. Emptied by close_remote().
std::map<std::string, FileSystemPtr>& systems() {
  static auto* const made = new std::map<std::string, FileSystemPtr>;
  return *made;
}

// Where a program was built on another distribution than it runs on, its libraries look for certificates in the wrong place.
arrow::Status set_certificates() {
  static const arrow::Status set = arrow::fs::Initialize({.tls_ca_file_path = certificate_file(), .tls_ca_dir_path = {}});
  return set;
}

arrow::Result<FileSystemPtr> make_system(const RemotePath& path) {
  std::signal(SIGPIPE, SIG_IGN);  // a connection that the other side has closed is an error and not the end of the program
  ARROW_RETURN_NOT_OK(set_certificates());
  switch (path.cloud) {
    case Cloud::s3: return make_s3_system(path);
    case Cloud::google: return make_google_system(path);
    case Cloud::azure: return make_azure_system(path);
    case Cloud::hadoop: return make_hadoop_system(path);
  }
  return arrow::Status::NotImplemented("no such cloud");
}

std::string kind_of(const RemotePath& path) {
  const std::string cloud = std::to_string(static_cast<int>(path.cloud)) + " ";
  switch (path.cloud) {
    case Cloud::s3: return cloud + path.bucket;
    case Cloud::google: return cloud;
    case Cloud::azure: return cloud + path.account + " " + path.host;
    case Cloud::hadoop: return cloud + path.scheme + " " + path.host;
  }
  return cloud;
}

}  // namespace

double time_limit() { return variable_seconds("SIGHTLINE_CLOUD_TIMEOUT", kSeconds); }

Result<RemotePlace> place_of(const std::string& address) {
  Result<RemotePath> parsed = parse_remote(address);
  if (!parsed) return parsed.error();
  const RemotePath path = *std::move(parsed);
  RemotePlace place{.address = path, .system = nullptr, .container = path.bucket, .path = path.bucket};
  if (path.cloud == Cloud::hadoop) {
    place.path = "/" + path.key;
  } else if (!path.key.empty()) {
    place.path += "/" + path.key;
  }
  {
    const std::lock_guard lock(mutex);
    place.system = systems()[kind_of(path)];
  }
  if (place.system != nullptr) return place;
  Result<FileSystemPtr> made = ask<FileSystemPtr>(path, address, [path] { return make_system(path); });
  if (!made) return made.error();
  const std::lock_guard lock(mutex);
  FileSystemPtr& known = systems()[kind_of(path)];
  if (known == nullptr) known = *std::move(made);  // else another thread was faster
  place.system = known;
  return place;
}

void give_up_remote() { all_given_up = true; }

void close_remote(int exit_code) {
  if (given_up_and_running > 0) {  // what they use cannot be taken from under them
    std::fflush(nullptr);
    std::_Exit(exit_code);
  }
  {
    const std::lock_guard lock(mutex);
    systems().clear();
  }
  end_s3();
}

}  // namespace sightline::base
