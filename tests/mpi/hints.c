/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens a file with hints, and says what the MPI library uses and what became of the program's own MPI_Info.
   usage: hints FILE [key=value...]; without pairs MPI_INFO_NULL is used */
#include <string.h>

#include "require.h"

static void print_info(const char* whose, MPI_Info info) {
  char key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1];
  int keys = 0, i, found;
  MPI_Info_get_nkeys(info, &keys);
  printf("%s has %d keys\n", whose, keys);
  for (i = 0; i < keys; ++i) {
    MPI_Info_get_nthkey(info, i, key);
    MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &found);
    printf("%s %s=%s\n", whose, key, value);
  }
}

int main(int argc, char** argv) {
  char second[4096];
  MPI_Info own = MPI_INFO_NULL, used;
  MPI_File file;
  int rank, i, value = 7;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc > 2) MPI_Info_create(&own);
  for (i = 2; i < argc; ++i) {
    char* equal = strchr(argv[i], '=');
    *equal = '\0';
    MPI_Info_set(own, argv[i], equal + 1);
  }
  require_success(MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, own, &file),
                  "open");
  require_success(MPI_File_get_info(file, &used), "get_info");
  if (rank == 0) print_info("file", used);
  MPI_Info_free(&used);
  if (rank == 0 && own != MPI_INFO_NULL) print_info("program", own);
  require_success(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", own), "set_view");
  require_success(MPI_File_write_at_all(file, rank, &value, 1, MPI_INT, MPI_STATUS_IGNORE), "write_at_all");
  require_success(MPI_File_close(&file), "close");
  /* The same info once more, and the null one after it, for another file. */
  snprintf(second, sizeof second, "%s.second", argv[1]);
  require_success(MPI_File_open(MPI_COMM_WORLD, second, MPI_MODE_CREATE | MPI_MODE_RDWR, own, &file),
                  "second open");
  require_success(MPI_File_close(&file), "second close");
  require_success(MPI_File_open(MPI_COMM_WORLD, second, MPI_MODE_RDWR, MPI_INFO_NULL, &file), "third open");
  require_success(MPI_File_close(&file), "third close");
  if (own != MPI_INFO_NULL) require_success(MPI_Info_free(&own), "MPI_Info_free");
  MPI_Finalize();
  return 0;
}
