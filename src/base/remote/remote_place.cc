// File systems by bucket or account, and the causes of errors. S3 needs one file system per bucket, because each bucket has a
// region; Azure needs one per account.
#include "base/remote/remote_place.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <mutex>
#include <string_view>

#include "base/fields.h"
#include "base/remote/remote_file.h"

namespace sightline::base {

// ---- errors: each cloud words the same few errors differently; the words are those of Arrow 21 and its libraries ----

namespace {

constexpr std::size_t kMostWords = 300;

enum class Cause { refused_access, no_such_thing, no_such_host, refused_connection, timed_out, broken, certificate, other };

struct Sign {
  std::string_view words;  // in lower case
  Cause cause;
};

// The first that is found decides.
constexpr std::array<Sign, 35> kSigns = {{{"curlcode: 60", Cause::certificate},
                                          {"certificate", Cause::certificate},
                                          {"access_denied", Cause::refused_access},
                                          {"access denied", Cause::refused_access},
                                          {"invalid_access_key", Cause::refused_access},
                                          {"invalid_client_token", Cause::refused_access},
                                          {"signature_does_not_match", Cause::refused_access},
                                          {"signaturedoesnotmatch", Cause::refused_access},
                                          {"expired", Cause::refused_access},
                                          {"authentication", Cause::refused_access},
                                          {"unauthenticated", Cause::refused_access},
                                          {"permission_denied", Cause::refused_access},
                                          {"permission denied", Cause::refused_access},
                                          {"authorization", Cause::refused_access},
                                          {"forbidden", Cause::refused_access},
                                          {"http status 401", Cause::refused_access},
                                          {"http status 403", Cause::refused_access},
                                          {"no_such_bucket", Cause::no_such_thing},
                                          {"the specified container does not exist", Cause::no_such_thing},
                                          {"not found", Cause::no_such_thing},
                                          {"could not resolve host", Cause::no_such_host},
                                          {"couldn't resolve host", Cause::no_such_host},
                                          {"curlcode: 6,", Cause::no_such_host},
                                          {"curlcode: 7,", Cause::refused_connection},
                                          {"could not connect", Cause::refused_connection},
                                          {"couldn't connect", Cause::refused_connection},
                                          {"curlcode: 28", Cause::timed_out},
                                          {"timeout was reached", Cause::timed_out},
                                          {"curlcode: ", Cause::broken},
                                          {"failure when receiving", Cause::broken},
                                          {"failed sending data", Cause::broken},
                                          {"error while sending request", Cause::broken},
                                          {"server returned nothing", Cause::broken},
                                          {"connection reset", Cause::broken},
                                          {"closed file", Cause::broken}}};

// The key is taken out first: an object may be called "expired/authentication.json".
Cause cause_of(std::string_view message, const RemotePath& path) {
  std::string words(message);
  for (std::size_t at = 0; !path.key.empty() && (at = words.find(path.key, at)) != std::string::npos;)
    words.erase(at, path.key.size());
  words = lower_case(words);
  for (const Sign& sign : kSigns) {
    if (words.find(sign.words) != std::string::npos) return sign.cause;
  }
  return Cause::other;
}

// One line, not too long.
std::string condensed(std::string_view message) {
  std::string made;
  for (const char c : message) {
    const bool space = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!space || !made.ends_with(' ')) made += space ? ' ' : c;
  }
  if (made.size() > kMostWords) made = made.substr(0, kMostWords) + "...";
  return made;
}

Message access_advice(Cloud cloud) {
  switch (cloud) {
    case Cloud::s3: return s3_access_advice();
    case Cloud::google: return google_access_advice();
    case Cloud::azure: return azure_access_advice();
    case Cloud::hadoop: return say("see HADOOP_USER_NAME, or run: kinit");
  }
  return {};
}

Message server_advice(Cloud cloud) {
  switch (cloud) {
    case Cloud::s3:
      return is_set("S3_ENDPOINT") ? say("S3_ENDPOINT is {}", variable("S3_ENDPOINT"))
                                   : say("S3_ENDPOINT names a server of your own");
    case Cloud::google:
      return is_set("STORAGE_EMULATOR_HOST") ? say("STORAGE_EMULATOR_HOST is {}", variable("STORAGE_EMULATOR_HOST")) : "";
    case Cloud::azure: return is_set("AZURE_STORAGE_CONNECTION_STRING") ? say("see AZURE_STORAGE_CONNECTION_STRING") : "";
    case Cloud::hadoop: return "";
  }
  return {};
}

Message with(const char* cause, const Message& advice) { return advice.empty() ? cause : say("{} ({advice})", cause, advice); }

}  // namespace

bool never_arrived(const RemotePath& path, const arrow::Status& status) {
  const Cause cause = cause_of(status.message(), path);
  return cause != Cause::other && cause != Cause::no_such_thing;
}

Error remote_error(const RemotePath& path, const arrow::Status& status, const std::string& where) {
  const Message message = Message::verbatim(condensed(status.message()));
  const Message server = server_advice(path.cloud);
  if (status.IsKeyError()) {  // our own words
    const bool no_bucket = message == kNoBucket;
    return {ErrorCode::not_found, no_bucket ? say("{}: {}", kNoBucket, path.bucket) : Message(std::string(message)), where};
  }
  if (status.IsNotImplemented()) return {ErrorCode::unsupported, message, where};
  switch (cause_of(status.message(), path)) {
    case Cause::refused_access:
      return {ErrorCode::unreadable, say("{}: {}", with("access denied", access_advice(path.cloud)), message), where};
    case Cause::no_such_thing: return {ErrorCode::not_found, say("no such object or bucket: {}", message), where};
    case Cause::no_such_host: return {ErrorCode::unreadable, with("the server's name is not known", server), where};
    case Cause::refused_connection: return {ErrorCode::unreadable, with("the server cannot be reached", server), where};
    case Cause::timed_out: return {ErrorCode::unreadable, with("the server does not answer", server), where};
    case Cause::broken:
      return {ErrorCode::unreadable, say("{}: {}", with("the connection broke, also when retried", server), message), where};
    case Cause::certificate:
      return {ErrorCode::unreadable,
              path.cloud == Cloud::s3
                  ? say("the server's certificate is not trusted (SSL_CERT_FILE names certificates to trust; S3_VERIFY_SSL=0 "
                        "trusts any): {}",
                        message)
                  : say("the server's certificate is not trusted (SSL_CERT_FILE names certificates to trust): {}", message),
              where};
    case Cause::other: break;
  }
  if (status.IsInvalid()) return {ErrorCode::invalid_argument, message, where};
  return {status.code() == arrow::StatusCode::IOError ? ErrorCode::unreadable : ErrorCode::unavailable, message, where};
}

Error no_answer(const std::string& where) {
  const auto seconds = std::lround(time_limit());
  return {ErrorCode::unreadable, say("no answer within {} s (SIGHTLINE_CLOUD_TIMEOUT is how many seconds to wait)", seconds),
          where};
}

Error no_thread(const std::system_error& why, const std::string& where) {
  return {ErrorCode::unavailable, say("the system has no thread left for a request: {}", why.what()), where};
}

// ---- the end of the program in a library ----

namespace {

constexpr int kTryAgain = 75;
thread_local char under_way[1024];  // address of the request of this thread; empty: none

[[noreturn]] void end_with(std::string_view why) {
  for (const std::string_view text : {std::string_view("sightline: "), std::string_view(under_way),
                                      std::string_view(": the library for this cloud failed"), why, std::string_view("\n")})
    (void)!::write(STDERR_FILENO, text.data(), text.size());
  std::_Exit(kTryAgain);
}

[[noreturn]] void end_by_exception() {
  if (under_way[0] != '\0' && std::current_exception() != nullptr) {
    try {
      std::rethrow_exception(std::current_exception());
    } catch (const std::exception& failure) {
      end_with(std::string(": ") + failure.what());
    } catch (...) {
      end_with("");
    }
  }
  std::abort();
}

// The library has written why.
void end_by_signal(int signal) {
  if (under_way[0] != '\0') end_with("");
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void watch_the_end() {
  static std::once_flag once;
  std::call_once(once, [] {
    std::set_terminate(end_by_exception);
    std::signal(SIGABRT, end_by_signal);
  });
}

}  // namespace

UnderWay::UnderWay(const std::string& where) {
  const std::size_t size = std::min(where.size(), sizeof(under_way) - 1);
  where.copy(under_way, size);
  under_way[size] = '\0';
}

UnderWay::~UnderWay() { under_way[0] = '\0'; }

// ---- places ----

namespace {

constexpr double kSeconds = 60;

std::mutex mutex;
// Never destroyed: threads that were given up may still use its file systems. close_remote() clears it.
std::map<std::string, FileSystemPtr>& systems() {
  static auto* const made = new std::map<std::string, FileSystemPtr>;
  return *made;
}

// When the program runs on another distribution than it was built on, its libraries look for certificates in the wrong place.
arrow::Status set_certificates() {
  static const arrow::Status set = arrow::fs::Initialize({.tls_ca_file_path = certificate_file(), .tls_ca_dir_path = {}});
  return set;
}

arrow::Result<FileSystemPtr> make_system(const RemotePath& path) {
  watch_the_end();
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
  Result<FileSystemPtr> made = request<FileSystemPtr>(path, address, [path] { return make_system(path); });
  if (!made) return made.error();
  const std::lock_guard lock(mutex);
  FileSystemPtr& known = systems()[kind_of(path)];
  if (known == nullptr) known = *std::move(made);  // else another thread was faster
  place.system = known;
  return place;
}

void give_up_remote() { all_given_up = true; }

void close_remote(int exit_code) {
  if (given_up_and_running > 0) {  // they still use the file systems
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
