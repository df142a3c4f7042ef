// Losses of logs that the page sends: a form whose fields `loss_tag` and `iteration_tag` hold for the files `log` after them,
// and `base` and `compared` (numbers of logs, from 1) for all. The logs are read as they come and nothing of them is kept but the
// points, for as long as the answer takes.
#pragma once

#include "base/result.h"
#include "model/report.h"
#include "server/message.h"

namespace sightline::server {

Result<Report> losses_answer(const Request& request);

}  // namespace sightline::server
