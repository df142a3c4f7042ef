#include "capture/torch/ipc_message.h"

#include <bit>
#include <cstring>

namespace sightline::capture {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t kTypeSize = 32;
constexpr std::size_t kPollFixed = 16;  // wants, number of pids, job
constexpr std::size_t kHelloSize = 16;
constexpr std::size_t kMostPids = 64;  // a process names itself and at most ten others

template <typename Number>
Number number_at(std::string_view bytes, std::size_t at) {
  Number number;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

Error malformed(std::string message, std::size_t at) {
  return {ErrorCode::malformed, std::move(message), "datagram:" + std::to_string(at)};
}

std::string message(std::string_view type, std::string_view payload) {
  std::string bytes(kIpcHead, '\0');
  const std::uint64_t size = payload.size();
  std::memcpy(bytes.data(), &size, sizeof size);
  std::memcpy(bytes.data() + sizeof size, type.data(), type.size());
  return bytes.append(payload);
}

Result<IpcMessage> parse_poll(std::string_view payload) {
  if (payload.size() < kPollFixed) return malformed("a poll is truncated", kIpcHead + payload.size());
  const auto count = number_at<std::int32_t>(payload, 4);
  if (count < 1 || static_cast<std::size_t>(count) > kMostPids) {
    return malformed("a poll names " + std::to_string(count) + " processes", kIpcHead + 4);
  }
  if (payload.size() < kPollFixed + 4 * static_cast<std::size_t>(count)) {
    return malformed("a poll is truncated", kIpcHead + payload.size());
  }
  IpcPoll poll{.wants = number_at<std::int32_t>(payload, 0), .job = number_at<std::int64_t>(payload, 8), .pids = {}};
  for (std::int32_t i = 0; i < count; ++i) {
    poll.pids.push_back(number_at<std::int32_t>(payload, kPollFixed + 4 * static_cast<std::size_t>(i)));
  }
  return IpcMessage(std::move(poll));
}

}  // namespace

Result<IpcMessage> parse_ipc_message(std::string_view datagram) {
  if (datagram.size() < kIpcHead) return malformed("shorter than the head of a message", datagram.size());
  const auto size = number_at<std::uint64_t>(datagram, 0);
  const std::string_view payload = datagram.substr(kIpcHead);
  if (size != payload.size()) {
    return malformed("the header gives " + std::to_string(size) + " bytes, " + std::to_string(payload.size()) + " follow", 0);
  }
  std::string_view type = datagram.substr(8, kTypeSize);
  type = type.substr(0, type.find('\0'));
  if (type == "req") return parse_poll(payload);
  if (type == "ctxt") {
    if (payload.size() < kHelloSize) return malformed("a greeting is truncated", kIpcHead + payload.size());
    return IpcMessage(IpcHello{.device = number_at<std::int32_t>(payload, 0),
                               .pid = number_at<std::int32_t>(payload, 4),
                               .job = number_at<std::int64_t>(payload, 8)});
  }
  return malformed("neither a poll nor a greeting", 8);
}

std::string poll_answer(std::string_view config) { return message("req", config); }

std::string hello_answer(std::int32_t processes) {
  char payload[sizeof processes];
  std::memcpy(payload, &processes, sizeof processes);
  return message("ctxt", {payload, sizeof payload});
}

}  // namespace sightline::capture
