// Fuzzes the messages that any process of the machine can send to the daemon of PyTorch recordings: the input is a datagram.
// Every input is a message whose lists fit into the datagram, or an Error that names the byte.
#include <cstdint>
#include <string_view>

#include "capture/torch/ipc.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/require.h"

FUZZ_TARGET(ipc_message_fuzz, data, size) {
  const auto message = sightline::tests::parse_ipc_message({reinterpret_cast<const char*>(data), size});
  if (!message) {
    sightline::tests::require(!message.error().message.empty() && !message.error().where.empty(),
                              "an error names its cause and place");
    return 0;
  }
  if (const auto* poll = std::get_if<sightline::tests::IpcPoll>(&*message)) {
    sightline::tests::require(sightline::tests::kIpcHead + 4 * poll->pids.size() <= size,
                              "more processes than the datagram holds");
  }
  return 0;
}
