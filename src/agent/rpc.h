// JSON-RPC 2.0: one message as text, from an untrusted sender. Parsing accepts any bytes.
#pragma once

#include <simdjson.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace sightline::agent {

inline constexpr std::size_t kMostMessageBytes = std::size_t{1} << 20;

enum class RpcCode : int {
  parse_error = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_params = -32602,
  internal_error = -32603,
  header_mismatch = -32020,  // this and the next are of the Model Context Protocol
  unsupported_version = -32022,
};

struct RpcMessage {
  std::shared_ptr<const simdjson::dom::parser> memory;  // of `params`
  std::string id;                                       // as JSON; empty: a notification
  std::string method;
  std::optional<simdjson::dom::object> params;
};

// The answer to what is not a message; `id` is null unless it could be read.
struct RpcFault {
  std::string id = "null";
  RpcCode code = RpcCode::invalid_request;
  std::string message;
};

// Nothing: a response, which is ignored.
std::variant<RpcMessage, RpcFault, std::monostate> parse_message(std::string_view text);

// A string or an integer as JSON, the only ids of the protocol; nothing: another value.
std::optional<std::string> id_text(simdjson::dom::element id);

// A response: one line of JSON.
struct RpcReply {
  std::string text;
  std::optional<RpcCode> error = {};
};

// `result` and `data` are JSON; no data: empty.
RpcReply rpc_result(std::string_view id, std::string_view result);
RpcReply rpc_error(std::string_view id, RpcCode code, std::string_view message, std::string_view data = "");
inline RpcReply rpc_error(const RpcFault& fault) { return rpc_error(fault.id, fault.code, fault.message); }

}  // namespace sightline::agent
