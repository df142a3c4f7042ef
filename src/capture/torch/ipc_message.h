// The datagrams between libkineto and its daemon (libkineto's "IPC fabric"), as bytes. One datagram is one message: 8 bytes size
// of the payload, 32 bytes type padded with NULs, the payload; all integers little-endian.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"

namespace sightline::capture {

inline constexpr std::size_t kIpcHead = 40;

// What a process polls for: bits of IpcPoll::wants. None while it records or is about to.
inline constexpr std::int32_t kWantsActivities = 2;

// "req": is there something to record? Sent every few seconds.
struct IpcPoll {
  std::int32_t wants = 0;
  std::int64_t job = 0;            // SLURM_JOB_ID, or 0
  std::vector<std::int32_t> pids;  // the process, its parent, and so on, as the process itself numbers them
};

// "ctxt": older releases say hello at start-up, and log the answer: how many processes share their device.
struct IpcHello {
  std::int32_t device = 0;
  std::int32_t pid = 0;
  std::int64_t job = 0;
};

using IpcMessage = std::variant<IpcPoll, IpcHello>;

// malformed: `where` is the byte inside the datagram.
Result<IpcMessage> parse_ipc_message(std::string_view datagram);

// Answers: the text of a configuration (empty: nothing to record), and a number of processes.
std::string poll_answer(std::string_view config);
std::string hello_answer(std::int32_t processes);

}  // namespace sightline::capture
