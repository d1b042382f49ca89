// SPDX-License-Identifier: BSD-3-Clause
// What a report says, as JSON (docs/report.schema.json). Where it goes is core/report.cc's business.
#pragma once

#include "core/json_writer.h"
#include "core/report.h"

namespace toto::report {

void write_json(JsonWriter& json, const Summary& summary, const About& about, const Judges& judges);

}  // namespace toto::report
