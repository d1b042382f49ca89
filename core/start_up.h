// SPDX-License-Identifier: BSD-3-Clause
// For what runs, and is written, at the start of every process, with any program. Each page of memory that is
// touched for the first time costs more than all that is done in it, so these lie together.
#pragma once

// A function: where compilers put constructors, too.
#define TOTO_AT_START [[gnu::section(".text.startup")]]

// A variable that starts as 0: the linker sorts by name (pmpi/CMakeLists.txt), which puts these before all
// others of their kind, right behind the variables that have a value. Each name is a section of its own, as
// compilers want it.
#define TOTO_SET_AT_START(name) [[gnu::section(".bss.0" #name)]]
