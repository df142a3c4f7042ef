// Amazon S3 and servers of its protocol. Keys come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, else from where AWS' own
// tools have theirs (profiles, roles, the machine's metadata); with none of them, a public bucket can still be read.
#include <arrow/util/config.h>

#include <atomic>
#include <mutex>

#include "base/remote/remote_systems.h"

#ifdef ARROW_S3
#include <arrow/filesystem/s3fs.h>
#endif

namespace sightline::base {

#ifdef ARROW_S3

namespace {

constexpr double kConnectSeconds = 5;
constexpr double kStallSeconds = 15;             // without a byte
constexpr const char* kAnyRegion = "us-east-1";  // what a server of one's own expects

arrow::Status begin_s3() {
  static std::once_flag once;
  static arrow::Status begun;
  std::call_once(once, [] {
    arrow::fs::S3GlobalOptions options = arrow::fs::S3GlobalOptions::Defaults();
    if (!is_set("ARROW_S3_LOG_LEVEL")) options.log_level = arrow::fs::S3LogLevel::Off;
    begun = arrow::fs::InitializeS3(options);
  });
  return begun;
}

std::string endpoint_variable() {
  for (const char* name : {"S3_ENDPOINT", "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"}) {
    if (is_set(name)) return variable(name);
  }
  return {};
}

// Where Amazon says that the bucket is; the user's usual region need not be its.
arrow::Result<std::string> region_of(const std::string& bucket, bool own_server) {
  std::string usual = own_server ? kAnyRegion : "";
  for (const char* name : {"AWS_DEFAULT_REGION", "AWS_REGION"}) {
    if (is_set(name)) usual = variable(name);
  }
  if (own_server) return usual;
  arrow::Result<std::string> found = arrow::fs::ResolveS3BucketRegion(bucket);
  return found.ok() || usual.empty() ? found : usual;
}

}  // namespace

arrow::Result<FileSystemPtr> make_s3_system(const RemotePath& path) {
  ARROW_RETURN_NOT_OK(begin_s3());
  arrow::fs::S3Options options;
  if (is_set("AWS_ACCESS_KEY_ID") && is_set("AWS_SECRET_ACCESS_KEY")) {
    options.ConfigureAccessKey(variable("AWS_ACCESS_KEY_ID"), variable("AWS_SECRET_ACCESS_KEY"), variable("AWS_SESSION_TOKEN"));
  } else {
    options.ConfigureDefaultCredentials();
  }
  const Endpoint endpoint = parse_endpoint(endpoint_variable());
  options.endpoint_override = endpoint.authority;
  options.scheme = !endpoint.scheme.empty() ? endpoint.scheme : variable_says("S3_USE_HTTPS", true) ? "https" : "http";
  options.tls_verify_certificates = variable_says("S3_VERIFY_SSL", true);
  options.tls_ca_file_path = certificate_file();
  options.connect_timeout = kConnectSeconds;
  options.request_timeout = kStallSeconds;
  options.retry_strategy = arrow::fs::S3RetryStrategy::GetAwsStandardRetryStrategy(kTries);
  ARROW_ASSIGN_OR_RAISE(options.region, region_of(path.bucket, !endpoint.authority.empty()));
  return arrow::fs::S3FileSystem::Make(options);
}

void end_s3() {
  if (arrow::fs::IsS3Initialized() && !arrow::fs::IsS3Finalized()) (void)arrow::fs::FinalizeS3();
}

#else

arrow::Result<FileSystemPtr> make_s3_system(const RemotePath&) {
  return arrow::Status::NotImplemented("this program was built with an Arrow that has no S3");
}

void end_s3() {}

#endif

std::string s3_access_advice() {
  if (is_set("AWS_ACCESS_KEY_ID") && is_set("AWS_SECRET_ACCESS_KEY")) {
    return "the keys of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY were refused";
  }
  if (is_set("AWS_PROFILE")) return "the credentials of the profile '" + variable("AWS_PROFILE") + "' (AWS_PROFILE) were refused";
  return "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE";
}

}  // namespace sightline::base
