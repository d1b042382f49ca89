! SPDX-License-Identifier: BSD-3-Clause
! One MPI file through one of the three Fortran interfaces: -DMPIF_H, -DUSE_MPI or -DUSE_MPI_F08.
! usage: fortran FILE
program fortran
#if defined(USE_MPI_F08)
  use mpi_f08
#elif defined(USE_MPI)
  use mpi
#endif
  implicit none
#if defined(MPIF_H)
  include 'mpif.h'
#endif
#if defined(USE_MPI_F08)
  type(MPI_File) :: file
  type(MPI_Status) :: status
#else
  integer :: file, status(MPI_STATUS_SIZE)
#endif
  integer, parameter :: n = 100
  integer :: ierr, rank, i, out(n), in(n)
  integer(kind=MPI_OFFSET_KIND) :: at
  character(len=1024) :: path

  call get_command_argument(1, path)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  out = [(1000 * rank + i, i = 1, n)]
  in = 0
  call MPI_File_open(MPI_COMM_WORLD, trim(path), MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file, ierr)
  call must("MPI_File_open")
  at = int(rank, MPI_OFFSET_KIND) * n * 4
  call MPI_File_set_view(file, at, MPI_INTEGER, MPI_INTEGER, "native", MPI_INFO_NULL, ierr)
  call must("MPI_File_set_view")
  at = 0
  call MPI_File_write_at_all(file, at, out, n, MPI_INTEGER, status, ierr)
  call must("MPI_File_write_at_all")
  call MPI_File_read(file, in, n, MPI_INTEGER, status, ierr)
  call must("MPI_File_read")
  if (any(in /= out)) call fail("what was read is not what was written")
  call MPI_File_close(file, ierr)
  call must("MPI_File_close")
  call MPI_Finalize(ierr)

contains

  subroutine must(what)
    character(len=*), intent(in) :: what
    if (ierr /= MPI_SUCCESS) call fail(what)
  end subroutine

  subroutine fail(what)
    character(len=*), intent(in) :: what
    print *, what
    call MPI_Abort(MPI_COMM_WORLD, 3, ierr)
  end subroutine
end program
