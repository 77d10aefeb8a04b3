// SPDX-License-Identifier: MIT

/// A delay-locked loop: computes the value of a counter of frames at any moment, from stamps that come late.
///
/// A wake-up can be late by any amount, and never early. So only the earliest stamp of each block counts,
/// which removes most of even the heavy tail of a virtual machine; blocks are 50 ms long at first, and a
/// second later on. Through these stamps runs a straight line, fitted with equal weights at first and with a
/// fading memory later: the bandwidth narrows as confidence grows. Distant stamps are clipped. A lasting
/// distance is a step of the clock: the line follows it at once and keeps its slope.
///
/// Pure value: [any-thread].
public struct ClockLoop: BitwiseCopyable, Sendable {
  /// The nominal rate in frames per second.
  public let nominalRateHz: Double
  /// Longest memory of the fitted line.
  static var longestMemorySeconds: Double { @_noLocks @_noAllocation get { 60 } }
  /// Shortest memory of the fitted line, once the loop has run for that long.
  static var shortestMemorySeconds: Double { @_noLocks @_noAllocation get { 12 } }
  /// Blocks before the line is good for anything: 0.25 s.
  static var settlingBlocks: Double { @_noLocks @_noAllocation get { 5.0 } }
  /// Blocks after a move that correct the line's place only, not its slope.
  static var placingBlocks: Double { @_noLocks @_noAllocation get { 10.0 } }

  /// Beyond this a stamp is not late by chance.
  static var farSeconds: Double { @_noLocks @_noAllocation get { 3e-3 } }
  /// The number of stamps after a stop of which the earliest gives the counter's new position.
  static var stampsToResume: Int { @_noLocks @_noAllocation get { 8 } }

  /// Number of adjacent blocks off to one side by `asideSeconds` from which on the line is wrong.
  private static var asideBlocks: Int { @_noLocks @_noAllocation get { 8 } }
  private static var asideSeconds: Double { @_noLocks @_noAllocation get { 100e-6 } }
  /// Beyond this an error of a block of 50 ms is no slope: no clock is off by more than a hundredth.
  private static var slopeErrorSeconds: Double { @_noLocks @_noAllocation get { 0.5e-3 } }
  /// A slope found over this time is better than one found from a new place.
  private static var slopeSeconds: Double { @_noLocks @_noAllocation get { 2 } }

  // The line: at `anchorSeconds` after the origin the counter stood at `anchorFrames` after it.
  var originNanoseconds: Int64 = 0
  var originFrames: Int64 = 0
  var anchorSeconds = 0.0
  var anchorFrames = 0.0
  var secondsPerFrame: Double

  // The block that is being collected.
  var blockStartSeconds = 0.0
  var earliestSeconds = 0.0
  var earliestFrames = 0.0
  var earliestError = 0.0
  var stampsInBlock = 0

  var blockSeconds = 0.05
  var phaseStartSeconds = 0.0
  var phaseBlocks = 0.0
  // Blocks since the line was put elsewhere.
  var placeBlocks = 0.0
  var memorySeconds = Self.startMemorySeconds
  var scaleSeconds: Double
  var leanSeconds = 0.0
  var strayBlocks = 0
  var strayError = 0.0
  var farStamps = 0
  var farError = 0.0
  var looseStamps = 0
  var stepSeconds = -Double.infinity
  // Number of adjacent blocks that were off to one side; negative for the early side.
  var blocksAside = 0

  /// The steps that were followed.
  public internal(set) var steps: UInt32 = 0

  /// Makes a loop that starts from the nominal rate.
  ///
  /// [any-thread] never waits, never allocates.
  @_noLocks @_noAllocation
  public init(nominalRateHz: Double) {
    self.nominalRateHz = nominalRateHz
    secondsPerFrame = 1 / nominalRateHz
    scaleSeconds = Self.startScaleSeconds
  }

  private static var startScaleSeconds: Double {
    @_noLocks @_noAllocation get { 50e-6 }
  }

  /// The nominal rate counts as much as three blocks would.
  static var startMemorySeconds: Double {
    @_noLocks @_noAllocation get { 0.15 }
  }

  /// Whether there are enough stamps to go by.
  public var isSettled: Bool {
    @_noLocks @_noAllocation get { phaseBlocks >= Self.settlingBlocks }
  }

  /// The rate in frames per second of the clock that stamps.
  public var rateHz: Double {
    @_noLocks @_noAllocation get { 1 / secondsPerFrame }
  }

  /// Whether the rate is known to 3 parts per million, as far as the stamps' own scatter says.
  ///
  /// It stays known until the scatter says 40: a machine that is busy for a moment makes no clock worse.
  public internal(set) var isRateKnown = false

  /// Whether stamps lie so far off that the clock may have stepped; the next few decide.
  public var isInDoubt: Bool {
    @_noLocks @_noAllocation get { farStamps > 0 }
  }

  /// Mean distance of the stamps that count from the line, in seconds: a running mean.
  public var scatterSeconds: Double {
    @_noLocks @_noAllocation get { scaleSeconds }
  }

  /// The value of the counter at a moment, in frames, with a fraction.
  ///
  /// [any-thread] never waits, never allocates.
  @_noLocks @_noAllocation
  public func frames(atNanoseconds nanoseconds: Double) -> Double {
    let seconds = (nanoseconds - Double(originNanoseconds)) * 1e-9
    return Double(originFrames) + anchorFrames + (seconds - anchorSeconds) / secondsPerFrame
  }

  /// When the counter stands at a number of frames, in nanoseconds.
  ///
  /// [any-thread] never waits, never allocates.
  @_noLocks @_noAllocation
  public func nanoseconds(atFrames frames: Double) -> Double {
    let distance = frames - Double(originFrames) - anchorFrames
    return Double(originNanoseconds) + (anchorSeconds + distance * secondsPerFrame) * 1e9
  }

  /// Forgets the value of the counter, and keeps the estimated rate.
  ///
  /// [any-thread] never waits, never allocates.
  @_noLocks @_noAllocation
  public mutating func restart() {
    phaseBlocks = 0
    placeBlocks = 0
    looseStamps = 0
    stampsInBlock = 0
    strayBlocks = 0
    leanSeconds = 0
    scaleSeconds = max(scaleSeconds, Self.startScaleSeconds)
  }

  /// The counter stood still, or counts from another value: the next stamps give its new position.
  ///
  /// The rate is kept, and so is the state: there is no need to wait for anything.
  ///
  /// [any-thread] never waits, never allocates.
  @_noLocks @_noAllocation
  public mutating func resume() {
    guard isSettled else { return }
    looseStamps = Self.stampsToResume
  }

  /// Takes in a stamp: at `nanoseconds`, or before, the counter stood at `frames`.
  ///
  /// [any-thread] never waits, never allocates.
  @_noLocks @_noAllocation
  public mutating func add(frames: Int64, nanoseconds: Int64) {
    if phaseBlocks == 0, stampsInBlock == 0 {
      originNanoseconds = nanoseconds
      originFrames = frames
      anchorSeconds = 0
      anchorFrames = 0
      blockStartSeconds = 0
      stepSeconds = -Double.infinity
      beginPhase(at: 0)
    }
    let seconds = Double(nanoseconds - originNanoseconds) * 1e-9
    let count = Double(frames - originFrames)
    var error = seconds - (anchorSeconds + (count - anchorFrames) * secondsPerFrame)
    if resumes(by: error, frames: count, at: seconds) || jumps(by: error, at: seconds) {
      error = seconds - (anchorSeconds + (count - anchorFrames) * secondsPerFrame)
    }
    if stampsInBlock == 0 || error < earliestError {
      earliestError = error
      earliestSeconds = seconds
      earliestFrames = count
    }
    if stampsInBlock == 0 { blockStartSeconds = seconds }
    stampsInBlock += 1
    if seconds - blockStartSeconds >= blockSeconds {
      endBlock()
      stampsInBlock = 0
      // A possible step must be decided soon.
      let longest = strayBlocks > 0 ? 0.05 : 1
      blockSeconds = max(0.05, min(longest, (seconds - phaseStartSeconds) / 40))
    }
  }

  /// Short blocks again: little is known of where the counter stands.
  @_noLocks @_noAllocation
  mutating func beginPhase(at seconds: Double) {
    phaseStartSeconds = seconds
    blockSeconds = 0.05
  }

  @_noLocks @_noAllocation
  private mutating func endBlock() {
    let distance = earliestFrames - anchorFrames
    phaseBlocks += 1
    placeBlocks += 1
    guard phaseBlocks > 1, distance > 0 else {
      anchorSeconds = earliestSeconds
      anchorFrames = earliestFrames
      return
    }
    memorySeconds = min(memorySeconds + blockSeconds, Self.longestMemorySeconds)
    if followsStep() { return }

    let isYoung = placeBlocks <= Self.settlingBlocks
    let limit = isYoung ? Double.infinity : 4 * scaleSeconds
    let error = max(-limit, min(limit, earliestError))
    // The gains of a least-squares line through `count` equally spaced points.
    let count = max(4, memorySeconds / blockSeconds)
    // A line that is not yet in its place would take that for a slope.
    let isPlaced = placeBlocks > Self.placingBlocks || memorySeconds < Self.slopeSeconds
    let rateGain = isPlaced ? 6 / (count * (count + 1)) : 0
    let linePhaseGain = 2 * (2 * count - 1) / (count * (count + 1))
    // With the rate known from before, the phase is a mean.
    let phaseGain = max(linePhaseGain, 1 / placeBlocks)
    anchorSeconds += distance * secondsPerFrame + min(1, phaseGain) * error
    anchorFrames = earliestFrames
    let slopeError = max(-Self.slopeErrorSeconds, min(Self.slopeErrorSeconds, error))
    secondsPerFrame += rateGain * slopeError / distance
    clampRate()
    learn(from: error)
    doubt(error)
  }

  /// Forgets most of an early estimate while the errors keep to one side.
  ///
  /// A step that the loop took for a slope would count for minutes.
  @_noLocks @_noAllocation
  private mutating func doubt(_ error: Double) {
    let side = abs(error) < Self.asideSeconds ? 0 : error > 0 ? 1 : -1
    blocksAside = side * blocksAside > 0 ? blocksAside + side : side
    guard !isRateKnown, abs(blocksAside) >= Self.asideBlocks else { return }
    blocksAside = 0
    memorySeconds = max(Self.startMemorySeconds, memorySeconds / 4)
  }

  /// Widens the bandwidth while the errors lean to one side, and keeps the scale of the errors.
  @_noLocks @_noAllocation
  private mutating func learn(from error: Double) {
    let size = min(abs(error), 4 * scaleSeconds)
    scaleSeconds = max(1e-6, scaleSeconds + 0.05 * (size - scaleSeconds))
    // The standard error of a line's slope is σ √(12 / N) over its length; the scale is 0.8 σ.
    let errorPPM = 4.3e6 * scaleSeconds / memorySeconds
    let limitPPM = isRateKnown ? 40.0 : 3
    isRateKnown = errorPPM * errorPPM < limitPPM * limitPPM * memorySeconds / blockSeconds
    guard placeBlocks > Self.placingBlocks else { return }
    let share = 0.15 * blockSeconds
    leanSeconds += share * (error - leanSeconds)
    // A frame is left alone: the lateness of a machine comes and goes by as much.
    let isLeaning = abs(leanSeconds) > max(20e-6, 1.2 * scaleSeconds)
    if isLeaning, memorySeconds > Self.shortestMemorySeconds { memorySeconds *= 1 - share }
  }

  /// Clocks of audio devices are accurate to 5 %.
  @_noLocks @_noAllocation
  private mutating func clampRate() {
    let nominal = 1 / nominalRateHz
    secondsPerFrame = max(0.95 * nominal, min(1.05 * nominal, secondsPerFrame))
  }
}
