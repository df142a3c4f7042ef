// Recording processes that run XLA's profiler server
// (jax.profiler.start_server, torch_xla's, TensorFlow's).
// A request over gRPC returns the profile.
#pragma once

#include <string>
#include <vector>

#include "capture/capture.h"

namespace sightline::capture {

DriverInfo service_driver();

// `addresses`: host:port of each; they start at the same moment. The files are FOLDER/plugins/profile/SESSION/HOST.xplane.pb,
// where other tools look for them too.
Result<Captured> capture_service(const std::vector<std::string>& addresses, const CaptureOptions& options,
                                 const CaptureWatch& watch);

}  // namespace sightline::capture
