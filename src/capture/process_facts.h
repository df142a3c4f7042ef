// What the system tells of a process (/proc): for the list that a person chooses from, and for saying why a recording does not
// come.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sightline::capture {

// Whether it is there and has not ended (a zombie has).
bool process_runs(std::int32_t pid);

// Since it was started; nullopt: it has ended.
std::optional<std::chrono::milliseconds> age_of(std::int32_t pid);

// Its user's number; nullopt: there is no such process.
std::optional<std::uint32_t> user_of(std::int32_t pid);
std::string user_name(std::uint32_t user);  // the number where it has no name

// Its arguments, as one line of at most `most` bytes; empty when it has ended.
std::string command_of(std::int32_t pid, std::size_t most = 80);

// The process, its parent, and so on up to the first.
std::vector<std::int32_t> ancestry_of(std::int32_t pid);

// A variable of the environment it was started with; nullopt when it has none of that name or may not be looked into.
std::optional<std::string> variable_of(std::int32_t pid, std::string_view name);

// The accelerators whose device files it has open, such as "nvidia0, nvidia1"; "CPU" when there are none, "" when that is not
// ours to see.
std::string devices_of(std::int32_t pid);

// The release of torch it has loaded, such as "2.8.0+cpu"; empty when that is not to be found out.
std::string torch_release_of(std::int32_t pid);

}  // namespace sightline::capture
