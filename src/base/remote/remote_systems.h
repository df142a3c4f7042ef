// Arrow's file systems, one per cloud, made from the user's environment; docs/clouds.md lists every variable. Only the .cc files
// of this folder include this, because Arrow's headers compile slowly. Making a file system may use the network.
#pragma once

#include <arrow/filesystem/filesystem.h>
#include <arrow/result.h>

#include <memory>
#include <string>

#include "base/certificates.h"
#include "base/layers.h"
#include "base/message.h"
#include "base/remote/remote_path.h"

namespace sightline::base {

// ---- the user's environment, for all clouds ----

// A variable of the environment; empty when it is not set.
std::string variable(const char* name);
bool is_set(const char* name);

// "0", "false", "no", "off" are false and "1", "true", "yes", "on" are true; `otherwise` when it is not set or has another
// value.
bool variable_flag(const char* name, bool otherwise);

// A number of seconds, more than 0; `otherwise` when it is not set or is not valid.
double variable_seconds(const char* name, double otherwise);

// The parts of "http://host:port/rest"; the scheme may be missing and is then empty.
struct Endpoint {
  std::string scheme;
  std::string authority;
  std::string path;
};
Endpoint parse_endpoint(const std::string& text);

// ---- file systems ----

using FileSystemPtr = std::shared_ptr<arrow::fs::FileSystem>;

// NotImplemented where Arrow was built without that cloud.
arrow::Result<FileSystemPtr> make_s3_system(const RemotePath& path);
arrow::Result<FileSystemPtr> make_google_system(const RemotePath& path);
arrow::Result<FileSystemPtr> make_azure_system(const RemotePath& path);
arrow::Result<FileSystemPtr> make_hadoop_system(const RemotePath& path);

// Ends what make_s3_system began; no file system may be in use.
void end_s3();

// Part of a sentence: what the user can set to get access. It depends on what is already set.
Message s3_access_advice();
Message google_access_advice();
Message azure_access_advice();

// How often a request is made at most, when the cause of its failure may be temporary.
inline constexpr int kTries = 3;

}  // namespace sightline::base
