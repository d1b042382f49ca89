! SPDX-License-Identifier: BSD-3-Clause
! Fortran units: formatted, unformatted, direct, stream, inquire, delete. usage: runtimes_fortran FOLDER
program runtimes
  implicit none
  character(len=1000) :: folder
  real(8) :: block(1000), back(1000)
  integer :: i, number, records
  call get_command_argument(1, folder)
  block = 1.5d0
  open(unit=10, file=trim(folder) // "/formatted", status="replace")
  do i = 1, 1000
    write(10, "(i8,f12.3)") i, block(i)
  end do
  close(10)
  open(unit=11, file=trim(folder) // "/unformatted", form="unformatted", status="new")
  do i = 1, 10
    write(11) block
  end do
  rewind(11)
  read(11) back
  close(11)
  open(unit=12, file=trim(folder) // "/direct", form="unformatted", access="direct", recl=8000)
  do i = 10, 1, -1
    write(12, rec=i) block
  end do
  read(12, rec=5) back
  close(12)
  open(unit=13, file=trim(folder) // "/stream", form="unformatted", access="stream")
  write(13) block(1:500)
  close(13)
  open(unit=10, file=trim(folder) // "/formatted", status="old", action="read")
  records = 0
  do
    read(10, *, end=20) number
    records = records + 1
  end do
20 close(10)
  open(unit=14, file=trim(folder) // "/scratch_of_mine")
  write(14, *) "gone"
  close(14, status="delete")
  print *, records, sum(back)
end program
