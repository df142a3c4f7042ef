// The module that profiler_call.cc loads: gRPC and the fifty shared libraries below it double the time in which the program
// starts, and nothing but a capture needs them. A portable build links them statically, and this file into the program.
#include "capture/profiler_service/profiler_call.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <vector>

namespace sightline::capture {

namespace {

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

CallOutcome::Status status_of(const grpc::Status& status) {
  using enum CallOutcome::Status;
  if (status.error_message().find("Another profiling session") != std::string::npos) return taken;  // JAX, with any code
  switch (status.error_code()) {
    case grpc::StatusCode::CANCELLED: return cancelled;
    case grpc::StatusCode::DEADLINE_EXCEEDED: return late;
    case grpc::StatusCode::UNIMPLEMENTED: return no_service;
    case grpc::StatusCode::ALREADY_EXISTS: return taken;
    case grpc::StatusCode::UNAVAILABLE: return no_server;
    default: return failed;
  }
}

CallOutcome call_by_grpc(const ProfilerCall& call, Milliseconds limit, const std::stop_token& stop) {
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
  if (!status.ok()) return {status_of(status), status.error_message(), given_up};
  return {CallOutcome::Status::answered, text_of(answer), false};
}

}  // namespace

}  // namespace sightline::capture

// The module's one name.
extern "C" void sightline_call_profiler(const sightline::capture::ProfilerCall& call, sightline::capture::Milliseconds limit,
                                        const std::stop_token& stop, sightline::capture::CallOutcome& outcome) {
  outcome = sightline::capture::call_by_grpc(call, limit, stop);
}
