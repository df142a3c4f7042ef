// ReadContext: one reading of a capture by a reader, which `Reader::read` begins and completes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/input_file.h"
#include "formats/binary/byte_stream.h"
#include "formats/reader.h"

namespace sightline::formats {

// What happens to a capture of which nothing could be read.
enum class Empty {
  refused,             // an error
  refused_if_damaged,  // an error if there is a problem; else an empty profile that reports that it is empty
  kept                 // a profile
};

class ReadContext {
 public:
  ReadContext(const std::string& path, const ReadOptions& options) : path_(path), options_(options) {}

  const std::string& path() const { return path_; }
  const ReadOptions& options() const { return options_; }
  ReadProgress* progress() const { return options_.progress; }         // may be null
  void stage(const char* stage) const { set_stage(options_, stage); }  // a static string
  bool is_cancelled() const { return progress() != nullptr && progress()->cancelled; }

  // The bytes of the file at `path`, from its beginning. The stream is valid until the next call. Damage of its compression
  // becomes a problem of the profile.
  Result<ByteStream*> open();

  // Default: refused.
  void when_empty(Empty what) { empty_ = what; }
  Empty when_empty() const { return empty_; }

  // Adds that problem, if there was damage.
  void note_damage(Profile& profile) const;

 private:
  const std::string& path_;
  const ReadOptions& options_;
  std::unique_ptr<ByteSource> source_;
  std::optional<ByteStream> stream_;
  Empty empty_ = Empty::refused;
};

inline constexpr std::size_t kLongestLine = std::size_t{1} << 20;  // bytes of a line of text that readers look at

// Parts of a line, of which there is at least one.
std::vector<std::string_view> split_line(std::string_view line, char separator);

// Whether any table has rows. Tables that only describe the capture (devices, metadata, problems) do not count.
bool has_rows(const Profile& profile);

// Sets the span, if the recording does not state one: from 0 to the end of the last slice or, without slices, to the last
// sample. A reader calls it only if it needs the span itself.
void complete_span(Profile& profile);

// A problem: the compression of a file was damaged, at byte `offset` of its text. `file`: empty if it is the only one.
void note_damaged_compression(Profile& profile, std::string_view file, const Message& damage, std::int64_t offset);

}  // namespace sightline::formats
