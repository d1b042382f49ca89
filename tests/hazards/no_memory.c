/* SPDX-License-Identifier: BSD-3-Clause */
/* To be preloaded: on ranks with an odd number there is no memory for the library under test, and enough for
   everybody else. Says so at the end, if anybody asked. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void* __libc_malloc(size_t size); /* NOLINT: glibc's name for it */

static int refused;

static int is_odd(void) {
  const char* rank = getenv("OMPI_COMM_WORLD_RANK");
  if (rank == NULL) rank = getenv("PMI_RANK");
  return rank != NULL && atoi(rank) % 2 == 1;
}

void* malloc(size_t size) {
  static __thread int inside;
  Dl_info who;
  int refuse = 0;
  if (!inside) {
    inside = 1; /* dladdr does not ask for memory today */
    refuse = dladdr(__builtin_return_address(0), &who) != 0 && who.dli_fname != NULL &&
             strstr(who.dli_fname, "libtoto_pmpi") != NULL && is_odd();
    inside = 0;
  }
  if (refuse) {
    ++refused;
    return NULL;
  }
  return __libc_malloc(size);
}

__attribute__((destructor)) static void tell(void) {
  if (refused > 0) fprintf(stderr, "no memory: refused\n");
}
