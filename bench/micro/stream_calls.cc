// SPDX-License-Identifier: BSD-3-Clause
// The measured calls of stdio. The stream's own write(2) or read(2) every 4096 bytes is part of what they
// cost.
#include <array>
#include <cstdio>

#include "bench/micro/files.h"

namespace toto::bench {
namespace {

// Of a file of kFileBytes; back at its start before the end is reached.
class Stream {
 public:
  Stream(const std::string& folder, const char* mode)
      : file_(folder), stream_(std::fopen(file_.path(), mode)) {
    check(stream_ != nullptr, "fopen");
  }
  ~Stream() { std::fclose(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  std::FILE* get() {
    if (places_.next() == 0) std::rewind(stream_);
    return stream_;
  }

 private:
  File file_;
  std::FILE* stream_;
  Places<8> places_;
};

struct Writer {
  explicit Writer(const std::string& folder) : stream(folder, "r+") {}
  Stream stream;
};
struct Reader {
  explicit Reader(const std::string& folder) : stream(folder, "r") {}
  Stream stream;
};

struct FWrite : Writer {
  using Writer::Writer;
  void operator()() { check(std::fwrite("12345678", 1, 8, stream.get()) == 8, "fwrite"); }
};
struct FPuts : Writer {
  using Writer::Writer;
  void operator()() { check(std::fputs("1234567\n", stream.get()) >= 0, "fputs"); }
};
struct FPrintF : Writer {
  using Writer::Writer;
  void operator()() { check(std::fprintf(stream.get(), "%d\n", 1234567) == 8, "fprintf"); }
};
struct FRead : Reader {
  using Reader::Reader;
  void operator()() { check(std::fread(data.data(), 1, 8, stream.get()) == 8, "fread"); }
  std::array<char, 8> data{};
};
struct FGets : Reader {
  using Reader::Reader;
  void operator()() { check(std::fgets(data.data(), 9, stream.get()) != nullptr, "fgets"); }
  std::array<char, 16> data{};
};
struct FSeek : Reader {
  using Reader::Reader;
  void operator()() { check(std::fseek(stream.get(), 64, SEEK_SET) == 0, "fseek"); }
};
struct PutAndFlush : Writer {
  using Writer::Writer;
  void operator()() {
    std::FILE* to = stream.get();
    check(std::fwrite("12345678", 1, 8, to) == 8 && std::fflush(to) == 0, "fwrite, fflush");
  }
};
struct OpenClose {
  explicit OpenClose(const std::string& folder) : file(folder) {}
  void operator()() {
    std::FILE* stream = std::fopen(file.path(), "r");
    check(stream != nullptr && std::fclose(stream) == 0, "fopen, fclose");
  }
  File file;
};

}  // namespace

std::vector<Measured> stream_calls(const std::string& folder) {
  return {data<FWrite>("fwrite_8", folder),
          data<FRead>("fread_8", folder),
          data<FPuts>("fputs_8", folder),
          data<FGets>("fgets_8", folder),
          data<FPrintF>("fprintf_8", folder),
          measured<FSeek>("fseek", folder),
          measured<PutAndFlush>("flush_each_8", folder),
          measured<OpenClose>("fopen_fclose", folder)};
}

}  // namespace toto::bench
