// The memory files of a folder: operator_memory.csv (blocks of operators), memory_record.csv (allocators and process over
// time) and npu_module_mem.csv (the same by component of the driver).
//
// Times stay as in the files, ns since 1970; see rebase in ascend_reader.cc.
#pragma once

#include <string>
#include <string_view>

#include "base/memory.h"
#include "model/profile.h"

namespace sightline::formats::ascend {

// A block of an operator: times of both ends, kUnknown if outside the recording.
struct Block {
  StringId name, device;
  std::int64_t bytes;
  std::int64_t allocated, released;
  std::int64_t allocated_total, allocated_reserved, released_total, released_reserved;
  bool graph_engine = false;  // also by the name, if it begins with "cann::"
};

// Blocks as memory events, sorted by time. The files give no addresses but both ends of a block, so a block's number
// identifies it. `origin` is what slices' times are relative to: an end belongs to the thread on which an operator with its
// name is open.
void add_blocks(std::vector<Block> blocks, std::int64_t origin, Profile& profile);

void add_operator_memory(const std::string& path, std::int64_t origin, MemoryLimit* limit, Profile& profile);
void add_memory_record(const std::string& path, Profile& profile);
void add_module_memory(const std::string& path, Profile& profile);

// The name of a component of the driver: some have the name of an allocator, and are something else.
inline std::string driver_component(std::string_view name) { return std::string(name) + " (driver)"; }

// Sorts memory_usage by device, component and time.
void sort_memory_usage(Profile& profile);

// 1 of "NPU:1" and "NPU1", kUnknown without a number; and "NPU1" of both.
std::int64_t device_number(std::string_view device);
std::string device_label(std::string_view device);

}  // namespace sightline::formats::ascend
