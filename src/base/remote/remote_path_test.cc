#include "base/remote/remote_path.h"

#include <gtest/gtest.h>

namespace sightline::base {

namespace {

// "host account bucket key" of an address, "-" for an empty part; or the error.
std::string parts(const std::string& address) {
  const Result<RemotePath> parsed = parse_remote(address);
  if (!parsed) return "error: " + parsed.error().message;
  std::string text;
  for (const std::string& part : {parsed->host, parsed->account, parsed->bucket, parsed->key}) {
    text += (text.empty() ? "" : " ") + (part.empty() ? "-" : part);
  }
  return text;
}

TEST(RemotePath, OnlyAddressesOfCloudsAreRemote) {
  for (const char* path :
       {"s3://b/k", "S3://b", "s3a://b", "gs://b/k", "gcs://b", "abfs://c@a.dfs.core.windows.net/k", "abfss://c", "az://c/k",
        "https://a.blob.core.windows.net/c/k", "http://127.0.0.1:1/a/c", "hdfs://h:1/k", "viewfs://h/k"}) {
    EXPECT_TRUE(is_remote(path)) << path;
  }
  for (const char* path : {"", "runs", "/s3/b", "./s3://b", "s3:/b", "s3", "://b", "file:///runs", "foo://b/k"}) {
    EXPECT_FALSE(is_remote(path)) << path;
  }
}

TEST(RemotePath, IsTakenApart) {
  EXPECT_EQ(parts("s3://bucket/team/run 1/x%20.json"), "- - bucket team/run 1/x%20.json");
  EXPECT_EQ(parts("s3://bucket"), "- - bucket -");
  EXPECT_EQ(parts("GS://bucket/run//"), "- - bucket run");
  EXPECT_EQ(parts("abfs://c@a.dfs.core.windows.net/run/x"), "a.dfs.core.windows.net a c run/x");
  EXPECT_EQ(parts("abfss://a.blob.core.windows.net/c/run/x"), "a.blob.core.windows.net a c run/x");
  EXPECT_EQ(parts("az://c/run/x"), "- - c run/x");
  EXPECT_EQ(parts("https://a.blob.core.windows.net/c/run/x%20y"), "a.blob.core.windows.net a c run/x y");
  EXPECT_EQ(parts("http://127.0.0.1:10000/me/c/run"), "127.0.0.1:10000 me c run");
  EXPECT_EQ(parts("hdfs://name:8020/user/x"), "name:8020 - - user/x");
}

TEST(RemotePath, MissingPartsAreReported) {
  EXPECT_EQ(parts("s3://"), "error: names no bucket");
  EXPECT_EQ(parts("gs:///key"), "error: names no bucket");
  EXPECT_TRUE(parts("https://example.com").starts_with("error: of https addresses, only blobs of Azure are read"));
  EXPECT_TRUE(parts("abfs://c@example.com/x").starts_with("error: names no container"));
}

TEST(RemotePath, ASignatureIsNotTakenForAnAddress) {
  const Result<RemotePath> parsed = parse_remote("https://a.blob.core.windows.net/c/x?sv=1&sig=secret");
  ASSERT_FALSE(parsed);
  EXPECT_NE(parsed.error().message.find("AZURE_STORAGE_SAS_TOKEN"), std::string::npos);
  EXPECT_EQ(parsed.error().to_string().find("secret"), std::string::npos);
}

TEST(RemotePath, AddressesAreMadeInTheFormThatWasGiven) {
  for (const char* address : {"s3://b/k/x", "gs://b", "abfs://c@a.dfs.core.windows.net/k", "az://c/k", "hdfs://h:1/k",
                              "https://a.blob.core.windows.net/c/k", "http://127.0.0.1:1/me/c/k"}) {
    const Result<RemotePath> parsed = parse_remote(address);
    ASSERT_TRUE(parsed) << address;
    EXPECT_EQ(remote_address(*parsed, parsed->key), address);
  }
  const Result<RemotePath> web = parse_remote("https://a.blob.core.windows.net/c/x");
  const std::string made = remote_address(*web, "50%20?#");
  EXPECT_EQ(made, "https://a.blob.core.windows.net/c/50%2520%3F%23");
  EXPECT_EQ(parse_remote(made)->key, "50%20?#");
}

}  // namespace
}  // namespace sightline::base
