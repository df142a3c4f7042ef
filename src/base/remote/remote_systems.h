// Arrow's file systems, one per cloud, made from the user's environment. Only the .cc files of this folder include this:
// Arrow's headers compile slowly. Creating one may use the network; see docs/clouds.md for every variable.
#pragma once

#include <arrow/filesystem/filesystem.h>
#include <arrow/result.h>

#include <memory>
#include <string>

#include "base/remote/remote_environment.h"
#include "base/remote/remote_path.h"

namespace sightline::base {

using FileSystemPtr = std::shared_ptr<arrow::fs::FileSystem>;

// NotImplemented where Arrow was built without that cloud.
arrow::Result<FileSystemPtr> make_s3_system(const RemotePath& path);
arrow::Result<FileSystemPtr> make_google_system(const RemotePath& path);
arrow::Result<FileSystemPtr> make_azure_system(const RemotePath& path);
arrow::Result<FileSystemPtr> make_hadoop_system(const RemotePath& path);

// Ends what make_s3_system began; no file system may be in use.
void end_s3();

// What the user can set so that access is granted: half a sentence. What it says depends on what is set already.
std::string s3_access_advice();
std::string google_access_advice();
std::string azure_access_advice();

// At most so many times a request is made that fails for a reason that may pass.
inline constexpr int kTries = 3;

}  // namespace sightline::base
