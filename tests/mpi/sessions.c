/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI without MPI_Init: a session, a communicator of it, a file on that and one of its own. usage: sessions
 * FOLDER */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
  MPI_Session session;
  MPI_Group group;
  MPI_Comm comm;
  MPI_File file;
  char path[4096], text[500];
  int rank, fd, opened;
  if (argc != 2) return 2;
  if (MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session) != MPI_SUCCESS) return 3;
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "toto.test", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
  MPI_Comm_rank(comm, &rank);
  memset(text, 's', sizeof text);
  snprintf(path, sizeof path, "%s/own.%d", argv[1], rank);
  fd = open(path, O_WRONLY | O_CREAT, 0644);
  if (write(fd, text, sizeof text) != sizeof text || close(fd) != 0) return 4;
  snprintf(path, sizeof path, "%s/shared", argv[1]);
  /* ROMIO of MPICH 4.0 says no without MPI_Init: that is said, and no matter. */
  opened = MPI_File_open(comm, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  printf("opened: %d\n", opened == MPI_SUCCESS);
  if (opened == MPI_SUCCESS) {
    if (MPI_File_write_at_all(file, rank * 500, text, 500, MPI_BYTE, MPI_STATUS_IGNORE) != MPI_SUCCESS)
      return 6;
    if (MPI_File_close(&file) != MPI_SUCCESS) return 7;
  }
  MPI_Barrier(comm);
  MPI_Group_free(&group);
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
  return 0;
}
