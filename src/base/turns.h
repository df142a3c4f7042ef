// A bounded number of jobs run at once; the others wait in the order in which they came.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>

#include "base/layers.h"

namespace sightline::base {

class Turns {
 public:
  explicit Turns(int most) : most_(most) {}

  std::size_t waiting() const;

 private:
  friend class Turn;
  const int most_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::list<const class Turn*> queue_;  // who waits, the first in front
  int running_ = 0;
};

// The right to run, given back when it is destroyed.
class Turn {
 public:
  explicit Turn(Turns& turns) : turns_(turns) {}
  Turn(const Turn&) = delete;
  ~Turn();

  // Waits until all who came before run or left, and fewer than the most run. Calls `stop`, if there is one, every 50 ms
  // without a lock held. False: `stop` returned true, and the place in the queue is given up.
  bool wait(const std::function<bool()>& stop);

 private:
  Turns& turns_;
  bool has_ = false;
};

}  // namespace sightline::base
