// SPDX-License-Identifier: BSD-3-Clause
#include "core/job_id.h"

#include <sys/utsname.h>

#include <array>
#include <cstdlib>

#include "core/sys.h"

namespace toto {
namespace {

// Only what is safe in a file name.
void add_clean(FixedString<96>& out, std::string_view text) {
  for (const char c : text) {
    const bool good =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
    out.add(good ? c : '_');
  }
}

}  // namespace

FixedString<96> job_id() {
  struct Source {
    const char* job;
    const char* step;  // a job may have several launches
  };
  constexpr std::array kSources = {
      Source{"SLURM_JOB_ID", "SLURM_STEP_ID"},
      Source{"PBS_JOBID", nullptr},
      Source{"LSB_JOBID", nullptr},
      Source{"COBALT_JOBID", nullptr},
      Source{"FLUX_JOB_ID", nullptr},
      Source{"OAR_JOB_ID", nullptr},
      Source{"JOB_ID", nullptr},
      Source{"OMPI_MCA_ess_base_jobid", nullptr},
      Source{"PMIX_NAMESPACE", nullptr},
      Source{"PMI_JOBID", nullptr},
  };
  FixedString<96> out;
  for (const Source& source : kSources) {
    const char* job = std::getenv(source.job);
    if (job == nullptr || *job == '\0') continue;
    add_clean(out, job);
    if (const char* step = source.step != nullptr ? std::getenv(source.step) : nullptr) {
      add_clean(out.add('.'), step);
    }
    return out;
  }
  out.add("pg").add(::syscall(SYS_getpgid, 0));
  return out;
}

FixedString<64> host_name() {
  utsname names{};
  if (::uname(&names) != 0) return std::string_view("unknown");
  return std::string_view(names.nodename);
}

}  // namespace toto
