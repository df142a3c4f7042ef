// The module that profiler_call.cc loads: gRPC and the fifty shared libraries below it double the time in which the program
// starts, and nothing but a capture needs them. A portable build links them statically, and this file into the program.
#include "capture/profiler_service/profiler_call.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <vector>

namespace sightline::capture {

namespace {

constexpr Milliseconds kGlance{50};

std::shared_ptr<grpc::Channel> channel_to(const std::string& address) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);           // a profile may have gigabytes
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);  // the address is used without a proxy
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments);
}

std::string text_of(const grpc::ByteBuffer& buffer) {
  std::vector<grpc::Slice> slices;
  if (!buffer.Dump(&slices).ok()) return "";
  std::string text;
  text.reserve(buffer.Length());
  for (const grpc::Slice& slice : slices) text.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  return text;
}

// A gRPC status as an error with advice for the user.
Error error_of(const grpc::Status& status, const std::string& address, bool stopped) {
  const auto detailed = [&](const char* what) {
    return status.error_message().empty() ? what : say("{} ({detail})", what, status.error_message());
  };
  const Error taken{ErrorCode::unavailable, detailed("it is being recorded already: one at a time"), address};
  if (status.error_message().find("Another profiling session") != std::string::npos) return taken;  // JAX, with any code
  switch (status.error_code()) {
    case grpc::StatusCode::CANCELLED:
      return {stopped ? ErrorCode::cancelled : ErrorCode::unavailable, detailed("the call was cancelled"), address};
    case grpc::StatusCode::DEADLINE_EXCEEDED: return {ErrorCode::unavailable, detailed("no answer in time"), address};
    case grpc::StatusCode::UNIMPLEMENTED:
      return {ErrorCode::unsupported,
              detailed("it speaks gRPC but has no ProfilerService: is this the port of the profiler server?"), address};
    case grpc::StatusCode::ALREADY_EXISTS: return taken;
    case grpc::StatusCode::UNAVAILABLE:
      return {ErrorCode::unavailable, detailed("no gRPC server answers there: is a profiler server running on this port?"),
              address};
    default: return {ErrorCode::unavailable, detailed("the profiler server failed"), address};
  }
}

Result<std::string> call_by_grpc(const ProfilerCall& call, Milliseconds limit, const std::stop_token& stop) {
  grpc::GenericStub stub(channel_to(call.address));
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + limit);
  const grpc::Slice slice(call.request);
  const grpc::ByteBuffer request(&slice, 1);
  grpc::CompletionQueue queue;
  const auto reader = stub.PrepareUnaryCall(&context, "/tensorflow.ProfilerService/" + call.method, request, &queue);
  grpc::ByteBuffer answer;
  grpc::Status status;
  reader->StartCall();
  reader->Finish(&answer, &status, nullptr);
  void* tag = nullptr;
  bool ok = false, given_up = false;
  while (queue.AsyncNext(&tag, &ok, std::chrono::system_clock::now() + kGlance) == grpc::CompletionQueue::TIMEOUT) {
    if (!stop.stop_requested() || given_up) continue;
    context.TryCancel();  // the queue then has its answer
    given_up = true;
  }
  queue.Shutdown();
  while (queue.Next(&tag, &ok)) continue;
  if (!status.ok()) return error_of(status, call.address, given_up);
  return text_of(answer);
}

}  // namespace

}  // namespace sightline::capture

// The module's one name.
extern "C" void sightline_call_profiler(const sightline::capture::ProfilerCall& call, sightline::capture::Milliseconds limit,
                                        const std::stop_token& stop, sightline::base::Result<std::string>& answer) {
  answer = sightline::capture::call_by_grpc(call, limit, stop);
}
