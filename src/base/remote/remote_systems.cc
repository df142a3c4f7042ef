// The clouds' file systems: Amazon S3 and servers of its protocol, Google Cloud Storage, Azure Blob Storage, Hadoop.
#include "base/remote/remote_systems.h"
#include "base/fields.h"

#include <arrow/filesystem/hdfs.h>
#include <arrow/util/config.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>

#ifdef ARROW_S3
#include <arrow/filesystem/s3fs.h>
#endif

#ifdef ARROW_GCS
#include <arrow/filesystem/gcsfs.h>
#endif

#ifdef ARROW_AZURE
#include <arrow/filesystem/azurefs.h>
#endif

namespace sightline::base {

// ---- the environment ----

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool is_set(const char* name) { return !variable(name).empty(); }

bool variable_flag(const char* name, bool otherwise) {
  std::string value = variable(name);
  value = lower_case(value);
  const auto is_one_of = [&](const std::array<const char*, 4>& words) {
    return std::any_of(words.begin(), words.end(), [&](const char* word) { return value == word; });
  };
  if (is_one_of({"0", "false", "no", "off"})) return false;
  return is_one_of({"1", "true", "yes", "on"}) || otherwise;
}

double variable_seconds(const char* name, double otherwise) {
  const std::string value = variable(name);
  char* end = nullptr;
  const double seconds = std::strtod(value.c_str(), &end);
  return !value.empty() && *end == '\0' && seconds > 0 && seconds < 1e6 ? seconds : otherwise;
}

Endpoint parse_endpoint(const std::string& text) {
  Endpoint made;
  std::string rest = text;
  if (const std::size_t end = rest.find("://"); end != std::string::npos) {
    made.scheme = rest.substr(0, end);
    rest.erase(0, end + 3);
  }
  made.authority = rest.substr(0, rest.find('/'));
  if (made.authority.size() < rest.size()) made.path = rest.substr(made.authority.size() + 1);
  while (made.path.ends_with('/')) made.path.pop_back();
  return made;
}

// ---- Amazon S3 ----
// Keys come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, else
// from the sources of AWS' own tools (profiles, roles, the machine's
// metadata). Without any of them, a public bucket can still be read.

#ifdef ARROW_S3

namespace {

constexpr double kConnectSeconds = 5;
constexpr double kStallSeconds = 15;             // without a byte
constexpr const char* kAnyRegion = "us-east-1";  // for the user's own server

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

// The bucket's region as Amazon reports it; it can differ from the user's default region.
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
  options.scheme = !endpoint.scheme.empty() ? endpoint.scheme : variable_flag("S3_USE_HTTPS", true) ? "https" : "http";
  options.tls_verify_certificates = variable_flag("S3_VERIFY_SSL", true);
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

Message s3_access_advice() {
  if (is_set("AWS_ACCESS_KEY_ID") && is_set("AWS_SECRET_ACCESS_KEY")) {
    return say("the keys of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY were refused");
  }
  if (is_set("AWS_PROFILE"))
    return say("the credentials of the profile '{}' (AWS_PROFILE) were refused", variable("AWS_PROFILE"));
  return say("set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE");
}

// ---- Google Cloud Storage ----
// Uses the default credentials of Google's own tools. Without them, requests
// are anonymous, which is enough for a public bucket; Google's libraries
// would wait for a metadata server that only Google's machines have.

namespace {

constexpr double kRetrySeconds = 10;

std::string default_credentials_file() {
  if (is_set("GOOGLE_APPLICATION_CREDENTIALS")) return variable("GOOGLE_APPLICATION_CREDENTIALS");
  const std::string folder = is_set("CLOUDSDK_CONFIG") ? variable("CLOUDSDK_CONFIG") : variable("HOME") + "/.config/gcloud";
  std::string path = folder + "/application_default_credentials.json";
  std::error_code failed;
  return std::filesystem::exists(path, failed) ? path : "";
}

// By the name of the mainboard, as in Google's libraries.
bool on_googles_machine() {
  std::ifstream file("/sys/class/dmi/id/product_name");
  std::string name;
  return std::getline(file, name) && name.starts_with("Google");
}

bool has_credentials() { return !default_credentials_file().empty() || is_set("GCE_METADATA_HOST") || on_googles_machine(); }

}  // namespace

Message google_access_advice() {
  if (const std::string file = default_credentials_file(); !file.empty()) return say("the credentials of {} were refused", file);
  return say("set GOOGLE_APPLICATION_CREDENTIALS to a file of credentials, or run: gcloud auth application-default login");
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

// ---- Azure Blob Storage ----
// Access by AZURE_STORAGE_CONNECTION_STRING, else by the key or signature in
// the variables of Azure's own tools, else by an identity that these tools
// know, else without an identity, which is enough for public containers.

namespace {

// The settings of a connection string, "Name=value;Name=value"; a value may hold '='.
std::map<std::string, std::string> connection_settings() {
  std::map<std::string, std::string> settings;
  std::string rest = variable("AZURE_STORAGE_CONNECTION_STRING");
  while (!rest.empty()) {
    const std::string setting = rest.substr(0, rest.find(';'));
    rest.erase(0, setting.size() + 1);
    if (const std::size_t is = setting.find('='); is != std::string::npos)
      settings[setting.substr(0, is)] = setting.substr(is + 1);
  }
  return settings;
}

// Set by Azure's machines and by `az login`.
bool has_identity() {
  for (const char* name : {"AZURE_CLIENT_ID", "AZURE_FEDERATED_TOKEN_FILE", "IDENTITY_ENDPOINT", "MSI_ENDPOINT"}) {
    if (is_set(name)) return true;
  }
  std::error_code failed;
  const std::string folder = is_set("AZURE_CONFIG_DIR") ? variable("AZURE_CONFIG_DIR") : variable("HOME") + "/.azure";
  return std::filesystem::exists(folder + "/azureProfile.json", failed);
}

}  // namespace

Message azure_access_advice() {
  for (const char* name : {"AZURE_STORAGE_CONNECTION_STRING", "AZURE_STORAGE_KEY", "AZURE_STORAGE_SAS_TOKEN"}) {
    if (is_set(name)) return say("the credentials of {} were refused", std::string_view(name));
  }
  if (has_identity()) return say("this identity may not read it; or set AZURE_STORAGE_CONNECTION_STRING");
  return say("set AZURE_STORAGE_CONNECTION_STRING, or AZURE_STORAGE_KEY, or AZURE_STORAGE_SAS_TOKEN, or run: az login");
}

#ifdef ARROW_AZURE

namespace {

// ".blob.core.windows.net" of "account.blob.core.windows.net": Arrow puts the account before it; any other host as it is.
std::string authority_of(const std::string& host, const std::string& account) {
  return host.starts_with(account + ".") ? host.substr(account.size()) : host;
}

void set_host(arrow::fs::AzureOptions& options, std::string host, const std::string& scheme) {
  options.blob_storage_scheme = options.dfs_storage_scheme = scheme;
  const auto with = [&](const char* wanted, const char* other) {
    std::string made = host;
    if (const std::size_t at = made.find(other); at != std::string::npos) made.replace(at, std::string(other).size(), wanted);
    return authority_of(made, options.account_name);
  };
  options.blob_storage_authority = with(".blob.", ".dfs.");
  options.dfs_storage_authority = with(".dfs.", ".blob.");
}

arrow::Status set_credentials(arrow::fs::AzureOptions& options, std::map<std::string, std::string>& settings) {
  if (!settings["AccountKey"].empty()) return options.ConfigureAccountKeyCredential(settings["AccountKey"]);
  std::string signature = settings["SharedAccessSignature"];
  if (signature.empty() && is_set("AZURE_STORAGE_KEY"))
    return options.ConfigureAccountKeyCredential(variable("AZURE_STORAGE_KEY"));
  if (signature.empty()) signature = variable("AZURE_STORAGE_SAS_TOKEN");
  if (!signature.empty()) return options.ConfigureSASCredential(signature.starts_with('?') ? signature : "?" + signature);
  return has_identity() ? options.ConfigureDefaultCredential() : options.ConfigureAnonymousCredential();
}

}  // namespace

arrow::Result<FileSystemPtr> make_azure_system(const RemotePath& path) {
  std::map<std::string, std::string> settings = connection_settings();
  Endpoint endpoint = parse_endpoint(settings["BlobEndpoint"]);
  std::string account = settings["AccountName"];
  if (account.empty()) account = endpoint.path;  // with a signature for credentials only the endpoint names the account
  if (account.empty()) account = variable("AZURE_STORAGE_ACCOUNT");
  if (account.empty()) account = endpoint.authority.substr(0, endpoint.authority.find('.'));
  if (!path.account.empty() && path.account != account) {  // they are another account's
    settings.clear();
    endpoint = {};
    account = path.account;
  }
  arrow::fs::AzureOptions options;
  options.account_name = account;
  if (options.account_name.empty()) {
    return arrow::Status::Invalid(
        "names no account: write abfs://CONTAINER@ACCOUNT.dfs.core.windows.net/PATH, or set AZURE_STORAGE_CONNECTION_STRING or "
        "AZURE_STORAGE_ACCOUNT");
  }
  const std::string protocol = settings["DefaultEndpointsProtocol"].empty() ? "https" : settings["DefaultEndpointsProtocol"];
  if (!endpoint.authority.empty()) {
    set_host(options, endpoint.authority, endpoint.scheme.empty() ? protocol : endpoint.scheme);
  } else if (!path.host.empty()) {
    set_host(options, path.host, path.scheme == "http" ? "http" : "https");
  } else if (!settings["EndpointSuffix"].empty()) {
    set_host(options, options.account_name + ".blob." + settings["EndpointSuffix"], protocol);
  }
  ARROW_RETURN_NOT_OK(set_credentials(options, settings));
  return arrow::fs::AzureFileSystem::Make(options);
}

#else

arrow::Result<FileSystemPtr> make_azure_system(const RemotePath&) {
  return arrow::Status::NotImplemented("this program was built with an Arrow that has no Azure");
}

#endif

// ---- Hadoop ----
// Uses Hadoop's own Java libraries. Arrow looks for
// them when they are first needed, by JAVA_HOME,
// HADOOP_HOME (or ARROW_LIBHDFS_DIR) and CLASSPATH.

arrow::Result<FileSystemPtr> make_hadoop_system(const RemotePath& path) {
  ARROW_ASSIGN_OR_RAISE(arrow::fs::HdfsOptions options,
                        arrow::fs::HdfsOptions::FromUri(path.scheme + "://" + (path.host.empty() ? "default" : path.host) + "/"));
  arrow::Result<std::shared_ptr<arrow::fs::HadoopFileSystem>> made = arrow::fs::HadoopFileSystem::Make(options);
  const std::string why = made.ok() ? "" : made.status().message();
  if (why.find("libjvm") == why.npos && why.find("libhdfs") == why.npos) return made;
  return arrow::Status::IOError("Hadoop's libraries cannot be loaded (set JAVA_HOME, HADOOP_HOME and CLASSPATH): ", why);
}

}  // namespace sightline::base
