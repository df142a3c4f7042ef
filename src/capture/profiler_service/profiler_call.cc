// Messages of the ProfilerService, and the module that sends them.
#include "capture/profiler_service/profiler_call.h"

#include <dlfcn.h>

#include <filesystem>

#include "base/check.h"
#include "base/proto_writer.h"

// Of grpc_call.cc: part of the program where gRPC is linked statically (cmake/portable.cmake), else null.
extern "C" [[gnu::weak]] void sightline_call_profiler(const sightline::capture::ProfilerCall& call,
                                                      sightline::capture::Milliseconds limit, const std::stop_token& stop,
                                                      sightline::capture::CallOutcome& outcome);

namespace sightline::capture {

// ---- messages ----

namespace {

constexpr std::uint64_t kMostEvents = 1'000'000;
constexpr std::uint64_t kOptionsVersion = 1;  // any other, and the server takes its defaults
constexpr unsigned kXSpace = 8, kEmptyTrace = 7;

// A varint; nullopt when the bytes end within it or it has more than ten.
std::optional<std::uint64_t> take_varint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 70 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    value |= shift < 64 ? std::uint64_t{byte & 0x7fu} << shift : 0;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

}  // namespace

std::string profile_request(const CaptureOptions& options, const ProfilerRequest& request) {
  const auto duration = static_cast<std::uint64_t>(options.duration.count());
  ProtoWriter wanted;                         // ProfileOptions
  wanted.integer(2, 2);                       // host_tracer_level: as the reference client
  wanted.integer(3, 1);                       // device_tracer_level
  wanted.integer(4, options.stacks ? 1 : 0);  // python_tracer_level
  wanted.integer(5, kOptionsVersion);
  wanted.integer(7, 1);  // enable_hlo_proto
  if (request.start) wanted.integer(8, static_cast<std::uint64_t>(*request.start));
  wanted.integer(9, duration);
  ProtoWriter out;  // ProfileRequest
  out.integer(1, duration);
  out.integer(2, kMostEvents);
  out.bytes(3, "xplane.pb");
  out.message(4, wanted);
  out.bytes(5, request.repository_root);  // for a server that does not know emit_xspace
  out.bytes(6, request.session);
  out.bytes(7, request.host);
  out.integer(9, 1);  // emit_xspace
  return out.data();
}

std::string terminate_request(const std::string& session) {
  ProtoWriter out;
  out.bytes(1, session);
  return out.data();
}

Result<ProfilerAnswer> parse_profile_answer(std::string_view bytes) {
  ProfilerAnswer answer;
  const std::size_t size = bytes.size();
  const auto broken = [&] {
    return Error{ErrorCode::malformed, "the answer is not a ProfileResponse", "answer:" + std::to_string(size - bytes.size())};
  };
  while (!bytes.empty()) {
    const std::optional<std::uint64_t> tag = take_varint(bytes);
    if (!tag) return broken();
    const unsigned kind = static_cast<unsigned>(*tag & 7);
    std::uint64_t length = kind == 1 ? 8 : kind == 5 ? 4 : 0;
    if (kind == 0 || kind == 2) {
      const std::optional<std::uint64_t> value = take_varint(bytes);
      if (!value) return broken();
      if (kind == 2) length = *value;
      if (kind == 0 && *tag >> 3 == kEmptyTrace) answer.empty_trace = *value != 0;
    } else if (kind != 1 && kind != 5) {
      return broken();
    }
    if (length > bytes.size()) return broken();
    if (kind == 2 && *tag >> 3 == kXSpace) answer.xspace = bytes.substr(0, length);
    bytes.remove_prefix(length);
  }
  return answer;
}

// ---- calls ----

namespace {

using Call = void (*)(const ProfilerCall&, Milliseconds, const std::stop_token&, CallOutcome&);

struct Module {
  Call call = nullptr;
  std::string failure;
};

Module load() {
  if (sightline_call_profiler != nullptr) return {.call = sightline_call_profiler, .failure = ""};
  std::error_code failed;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
  const std::string path = (program.parent_path() / "sightline_grpc.so").string();
  void* module = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);  // stays loaded: gRPC has its own threads
  if (module == nullptr) return {.call = nullptr, .failure = ::dlerror()};
  return {.call = reinterpret_cast<Call>(::dlsym(module, "sightline_call_profiler")), .failure = "not our module"};
}

// With advice for the user.
Error error_of(const CallOutcome& outcome, const std::string& address) {
  const auto detailed = [&](const char* what) { return outcome.text.empty() ? what : say("{} ({detail})", what, outcome.text); };
  switch (outcome.status) {
    case CallOutcome::Status::cancelled:
      return {outcome.given_up ? ErrorCode::cancelled : ErrorCode::unavailable, detailed("the call was cancelled"), address};
    case CallOutcome::Status::late: return {ErrorCode::unavailable, detailed("no answer in time"), address};
    case CallOutcome::Status::no_service:
      return {ErrorCode::unsupported,
              detailed("it speaks gRPC but has no ProfilerService: is this the port of the profiler server?"), address};
    case CallOutcome::Status::taken:
      return {ErrorCode::unavailable, detailed("it is being recorded already: one at a time"), address};
    case CallOutcome::Status::no_server:
      return {ErrorCode::unavailable, detailed("no gRPC server answers there: is a profiler server running on this port?"),
              address};
    case CallOutcome::Status::answered:
    case CallOutcome::Status::failed: break;
  }
  return {ErrorCode::unavailable, detailed("the profiler server failed"), address};
}

const Module& grpc_module() {
  static const Module module = load();
  return module;
}

}  // namespace

Result<bool> load_grpc() {
  if (grpc_module().call != nullptr) return true;
  return Error{ErrorCode::unsupported,
               say("this program was built without libgrpc++, or it is not installed: {}", grpc_module().failure), ""};
}

Result<std::string> call_profiler(const ProfilerCall& call, Milliseconds limit, const std::stop_token& stop) {
  CHECK(grpc_module().call != nullptr);
  CallOutcome outcome;
  grpc_module().call(call, limit, stop, outcome);
  if (outcome.status != CallOutcome::Status::answered) return error_of(outcome, call.address);
  return std::move(outcome.text);
}

}  // namespace sightline::capture
