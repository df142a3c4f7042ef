// A million parts of gaps have a few thousand culprits: they are grouped by numbers, and each frame is looked at once.
#include "analyses/idle/idle_culprits.h"

#include <algorithm>
#include <unordered_map>

#include "analyses/advice/place.h"
#include "analyses/derived_data.h"
#include "analyses/group_index.h"
#include "analyses/source_lines.h"
#include "analyses/steps/step_windows.h"

namespace sightline::analyses {

namespace {

// The data loader's or the optimizer's range, whatever runs inside it; else the part's own.
Row range_of(const Profile& p, const IdlePart& part) {
  const bool loads = part.cause == IdleCause::data_loading;
  if (!loads && part.cause != IdleCause::optimizer) return part.slice;
  Row slice = part.slice;
  while (p.slices.kind[slice] != (loads ? SliceKind::data_loading : SliceKind::optimizer)) slice = p.slices.parent[slice];
  return slice;
}

class CulpritFinder {
 public:
  explicit CulpritFinder(const Profile& profile)
      : p_(profile), place_of_frame_(profile.strings.size()), place_of_stack_(profile.strings.size()) {
    places_.push_back({});
  }

  ExplainedIdle run(IdleTimes times) {
    ExplainedIdle idle;
    idle.times = std::move(times);
    idle.culprit.reserve(idle.times.parts.size());
    for (const IdlePart& part : idle.times.parts) idle.culprit.push_back(number_of(part));
    std::vector<Culprit> culprits;
    for (std::size_t number = 0; number < groups_.size(); ++number) {
      culprits.push_back({static_cast<IdleCause>(groups_.key(number)[0]), groups_.text(number, 1), groups_.text(number, 2),
                          places_[groups_.key(number)[3]].frame});
    }
    idle.culprits = std::make_shared<const std::vector<Culprit>>(std::move(culprits));
    return idle;
  }

 private:
  struct Place {
    std::string_view frame;
    FrameKind kind = FrameKind::built_in;
  };

  std::uint32_t number_of(const IdlePart& part) {
    const auto cause = static_cast<std::uint32_t>(part.cause);
    if (part.slice == kNoRow) return groups_.number_of({cause, 0, 0, 0});
    const StringId name = p_.slices.name[range_of(p_, part)];
    StringId operator_name = StringId::none;
    std::uint32_t place = 0;
    const auto take = [&](std::uint32_t frame) {
      if (frame != 0 && (place == 0 || places_[place].kind < places_[frame].kind)) place = frame;
    };
    for (Row slice = host_side(p_, part.slice); slice != kNoRow; slice = p_.slices.parent[slice]) {
      const SliceKind kind = p_.slices.kind[slice];
      if (kind == SliceKind::op && operator_name == StringId::none) {
        operator_name = p_.slices.name[slice];
        const auto row = std::lower_bound(p_.operators.slice.begin(), p_.operators.slice.end(), slice);
        if (row != p_.operators.slice.end() && *row == slice) {
          const StringId stack = p_.operators.call_stack[static_cast<std::size_t>(row - p_.operators.slice.begin())];
          take(place_of_stack(stack));
        }
      }
      if (kind == SliceKind::python || kind == SliceKind::module) take(place_of_frame(p_.slices.name[slice]));
    }
    return groups_.number_of({cause, static_cast<std::uint32_t>(name), static_cast<std::uint32_t>(operator_name), place});
  }

  // Numbers in places_; 0: of an empty text.
  std::uint32_t place_of_frame(StringId frame) {
    std::uint32_t& known = place_of_frame_[static_cast<std::size_t>(frame)];
    if (known == 0) known = number_of(p_.text(frame)) + 1;
    return known - 1;
  }
  std::uint32_t place_of_stack(StringId stack) {
    std::uint32_t& known = place_of_stack_[static_cast<std::size_t>(stack)];
    if (known == 0) known = number_of(line_of_stack(p_.text(stack))) + 1;
    return known - 1;
  }
  std::uint32_t number_of(std::string_view frame) {
    const auto [found, is_new] = numbers_.try_emplace(frame, static_cast<std::uint32_t>(places_.size()));
    if (is_new) places_.push_back({frame, kind_of_frame(frame)});
    return found->second;
  }

  const Profile& p_;
  GroupIndex<4> groups_;  // cause, name, name of the operator, place
  std::vector<Place> places_;
  std::unordered_map<std::string_view, std::uint32_t> numbers_{{{}, 0}};  // by frame: in places_
  std::vector<std::uint32_t> place_of_frame_, place_of_stack_;            // by text: its number + 1; 0: not looked at yet
};

IntervalSet kept_windows(const ProfilePtr& profile) {
  IntervalSet windows;
  const std::shared_ptr<const StepWindows> steps = steps_of(profile);
  for (const StepWindow& step : steps->kept) windows.push_back(step.window);
  return merge(windows);
}

}  // namespace

std::int64_t held_bytes(const ExplainedIdle& idle) {
  return held_bytes(idle.times.gaps, idle.times.parts, idle.culprit, *idle.culprits);
}

std::shared_ptr<const ExplainedIdle> explained_idle(const ProfilePtr& profile) {
  return derived<ExplainedIdle>(profile, [](const ProfilePtr& of) { return explain_idle(of, kept_windows(of)); });
}

ExplainedIdle explain_idle(const ProfilePtr& profile, const IntervalSet& windows) {
  return CulpritFinder(*profile).run(find_idle_causes(*profile, windows, *work_by_start(profile)));
}

void each_gap(const ExplainedIdle& idle, const IdleChoice& choice, const std::function<void(const ExplainedGap&)>& visit) {
  const std::span<const IdlePart> parts = idle.times.parts;
  const std::span<const std::uint32_t> culprits = idle.culprit;
  std::vector<IdlePart> cut;
  std::vector<std::uint32_t> cut_culprits;
  std::size_t end = 0;  // of the gap's parts
  for (std::uint32_t number = 0; number < idle.times.gaps.size(); ++number) {
    const std::size_t begin = end;
    while (end < parts.size() && parts[end].gap == number) ++end;
    const IdleGap& gap = idle.times.gaps[number];
    if (choice.device && gap.device != *choice.device) continue;
    if (!choice.windows) {
      if (gap.time.length() >= choice.least)
        visit({gap, parts.subspan(begin, end - begin), culprits.subspan(begin, end - begin)});
      continue;
    }
    auto window = std::upper_bound(choice.windows->begin(), choice.windows->end(), gap.time.start,
                                   [](Time time, const Interval& each) { return time < each.end; });
    for (; window != choice.windows->end() && window->start < gap.time.end; ++window) {
      const auto inside = [&](Interval time) {
        return Interval{std::max(window->start, time.start), std::min(window->end, time.end)};
      };
      const Interval time = inside(gap.time);
      if (time.length() <= 0 || time.length() < choice.least) continue;
      cut.clear();
      cut_culprits.clear();
      for (std::size_t part = begin; part < end; ++part) {
        if (inside(parts[part].time).length() <= 0) continue;
        cut.push_back({inside(parts[part].time), parts[part].cause, parts[part].slice, number});
        cut_culprits.push_back(culprits[part]);
      }
      visit({{time, gap.device}, cut, cut_culprits});
    }
  }
}

}  // namespace sightline::analyses
