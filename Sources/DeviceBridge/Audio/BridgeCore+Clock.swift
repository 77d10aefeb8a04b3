// SPDX-License-Identifier: MIT

internal import JACK

/// When JACK's cycles begin, and which of them went by without us.
extension BridgeCore {
  /// A gap in JACK's count that is longer than this is no missed cycle.
  private static var longestGapSeconds: Double { @_noLocks @_noAllocation get { 1 } }

  /// Stamps JACK's clock. [audio-thread & active]
  @_noLocks @_noAllocation
  mutating func stampCycle(_ scope: borrowing ProcessScope, isFreewheeling: Bool) {
    let isNewPeriod = jackPeriodFrames != 0 && Int(scope.frames) != jackPeriodFrames
    var time = scope.frameTime
    var start = cycleStartNanoseconds(scope)
    if scope.frameTime != time {
      // A cycle began between the two.
      time = scope.frameTime
      start = cycleStartNanoseconds(scope)
    }
    let missed = cycles.begin(frameTime: time)
    if isFreewheeling || isNewPeriod {
      // No wall clock counts now, or JACK stood still.
      cycles.align()
      if isFreewheeling { return }
      controller.jackPeriodChanged()
    }
    // One cycle, called for late, can be stamped twice.
    if cycles.hasMoved {
      controller.addJACKStamp(frames: cycles.clockFrames, nanoseconds: start)
    }
    if missed != 0, !isNewPeriod { skip(frames: missed) }
  }

  /// The audio of these frames is lost; what follows keeps its place.
  @_noLocks @_noAllocation
  private mutating func skip(frames: Int) {
    // Without sound, and after a pause of the whole program, the place is found anew anyway.
    guard isRunning, abs(Double(frames)) <= Self.longestGapSeconds * jackRateHz else { return }
    missedCycles &+= 1
    let moved = Double(frames) * controller.clockRatio
    let whole = Int(moved < 0 ? moved - 0.5 : moved + 0.5)
    movePointer(by: direction.isPlayback ? whole : -whole)
  }

  /// When the driver woke up, whatever ran before us in this cycle.
  ///
  /// JACK's own start of the cycle is smoothed by a loop that follows every late wake-up; this one is
  /// whole frames, but raw.
  @_noLocks @_noAllocation
  private func cycleStartNanoseconds(_ scope: borrowing ProcessScope) -> Int64 {
    let age = Double(scope.framesSinceCycleStart) / jackRateHz
    return Int64(scope.nowMicroseconds) * 1000 - Int64(age * 1e9)
  }
}
