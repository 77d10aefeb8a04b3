// SPDX-License-Identifier: MIT
//
// model FILE…: explores all models, then again with each ordering of the files weakened in turn.
// model NAME: explores the models of that name alone, such as `MixTaps`.

import Explorer
import Glibc

explorer_prepare()

let models = [
  gateMessageModel(),
  gateModel(cycles: 2),
  queueModel(pushes: 3, pops: 3, peeks: false),
  queueModel(pushes: 3, pops: 2, peeks: true),
  batchModel(batches: 2),
  ringModel(.interleaved, blocks: 2),
  ringModel(.planar, blocks: 2),
  ringModel(.regions, blocks: 2),
  planModel(plans: 3, cycles: 3),
  meterModel(peaks: [0.5, 0.75, 0.25], readings: 2),
  tapsModel(blocks: [(0.5, 0.25), (0.75, 0.125), (0.25, 1)], readings: 2),
  handoverModel(giving: [1], taking: [1]),
  handoverModel(giving: [1, 2], taking: [1, 2]),
  handoverModel(giving: [1, 2, 3], taking: [1, 2]),
  takerModel(giving: [1, 2], taking: [1, 2]),
  outletModel(cycles: [1, 2]),
  engineModel(changes: 1, cycles: 1),
].filter { CommandLine.arguments.count != 2 || $0.name == CommandLine.arguments[1] }

/// Seconds of processor time of this process so far.
func seconds() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

func text(_ number: Double) -> String {
  String(Int(number * 100) / 100) + "." + String(Int(number * 100) % 100 + 100).dropFirst()
}

print("All interleavings and all values that a load may return:")
/// The sites that each model passes.
var passed: [Set<Int32>] = []
for model in models {
  let start = seconds()
  let before = passCounts()
  guard case .holds(let end) = model.explore() else {
    explorer_print_failure()
    stop("not proven: \(model.name) (\(model.bounds)) fails as above")
  }
  let after = passCounts()
  passed.append(
    Set(after.indices.filter { $0 >= before.count || after[$0] > before[$0] }.map { Int32($0) })
  )
  print(
    "  \(model.name) (\(model.bounds)): \(end.executions) executions, \(end.pruned) like others, \(end.operations) "
      + "operations, at most \(end.longest) in one, \(end.stale_loads) stale loads, \(text(seconds() - start)) s"
  )
}

if CommandLine.arguments.count == 2 { exit(models.isEmpty ? 1 : 0) }

let sources = Sources(Array(CommandLine.arguments.dropFirst()))
// The lock of the engine is the system's.
let orderings = passedOrderings().filter { sources.has($0.line) }
for line in sources.asking {
  // A call over several lines counts from its first one.
  let isPassed = orderings.contains {
    $0.line.file == line.file && (line.number - 3...line.number).contains($0.line.number)
  }
  if !isPassed { stop("no model passes \(line): \(sources.code(line))") }
}

print("Each ordering weakened in turn, and the shortest execution that shows it:")
var caught = 0
var missed: [String] = []
for ordering in orderings {
  for weaker in ordering.weaker {
    for site in ordering.sites { explorer_weaken(site, weaker.order) }
    let model = zip(models, passed).first { model, sites in
      guard !sites.isDisjoint(with: ordering.sites), case .fails = model.explore() else {
        return false
      }
      return true
    }?.0
    for site in ordering.sites { explorer_weaken(site, -1) }
    let plant = "\(ordering.line) \(ordering.name) → \(weaker.name): \(sources.code(ordering.line))"
    guard let model else {
      missed.append(plant)
      continue
    }
    caught += 1
    print("  \(plant)\n  caught by \(model.name)")
    explorer_print_failure()
  }
}
explorer_drop_wakes(true)
if let model = models.first(where: { if case .fails = $0.explore() { true } else { false } }) {
  caught += 1
  print("  a hand-over that wakes nobody\n  caught by \(model.name)")
  explorer_print_failure()
} else {
  missed.append("a hand-over that wakes nobody")
}
for plant in missed { print("  not caught: \(plant)") }
print(
  "\(models.count) models hold; \(caught) of \(caught + missed.count) planted faults are caught; \(text(seconds())) s"
)
exit(missed.isEmpty ? 0 : 1)
