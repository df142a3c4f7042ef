// The Model Context Protocol: how agents find and call tools, as JSON-RPC messages. Requests of revision 2026-07-28 carry their
// version in `_meta` and need no handshake; older clients begin with `initialize`. Each request is answered by what it says
// itself.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "agent/agent.h"
#include "agent/rpc.h"

namespace sightline::agent {

// The response to one message; nothing for a notification.
std::optional<RpcReply> answer_message(const Agent& agent, const RpcMessage& message, const std::function<bool()>& stop = {});

// What the headers of an HTTP request say of its message; empty: not sent.
struct McpHeaders {
  std::string_view version, method, name;
};

// Where the headers are wrong: of the stateless revision, they repeat what the message says; older ones name a version.
std::optional<RpcReply> header_fault(const RpcMessage& message, const McpHeaders& headers);

// Whether the request says that it is of the stateless revision, whatever else is wrong with it.
bool is_stateless(const RpcMessage& message);

// A connection with one client. Calls of tools are answered one after the other by a thread of the session; all else at once, so
// a client can cancel a call that runs.
class McpSession {
 public:
  // `send` gets one message without a line break; it may be called on any thread, one call at a time.
  McpSession(const Agent& agent, std::function<void(const std::string&)> send);
  ~McpSession();  // drops what waits
  McpSession(const McpSession&) = delete;
  McpSession& operator=(const McpSession&) = delete;

  void receive(std::string_view text);
  void finish();  // waits until all calls are answered

 private:
  void work(const std::stop_token& stop);
  void cancel(const RpcMessage& message);
  void answer(const RpcReply& reply);

  const Agent& agent_;
  const std::function<void(const std::string&)> send_;
  std::mutex sending_;  // held while send_ runs
  std::mutex mutex_;    // guards what follows; no other lock is taken under it
  std::condition_variable_any changed_;
  std::deque<RpcMessage> waiting_;
  std::optional<std::string> running_;  // id of the call that runs
  bool cancelled_ = false;              // that call
  std::jthread thread_;                 // last: it uses the others
};

}  // namespace sightline::agent
