// Spool: the files that clients send, on disk for as long as this server shows them. A spool is a folder of one server, inside a
// folder of the user alone that all servers share:
//   FOLDER/<server>/<upload>/<name>/...   the files, under the paths that the client gave
//   FOLDER/<server>.lock                  locked while the server runs: the next server removes what a killed one left
// A client announces the paths and sizes of the files first, so nothing is sent that would be refused. Paths are those of
// plain files below the upload; there are no links. Uploads that stop arriving are removed. Thread-safe.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/message.h"
#include "base/result.h"
#include "server/message.h"

namespace sightline::server {

struct UploadFile {
  std::string path;  // relative, with slashes
  std::int64_t size = 0;
};

// Why a file cannot be stored under this path; empty: it can.
Message path_misfit(std::string_view path);

// Why these files cannot be stored together; empty: they can.
Message files_misfit(const std::vector<UploadFile>& files);

// Files that a client sends together.
class Upload {
 public:
  Upload(std::string id_, std::string name_, std::string folder_, std::vector<UploadFile> files_);

  const std::string id, name;
  const std::string folder;  // of the upload; the files are in its folder `name`
  const std::vector<UploadFile> files;
  const std::int64_t size;  // of all files

  std::string root() const { return folder + "/" + name; }
  std::int64_t arrived() const { return arrived_; }  // bytes

 private:
  friend class Spool;
  enum class Part : std::uint8_t { absent, arriving, whole };

  std::atomic<std::int64_t> arrived_{0};
  std::atomic<bool> removed_{false};
  // Guarded by the spool's mutex.
  std::vector<Part> parts_;
  std::size_t missing_, streams_ = 0;
  std::chrono::steady_clock::time_point last_;
};
using UploadPtr = std::shared_ptr<Upload>;

struct SpoolOptions {
  std::string folder;             // that the servers share; created when it is needed; empty: nothing can be stored
  std::int64_t limit_bytes = -1;  // of all uploads of this server together; -1: half of the disk's free space
  std::chrono::milliseconds abandoned_after = std::chrono::minutes(5);
};

class Spool {
 public:
  // Removes what servers that have ended left behind.
  explicit Spool(SpoolOptions options);
  ~Spool();  // end()
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  bool accepts() const { return !options_.folder.empty() && options_.limit_bytes != 0; }

  // Most bytes that can be sent now.
  std::int64_t room() const;

  // Reserves room for the files. invalid_argument: see files_misfit; unavailable: too large, too many, or no disk.
  Result<UploadPtr> begin(const std::string& name, std::vector<UploadFile> files);

  // Stores the body as the file of this number; again, if it did not arrive whole before. True for the file that completes the
  // upload. invalid_argument: the body has another size; `cancelled`: the upload was removed; `unavailable`: the disk is full.
  Result<bool> store(const UploadPtr& upload, std::size_t file, const BodyReader& body);

  // Whether a file of the upload arrives or has arrived.
  bool has_begun(const Upload& upload) const;

  // Stores the body at `path`, below the upload's folder, for as long as the caller needs it. Errors as of store().
  static Result<bool> store_head(const Upload& upload, const std::string& path, std::int64_t size, const BodyReader& body);

  UploadPtr find(const std::string& id) const;  // null: unknown id
  std::vector<UploadPtr> all() const;           // the oldest first

  // Removes the upload and its files. False: unknown id.
  bool remove(const std::string& id);

  // Removes all of them; nothing can be stored afterwards.
  void end();

 private:
  struct Lock;

  Result<bool> open_folder();
  std::int64_t free_space() const;
  std::int64_t room_now() const;
  Result<bool> write(Upload& upload, const UploadFile& file, const BodyReader& body) const;
  void drop_abandoned(const std::stop_token& stop);

  const SpoolOptions options_;
  mutable std::mutex mutex_;  // guards what follows
  std::string folder_;        // of this server; empty until the first upload
  std::unique_ptr<Lock> lock_;
  std::vector<UploadPtr> uploads_;
  bool ended_ = false;
  std::condition_variable_any changed_;
  std::jthread sweeper_;  // runs from the first upload on
};

}  // namespace sightline::server
