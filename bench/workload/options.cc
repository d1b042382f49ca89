// SPDX-License-Identifier: BSD-3-Clause
#include "bench/workload/options.h"

#include <unistd.h>

#include <cctype>
#include <charconv>
#include <stdexcept>
#include <string_view>

namespace workload {
namespace {

constexpr const char* kLetters = ":a:b:cCd:eFghi:kmo:O:rRs:t:Vwz";

[[noreturn]] void refuse(const std::string& what) { throw std::invalid_argument(what); }

std::int64_t number_of(const std::string& letter, const std::string& text, std::int64_t least) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < least)
    refuse("-" + letter + ": \"" + text + "\" is not a whole number from " + std::to_string(least));
  return value;
}

// -O key=value[,key=value...]
void take_directives(std::string_view text, Options& options) {
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), one.size() + 1));
    const std::size_t equals = one.find('=');
    const std::string_view key = one.substr(0, equals);
    const std::string_view value = equals == std::string_view::npos ? "" : one.substr(equals + 1);
    if (key == "summaryFile" && !value.empty()) {
      options.summary = value;
    } else if (key != "summaryFormat" || value != "JSON") {
      refuse("-O: \"" + std::string(one) + "\" is not summaryFile=PATH or summaryFormat=JSON");
    }
  }
}

void take(int letter, const std::string& value, Options& options) {
  switch (letter) {
    case 'a':
      if (value != "POSIX" && value != "MPIIO") refuse("-a: \"" + value + "\" is not POSIX or MPIIO");
      options.api = value == "POSIX" ? Api::kPosix : Api::kMpiIo;
      break;
    case 'b': options.block = bytes_of(value); break;
    case 'c': options.collective = true; break;
    case 'C': options.reorder = true; break;
    case 'd': options.think_seconds = number_of("d", value, 0); break;
    case 'e': options.sync = true; break;
    case 'F': options.file_per_process = true; break;
    case 'g': options.barriers = true; break;
    case 'i': options.repetitions = static_cast<int>(number_of("i", value, 1)); break;
    case 'k': options.keep = true; break;
    case 'm': options.keep_between = true; break;
    case 'o': options.file = value; break;
    case 'O': take_directives(value, options); break;
    case 'r': options.read = true; break;
    case 'R': options.check_read = options.read = true; break;
    case 's': options.segments = number_of("s", value, 1); break;
    case 't': options.transfer = bytes_of(value); break;
    case 'V': options.view = true; break;
    case 'w': options.write = true; break;
    case 'z': options.random_order = true; break;
    default: break;
  }
}

void check(const Options& options) {
  if (options.block < 1 || options.transfer < 1 || options.block % options.transfer != 0) {
    refuse("-b (" + std::to_string(options.block) + ") must be a multiple of -t (" +
           std::to_string(options.transfer) + ")");
  }
  if (options.transfer > INT32_MAX) refuse("-t: one call moves less than 2 GiB");
  if (options.api == Api::kPosix && (options.collective || options.view)) refuse("-c and -V need -a MPIIO");
  if (options.view && options.random_order) refuse("-V and -z do not go together");
}

}  // namespace

std::int64_t bytes_of(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string unit(end, text.data() + text.size());
  for (char& letter : unit) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  int shift = -1;
  if (unit.empty() || unit == "b") shift = 0;
  const std::string_view units = "kmgt";
  const std::size_t index = unit.empty() ? std::string_view::npos : units.find(unit[0]);
  const std::string_view rest = std::string_view(unit).substr(unit.empty() ? 0 : 1);
  if (index != std::string_view::npos && (rest.empty() || rest == "b" || rest == "ib"))
    shift = static_cast<int>(10 * (index + 1));
  if (error != std::errc{} || shift < 0 || value < 0 || value > (INT64_MAX >> shift))
    refuse("\"" + text + "\" is not a size such as 4096, 64k, 16m or 1g");
  return value << shift;
}

Options parse(int argc, char** argv, bool& help) {
  Options options;
  ::opterr = 0;
  for (int letter = 0; (letter = ::getopt(argc, argv, kLetters)) != -1;) {
    const std::string given(1, static_cast<char>(::optopt));
    if (letter == 'h') help = true;
    if (letter == '?') refuse("-" + given + ": no such option");
    if (letter == ':') refuse("-" + given + ": a value is missing");
    take(letter, ::optarg != nullptr ? ::optarg : "", options);
  }
  if (::optind < argc) refuse("\"" + std::string(argv[::optind]) + "\": not an option");
  if (!options.write && !options.read) options.write = options.read = true;
  check(options);
  return options;
}

std::string usage() {
  return R"(Usage: toto-workload [OPTIONS], started by an MPI launcher. The letters are IOR's:
  -a POSIX|MPIIO   interface                        -o FILE  the file (-F: with the rank's number behind it)
  -w, -r           write, read (neither: both)      -b SIZE  block a rank and segment (1m)
  -R               read, and check the contents     -t SIZE  bytes a call (256k)
  -F               a file per process               -s N     segments (1); -b = -t: strided
  -c               collective calls                 -z       transfers in random order
  -V               file view (own blocks)           -e       fsync after the last write
  -C               read what the next rank wrote    -g       barriers between open, transfers, close
  -i N             repetitions                      -m       a file a repetition
  -k               keep the files                   -d N     seconds between repetitions
  -O summaryFile=PATH,summaryFormat=JSON
)";
}

}  // namespace workload
