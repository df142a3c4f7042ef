#include "capture/profiler_service/profiler_call.h"

#include <dlfcn.h>

#include <filesystem>

#include "base/check.h"

namespace sightline::capture {

namespace {

using Call = void (*)(const ProfilerCall&, Milliseconds, const std::stop_token&, Result<std::string>&);

struct Module {
  Call call = nullptr;
  std::string failure;
};

Module load() {
  std::error_code failed;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
  const std::string path = (program.parent_path() / "sightline_grpc.so").string();
  void* module = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);  // stays loaded: gRPC has threads of its own
  if (module == nullptr) return {.call = nullptr, .failure = ::dlerror()};
  return {.call = reinterpret_cast<Call>(::dlsym(module, "sightline_call_profiler")), .failure = "not our module"};
}

const Module& grpc_module() {
  static const Module module = load();
  return module;
}

}  // namespace

Result<bool> load_grpc() {
  if (grpc_module().call != nullptr) return true;
  return Error{ErrorCode::unsupported,
               "this program was built without libgrpc++, or it is not installed: " + grpc_module().failure, ""};
}

Result<std::string> call_profiler(const ProfilerCall& call, Milliseconds limit, const std::stop_token& stop) {
  CHECK(grpc_module().call != nullptr);
  Result<std::string> answer = std::string();
  grpc_module().call(call, limit, stop, answer);
  return answer;
}

}  // namespace sightline::capture
