/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of files that become a socket's, a memory file's, a pipe's, by ways that do not go through close:
   nobody's bytes may land on a file. usage: change_hands FOLDER TRUTH */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "counted.h"

static void send_descriptor(int socket, int fd) {
  char room[CMSG_SPACE(sizeof(int))] = {0}, byte = 'x';
  struct iovec part = {&byte, 1};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
  struct cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(header), &fd, sizeof fd);
  REQUIRE(sendmsg(socket, &message, 0) == 1);
}
static int receive_descriptor(int socket) {
  char room[CMSG_SPACE(sizeof(int))], byte;
  int fd;
  struct iovec part = {&byte, 1};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
  REQUIRE(recvmsg(socket, &message, 0) == 1);
  memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof fd);
  return fd;
}

int main(int argc, char** argv) {
  int pair[2], fd, copy, received, memory;
  FILE* stream;
  REQUIRE(argc == 3);
  prepare(argv[1]);
  fd = opened(open(in("file"), O_RDWR | O_CREAT, 0644), 1);
  wrote(&posix, write(fd, text, 100), 100);

  /* Over a socket: the received number is nobody's that we saw opened, and no other file's either. */
  REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
  send_descriptor(pair[0], fd);
  received = receive_descriptor(pair[1]);
  REQUIRE(write(received, text, 50) == 50);
  REQUIRE(close(received) == 0);
  wrote(&posix, write(fd, text, 10), 10);

  /* A socket over a file's number, and back. */
  copy = dup(fd);
  REQUIRE(dup2(pair[0], copy) == copy);
  REQUIRE(write(copy, text, 500) == 500 && read(pair[1], buffer, 500) == 500);
  REQUIRE(dup2(fd, copy) == copy);
  wrote(&posix, write(copy, text, 20), 20);

  /* Closed behind our back: the next owner of the number is met when it is opened, or is no file. */
  REQUIRE(syscall(SYS_close, copy) == 0);
  REQUIRE(open("/proc/self/status", O_RDONLY) == copy);
  REQUIRE(read(copy, buffer, 100) == 100);
  REQUIRE(close(copy) == 0);

  /* closefrom takes all at once. */
  copy = fcntl(fd, F_DUPFD, 200);
  REQUIRE(copy == 200);
  closefrom(100);
  memory = memfd_create("memory", 0);
  REQUIRE(memory >= 0 && dup2(memory, 200) == 200);
  REQUIRE(write(200, text, 1000) == 1000);
  REQUIRE(close(200) == 0 && close(memory) == 0);

  /* fclose closes what open opened. */
  copy = dup(fd);
  stream = fdopen(copy, "a");
  REQUIRE(stream != NULL);
  ++stdio.opens;
  REQUIRE(fputs("12345", stream) >= 0);
  wrote(&stdio, 5, 5);
  REQUIRE(fclose(stream) == 0);
  ++stdio.closes;
  REQUIRE(socket(AF_UNIX, SOCK_STREAM, 0) == copy);
  REQUIRE(write(copy, text, 10) == -1 && errno == ENOTCONN);
  REQUIRE(close(copy) == 0 && close(pair[0]) == 0 && close(pair[1]) == 0);
  closed(close(fd));
  write_truth(argv[2]);
  return 0;
}
