// SPDX-License-Identifier: BSD-3-Clause
#include "core/job_id.h"

#include <sys/utsname.h>

#include <array>
#include <charconv>
#include <cstdlib>

#include "core/config.h"
#include "core/segment_file.h"
#include "core/sys.h"
#include "core/table_text.h"

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

struct Source {
  TableText<24> job;
  TableText<24> step;  // a job may have several launches
};
constexpr auto kSources = std::to_array<Source>({
    Source{"SLURM_JOB_ID", "SLURM_STEP_ID"},
    Source{"PBS_JOBID", ""},
    Source{"LSB_JOBID", ""},
    Source{"COBALT_JOBID", ""},
    Source{"FLUX_JOB_ID", ""},
    Source{"OAR_JOB_ID", ""},
    Source{"JOB_ID", ""},
    Source{"OMPI_MCA_ess_base_jobid", ""},
    Source{"PMIX_NAMESPACE", ""},
    Source{"PMI_JOBID", ""},
});

// `name` ends in a NUL, or is empty.
std::string_view variable(std::string_view name) {
  const char* value = !name.empty() ? std::getenv(name.data()) : nullptr;
  return value != nullptr ? std::string_view(value) : std::string_view();
}

const Source* source() {
  for (const Source& one : kSources) {
    if (!variable(one.job).empty()) return &one;
  }
  return nullptr;
}

int number(std::string_view text, int fallback) {
  int value = fallback;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

// Numbers are used again: with its birth the name is the process's alone.
FixedString<96> process_job(int pid) {
  return FixedString<96>("p").add(pid).add('-').add(segment::birth_of(pid));
}

bool job_has_name() { return !config::settings().job_id.empty() || source() != nullptr; }

FixedString<96> job_id() {
  FixedString<96> out;
  if (const std::string_view given = config::settings().job_id; !given.empty()) {
    add_clean(out, given);
    return out;
  }
  const Source* found = source();
  // MPICH's launcher gives a rank, and no name of the job.
  if (found == nullptr) return process_job(variable("PMI_RANK").empty() ? sys::getpid() : sys::getppid());
  add_clean(out, variable(found->job));
  if (const std::string_view step = variable(found->step); !step.empty()) add_clean(out.add('.'), step);
  return out;
}

int local_rank() {
  for (const char* name :
       {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "PMI_LOCAL_RANK", "SLURM_LOCALID"}) {
    if (const int rank = number(variable(name), -1); rank >= 0) return rank;
  }
  return -1;
}

int pretended_node() {
  const auto size = static_cast<int>(config::settings().ranks_per_node);
  const int rank = local_rank();
  return size > 0 && rank >= 0 ? rank / size : -1;
}

FixedString<64> host_name() {
  utsname names{};
  if (::uname(&names) != 0) return std::string_view("unknown");
  return std::string_view(names.nodename);
}

}  // namespace toto
