// Azure Blob Storage. Who may: AZURE_STORAGE_CONNECTION_STRING, else the key or signature in the variables of Azure's own
// tools, else an identity that these know, else no identity, which is enough for public containers.
#include <arrow/util/config.h>

#include <filesystem>
#include <map>

#include "base/remote/remote_systems.h"

#ifdef ARROW_AZURE
#include <arrow/filesystem/azurefs.h>
#endif

namespace sightline::base {

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

std::string azure_access_advice() {
  for (const char* name : {"AZURE_STORAGE_CONNECTION_STRING", "AZURE_STORAGE_KEY", "AZURE_STORAGE_SAS_TOKEN"}) {
    if (is_set(name)) return std::string("the credentials of ") + name + " were refused";
  }
  if (has_identity()) return "this identity may not read it; or set AZURE_STORAGE_CONNECTION_STRING";
  return "set AZURE_STORAGE_CONNECTION_STRING, or AZURE_STORAGE_KEY, or AZURE_STORAGE_SAS_TOKEN, or run: az login";
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

}  // namespace sightline::base
