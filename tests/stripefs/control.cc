// SPDX-License-Identifier: BSD-3-Clause
#include "control.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <iomanip>
#include <sstream>
#include <vector>

namespace toto::stripefs {

namespace {

constexpr double kMebi = 1 << 20;

double Milliseconds(Time time) { return std::chrono::duration<double, std::milli>(time).count(); }

bool ParseNumber(std::string_view text, double* value) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc() && stop == text.data() + text.size() && *value >= 0 && *value < 1e9;
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\0' || text.back() == ' '))
    text.remove_suffix(1);
  return text;
}

std::string Rates(const Model& model) {
  std::ostringstream out;
  for (std::uint32_t target = 0; target < model.targets(); ++target) {
    out << (target == 0 ? "" : ",") << model.rate(target) / kMebi;
  }
  return out.str();
}

void WriteCounters(std::ostream& out, const TargetCounters& counters) {
  out << "\"written\":" << counters.bytes_written << ",\"read\":" << counters.bytes_read
      << ",\"writes\":" << counters.writes << ",\"reads\":" << counters.reads
      << ",\"handovers\":" << counters.handovers << ",\"lock_wait_ms\":" << Milliseconds(counters.lock_wait)
      << ",\"busy_ms\":" << Milliseconds(counters.busy);
}

std::string Stats(FileSystem& fs) {
  const Model& model = fs.model;
  std::ostringstream out;
  out << std::fixed << std::setprecision(3);
  TargetCounters sum;
  Time fullest{};
  out << "{\"targets\":[";
  for (std::uint32_t target = 0; target < model.targets(); ++target) {
    const TargetCounters& counters = model.counters(target);
    sum.bytes_written += counters.bytes_written;
    sum.bytes_read += counters.bytes_read;
    sum.writes += counters.writes;
    sum.reads += counters.reads;
    sum.handovers += counters.handovers;
    sum.lock_wait += counters.lock_wait;
    sum.busy += counters.busy;
    fullest = std::max(fullest, counters.busy);
    out << (target == 0 ? "" : ",") << "\n{\"target\":" << target
        << ",\"rate_mib\":" << model.rate(target) / kMebi << ',';
    WriteCounters(out, counters);
    out << '}';
  }
  out << "],\n";
  WriteCounters(out, sum);
  out << ",\"fullest_ms\":" << Milliseconds(fullest) << ",\"makespan_ms\":" << Milliseconds(model.Makespan())
      << ",\"latency_us\":" << Milliseconds(model.latency()) * 1e3 << ",\"inodes\":" << fs.tree.size()
      << "}\n";
  return out.str();
}

std::string Layout(const FileLayout& layout) {
  std::ostringstream out;
  for (const Component& part : layout.parts) {
    out << "start=" << part.start << " end=";
    if (part.end == kEndOfFile) {
      out << "eof";
    } else {
      out << part.end;
    }
    if (!part.placed) {
      out << " not placed\n";
      continue;
    }
    out << " unit=" << part.stripe.unit << " count=" << part.stripe.count
        << " object_size=" << part.stripe.object_size << " targets=";
    for (std::size_t i = 0; i < part.stripe.targets.size(); ++i) {
      out << (i == 0 ? "" : ",") << part.stripe.targets[i];
    }
    out << '\n';
  }
  return out.str();
}

}  // namespace

bool SetRates(Model& model, std::string_view text) {
  std::vector<double> rates;
  for (bool more = true; more;) {
    const std::size_t comma = text.find(',');
    more = comma != std::string_view::npos;
    double rate = 0;
    if (!ParseNumber(text.substr(0, comma), &rate)) return false;
    rates.push_back(rate * kMebi);
    if (more) text.remove_prefix(comma + 1);
  }
  if (rates.size() != 1 && rates.size() != model.targets()) return false;
  for (std::uint32_t target = 0; target < model.targets(); ++target) {
    model.set_rate(target, rates.size() == 1 ? rates.front() : rates[target]);
  }
  return true;
}

int GetControl(FileSystem& fs, const Inode& inode, std::string_view name, std::string* value) {
  if (name == "layout" && inode.layout) {
    *value = Layout(*inode.layout);
    return 0;
  }
  if (inode.number != Tree::kRoot) return ENODATA;
  if (name == "stats") {
    *value = Stats(fs);
  } else if (name == "rate") {
    *value = Rates(fs.model);
  } else if (name == "latency") {
    *value =
        std::to_string(std::chrono::duration_cast<std::chrono::microseconds>(fs.model.latency()).count());
  } else if (name == "fail") {
    *value = fs.faults.text();
  } else {
    return ENODATA;
  }
  return 0;
}

int SetControl(FileSystem& fs, const Inode& inode, std::string_view name, std::string_view value) {
  if (inode.number != Tree::kRoot) return ENODATA;
  value = Trim(value);
  if (name == "reset") {
    fs.model.Reset();
    return 0;
  }
  if (name == "rate") return SetRates(fs.model, value) ? 0 : EINVAL;
  if (name == "latency") {
    double microseconds = 0;
    if (!ParseNumber(value, &microseconds)) return EINVAL;
    fs.model.set_latency(Time(static_cast<Time::rep>(microseconds * 1e3)));
    return 0;
  }
  if (name == "fail") {
    const int error = fs.faults.Set(value);
    fs.placer.set_clip(fs.faults.clip());
    return error;
  }
  return ENODATA;
}

}  // namespace toto::stripefs
