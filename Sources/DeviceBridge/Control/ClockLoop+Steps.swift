// SPDX-License-Identifier: MIT

/// The loop's answer when the counter stood still or was moved.
extension ClockLoop {
  /// Time within which a second step means that the slope is wrong, unless the slope is known and plausible for a card.
  private static var doubtfulSeconds: Double { @_noLocks @_noAllocation get { 2 } }
  /// The slope that no card has, as a share of the nominal one.
  private static var doubtfulSlope: Double { @_noLocks @_noAllocation get { 1.5e-3 } }

  /// Four stamps in a row that are all milliseconds off: the clock stood still, or was moved.
  ///
  /// Small steps can wait for three blocks; these cannot.
  @_noLocks @_noAllocation
  mutating func jumps(by error: Double, at seconds: Double) -> Bool {
    guard isSettled, abs(error) > Self.farSeconds else {
      farStamps = 0
      return false
    }
    // After one long stall the wake-ups catch up: their errors shrink, although the clock has not moved.
    if farStamps == 0 || abs(error - farError) > 1e-3 {
      farStamps = 0
      farError = error
    }
    farError = abs(error) < abs(farError) ? error : farError
    farStamps += 1
    guard farStamps >= 4 else { return false }
    step(by: farError, at: seconds)
    return true
  }

  /// The first stamp after a stop counts at once, and so does each earlier one of the next few.
  @_noLocks @_noAllocation
  mutating func resumes(by error: Double, frames: Double, at seconds: Double) -> Bool {
    guard looseStamps > 0 else { return false }
    let isFirst = looseStamps == Self.stampsToResume
    looseStamps -= 1
    guard isFirst || error < 0 else { return false }
    move(by: error, at: seconds)
    // Where the frames are counted anew, this stamp is the only one with a known position of the line.
    anchorSeconds = seconds
    anchorFrames = frames
    return true
  }

  /// The clock has stepped, or seems to because the slope was learned from one that did.
  @_noLocks @_noAllocation
  private mutating func step(by error: Double, at seconds: Double) {
    move(by: error, at: seconds)
    steps &+= 1
    let isUnlikely = abs(secondsPerFrame * nominalRateHz - 1) > Self.doubtfulSlope
    if isUnlikely || !isRateKnown, seconds - stepSeconds < Self.doubtfulSeconds {
      secondsPerFrame = 1 / nominalRateHz
      memorySeconds = Self.startMemorySeconds
      isRateKnown = false
    }
    stepSeconds = seconds
  }

  /// Puts the line elsewhere; its slope stays.
  @_noLocks @_noAllocation
  private mutating func move(by error: Double, at seconds: Double) {
    anchorSeconds += error
    // The new place is known from few stamps only; the next ones count for much.
    placeBlocks = 0
    beginPhase(at: seconds)
    stampsInBlock = 0
    strayBlocks = 0
    farStamps = 0
    leanSeconds = 0
  }

  /// Reports a step of the clock: three adjacent blocks that lie far off on one side.
  @_noLocks @_noAllocation
  mutating func followsStep() -> Bool {
    let threshold = max(100e-6, 10 * scaleSeconds)
    guard phaseBlocks > Self.settlingBlocks, abs(earliestError) > threshold else {
      strayBlocks = 0
      return false
    }
    if strayBlocks == 0 || (strayError > 0) != (earliestError > 0) {
      strayBlocks = 1
      strayError = earliestError
      return false
    }
    strayBlocks += 1
    if abs(earliestError) < abs(strayError) { strayError = earliestError }
    guard strayBlocks >= 3 else { return false }
    step(by: strayError, at: earliestSeconds)
    return true
  }
}
