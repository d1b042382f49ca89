// SPDX-License-Identifier: BSD-3-Clause
// Entry points of glibc that no header declares, or declares only for certain build options: the fortified
// forms (what a program built with -D_FORTIFY_SOURCE calls), other names of older programs (getc was
// _IO_getc), and the stat family of programs built before glibc 2.33. Signatures: glibc's debug/*.c and
// io/xstat.c.
#pragma once

#include <aio.h>
#include <dirent.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

// Names with the large-file suffix take the same types on the 64-bit systems that this library is for.
static_assert(sizeof(off_t) == 8 && sizeof(struct stat) == sizeof(struct stat64));

extern "C" {
ssize_t __read_chk(int fd, void* buffer, size_t bytes, size_t room);
ssize_t __pread_chk(int fd, void* buffer, size_t bytes, off_t offset, size_t room);
ssize_t __pread64_chk(int fd, void* buffer, size_t bytes, off64_t offset, size_t room);
int __open_2(const char* path, int flags);
int __open64_2(const char* path, int flags);
int __openat_2(int dir, const char* path, int flags);
int __openat64_2(int dir, const char* path, int flags);
int __xstat(int version, const char* path, struct stat* out);
int __xstat64(int version, const char* path, struct stat64* out);
int __lxstat(int version, const char* path, struct stat* out);
int __lxstat64(int version, const char* path, struct stat64* out);
int __fxstat(int version, int fd, struct stat* out);
int __fxstat64(int version, int fd, struct stat64* out);
int __fxstatat(int version, int dir, const char* path, struct stat* out, int flags);
int __fxstatat64(int version, int dir, const char* path, struct stat64* out, int flags);
size_t __fread_chk(void* buffer, size_t room, size_t size, size_t items, FILE* stream);
size_t __fread_unlocked_chk(void* buffer, size_t room, size_t size, size_t items, FILE* stream);
char* __fgets_chk(char* buffer, size_t room, int bytes, FILE* stream);
char* __fgets_unlocked_chk(char* buffer, size_t room, int bytes, FILE* stream);
int __vfprintf_chk(FILE* stream, int flag, const char* format, va_list arguments);
int __fprintf_chk(FILE* stream, int flag, const char* format, ...);
int fcntl64(int fd, int command, ...);
int __vdprintf_chk(int fd, int flag, const char* format, va_list arguments);
int __isoc99_vfscanf(FILE* stream, const char* format, va_list arguments);
int __isoc23_vfscanf(FILE* stream, const char* format, va_list arguments);
int _IO_getc(FILE* stream);
int _IO_putc(int character, FILE* stream);
pid_t __vfork(void) noexcept;
int __clone(int (*function)(void*), void* stack, int flags, void* argument, ...) noexcept;
int eaccess(const char* path, int mode);
int euidaccess(const char* path, int mode);
// libaio's, of which no header need be there: a context is a number, and the blocks are the kernel's.
int io_submit(aio_context_t context, long count, iocb** blocks);
}
