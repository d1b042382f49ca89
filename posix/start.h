// SPDX-License-Identifier: BSD-3-Clause
// Life of the POSIX half: start-up at load, the forked child, and the report of a process without MPI.
#pragma once

namespace toto::posix {

// What is due at the end of a process: its report, if nobody else will make it. Does nothing the second time.
void end_process();

}  // namespace toto::posix
