// SPDX-License-Identifier: MIT
//
// Exhaustive proofs about the ramps of gains, with the very sources of Ramp and FastMath.
//
// Every float is tried where a function has one argument. A ramp is a chain of such functions (see gains.smt2), so that
// with them it holds for all ramps; the ramps below show that the sources compute that chain, bit by bit.

/// Ends the program, because a claim does not hold.
func fail(_ claim: String) -> Never { fatalError("not proven: \(claim)") }

/// Tries a function on all floats from `first` to `last`, in rising order: it never falls, and stays within bounds.
@inline(__always)
func proveRising(
  _ name: String,
  from first: Float,
  to last: Float,
  within bounds: ClosedRange<Float>,
  _ function: (Float) -> Float,
) {
  var count = 0
  var value = first
  var before = -Float.infinity
  while value <= last {
    let result = function(value)
    // A value that is not a number fails both comparisons.
    if !(result >= before) { fail("\(name) rises at \(value): \(before), then \(result)") }
    if !(result >= bounds.lowerBound && result <= bounds.upperBound) {
      fail("\(name)(\(value)) = \(result) is within \(bounds)")
    }
    before = result
    value = value.nextUp
    count += 1
  }
  print(
    "  \(name) never falls and stays within \(bounds): all \(count) floats from \(first) to \(last)"
  )
}

proveRising("fastExp2", from: -126, to: 126, within: 1e-38...9e37) { fastExp2($0) }
proveRising(
  "fastLog2",
  from: .leastNormalMagnitude,
  to: .greatestFiniteMagnitude,
  within: -126...128,
) { fastLog2($0) }

// The highest gain is +24 dB; the others are where floats change their steps, and near them.
let exact: [Float] = [
  0, 1e-20, 1e-6, 1e-5, 1e-4, 0.001, 0.01, 0.1, 0.25, 0.3, 0.5, 0.7, 1, 1.5, 2, 15.8489,
]
let gains = exact + exact.flatMap { [$0.nextUp, -$0] }
let lengths: [UInt32] = [1, 2, 3, 5, 7, 31, 32, 33, 240, 480, 1000]
var ramps = 0
var values = 0
for start in gains {
  for target in gains {
    for shape in [Ramp.Shape.linear, .exponential] {
      for length in lengths {
        var ramp = Ramp(restingAt: start)
        ramp.retarget(to: target, frames: length, shape: shape)
        prove(ramp, start, target, length)
        ramps += 1
      }
    }
  }
}
print("  \(ramps) ramps with \(values) values compute the chain, bit by bit, and are as proven")

func prove(_ ramp: Ramp, _ start: Float, _ target: Float, _ length: UInt32) {
  let name = "the \(ramp.shape) ramp from \(start) to \(target) in \(length) frames"
  let isLinear = ramp.shape == .linear
  let startLog2 = fastLog2(max(start, 1e-5))
  let spanLog2 = fastLog2(max(target, 1e-5)) - startLog2
  var before = start
  for frame in 0..<length {
    let value = ramp.value(afterFrames: frame)
    let share = Float(frame) / Float(length)
    let free = isLinear ? start + (target - start) * share : fastExp2(startLog2 + spanLog2 * share)
    let expected = frame == 0 ? start : max(min(start, target), min(max(start, target), free))
    if value != expected { fail("\(name) has \(expected) at \(frame): \(value)") }
    if target >= start
      ? !(value >= before && value <= target) : !(value <= before && value >= target)
    {
      fail("\(name) is monotone and between its ends at \(frame): \(before), then \(value)")
    }
    if isLinear {
      let longest =
        abs(target - start) / Float(length) + 2e-7 * (abs(start) + abs(target))
        + .leastNormalMagnitude
      if !(abs(value - before) <= longest) { fail("\(name) moves at most \(longest) at \(frame)") }
    }
    before = value
    values += 1
  }
  if ramp.value(afterFrames: length) != target { fail("\(name) ends at its target") }
}
