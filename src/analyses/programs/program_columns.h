// What the views of compiled programs' operators share: their parameters, the columns of WorkSums, and time by device.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyses/analysis.h"
#include "analyses/devices/device_activity.h"
#include "analyses/programs/program_sums.h"
#include "model/table_of.h"

namespace sightline::analyses {

// ---- parameters ----

// `device`, `step`, `times`, `search` and `top`.
std::vector<Parameter> program_parameters();

struct ProgramChoice {
  std::shared_ptr<const ProgramRuns> of;           // of the whole recording, or of the step chosen
  const std::vector<OperatorRun>* runs = nullptr;  // a part of it
  bool stated = false;
  std::optional<WorkPlace> place;  // nothing: all

  bool shows(const WorkPlace& at) const { return !place || *place == at; }
};

// "All" and one other choice are no choice: then the page shows no control. A chosen one stays.
void drop_single_choice(Parameter& parameter);

// Adds the choices to the report, and how its times were determined.
Result<ProgramChoice> choose_runs(Report& report, const ProfilePtr& profile, const Parameters& given);

// ", step 5" when one is chosen, for a report's scope.
Message with_step(const Message& scope, const Parameters& given);

// "GPU 1", "NPU 0 AIC"; empty when nothing is known of the place.
Message place_title(const Profile& profile, const WorkPlace& place);

// ---- columns ----

// Device and core.
TableOf<WorkPlace, Profile> place_columns(const DeviceWords& words = {});

// The costs of a row, and the time that shares refer to.
struct WorkOfAll {
  WorkSums sums;
  Time all;
};

// How often it ran; then its costs, from `time` to `wasted`.
TableOf<WorkOfAll> occurrence_columns();
TableOf<WorkOfAll> work_columns();

// For tables that show only the time of the work and its share.
inline bool is_time_or_share(const ReportColumn& column) { return column.key == "time" || column.key == "share"; }

// Hides the total where it is each row's time, since nothing is nested.
void hide_plain_total(ReportTable& table);

// The compiler's facts about an operator, by row of program_operators: from `opcode` to `source`.
TableOf<Row, Profile> about_columns();

// ---- the operators fused into one, shown as the detail of its row ----

// By row of program_operators: how many operators were fused into it.
std::vector<std::int64_t> fused_counts(const Profile& profile);
ReportColumn fused_column();
// Hidden: which operator the detail is of (kNoRow: none), and whether there is any.
struct FusedDetail {
  Row program_operator;
  bool has_fused;
};
TableOf<FusedDetail> detail_columns();
RowDetail fused_detail(const Parameters& given);

// ---- time by device ----

ReportTable blank_place_table();
// The table `places` and its donut, where work ran in several. A part leads to `view` of that place.
void add_places(Report& report, const Profile& profile, const std::vector<OperatorRun>& runs, std::string_view view,
                const LinkParameters& kept);

Panel work_donut(const Report& report, std::string_view table, Message title, int top, const char* label = "name");

}  // namespace sightline::analyses
