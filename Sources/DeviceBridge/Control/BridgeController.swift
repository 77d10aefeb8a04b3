// SPDX-License-Identifier: MIT

/// Decides the resampling ratio and the place of the read pointer, cycle by cycle; pure.
///
/// The ratio of the two rates is known from the two ``ClockLoop``s and is fed forward; the error of the
/// delay only trims it, the more slowly the longer the bridge is locked. Nothing in the ratio
/// follows a single stamp, so the pitch stands still.
public struct BridgeController: BitwiseCopyable, Sendable {
  /// What to do in a cycle.
  public struct Decision: BitwiseCopyable, Sendable {
    /// Frames of the device per frame of JACK, trimmed.
    public var ratio: Double
    /// Frames by which to move the read pointer at once; positive makes the delay longer.
    public var pointerMoveFrames: Int
    /// Whether sound passes.
    public var isRunning: Bool
  }

  /// The loop on JACK's cycles.
  public private(set) var jackClock: ClockLoop
  /// The loop on the device's wake-ups.
  public private(set) var deviceClock: ClockLoop
  /// How well the clocks are known.
  public private(set) var state = LockState.starting
  /// How far the delay was from its target in the last cycle, in frames of the device.
  public private(set) var errorFrames = 0.0
  /// Times that the pointer was moved while sound passed.
  public private(set) var resyncs: UInt64 = 0
  /// The delay to keep, in frames of the device.
  public private(set) var targetDelayFrames = 0.0

  /// The errors beyond which the pointer is moved instead of slewing, in frames of the device.
  private var shortLimitFrames = 64.0
  private var longLimitFrames = 64.0
  private var secondsRunning = 0.0
  private var secondsCalm = 0.0
  private var secondsSinceStamp = 0.0
  private var isPlaceDue = true

  static var trimLimit: Double { @_noLocks @_noAllocation get { 1e-3 } }
  /// A device that has not stamped for so long is gone.
  static var stampPatienceSeconds: Double { @_noLocks @_noAllocation get { 0.3 } }

  /// Makes a controller in state `starting`.
  ///
  /// [any-thread] never waits, never allocates.
  @_noLocks @_noAllocation
  public init(jackRateHz: Double, deviceRateHz: Double) {
    jackClock = ClockLoop(nominalRateHz: jackRateHz)
    deviceClock = ClockLoop(nominalRateHz: deviceRateHz)
  }

  /// Frames of the device per frame of JACK, as the clocks say.
  public var clockRatio: Double {
    @_noLocks @_noAllocation get { deviceClock.rateHz / jackClock.rateHz }
  }

  /// How much faster the device runs than JACK, in parts per million of the nominal ratio.
  public var offsetPPM: Double {
    @_noLocks @_noAllocation get {
      let nominal = deviceClock.nominalRateHz / jackClock.nominalRateHz
      return (clockRatio / nominal - 1) * 1e6
    }
  }

  /// Where the device's counter stands when JACK's stands at `frames`.
  ///
  /// [any-thread] never waits, never allocates.
  @_noLocks @_noAllocation
  public func devicePosition(atJACKFrames frames: Int64) -> Double {
    deviceClock.frames(atNanoseconds: jackClock.nanoseconds(atFrames: Double(frames)))
  }

  /// Says what delay to keep; the pointer moves if sound passes and it changed.
  ///
  /// What is late may be missed, and what is early waits: a delay that is too long can be slewed from
  /// further away than one that is too short.
  ///
  /// - Parameters:
  ///   - delayFrames: The delay, in frames of the device.
  ///   - shortLimitFrames: How much too short it may be before the pointer is moved.
  ///   - longLimitFrames: How much too long it may be before the pointer is moved.
  ///
  /// [any-thread] never waits, never allocates.
  @_noLocks @_noAllocation
  public mutating func setTarget(
    delayFrames: Double,
    shortLimitFrames: Double,
    longLimitFrames: Double,
  ) {
    self.shortLimitFrames = shortLimitFrames
    self.longLimitFrames = longLimitFrames
    guard delayFrames != targetDelayFrames else { return }
    targetDelayFrames = delayFrames
    isPlaceDue = true
  }

  /// Takes in a stamp of the device.
  ///
  /// [any-thread] never waits, never allocates.
  @_noLocks @_noAllocation
  public mutating func addDeviceStamp(frames: Int64, nanoseconds: Int64) {
    deviceClock.add(frames: frames, nanoseconds: nanoseconds)
    secondsSinceStamp = 0
    if state.isLost { enter(.starting) }
  }

  /// The device counts from somewhere else: it has run empty or full, or was opened anew.
  ///
  /// Where sound passes it goes on with the next cycle: the rate is known, the next stamp says where.
  ///
  /// [any-thread] never waits, never allocates.
  @_noLocks @_noAllocation
  public mutating func restartDevice() {
    isPlaceDue = true
    if state.hasSound {
      deviceClock.resume()
    } else {
      deviceClock.restart()
      enter(.starting)
    }
  }

  /// Begins anew: JACK was away, or counts from somewhere else.
  ///
  /// [any-thread] never waits, never allocates.
  @_noLocks @_noAllocation
  public mutating func restartJACK() {
    jackClock.restart()
    enter(.starting)
  }

  /// Gives up until stamps come again.
  ///
  /// [any-thread] never waits, never allocates.
  @_noLocks @_noAllocation
  public mutating func lose() {
    deviceClock.restart()
    enter(.lost)
  }

  /// JACK's period has another length: JACK stood still meanwhile, nobody knows for how long.
  ///
  /// Sound goes on with the next cycle: the rates are known, and its stamp says where.
  ///
  /// [any-thread] never waits, never allocates.
  @_noLocks @_noAllocation
  public mutating func jackPeriodChanged() {
    jackClock.resume()
    isPlaceDue = true
  }

  /// Takes in a stamp of JACK.
  ///
  /// - Parameters:
  ///   - frames: JACK's counter at the start of a cycle.
  ///   - nanoseconds: When that cycle began, or later.
  ///
  /// [any-thread] never waits, never allocates.
  @_noLocks @_noAllocation
  public mutating func addJACKStamp(frames: Int64, nanoseconds: Int64) {
    jackClock.add(frames: frames, nanoseconds: nanoseconds)
  }

  /// Decides about a cycle.
  ///
  /// - Parameters:
  ///   - jackFrames: JACK's counter at the first frame of the cycle's audio.
  ///   - periodFrames: The length of the cycle in frames of JACK.
  ///   - positionFrames: Where the next frame between resampler and ring belongs, in frames of the
  ///     device, whole and broken.
  ///   - direction: Which way the audio goes.
  /// - Returns: What to do.
  ///
  /// [any-thread] never waits, never allocates.
  @_noLocks @_noAllocation
  public mutating func step(
    jackFrames: Int64,
    periodFrames: Int,
    positionFrames: Double,
    direction: BridgeDirection,
  ) -> Decision {
    let periodSeconds = Double(periodFrames) / jackClock.nominalRateHz
    secondsSinceStamp += periodSeconds
    if secondsSinceStamp > max(Self.stampPatienceSeconds, 8 * periodSeconds), !state.isLost {
      lose()
    }
    guard !state.isLost, jackClock.isSettled, deviceClock.isSettled else {
      return Decision(ratio: clockRatio, pointerMoveFrames: 0, isRunning: false)
    }
    // A frame on its way to the device is ahead of it, one that comes from it behind.
    let sign = direction.isPlayback ? 1.0 : -1.0
    let delay = sign * (positionFrames - devicePosition(atJACKFrames: jackFrames))
    errorFrames = delay - targetDelayFrames
    var move = 0
    let isFarOff = errorFrames < -shortLimitFrames || errorFrames > longLimitFrames
    if isFarOff, state.hasSound, !isPlaceDue, jackClock.isInDoubt || deviceClock.isInDoubt {
      // A machine that stands still stops both clocks, and one is seen to have stepped before the other.
      return Decision(ratio: clockRatio, pointerMoveFrames: 0, isRunning: true)
    }
    if !state.hasSound || isPlaceDue || isFarOff {
      move = Int(errorFrames > 0 ? -errorFrames - 0.5 : -errorFrames + 0.5)
      errorFrames += Double(move)
      if state.hasSound, move != 0 { resyncs += 1 }
      enter(.coarse)
      isPlaceDue = false
    }
    advance(periodSeconds)
    let limit = Self.trimLimit
    let trim = errorFrames / (timeConstantSeconds * deviceClock.nominalRateHz)
    return Decision(
      ratio: clockRatio * (1 - sign * max(-limit, min(limit, trim))),
      pointerMoveFrames: move,
      isRunning: true,
    )
  }

  /// The time in which the trim takes away most of an error: half a second at first, minutes later.
  ///
  /// By then most of the error is what the stamps are late by chance, and the pitch would follow that.
  private var timeConstantSeconds: Double {
    @_noLocks @_noAllocation get {
      let firstSeconds = 0.3 * min(secondsRunning, 10)
      return max(0.5, min(240, firstSeconds + 10 * max(0, secondsRunning - 10)))
    }
  }

  /// Two frames, or what the stamps scatter by where that is more: nothing tells the error any better.
  private var calmFrames: Double {
    @_noLocks @_noAllocation get {
      let scatterSeconds = jackClock.scatterSeconds + deviceClock.scatterSeconds
      return max(2, scatterSeconds * deviceClock.nominalRateHz)
    }
  }

  @_noLocks @_noAllocation
  private mutating func advance(_ periodSeconds: Double) {
    secondsRunning += periodSeconds
    secondsCalm = abs(errorFrames) < calmFrames ? secondsCalm + periodSeconds : 0
    // A clock has stepped: the trim is to be as quick as at the start.
    if abs(errorFrames) > 4 { secondsRunning = min(secondsRunning, 2) }
    guard secondsCalm >= 0.5 else { return }
    if jackClock.isRateKnown, deviceClock.isRateKnown { state = .locked }
  }

  @_noLocks @_noAllocation
  private mutating func enter(_ next: LockState) {
    state = next
    secondsRunning = 0
    secondsCalm = 0
  }
}
