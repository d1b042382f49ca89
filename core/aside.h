// SPDX-License-Identifier: BSD-3-Clause
// Work that may hang (a home whose file server is gone) is done beside the program, which waits for it only
// so long. The thread calls no MPI and gets no signal.
#pragma once

namespace toto {

// Runs work(what) in a thread of its own. False: not done within `seconds`, or no thread to be had; it may
// still come to its end, so that what it uses must stay for the life of the process, and be left alone.
bool run_aside(void (*work)(void* what), void* what, int seconds);

// The same, and nobody waits. False: no thread to be had.
bool start_aside(void (*work)(void* what), void* what);

}  // namespace toto
