// SPDX-License-Identifier: MIT

/// Decides the resampling ratio and the place of the read pointer, cycle by cycle; pure.
///
/// The two ``ClockLoop``s give the ratio of the two rates, which is fed forward. The error of the delay only
/// trims it, the more slowly the longer the bridge is locked. The ratio never follows a single stamp, so the
/// pitch is steady.
public struct BridgeController: BitwiseCopyable, Sendable {
  /// The decision about a cycle.
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
  /// The state of the lock.
  public private(set) var state = LockState.starting
  /// Delay minus target in the last cycle, in frames of the device.
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
  /// Time without a stamp after which the device counts as gone.
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

  /// Rate of the device above JACK's, in parts per million of the nominal ratio.
  public var offsetPPM: Double {
    @_noLocks @_noAllocation get {
      let nominal = deviceClock.nominalRateHz / jackClock.nominalRateHz
      return (clockRatio / nominal - 1) * 1e6
    }
  }

  /// The position of the device's counter when JACK's counter is at `frames`.
  ///
  /// [any-thread] never waits, never allocates.
  @_noLocks @_noAllocation
  public func devicePosition(atJACKFrames frames: Int64) -> Double {
    deviceClock.frames(atNanoseconds: jackClock.nanoseconds(atFrames: Double(frames)))
  }

  /// Sets the delay to keep; when it changes while sound passes, the pointer moves.
  ///
  /// Late frames may be missed, early frames wait: so a delay that is too long can be slewed from
  /// further away than one that is too short.
  ///
  /// - Parameters:
  ///   - delayFrames: The delay, in frames of the device.
  ///   - shortLimitFrames: The error at which a delay that is too short moves the read pointer.
  ///   - longLimitFrames: The error at which a delay that is too long moves the read pointer.
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

  /// Restarts the device's positions: it has run empty or full, or was opened anew.
  ///
  /// Passing sound continues with the next cycle: the rate is known, and the next stamp gives the position.
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

  /// Restarts the loop on JACK's clock: JACK was away, or its counter was reset.
  ///
  /// [any-thread] never waits, never allocates.
  @_noLocks @_noAllocation
  public mutating func restartJACK() {
    jackClock.restart()
    enter(.starting)
  }

  /// Enters the lost state, until stamps arrive again.
  ///
  /// [any-thread] never waits, never allocates.
  @_noLocks @_noAllocation
  public mutating func lose() {
    deviceClock.restart()
    enter(.lost)
  }

  /// JACK's period has another length: JACK stood still for an unknown time.
  ///
  /// Sound continues with the next cycle: the rates are known, and its stamp gives the position.
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
  ///   - positionFrames: The position of the next frame between resampler and ring, in frames of the device,
  ///     with a fraction.
  ///   - direction: The direction of the audio.
  /// - Returns: The action to take.
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
    // A playback frame is ahead of the device's position, a captured frame is behind it.
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

  /// The time in which the trim removes most of an error: half a second at first, minutes later.
  ///
  /// By then most of the error is random lateness of the stamps, which the pitch must not follow.
  private var timeConstantSeconds: Double {
    @_noLocks @_noAllocation get {
      let firstSeconds = 0.3 * min(secondsRunning, 10)
      return max(0.5, min(240, firstSeconds + 10 * max(0, secondsRunning - 10)))
    }
  }

  /// The larger of two frames and the scatter of the stamps, which limits how well the error is known.
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
    // A clock has stepped: the trim becomes as quick as at the start.
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
