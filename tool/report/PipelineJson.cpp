//===- PipelineJson.cpp - The way to a finding, between processes ---------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/FileReport.h"

using namespace cpasync;
using llvm::json::fixUTF8;
using llvm::json::Object;
using llvm::json::ObjectMapper;
using llvm::json::Value;
using Round = ReportedPipeline::Round;
using Step = ReportedPipeline::Step;

namespace cpasync {

// Found by what makes JSON of vectors.
static Value toJSON(const Round &R) {
  return Object{{"where", R.Where},
                {"variable", fixUTF8(R.Variable)},
                {"value", R.Value},
                {"n", R.N},
                {"outer", R.Outer}};
}

static bool fromJSON(const Value &V, Round &R, llvm::json::Path At) {
  ObjectMapper Map(V, At);
  return Map && Map.map("where", R.Where) && Map.map("variable", R.Variable) &&
         Map.map("value", R.Value) && Map.map("n", R.N) &&
         Map.map("outer", R.Outer);
}

static Value toJSON(const Step &S) {
  return Object{{"kind", S.Kind},
                {"where", S.Where},
                {"at", S.At},
                {"lastAt", S.LastAt},
                {"count", S.Count},
                {"round", S.Round},
                {"threads", S.Threads},
                {"isOwn", S.IsOwn},
                {"slot", fixUTF8(S.Slot)},
                {"begin", S.Begin},
                {"end", S.End},
                {"n", S.N},
                {"group", S.Group},
                {"inFlight", S.InFlight},
                {"completes", S.Completes},
                {"clashes", S.Clashes}};
}

static bool fromJSON(const Value &V, Step &S, llvm::json::Path At) {
  ObjectMapper Map(V, At);
  return Map && Map.map("kind", S.Kind) && Map.map("where", S.Where) &&
         Map.map("at", S.At) && Map.map("lastAt", S.LastAt) &&
         Map.map("count", S.Count) && Map.map("round", S.Round) &&
         Map.map("threads", S.Threads) && Map.map("isOwn", S.IsOwn) &&
         Map.map("slot", S.Slot) && Map.map("begin", S.Begin) &&
         Map.map("end", S.End) && Map.map("n", S.N) &&
         Map.map("group", S.Group) && Map.map("inFlight", S.InFlight) &&
         Map.map("completes", S.Completes) && Map.map("clashes", S.Clashes);
}

} // namespace cpasync

Value cpasync::toJSON(const ReportedPipeline &P) {
  return Object{{"owner", P.Owner},     {"isInFlight", P.IsInFlight},
                {"isAlone", P.IsAlone}, {"rounds", P.Rounds},
                {"steps", P.Steps},     {"before", P.Before}};
}

bool cpasync::fromJSON(const Value &V, ReportedPipeline &P,
                       llvm::json::Path At) {
  ObjectMapper Map(V, At);
  return Map && Map.map("owner", P.Owner) &&
         Map.map("isInFlight", P.IsInFlight) && Map.map("isAlone", P.IsAlone) &&
         Map.map("rounds", P.Rounds) && Map.map("steps", P.Steps) &&
         Map.map("before", P.Before);
}
