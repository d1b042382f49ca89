/* SPDX-License-Identifier: BSD-3-Clause */
/* Forbids, as containers do, system calls that the program does not need (they answer ENOSYS), and writes a
   file. usage: seccomp FILE */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char** argv) {
  static const int forbidden[] = {SYS_statx,     SYS_fstatfs,    SYS_statfs,    SYS_linkat,
                                  SYS_mknodat,   SYS_readlinkat, SYS_getcwd,    SYS_flock,
                                  SYS_ftruncate, SYS_fallocate,  SYS_renameat2, SYS_getppid};
  enum { N = sizeof forbidden / sizeof forbidden[0] };
  struct sock_filter code[2 * N + 2];
  const struct sock_fprog program = {2 * N + 2, code};
  int fd, i, n = 0;
  code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (i = 0; i < N; ++i) {
    code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)forbidden[i], 0, 1);
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS);
  }
  code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  if (argc != 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return 3;
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) return 77;
  fd = open(argv[1], O_RDWR | O_CREAT | O_EXCL, 0640);
  if (fd < 0 || write(fd, "text", 4) != 4 || pwrite(fd, "more", 4, 100) != 4 || close(fd) != 0) return 4;
  fd = open(argv[1], O_RDONLY);
  printf("%d bytes\n", (int)lseek(fd, 0, SEEK_END));
  return close(fd) == 0 ? 0 : 5;
}
