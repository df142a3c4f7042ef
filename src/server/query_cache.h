// QueryCache: the last answers to SQL, for clients that send the same query for the same profile: several users of one
// address, or a page that is loaded again. A client that sends the query while it runs gets the same answer, an error too.
// Thread-safe.
#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "model/profile.h"
#include "server/message.h"

namespace sightline::server {

class QueryCache {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{32} << 20;  // of all answers
  static constexpr std::size_t kMostAnswers = 256;

  // The answer to `question`, on which it depends together with the profile only; `compute` makes it if none is kept. Only
  // answers of status 200 are kept. `stop` ends the waiting for another client's answer; it may be empty.
  Response answer(const ProfilePtr& profile, const std::string& question, const std::function<bool()>& stop,
                  const std::function<Response()>& compute);

 private:
  struct Entry {
    std::weak_ptr<const Profile> profile;
    std::string question;
    Response response;
  };
  struct Flight {  // a query that runs
    bool ended = false;
    std::optional<Response> response;  // absent: its client left before it was there (status 409)
  };
  using Key = std::pair<const Profile*, std::string>;

  std::optional<Response> find(const ProfilePtr& profile, const std::string& question);
  void keep(const ProfilePtr& profile, const std::string& question, const Response& response);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Entry> entries_;  // the last used first
  std::size_t bytes_ = 0;
  std::map<Key, std::shared_ptr<Flight>> under_way_;
};

// Whether the same SQL over the same tables gives the same answer: it calls no function of chance or time.
bool answers_alike(std::string_view sql);

}  // namespace sightline::server
