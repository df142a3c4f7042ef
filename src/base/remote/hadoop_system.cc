// Hadoop, through its own Java libraries, which Arrow looks for when they are first needed: JAVA_HOME, HADOOP_HOME (or
// ARROW_LIBHDFS_DIR) and CLASSPATH say where.
#include <arrow/filesystem/hdfs.h>

#include "base/remote/remote_systems.h"

namespace sightline::base {

arrow::Result<FileSystemPtr> make_hadoop_system(const RemotePath& path) {
  ARROW_ASSIGN_OR_RAISE(arrow::fs::HdfsOptions options,
                        arrow::fs::HdfsOptions::FromUri(path.scheme + "://" + (path.host.empty() ? "default" : path.host) + "/"));
  arrow::Result<std::shared_ptr<arrow::fs::HadoopFileSystem>> made = arrow::fs::HadoopFileSystem::Make(options);
  const std::string why = made.ok() ? "" : made.status().message();
  if (why.find("libjvm") == why.npos && why.find("libhdfs") == why.npos) return made;
  return arrow::Status::IOError("Hadoop's libraries cannot be loaded (set JAVA_HOME, HADOOP_HOME and CLASSPATH): ", why);
}

}  // namespace sightline::base
