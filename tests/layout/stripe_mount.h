// SPDX-License-Identifier: BSD-3-Clause
// A stripefs mounted in a fresh folder for as long as the object lives; gone with the test when that dies.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace toto::testing {

class StripeMount {
 public:
  explicit StripeMount(const std::vector<std::string>& options);
  ~StripeMount();
  StripeMount(const StripeMount&) = delete;
  StripeMount& operator=(const StripeMount&) = delete;

  [[nodiscard]] bool ok() const { return ok_; }
  // How the daemon ended when it did not mount; 77: FUSE cannot be used here.
  [[nodiscard]] int status() const { return status_; }
  [[nodiscard]] const std::string& point() const { return point_; }
  [[nodiscard]] std::string path(const std::string& name) const { return point_ + "/" + name; }

  // stripefs.fail: "setlayout=EACCES", "clip=2", "" (none).
  void fail(const std::string& faults) const;

 private:
  std::string point_;
  pid_t daemon_ = -1;
  bool ok_ = false;
  int status_ = 0;
};

}  // namespace toto::testing
