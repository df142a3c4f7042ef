// The body of a form, from the thread that receives its bytes (BodyPipe) to the form's parts (Multipart). Both hold little of it.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "server/message.h"

namespace sightline::server {

// The bytes of a body from the thread that receives them to the one that answers. It holds little: the receiving thread checks
// `full` before it adds more.
class BodyPipe {
 public:
  // `room` is called, on the thread that takes bytes, each time the pipe has been emptied.
  explicit BodyPipe(std::function<void()> room) : room_(std::move(room)) {}

  bool full() const {
    const std::lock_guard lock(mutex_);
    return bytes_.size() >= kMost;
  }

  void add(std::string_view bytes) {
    const std::lock_guard lock(mutex_);
    bytes_ += bytes;
    changed_.notify_all();
  }

  // The body has ended; `whole`: it is complete.
  void end(bool whole) {
    const std::lock_guard lock(mutex_);
    if (!ended_) whole_ = whole;
    ended_ = true;
    changed_.notify_all();
  }

  // Waits for bytes and returns all that have arrived; empty at the end.
  std::string take() {
    std::string taken;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return ended_ || !bytes_.empty(); });
      taken.swap(bytes_);
    }
    if (!taken.empty()) room_();
    return taken;
  }

  bool whole() const {
    const std::lock_guard lock(mutex_);
    return whole_;
  }

 private:
  static constexpr std::size_t kMost = 262'144;

  const std::function<void()> room_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::string bytes_;
  bool ended_ = false, whole_ = false;
};

// The border between the parts, from a Content-Type header; absent if that is not a form's.
std::optional<std::string> form_boundary(std::string_view content_type);

// The parts of a form (multipart/form-data) whose bytes come in pieces of any size. It keeps only the headers of a part, or as
// much as a border between two parts has.
class Multipart {
 public:
  // `begin` and `bytes` are called from within add(), and outlive this.
  Multipart(const std::string& boundary, const FormBegin& begin, const FormBytes& bytes)
      : border_("\r\n--" + boundary), kept_("\r\n"), begin_(begin), bytes_(bytes) {}

  void add(std::string_view bytes);

  // Whether the border after the last part was there.
  bool whole() const { return at_ == At::end; }

 private:
  enum class At { preamble, border, headers, content, end, nonsense };

  bool step();
  bool find_border();
  bool read_border();
  bool read_headers();

  const std::string border_;
  std::string kept_;       // of add()s before
  std::string_view rest_;  // not yet examined
  At at_ = At::preamble;
  const FormBegin& begin_;
  const FormBytes& bytes_;
};

}  // namespace sightline::server
