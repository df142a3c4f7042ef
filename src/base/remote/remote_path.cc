// The forms of addresses. A blob's https address may name any host, for an emulator or a private endpoint: account and
// container are then the first two parts of its path.
#include "base/remote/remote_path.h"
#include "base/fields.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace sightline::base {

namespace {

struct Scheme {
  std::string_view name;
  Cloud cloud;
};

constexpr std::array<Scheme, 12> kSchemes = {{{"s3", Cloud::s3},
                                              {"s3a", Cloud::s3},
                                              {"s3n", Cloud::s3},
                                              {"gs", Cloud::google},
                                              {"gcs", Cloud::google},
                                              {"abfs", Cloud::azure},
                                              {"abfss", Cloud::azure},
                                              {"az", Cloud::azure},
                                              {"https", Cloud::azure},
                                              {"http", Cloud::azure},
                                              {"hdfs", Cloud::hadoop},
                                              {"viewfs", Cloud::hadoop}}};

std::optional<Scheme> scheme_of(std::string_view path) {
  const std::size_t end = path.find("://");
  if (end == std::string_view::npos) return std::nullopt;
  const std::string name = lower_case(path.substr(0, end));
  const auto* const found = std::find_if(kSchemes.begin(), kSchemes.end(), [&](const Scheme& s) { return s.name == name; });
  return found == kSchemes.end() ? std::nullopt : std::optional(*found);
}

bool is_web(std::string_view scheme) { return scheme == "https" || scheme == "http"; }

std::string_view trim_slashes(std::string_view text) {
  while (text.starts_with('/')) text.remove_prefix(1);
  while (text.ends_with('/')) text.remove_suffix(1);
  return text;
}

// Removes the text before the first slash, and the slashes after it; returns the text.
std::string_view take_part(std::string_view& text) {
  const std::string_view part = text.substr(0, text.find('/'));
  text.remove_prefix(part.size());
  while (text.starts_with('/')) text.remove_prefix(1);
  return part;
}

std::string percent_decoded(std::string_view text) {
  std::string made;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool code = text[i] == '%' && i + 2 < text.size() && std::isxdigit(static_cast<unsigned char>(text[i + 1])) != 0 &&
                      std::isxdigit(static_cast<unsigned char>(text[i + 2])) != 0;
    made += code ? static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16)) : text[i];
    if (code) i += 2;
  }
  return made;
}

// Encodes only characters that have a meaning in an address.
std::string encoded_key(std::string_view text) {
  std::string made;
  for (const char c : text) made += c == '%' ? "%25" : c == '?' ? "%3F" : c == '#' ? "%23" : std::string(1, c);
  return made;
}

Error misfit(TemplateMessage message, std::string_view path) {
  return {ErrorCode::invalid_argument, std::move(message), std::string(path)};
}

// The account is the text before ".blob." or ".dfs.": ACCOUNT.blob.core.windows.net, also in national clouds.
std::string account_of(std::string_view host) {
  for (const std::string_view service : {".blob.", ".dfs."}) {
    if (const std::size_t at = host.find(service); at != std::string_view::npos) return std::string(host.substr(0, at));
  }
  return {};
}

Result<RemotePath> parse_azure(RemotePath made, std::string_view rest, std::string_view whole) {
  if (is_web(made.scheme)) {
    if (const std::size_t query = whole.find('?'); query != std::string_view::npos) {
      return misfit("move the signature (after '?') from the address to AZURE_STORAGE_SAS_TOKEN: addresses are shown and stored",
                    whole.substr(0, query));
    }
  }
  const std::string_view authority = take_part(rest);
  if (const std::size_t at = authority.find('@'); at != std::string_view::npos) {
    made.bucket = authority.substr(0, at);
    made.host = authority.substr(at + 1);
    made.account = account_of(made.host);
  } else if (made.account = account_of(authority); !made.account.empty() || is_web(made.scheme)) {
    made.host = authority;
    if (made.account.empty()) made.account = take_part(rest);
    made.bucket = take_part(rest);
  } else {
    made.bucket = authority;
  }
  if (made.bucket.empty() || (!made.host.empty() && made.account.empty())) {
    return misfit(is_web(made.scheme) ? "of https addresses, only blobs of Azure are read: "
                                        "https://ACCOUNT.blob.core.windows.net/CONTAINER/PATH"
                                      : "names no container: abfs://CONTAINER@ACCOUNT.dfs.core.windows.net/PATH",
                  whole);
  }
  made.key = is_web(made.scheme) ? percent_decoded(rest) : std::string(rest);
  return made;
}

}  // namespace

bool is_remote(std::string_view path) { return scheme_of(path).has_value(); }

Result<RemotePath> parse_remote(std::string_view path) {
  const std::optional<Scheme> scheme = scheme_of(path);
  if (!scheme) return misfit("is not a cloud address", path);
  RemotePath made{
      .cloud = scheme->cloud, .scheme = std::string(scheme->name), .host = {}, .account = {}, .bucket = {}, .key = {}};
  std::string_view rest = path.substr(path.find("://") + 3);
  while (rest.ends_with('/')) rest.remove_suffix(1);
  if (made.cloud == Cloud::azure) return parse_azure(std::move(made), rest, path);
  const std::string_view first = take_part(rest);
  (made.cloud == Cloud::hadoop ? made.host : made.bucket) = first;
  made.key = trim_slashes(rest);
  if (made.cloud != Cloud::hadoop && made.bucket.empty()) return misfit("names no bucket", path);
  return made;
}

std::string remote_address(const RemotePath& path, std::string_view key) {
  std::string made = path.scheme + "://";
  if (path.cloud == Cloud::hadoop) {
    made += path.host;
  } else if (path.host.empty()) {
    made += path.bucket;
  } else if (!is_web(path.scheme)) {
    made += path.bucket + "@" + path.host;
  } else {
    made += path.host + (account_of(path.host).empty() ? "/" + path.account : "") + "/" + path.bucket;
  }
  if (!key.empty()) made += "/" + (is_web(path.scheme) ? encoded_key(key) : std::string(key));
  return made;
}

}  // namespace sightline::base
