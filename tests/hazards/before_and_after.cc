// SPDX-License-Identifier: BSD-3-Clause
// Calls from constructors and destructors of another library, of static objects, of thread-local ones, and
// from atexit. usage: BEFORE_FOLDER=FOLDER before_and_after FOLDER TRUTH
#include <fcntl.h>
#include <unistd.h>

#include <string>
#include <thread>

extern "C" {
#include "counted.h"
int before_library_writes(const char* name);
}

namespace {

std::string place;
void write_file(const char* name, bool counts = true) {
  const int fd = ::open((place + "/" + name).c_str(), O_WRONLY | O_CREAT, 0644);
  REQUIRE(fd >= 0 && ::write(fd, "0123456789", 10) == 10 && ::close(fd) == 0);
  if (!counts) return;
  ++posix.opens, ++posix.creates, ++posix.closes, ++posix.writes;
  posix.bytes_written += 10;
}

struct AtEnd {
  const char* name;
  bool in_main = false;
  ~AtEnd() {
    if (!place.empty()) write_file(name);
  }
};

std::string truth;
struct Truth {  // made first, so that it is the last of the program's own to go
  ~Truth() {
    if (truth.empty()) return;
    // What is written here is counted, too, and by no one else: /dev/null would not be.
    write_truth(truth.c_str());
  }
} the_truth;
AtEnd object{"static_object"};
thread_local AtEnd of_thread{"thread_local"};

}  // namespace

int main(int argc, char** argv) {
  REQUIRE(argc == 3);
  place = argv[1];
  truth = argv[2];
  std::atexit([] { write_file("atexit"); });
  std::thread([] { of_thread.in_main = false; }).join();
  write_file("main");
  REQUIRE(before_library_writes("called") == 1);
  ++posix.opens, ++posix.creates, ++posix.closes, ++posix.writes, ++posix.reads;
  posix.bytes_written += 4;
  posix.bytes_read += 4;
  ++stdio.opens, ++stdio.closes, ++stdio.writes;
  stdio.bytes_written += 2;
  return 0;
}
