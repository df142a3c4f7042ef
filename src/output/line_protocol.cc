// Lines are appended to one buffer, which is handed on when it is long enough. What is the same on all points of a lane is made
// once.
#include "output/line_protocol.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "base/text.h"
#include "model/kind_names.h"

namespace sightline::output {

namespace {

void append_tag(std::string& out, std::string_view key, std::string_view value) {
  if (value.empty()) return;  // the protocol has no empty tags
  out.append(",").append(key).append("=");
  append_tag_value(out, to_utf8(value));
}

class PointWriter {
 public:
  PointWriter(const Profile& profile, const PointTags& tags, const PointBatches& batches,
              const std::function<bool(std::string_view)>& take)
      : p_(profile), batches_(batches), take_(take), origin_(profile.origin_unix_ns == kUnknown ? 0 : profile.origin_unix_ns) {
    append_tag(common_, "run", tags.run);
    append_tag(common_, "worker", tags.worker);
    append_tag(common_, "span", tags.span);
  }

  std::int64_t run() {
    for (Row lane = 0; lane < p_.lanes.rows() && !stopped_; ++lane) write_lane(lane);
    write_counters();
    if (!stopped_ && !text_.empty()) hand_on();
    return points_;
  }

 private:
  // A lane's number tells it from others of its name.
  std::string tags_of(Row lane) const {
    const Row main = p_.main_lane(lane), process = p_.lanes.process[main];
    std::string tags = common_;
    if (process != kNoRow) append_tag(tags, "process", p_.text(p_.processes.name[process]));
    const std::string_view name = p_.text(p_.lanes.name[main]);
    append_tag(tags, "lane", name.empty() ? p_.text(p_.lanes.track[main]) : name);
    append_tag(tags, "lane_id", std::to_string(lane));
    return tags;
  }

  // The end of a point: which of those at its time it is, its fields, and the time.
  void finish(std::string_view fields, Time time) {
    nth_ = points_of_lane_ != 0 && time == last_time_ ? nth_ + 1 : 0;
    last_time_ = time;
    ++points_of_lane_;
    if (nth_ != 0) fmt::format_to(std::back_inserter(text_), ",nth={}", nth_);
    fmt::format_to(std::back_inserter(text_), " {} {}\n", fields, origin_ + time);
    ++points_;
    if (++in_batch_ >= batches_.points || text_.size() >= batches_.bytes) hand_on();
  }

  void write_lane(Row lane) {
    const std::string tags = tags_of(lane);
    points_of_lane_ = 0;
    for (Row slice = p_.lanes.first[lane]; slice < p_.lanes.last[lane] && !stopped_; ++slice) {
      while (work_ < p_.device_work.rows() && p_.device_work.slice[work_] < slice) ++work_;
      fields_ = "name=";
      append_field_text(fields_, to_utf8(p_.text(p_.slices.name[slice])));
      fmt::format_to(std::back_inserter(fields_), ",duration={}i,depth={}i,row={}i", p_.slices.duration[slice],
                     p_.slices.depth[slice], slice);
      const bool work = work_ < p_.device_work.rows() && p_.device_work.slice[work_] == slice;
      if (work && p_.device_work.bytes[work_] != kUnknown)
        fmt::format_to(std::back_inserter(fields_), ",bytes={}i", p_.device_work.bytes[work_]);
      text_.append("slice").append(tags).append(",kind=").append(slice_kind_name(p_.slices.kind[slice]));
      finish(fields_, p_.slices.start[slice]);
    }
  }

  // A value that is unknown has no point: the protocol knows none.
  void write_counters() {
    Row lane = kNoRow;
    std::string tags;
    for (Row row = 0; row < p_.counters.rows() && !stopped_; ++row) {
      if (p_.counters.lane[row] != lane) {
        lane = p_.counters.lane[row];
        tags = tags_of(lane);
        points_of_lane_ = 0;
      }
      if (!std::isfinite(p_.counters.value[row])) continue;
      text_.append("counter").append(tags);
      finish(fmt::format("value={}", p_.counters.value[row]), p_.counters.time[row]);
    }
  }

  void hand_on() {
    stopped_ = stopped_ || !take_(text_);
    text_.clear();
    in_batch_ = 0;
  }

  const Profile& p_;
  const PointBatches& batches_;
  const std::function<bool(std::string_view)>& take_;
  std::int64_t origin_;
  std::string common_, text_, fields_;
  std::size_t in_batch_ = 0;
  std::int64_t points_ = 0, points_of_lane_ = 0, nth_ = 0;
  Time last_time_ = 0;
  Row work_ = 0;  // row of device_work, whose slices ascend as those of the lanes do
  bool stopped_ = false;
};

}  // namespace

void append_tag_value(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (c == ',' || c == '=' || c == ' ') out += '\\';
    const bool line_end = c == '\n' || c == '\r';
    out += line_end ? "\\ " : std::string_view(&c, 1);
  }
  if (!text.empty() && text.back() == '\\') out += "\\ ";
}

void append_field_text(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += '"';
}

std::int64_t write_points(const Profile& profile, const PointTags& tags, const PointBatches& batches,
                          const std::function<bool(std::string_view)>& take) {
  return PointWriter(profile, tags, batches, take).run();
}

}  // namespace sightline::output
