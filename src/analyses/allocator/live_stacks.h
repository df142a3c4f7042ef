// Live memory by the call stack that allocated it.
#pragma once

#include <string>
#include <vector>

#include "analyses/memory/memory_curve.h"
#include "analyses/memory/memory_records.h"
#include "model/report.h"

namespace sightline::analyses {

// ---- stacks as words ----

// The innermost frame of the user's program; of a stack without one, the innermost frame. kNoRow: no stack.
Row user_frame(const Profile& profile, Row stack);

// "forward (nets/unet.py:12)": the function, and the end of the file's path.
std::string frame_words(const Profile& profile, Row stack);

// "forward (nets/unet.py)": the same of a function, without a line.
std::string function_words(const Profile& profile, StringId name, StringId file);

// The frames, outermost last, joined by ;.
std::string stack_words(const Profile& profile, Row stack);

// ---- what was live ----

// Blocks that were live together.
struct LiveSum {
  std::int64_t bytes = 0;
  std::int64_t blocks = 0;
  std::int64_t largest = 0;
  Time oldest = kUnknown;  // when the first of them was allocated; kUnknown: one was there before the recording

  void add(std::int64_t size, Time allocated);
};

struct LiveStacks {
  std::vector<LiveSum> by_stack;  // by row of stacks
  LiveSum no_stack;               // whose allocation was recorded without a stack
  LiveSum unknown;                // allocated before the recording, by what is unknown; without the bytes below
  std::int64_t rest = 0;          // bytes allocated before the recording that no block accounts for
  std::int64_t all = 0;           // bytes
};

// REQUIRES: live.known.
LiveStacks live_stacks(const MemoryScope& scope, const LiveMemory& live);

// Blocks that were in use at the end and whose allocation was not recorded. Rows of memory_blocks.
std::vector<Row> kept_blocks(const MemoryScope& scope);

// ---- tables ----

// A panel that lists the table of its id.
Panel listed_panel(std::string id, Message title, Message empty = {});

inline constexpr std::size_t kMostFrames = 2'000;

ReportTable blank_frames_table();
// The frames that allocated most, with the frames that called them; at most kMostFrames.
ReportTable frames_table(const Profile& profile, const LiveStacks& live);

ReportTable blank_stacks_table();
// One row per line of the user's program, or per whole stack.
ReportTable stacks_table(const Profile& profile, const LiveStacks& live, bool whole_stacks);

}  // namespace sightline::analyses
