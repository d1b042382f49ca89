// SPDX-License-Identifier: BSD-3-Clause
// Between the tuner and the history (hints/history.h): what earlier runs found about a family, and what this
// one adds to it. The history is read by a thread of its own, once a process, as the user's home may not
// answer.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/report.h"
#include "hints/history.h"
#include "hints/past.h"
#include "hints/tuner/tuner.h"

namespace toto::hints::learned {

// What measurements are kept under, beside the size and the kind of the files.
struct Key {
  std::string_view family, file_system;
  std::uint64_t place = 0;
  std::uint32_t targets = 0, ranks = 1, nodes = 1;
};

[[nodiscard]] bool learns();           // TOTO_LEARN=on
[[nodiscard]] bool may_use_history();  // not TOTO_LEARN=off

// Begins to read the history, if nobody has; waits for nothing. Not in a signal handler: it starts a thread.
void begin_to_read();
// In a forked child: the thread is not here.
void after_fork();

// The newest record under this key whose usage fits; nullptr: none. Waits so long at most for the reading to
// end; with kLongPatience it begins to read, too.
inline constexpr int kPatience = 200, kLongPatience = 2000;  // milliseconds
[[nodiscard]] const history::Record* recall(const Key& key, bool (*fits)(const Usage& usage), int patience);

// The tuner goes on from there; nothing where the record is empty.
void resume(const history::Record& base, tuner::Tuner& tuner);

// In one sentence, where nothing but the record speaks for this many stripes.
void explain(const history::Record& base, std::uint32_t count, FixedString<220>& sentence);

// What the history is to have of this family: what it had, and what the tuner found beyond. Returns what it
// had: nothing, where the run began from files of another size.
const history::Record& describe(const Key& key, const Usage& usage, const tuner::Tuner& tuner,
                                const history::Record& base, history::Record& record);

// For the report; nothing where no file was measured.
void tell(std::string_view family, const tuner::Tuner& tuner, std::string_view sentence,
          report::TunedVisitor visit, void* context);

// Changes the history by merge(records, context), and warns where that cannot be.
void write(void (*merge)(history::Records& records, void* context), void* context);

}  // namespace toto::hints::learned
