// RemotePath: an address in a cloud taken apart. These are known:
//   s3://bucket/key                       (s3a, s3n)   Amazon S3 and servers of its protocol
//   gs://bucket/key                       (gcs)        Google Cloud Storage
//   https://account.blob.core.windows.net/container/blob, abfs://container@account.dfs.core.windows.net/blob,
//   abfs://container/blob                 (abfss, az)  Azure Blob Storage
//   hdfs://host:port/path                 (viewfs)     Hadoop
// Keys are used unchanged; only an https address is percent-decoded. Credentials are not part of an address.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace sightline::base {

enum class Cloud { s3, google, azure, hadoop };

struct RemotePath {
  Cloud cloud = Cloud::s3;
  std::string scheme;   // in lower case, as it was given
  std::string host;     // Azure: host of the account, empty in the short form; Hadoop: host:port; else empty
  std::string account;  // Azure: its name, empty in the short form
  std::string bucket;   // the bucket or container; Hadoop: empty
  std::string key;      // inside the bucket, without a slash at either end; may be empty
};

// Whether a path is an address in a cloud. Functions for files on disk do not take such a path.
bool is_remote(std::string_view path);

// invalid_argument: the address names no bucket, or has none of the forms above.
Result<RemotePath> parse_remote(std::string_view path);

// The address of another key in the same bucket, in the form in which `path` was given.
std::string remote_address(const RemotePath& path, std::string_view key);

}  // namespace sightline::base
