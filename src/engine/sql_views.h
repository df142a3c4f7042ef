// The views of this program: those in C++ and those written in SQL, built in or in a folder of the user's.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analyses/analysis.h"
#include "base/result.h"

namespace sightline::engine {

struct Views {
  std::vector<Analysis> all;        // in display order
  std::vector<std::string> faults;  // one line for each file that is wrong; its view is among `all` and says the same
};

// Those that the program brings along: what an engine has when it is given none.
std::span<const Analysis> built_in_views();

// Where the user's own views are: XDG_CONFIG_HOME/sightline/views, else ~/.config/sightline/views; empty: nowhere.
std::string user_views_folder();

// The program's own, and behind them all `*.sql` in the user's folder, if it is there, and in `folder`, if that is not empty,
// each read once. `try_all` runs the SQL of each on an empty profile, so that errors are reported before the view is opened.
// not_found: `folder` cannot be read.
Result<Views> all_views(const std::string& folder, bool try_all);

}  // namespace sightline::engine
