// SPDX-License-Identifier: BSD-3-Clause
//
// stripefs: a file system in memory whose files are striped over slow targets. See README.md.
//
// Exit codes: 0 unmounted; 1 failed; 2 wrong use; 77 FUSE cannot be used here (a test takes that for "skip").
#include <fcntl.h>
#include <fuse_lowlevel.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "control.h"
#include "guard.h"
#include "ops.h"
#include "settings.h"

namespace toto::stripefs {

namespace {

constexpr int kFailed = 1;
constexpr int kNoFuse = 77;
constexpr unsigned kWorkers = 2;

bool FuseIsUsable() {
  const int fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);
  if (fd >= 0) {
    close(fd);
    return true;
  }
  std::cerr << "stripefs: cannot open /dev/fuse: " << std::strerror(errno) << '\n';
  return false;
}

// Every file with data is a descriptor.
void RaiseDescriptorLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  // Only root can go further.
  constexpr rlim_t kWanted = 1 << 20;
  if (limit.rlim_max < kWanted) {
    limit.rlim_cur = limit.rlim_max = kWanted;
    setrlimit(RLIMIT_NOFILE, &limit);
  }
}

// Whether this process has CAP_SYS_ADMIN.
bool MayMount() {
  constexpr unsigned kSysAdmin = 21;
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    constexpr std::string_view kKey = "CapEff:";
    if (line.compare(0, kKey.size(), kKey) != 0) continue;
    return (std::stoull(line.substr(kKey.size()), nullptr, 16) >> kSysAdmin & 1) != 0;
  }
  return false;
}

struct SessionDeleter {
  void operator()(fuse_session* session) const { fuse_session_destroy(session); }
};
using Session = std::unique_ptr<fuse_session, SessionDeleter>;

Session MakeSession(const Settings& settings, FileSystem* fs) {
  std::string mount_options =
      "default_permissions,subtype=" + settings.subtype + ",fsname=" + settings.source;
  if (geteuid() == 0) mount_options += ",allow_other";
  std::vector<std::string> words = {"stripefs", "-o", mount_options};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  fuse_args args = FUSE_ARGS_INIT(static_cast<int>(argv.size()), argv.data());
  const fuse_lowlevel_ops ops = Operations();
  Session session(fuse_session_new(&args, &ops, sizeof ops, fs));
  fuse_opt_free_args(&args);
  return session;
}

int Serve(fuse_session* session) {
  fuse_loop_config* const config = fuse_loop_cfg_create();
  fuse_loop_cfg_set_max_threads(config, kWorkers);
  fuse_loop_cfg_set_clone_fd(config, 0);
  const int result = fuse_session_loop_mt(session, config);
  fuse_loop_cfg_destroy(config);
  // A positive result is the signal that ended the loop: that is a proper end.
  return result < 0 ? kFailed : 0;
}

// The absolute path of the directory to mount on; empty (and a message) when it is none.
std::string MountPoint(const std::string& given) {
  char resolved[PATH_MAX];
  struct stat attributes {};
  if (realpath(given.c_str(), resolved) == nullptr || stat(resolved, &attributes) != 0) {
    std::cerr << "stripefs: " << given << ": " << std::strerror(errno) << '\n';
    return {};
  }
  if (!S_ISDIR(attributes.st_mode)) {
    std::cerr << "stripefs: " << given << ": not a directory\n";
    return {};
  }
  return resolved;
}

int Run(const Settings& settings) {
  if (!FuseIsUsable()) return kNoFuse;
  const std::string mount_point = MountPoint(settings.mount_point);
  if (mount_point.empty()) return kFailed;
  RaiseDescriptorLimit();

  FileSystem fs(settings.options, geteuid(), getegid());
  SetRates(fs.model, settings.rates);
  const Session session = MakeSession(settings, &fs);
  if (session == nullptr || fuse_set_signal_handlers(session.get()) != 0) return kFailed;
  if (fuse_session_mount(session.get(), mount_point.c_str()) != 0) {
    std::cerr << "stripefs: cannot mount on " << mount_point << '\n';
    // Without the privilege this is an environment without FUSE, as good as one without the device.
    return geteuid() != 0 || !MayMount() ? kNoFuse : kFailed;
  }
  if (fuse_daemonize(settings.foreground ? 1 : 0) != 0) return kFailed;

  const MountGuard guard(mount_point, fuse_session_fd(session.get()));
  const int status = Serve(session.get());
  // Whoever waits for a delayed reply gets it now, while there is a session to send it by.
  fs.timer.Flush();
  fuse_session_unmount(session.get());
  fuse_remove_signal_handlers(session.get());
  return status;
}

}  // namespace

}  // namespace toto::stripefs

int main(int argc, char** argv) {
  int status = 0;
  const auto settings = toto::stripefs::ParseCommandLine(argc, argv, &status);
  if (!settings) return status;
  try {
    return toto::stripefs::Run(*settings);
  } catch (const std::exception& error) {
    std::cerr << "stripefs: " << error.what() << '\n';
    return toto::stripefs::kFailed;
  }
}
