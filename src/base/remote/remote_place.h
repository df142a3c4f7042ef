// Where an address leads: a file system that is made once per account, and a path in it; and how requests are sent.
// Only this folder's .cc files include it.
#pragma once

#include <exception>
#include <functional>
#include <string>
#include <system_error>
#include <utility>

#include "base/parallel.h"
#include "base/remote/remote_systems.h"
#include "base/result.h"

namespace sightline::base {

struct RemotePlace {
  RemotePath address;
  FileSystemPtr system;
  std::string container;  // in that file system: "bucket"; empty for Hadoop
  std::string path;       // "bucket/key"
};

// Makes the file system at the first address of an account or bucket. The error says what to set.
Result<RemotePlace> place_of(const std::string& address);

// Seconds that a request may take with all its retries before it is given up: SIGHTLINE_CLOUD_TIMEOUT.
double time_limit();

inline constexpr const char* kNoBucket = "no such bucket";  // the text of a KeyError; remote_error adds the name

// A cloud's answer in words: the cause and, if known, what to do.
Error remote_error(const RemotePath& path, const arrow::Status& status, const std::string& where);
Error no_answer(const std::string& where);

// Whether the request did not reach the object, because no server answered or access was denied: another request would fail as
// well.
bool never_arrived(const RemotePath& path, const arrow::Status& status);

// While it lives, this thread does a request for this address. Objects of Arrow may throw when they are destroyed, or find that
// they cannot go on: that ends the program, which then says for which address, and exits with 75: another try may succeed.
class UnderWay {
 public:
  explicit UnderWay(const std::string& where);
  UnderWay(const UnderWay&) = delete;
  ~UnderWay();
};

// Begins work that uses the network. It must own all data that it uses. An exception becomes a Status. Throws std::system_error
// if the system has no thread left.
template <typename T>
Begun<arrow::Result<T>> begin_request(const std::string& where, std::function<arrow::Result<T>()> work) {
  return Begun<arrow::Result<T>>([where, work = std::move(work)]() mutable -> arrow::Result<T> {
    const UnderWay under_way(where);
    const auto owned = std::exchange(work, nullptr);  // destroyed while the address is known
    try {
      return owned();
    } catch (const std::exception& failure) {
      return arrow::Status::UnknownError(failure.what());
    } catch (...) {
      return arrow::Status::UnknownError("an exception without a text");
    }
  });
}

Error no_thread(const std::system_error& why, const std::string& where);

// The same, waited for until the time limit.
template <typename T>
Result<T> request(const RemotePath& path, const std::string& where, std::function<arrow::Result<T>()> work) {
  try {
    Begun<arrow::Result<T>> begun = begin_request<T>(where, std::move(work));
    if (!begun.wait(std::chrono::duration<double>(time_limit()))) return no_answer(where);
    arrow::Result<T> answer = begun.take();
    if (!answer.ok()) return remote_error(path, answer.status(), where);
    return *std::move(answer);
  } catch (const std::system_error& failure) {
    return no_thread(failure, where);
  }
}

}  // namespace sightline::base
