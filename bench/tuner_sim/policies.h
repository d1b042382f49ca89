// SPDX-License-Identifier: BSD-3-Clause
// The policies that are compared: each is told what a file reached, and says which arm (index into kCounts)
// the next file gets.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "bench/tuner_sim/world.h"

namespace toto::sim {

struct Policy {
  virtual ~Policy() = default;
  virtual std::size_t choose() = 0;
  virtual void observe(std::size_t arm, double log_bandwidth) = 0;
};

struct Start {
  std::size_t prior = 0;  // arm
  bool sure = false;
  unsigned seed = 0;  // for those that need chance
};

struct Named {
  const char* name;
  bool peer;  // a way of learning that others use; not: the default, the rule alone, ours
  std::unique_ptr<Policy> (*make)(const Start&);
};
// Ours is the last.
const std::vector<Named>& all_policies();

}  // namespace toto::sim
