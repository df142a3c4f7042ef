// Files in the folder of a profile that may belong to it: what several readers search there.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/binary/byte_stream.h"
#include "formats/read_context.h"
#include "model/profile.h"

namespace sightline::formats {

// Tables of text: *.csv and *.csv.gz, and files with "dmon" in their name.
struct TablesBeside {
  std::vector<std::string> files;  // at most kMost
  std::int64_t left_out = 0;

  static constexpr std::size_t kMost = 64;
};

TablesBeside tables_beside(const std::string& path);

// Adds a problem if files were left out.
void note_left_out(const TablesBeside& tables, Profile& profile);

// Reads such a file within the memory limit. Returns why its end was not read: it cannot be opened, is cut, or needs more memory.
std::optional<Message> read_beside(const ReadContext& context, const std::string& path,
                                   const std::function<void(ByteStream&)>& read);

// The cells of a line of a CSV file, without quotes; a doubled quote inside quotes is one.
std::vector<std::string> csv_cells(std::string_view line);

// Samples (time, value) in any order as those that hold in the profile's window: in order, of those before the window the last
// one, at its begin.
std::vector<std::pair<Time, double>> samples_in_window(std::vector<std::pair<Time, double>> samples, const Profile& profile);

}  // namespace sightline::formats
