// OpenService: opening profiles from the page (docs/http.md, "Opening profiles"): files that a client sends, paths on this
// machine, and profiles of the cache. The engine reads them like those that it was started with. Thread-safe.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/engine.h"
#include "output/opening_wire.h"
#include "server/message.h"
#include "server/spool.h"

namespace sightline::server {

class OpenService {
 public:
  // `paths`: whether files of this machine may be opened that were not given to the server: by their path, or from `cache`, which
  // may be null. The engine outlives this.
  OpenService(Engine& engine, SpoolOptions spool, bool paths, ProfileCache* cache)
      : engine_(engine), spool_(std::move(spool)), paths_(paths), cache_(cache) {}

  // GET and POST /api/open, POST /api/uploads, PUT and DELETE /api/uploads/...
  Result<std::string> answer(const Request& request);

  // Removes what clients have sent.
  void end() { spool_.end(); }

 private:
  // What became of an upload that is whole.
  struct Outcome {
    std::vector<CapturePtr> captures;
    std::vector<Error> left_out;   // files that are not profiles
    std::optional<Error> failure;  // of all of it
  };

  Result<std::string> open(const std::string& body);
  Result<std::string> begin(const std::string& body);
  Result<std::string> store(const Request& request, const UploadPtr& upload, std::string_view file);
  Result<std::string> look_at(const Request& request, const UploadPtr& upload);
  Outcome open_upload(const Upload& upload);
  std::string free_name(const std::vector<UploadFile>& files) const;
  std::string state() const;
  SentUpload sent(const Upload& upload) const;
  std::vector<SentRecent> recent() const;

  Engine& engine_;
  Spool spool_;
  const bool paths_;
  ProfileCache* const cache_;
  mutable std::mutex mutex_;                 // guards what follows
  std::map<std::string, Outcome> outcomes_;  // by upload
};

}  // namespace sightline::server
