#include "server/query_cache.h"
#include "base/fields.h"

#include <algorithm>
#include <chrono>

namespace sightline::server {

namespace {

constexpr std::chrono::milliseconds kGlance{50};  // between two checks whether the client has left
constexpr int kLeft = 409;                        // the status of an answer whose client has left, or whose profile is not ready
constexpr std::size_t kMostOfOne = QueryCache::kMostBytes / 8;

}  // namespace

std::optional<Response> QueryCache::find(const ProfilePtr& profile, const std::string& question) {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.question == question && entry.profile.lock() == profile;
  });
  if (found == entries_.end()) return std::nullopt;
  entries_.splice(entries_.begin(), entries_, found);
  return found->response;
}

void QueryCache::keep(const ProfilePtr& profile, const std::string& question, const Response& response) {
  if (response.status != 200 || response.body->size() > kMostOfOne) return;
  entries_.push_front({profile, question, response});
  bytes_ += response.body->size();
  while (bytes_ > kMostBytes || entries_.size() > kMostAnswers) {
    bytes_ -= entries_.back().response.body->size();
    entries_.pop_back();
  }
}

Response QueryCache::answer(const ProfilePtr& profile, const std::string& question, const std::function<bool()>& stop,
                            const std::function<Response()>& compute) {
  const Key key{profile.get(), question};
  const auto flight = std::make_shared<Flight>();
  std::unique_lock lock(mutex_);
  for (;;) {
    if (std::optional<Response> found = find(profile, question)) return *std::move(found);
    const auto [running, mine] = under_way_.try_emplace(key, flight);
    if (mine) break;
    const std::shared_ptr<Flight> others = running->second;
    while (!others->ended) {
      changed_.wait_for(lock, kGlance);
      if (!others->ended && stop && stop()) return error_answer(kLeft, "cancelled", "the client has left");
    }
    if (others->response) return *others->response;
  }
  lock.unlock();
  const auto end = [&] {
    flight->ended = true;
    under_way_.erase(key);
    changed_.notify_all();
  };
  try {
    Response response = compute();
    lock.lock();
    if (response.status != kLeft) flight->response = response;
    keep(profile, question, response);
    end();
    return response;
  } catch (...) {  // there is no memory to keep it either
    if (!lock.owns_lock()) lock.lock();
    end();
    throw;
  }
}

bool answers_alike(std::string_view sql) {
  const std::string lower = lower_case(sql);
  constexpr std::string_view kOthers[] = {"random", "uuid", "now", "current_", "today", "localtime", "sample", "setseed"};
  return std::none_of(std::begin(kOthers), std::end(kOthers),
                      [&](std::string_view word) { return lower.find(word) != lower.npos; });
}

}  // namespace sightline::server
