// Where in the program an advice is about: a call, and the line of source that makes it.
#pragma once

#include <optional>
#include <string>

#include "model/interval.h"
#include "model/profile.h"
#include "model/report.h"

namespace sightline::analyses {

// The function that made the call, as its frame names it: "train.py(12): step". The innermost one around the slice that is not
// part of an installed package, else the innermost one; empty when none was recorded.
std::string source_line(const Profile& profile, Row slice);

// The call that launched this device work, which shows who asked for it; the slice itself if it is no device work, or if no
// launch is known.
Row host_side(const Profile& profile, Row slice);

// The window of time, or the call, that the advice links to.
std::optional<Interval> window_of(const Profile& profile, const Advice& advice);

// Of the call or the window of time that the advice links to: the call, or the outermost operator that takes at least half of the
// window, "aten::item at train.py(12): step". Empty when neither is known.
std::string place_of(const Profile& profile, const Advice& advice);

}  // namespace sightline::analyses
