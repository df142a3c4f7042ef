// Google Cloud Storage, with the default credentials of Google's own tools. Without them, requests to the bucket are anonymous,
// as one that is public can be: the libraries would wait for a metadata server that only Google's machines have.
#include <arrow/util/config.h>

#include <filesystem>
#include <fstream>

#include "base/remote/remote_systems.h"

#ifdef ARROW_GCS
#include <arrow/filesystem/gcsfs.h>
#endif

namespace sightline::base {

namespace {

constexpr double kRetrySeconds = 10;

std::string default_credentials_file() {
  if (is_set("GOOGLE_APPLICATION_CREDENTIALS")) return variable("GOOGLE_APPLICATION_CREDENTIALS");
  const std::string folder = is_set("CLOUDSDK_CONFIG") ? variable("CLOUDSDK_CONFIG") : variable("HOME") + "/.config/gcloud";
  std::string path = folder + "/application_default_credentials.json";
  std::error_code failed;
  return std::filesystem::exists(path, failed) ? path : "";
}

// By the name of the mainboard, as Google's libraries tell it too.
bool on_googles_machine() {
  std::ifstream file("/sys/class/dmi/id/product_name");
  std::string name;
  return std::getline(file, name) && name.starts_with("Google");
}

bool has_credentials() { return !default_credentials_file().empty() || is_set("GCE_METADATA_HOST") || on_googles_machine(); }

}  // namespace

std::string google_access_advice() {
  if (const std::string file = default_credentials_file(); !file.empty()) return "the credentials of " + file + " were refused";
  return "set GOOGLE_APPLICATION_CREDENTIALS to a file of credentials, or run: gcloud auth application-default login";
}

#ifdef ARROW_GCS

arrow::Result<FileSystemPtr> make_google_system(const RemotePath&) {
  const std::string emulator = variable("STORAGE_EMULATOR_HOST");
  const bool anonymous = !emulator.empty() || !has_credentials();
  const std::string file = default_credentials_file();
  std::error_code failed;
  if (!anonymous && !file.empty() && !std::filesystem::is_regular_file(file, failed)) {
    return arrow::Status::Invalid("GOOGLE_APPLICATION_CREDENTIALS does not name a file: ", file);
  }
  arrow::fs::GcsOptions options = anonymous ? arrow::fs::GcsOptions::Anonymous() : arrow::fs::GcsOptions::Defaults();
  if (!emulator.empty()) {
    const Endpoint endpoint = parse_endpoint(emulator);
    options.endpoint_override = endpoint.authority;
    options.scheme = endpoint.scheme.empty() ? "http" : endpoint.scheme;
  }
  options.retry_limit_seconds = kRetrySeconds;
  return arrow::fs::GcsFileSystem::Make(options);
}

#else

arrow::Result<FileSystemPtr> make_google_system(const RemotePath&) {
  return arrow::Status::NotImplemented("this program was built with an Arrow that has no Google Cloud Storage");
}

#endif

}  // namespace sightline::base
