// SPDX-License-Identifier: BSD-3-Clause
#include "hints/history.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/syscall.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <tuple>
#include <utility>

#include "core/config.h"
#include "core/json_writer.h"
#include "core/sys.h"
#include "hints/layout/mapped.h"

namespace toto::hints::history {
namespace {

constexpr std::size_t kMostBytes = 4U << 20;  // a file larger than this is none of ours
constexpr int kLockTries = 200;               // of 10 ms

// As much JSON as the file has: objects, arrays, texts, whole numbers, true and false.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}
  [[nodiscard]] bool good() const { return good_; }
  // Whether a text since the last time was longer than its room.
  [[nodiscard]] bool was_too_long() { return std::exchange(too_long_, false); }
  [[nodiscard]] bool at_end() {
    skip_space();
    return rest_.empty();
  }

  // Calls visit(key) for each member; visit reads the value.
  template <class Visit>
  void object(Visit visit) {
    each('{', '}', [&] {
      FixedString<32> key;
      text(key);
      take(':');
      if (good_) visit(key.view());
    });
  }
  template <class Visit>
  void array(Visit visit) {
    each('[', ']', visit);
  }

  template <std::size_t N>
  void text(FixedString<N>& out) {
    out.clear();
    take('"');
    while (good_ && !rest_.empty() && rest_.front() != '"') {
      const char c = next();
      if (c == '\\') {
        escaped(out);
      } else {
        out.add(c);
      }
    }
    take('"');
    too_long_ = too_long_ || out.truncated();
  }

  template <class T>
  void number(T& out) {
    skip_space();
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), out);
    if (error != std::errc()) return fail();
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    // A fraction would be something else than we write.
    if (!rest_.empty() && (rest_.front() == '.' || rest_.front() == 'e')) fail();
  }

  // A value of a key that is not known: of a later edition of this version.
  void skip(unsigned depth = 0) {
    skip_space();
    if (rest_.empty() || depth > 16) return fail();
    FixedString<512> unused_text;
    std::int64_t unused = 0;
    switch (rest_.front()) {
      case '{':
        return object([&](std::string_view) { skip(depth + 1); });
      case '[':
        return array([&] { skip(depth + 1); });
      case '"':
        return text(unused_text);
      case 't':
        return word("true");
      case 'f':
        return word("false");
      default:
        return number(unused);
    }
  }

 private:
  void fail() { good_ = false; }
  void skip_space() {
    while (!rest_.empty() &&
           (rest_.front() == ' ' || rest_.front() == '\n' || rest_.front() == '\t' || rest_.front() == '\r'))
      rest_.remove_prefix(1);
  }
  char next() {
    if (rest_.empty()) {
      fail();
      return '\0';
    }
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }
  template <std::size_t N>
  void escaped(FixedString<N>& out) {
    const char c = next();
    if (c == 'n') return void(out.add('\n'));
    if (c == 't') return void(out.add('\t'));
    if (c != 'u') return void(out.add(c));
    unsigned code = 0;
    const auto [end, error] =
        std::from_chars(rest_.data(), rest_.data() + std::min<std::size_t>(4, rest_.size()), code, 16);
    if (error != std::errc() || end != rest_.data() + 4 || (code >= 0xd800 && code < 0xe000)) {
      return fail();  // we write no pairs
    }
    rest_.remove_prefix(4);
    // As UTF-8. The writer puts U+FFFD where a name was no UTF-8.
    if (code < 0x80) return void(out.add(static_cast<char>(code)));
    if (code < 0x800) {
      out.add(static_cast<char>(0xc0 | (code >> 6)));
    } else {
      out.add(static_cast<char>(0xe0 | (code >> 12))).add(static_cast<char>(0x80 | ((code >> 6) & 0x3f)));
    }
    out.add(static_cast<char>(0x80 | (code & 0x3f)));
  }
  void take(char expected) {
    skip_space();
    if (rest_.empty() || rest_.front() != expected) return fail();
    rest_.remove_prefix(1);
  }
  void word(std::string_view expected) {
    if (!rest_.starts_with(expected)) return fail();
    rest_.remove_prefix(expected.size());
  }
  template <class Visit>
  void each(char open, char close, Visit visit) {
    take(open);
    skip_space();
    if (good_ && !rest_.empty() && rest_.front() == close) return take(close);
    while (good_) {
      visit();
      skip_space();
      if (rest_.empty() || rest_.front() != ',') break;
      take(',');
    }
    take(close);
  }

  std::string_view rest_;
  bool good_ = true;
  bool too_long_ = false;
};

// One list for reading and writing: X(key, member).
#define TOTO_RECORD_NUMBERS(X)      \
  X("place", place)                 \
  X("targets", targets)             \
  X("ranks", ranks)                 \
  X("nodes", nodes)                 \
  X("bytes", usage.bytes)           \
  X("request", usage.request)       \
  X("call_bytes", usage.call_bytes) \
  X("writers", usage.writers)       \
  X("best", best)                   \
  X("when", when)
#define TOTO_RECORD_TEXTS(X) \
  X("family", family)        \
  X("program", program)      \
  X("file_system", file_system)
#define TOTO_RECORD_ENUMS(X)                       \
  X("sharing", usage.sharing, Sharing, 5)          \
  X("spatiality", usage.spatiality, Spatiality, 4) \
  X("calls", usage.calls, Calls, 3)
#define TOTO_ARM_NUMBERS(X)    \
  X("stripes", count)          \
  X("files", files)            \
  X("bytes_per_s", speed)      \
  X("deviation_e6", deviation) \
  X("gain_e6", gain)           \
  X("compared_e3", compared)

template <class E>
void read_enum(Reader& reader, E& out, unsigned values) {
  FixedString<32> word;
  reader.text(word);
  for (unsigned i = 0; i < values; ++i) {
    if (hints::name(static_cast<E>(i)) == word.view()) out = static_cast<E>(i);
  }
}

void read_arm(Reader& reader, ArmRecord& arm) {
  reader.object([&](std::string_view key) {
#define TOTO_X(label, member) \
  if (key == (label)) return reader.number(arm.member);
    TOTO_ARM_NUMBERS(TOTO_X)
#undef TOTO_X
    reader.skip();
  });
}

void read_record(Reader& reader, Record& record) {
  reader.object([&](std::string_view key) {
#define TOTO_X(label, member) \
  if (key == (label)) return reader.number(record.member);
    TOTO_RECORD_NUMBERS(TOTO_X)
#undef TOTO_X
#define TOTO_X(label, member) \
  if (key == (label)) return reader.text(record.member);
    TOTO_RECORD_TEXTS(TOTO_X)
#undef TOTO_X
#define TOTO_X(label, member, type, values) \
  if (key == (label)) return read_enum(reader, record.member, values);
    TOTO_RECORD_ENUMS(TOTO_X)
#undef TOTO_X
    if (key != "arms") return reader.skip();
    reader.array([&] {
      ArmRecord arm;
      read_arm(reader, arm);
      if (record.arm_count < record.arms.size()) record.arms[record.arm_count++] = arm;
    });
  });
}

void write_record(JsonWriter& json, const Record& record) {
  json.begin_object();
#define TOTO_X(label, member) json.key(label).text(record.member);
  TOTO_RECORD_TEXTS(TOTO_X)
#undef TOTO_X
#define TOTO_X(label, member) json.key(label).number(record.member);
  TOTO_RECORD_NUMBERS(TOTO_X)
#undef TOTO_X
#define TOTO_X(label, member, type, values) json.key(label).text(hints::name(record.member));
  TOTO_RECORD_ENUMS(TOTO_X)
#undef TOTO_X
  json.key("arms").begin_array();
  for (const ArmRecord& arm : record.all_arms()) {
    json.begin_object();
#define TOTO_X(label, member) json.key(label).integer(static_cast<std::int64_t>(arm.member));
    TOTO_ARM_NUMBERS(TOTO_X)
#undef TOTO_X
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

int write_all(int fd, const Records& records) {
  std::array<char, 4096> buffer;
  JsonWriter json(fd, buffer);
  json.begin_object();
  json.key("toto_history").number(kVersion);
  json.key("families").begin_array();
  for (const Record& record : records.used()) write_record(json, record);
  json.end_array();
  json.end_object();
  return json.finish() ? 0 : json.error();
}

unsigned size_class(std::uint64_t bytes) { return static_cast<unsigned>(std::bit_width(bytes)); }

void make_folders(std::string_view path) {
  // The user's home is not ours to make.
  const char* variable = std::getenv("HOME");
  const std::string_view home(variable != nullptr ? variable : "");
  const std::size_t from =
      path.starts_with(home) && path.substr(home.size()).starts_with('/') ? home.size() + 1 : 1;
  for (std::size_t slash = path.find('/', from); slash != std::string_view::npos;
       slash = path.find('/', slash + 1)) {
    sys::mkdirat(AT_FDCWD, FixedString<1023>(path.substr(0, slash)).c_str(), 0700);
  }
}

bool lock(int fd) {
  for (int i = 0; i < kLockTries; ++i) {
    if (::syscall(SYS_flock, fd, LOCK_EX | LOCK_NB) == 0) return true;
    // A file system without locks (Lustre without -o flock): what two jobs write at once, one of them loses.
    if (errno == ENOSYS || errno == ENOLCK || errno == EOPNOTSUPP) return true;
    if (errno != EWOULDBLOCK && errno != EINTR) return false;
    const timespec pause{.tv_sec = 0, .tv_nsec = 10'000'000};
    ::syscall(SYS_nanosleep, &pause, nullptr);
  }
  return false;
}

struct Text {
  std::array<char, kMostBytes> bytes;
};

}  // namespace

bool Record::same_place(const Record& other) const {
  return family == other.family.view() && program == other.program.view() &&
         file_system == other.file_system.view() && place == other.place && targets == other.targets &&
         ranks == other.ranks && nodes == other.nodes;
}

bool Record::same_key(const Record& other) const {
  return same_place(other) && size_class(usage.bytes) == size_class(other.usage.bytes) &&
         usage.sharing == other.usage.sharing && usage.calls == other.usage.calls;
}

Record* Records::find(const Record& key) {
  for (Record& record : used()) {
    if (record.same_key(key)) return &record;
  }
  return nullptr;
}

Record& Records::add() {
  if (count < all.size()) return *std::construct_at(&all[count++]);
  Record* oldest = std::min_element(all.begin(), all.end(),
                                    [](const Record& a, const Record& b) { return a.when < b.when; });
  return *oldest = Record{};
}

Read parse(std::string_view text, Records& records) {
  records.count = 0;
  std::uint64_t version = 0;
  Reader reader(text);
  reader.object([&](std::string_view key) {
    if (key == "toto_history") return reader.number(version);
    if (key != "families" || version != kVersion) return reader.skip();
    reader.array([&] {
      Record record;
      std::ignore = reader.was_too_long();
      read_record(reader, record);
      if (!reader.was_too_long() && reader.good()) records.add() = record;
    });
  });
  const bool whole = reader.good() && reader.at_end();
  if (version > kVersion) return Read::kLater;
  if (whole && version == kVersion) return Read::kOk;
  records.count = 0;
  return Read::kDamaged;
}

Read read(const char* path, Records& records) {
  records.count = 0;
  const sys::Fd fd(sys::open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (fd.get() < 0) return errno == ENOENT ? Read::kMissing : Read::kUnreadable;
  layout::Mapped<Text> text;
  if (!text.ok()) return Read::kUnreadable;
  std::size_t size = 0;
  while (size < text->bytes.size()) {
    const ssize_t got = sys::read(fd.get(), text->bytes.data() + size, text->bytes.size() - size);
    if (got < 0) return Read::kUnreadable;
    if (got == 0) return parse({text->bytes.data(), size}, records);
    size += static_cast<std::size_t>(got);
  }
  return Read::kDamaged;
}

std::string_view name(Read read) {
  constexpr std::array<std::string_view, 5> kNames{"understood", "missing", "not readable",
                                                   "damaged, or no history", "of a later version"};
  return kNames[static_cast<std::size_t>(read)];
}

void merge(const Record& found, const Record& base, Records& into) {
  Record* there = into.find(found);
  if (there == nullptr) {
    into.add() = found;
    return;
  }
  const auto of = [](const Record& record, std::uint32_t count) {
    for (const ArmRecord& arm : record.all_arms()) {
      if (arm.count == count) return arm;
    }
    return ArmRecord{.count = count};
  };
  // The other job's best stands where it has more files behind it than ours.
  const bool ours = of(found, found.best).files >= of(*there, there->best).files;
  Record merged = ours ? found : *there;
  const Record& other = ours ? *there : found;
  const auto add = [](auto a, auto b, auto shared) { return a + b - std::min(std::min(a, b), shared); };
  for (const ArmRecord& arm : other.all_arms()) {
    ArmRecord* same = nullptr;
    for (std::uint32_t i = 0; i < merged.arm_count; ++i) {
      if (merged.arms[i].count == arm.count) same = &merged.arms[i];
    }
    const ArmRecord before = of(base, arm.count);
    if (same != nullptr) {
      same->files = add(same->files, arm.files, before.files);
      if (same->compared == 0 || merged.best != other.best) continue;
      same->compared = add(same->compared, arm.compared, before.compared);
    } else if (merged.arm_count < merged.arms.size()) {
      ArmRecord& added = merged.arms[merged.arm_count++] = arm;
      // How it compares with another best is not known: measured, not compared.
      if (merged.best != other.best) added.compared = 0;
    }
  }
  merged.when = std::max(found.when, there->when);
  *there = merged;
}

FixedString<1023> path() {
  FixedString<1023> result;
  if (const std::string_view stated = config::settings().history; !stated.empty()) {
    result = stated;
  } else if (const char* state = std::getenv("XDG_STATE_HOME"); state != nullptr && state[0] == '/') {
    result.add(state).add("/toto/history.json");
  } else if (const char* home = std::getenv("HOME"); home != nullptr && home[0] == '/') {
    result.add(home).add("/.local/state/toto/history.json");
  }
  if (result.truncated()) result.clear();
  return result;
}

int update(const char* path, void (*change)(Records& records, void* context), void* context, Read& found) {
  const sys::KeepErrno keep;
  found = Read::kOk;
  FixedString<1100> lock_name, temporary;
  lock_name.add(path).add(".lock");
  temporary.add(path).add(".").add(sys::getpid()).add(".tmp");
  make_folders(path);
  const sys::Fd locked(sys::open(lock_name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0600));
  if (locked.get() < 0) return errno;
  if (!lock(locked.get())) return EBUSY;
  layout::Mapped<Records> records;
  if (!records.ok()) return ENOMEM;
  found = read(path, *records);
  if (found != Read::kOk && found != Read::kMissing) return EPROTO;
  change(*records, context);
  int error = 0;
  sys::unlinkat(AT_FDCWD, temporary.c_str());  // of a process of this number that was killed
  {
    const sys::Fd fd(
        sys::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY, 0600));
    error = fd.get() < 0 ? errno : write_all(fd.get(), *records);
  }
  if (error == 0 && sys::renameat(AT_FDCWD, temporary.c_str(), AT_FDCWD, path) != 0) error = errno;
  if (error != 0) sys::unlinkat(AT_FDCWD, temporary.c_str());
  return error;
}

}  // namespace toto::hints::history
