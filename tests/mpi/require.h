/* SPDX-License-Identifier: BSD-3-Clause */
/* What must hold in a test program with MPI: else it says so and ends the job. */
#ifndef TOTO_TESTS_MPI_REQUIRE_H
#define TOTO_TESTS_MPI_REQUIRE_H

#include <mpi.h>
#include <stdio.h>

#define REQUIRE(condition, ...)                                       \
  do {                                                                \
    if (!(condition)) {                                               \
      fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition); \
      fprintf(stderr, __VA_ARGS__);                                   \
      fputc('\n', stderr);                                            \
      MPI_Abort(MPI_COMM_WORLD, 3);                                   \
    }                                                                 \
  } while (0)

static inline void require_success(int result, const char* what) {
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  if (result == MPI_SUCCESS) return;
  MPI_Error_string(result, text, &length);
  fprintf(stderr, "%s: %s\n", what, text);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

#endif
