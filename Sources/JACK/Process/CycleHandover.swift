// SPDX-License-Identifier: MIT

internal import CRealtime
internal import Synchronization

/// Audio that one client of this process hands to another within one cycle, past JACK's graph.
///
/// Over a connection of JACK's, a client runs only when all clients before it have run, so one that
/// dies or hangs stops all clients behind it. With a hand-over the taking client chooses a deadline,
/// and continues without the samples after it. It adds no period: samples given in a cycle are taken in
/// the same cycle.
///
/// There are three buffers: one that the giving side writes, one that the taking side uses, and a middle one with the
/// last cycle given. Each side changes its own for the middle one. So neither ever touches memory of the other,
/// however late it is, and the samples taken stay the same until the next `take`.
///
/// Trivial memory behind one pointer, made and freed by the control thread; one callback gives, one takes.
@safe
public struct CycleHandover: BitwiseCopyable {
  /// The longest cycle that JACK has.
  public static var capacityFrames: Int { @_noLocks @_noAllocation get { 8192 } }

  private static var bufferCount: Int { @_noLocks @_noAllocation get { 3 } }

  @safe
  struct Shared: ~Copyable {
    /// The number of the middle buffer, plus `given` where it has a cycle that was not taken yet.
    let middle = Atomic<UInt32>(0)
    let padding = InlineArray<15, UInt64>(repeating: 0)
    /// The buffer of the giving callback, which alone uses this.
    var giving: UInt32 = 1
    let padding2 = InlineArray<15, UInt64>(repeating: 0)
    /// The buffer of the taking callback, which alone uses this.
    var taking: UInt32 = 2
    /// The frame times of the buffers' cycles; beyond 32 bits before the first.
    ///
    /// Each belongs to the owner of its buffer.
    var frames = InlineArray<3, UInt64>(repeating: .max)

    /// The mark of a middle buffer with a cycle that was not taken yet.
    static var given: UInt32 { @_noLocks @_noAllocation get { 4 } }
  }

  /// The number of its channels.
  public let channels: Int
  private let shared: UnsafeMutablePointer<Shared>
  private let memory: UnsafeMutablePointer<Float>

  /// Allocates it; `free` releases it. [control-thread]
  public init(channels: Int) {
    self.channels = channels
    let capacity = Self.bufferCount * channels * Self.capacityFrames
    unsafe memory = .allocate(capacity: max(1, capacity))
    unsafe memory.initialize(repeating: 0, count: capacity)
    unsafe shared = .allocate(capacity: 1)
    unsafe shared.initialize(to: Shared())
  }

  /// Releases it, once neither callback runs any more. [control-thread]
  public func free() {
    unsafe memory.deallocate()
    unsafe shared.deinitialize(count: 1)
    unsafe shared.deallocate()
  }

  // MARK: - The giving callback

  /// Gives the samples of input ports, one for each channel. [audio-thread & active]
  @_noLocks @_noAllocation
  public func give(_ ports: UnsafePointer<AudioInputPort>, _ scope: borrowing ProcessScope) {
    for channel in 0..<channels {
      let target = unsafe next(channel)
      let source = unsafe scope.samples(of: ports[channel])
      for index in 0..<min(source.count, Self.capacityFrames) {
        unsafe target[index] = source[index]
      }
    }
    give(scope)
  }

  /// The memory for a channel's samples that ``give(_:)`` then hands over. [audio-thread & active]
  @_noLocks @_noAllocation
  public func next(_ channel: Int) -> UnsafeMutablePointer<Float> {
    unsafe buffer(shared.pointee.giving, channel)
  }

  /// Gives the samples written to the memory of ``next(_:)``. [audio-thread & active]
  @_noLocks @_noAllocation
  public func give(_ scope: borrowing ProcessScope) {
    let mine = unsafe shared.pointee.giving
    unsafe shared.pointee.frames[Int(mine)] = UInt64(scope.frameTime)
    let old = unsafe shared.pointee.middle.exchange(
      mine | Shared.given,
      ordering: .acquiringAndReleasing,
    )
    unsafe shared.pointee.giving = old & ~Shared.given
    unsafe realtime_wake_word(UnsafeRawPointer(shared))
  }

  // MARK: - The taking callback

  /// Waits until this cycle has been given, at most until `deadlineNanoseconds` of CLOCK_MONOTONIC.
  ///
  /// - Returns: Whether it has; its samples are there until this, or ``isAlive(_:)``, is called again.
  ///
  /// [audio-thread & active]
  @_noLocks @_noAllocation
  public func take(
    _ scope: borrowing ProcessScope,
    until deadlineNanoseconds: UInt64,
  ) -> Bool {
    let frame = UInt64(scope.frameTime)
    let start = realtime_now_nanoseconds()
    var now = start
    var last = takeLast()
    while last != frame, now < deadlineNanoseconds {
      // The middle buffer is the one that was given back, until another cycle is given.
      let middle = unsafe shared.pointee.middle.load(ordering: .relaxed)
      if middle & Shared.given == 0 {
        unsafe realtime_wait_word(UnsafeRawPointer(shared), middle, deadlineNanoseconds)
        now = realtime_now_nanoseconds()
      }
      last = takeLast()
    }
    unsafe scope.context.pointee.waitedNanoseconds &+= now &- start
    return last == frame
  }

  /// Whether this cycle or the one before has been given: at what point of a cycle the giving callback runs
  /// is not the taking one's to know. [audio-thread & active]
  @_noLocks @_noAllocation
  public func isAlive(_ scope: borrowing ProcessScope) -> Bool {
    let last = takeLast()
    guard last <= UInt64(UInt32.max) else { return false }
    return scope.frameTime &- UInt32(truncatingIfNeeded: last) <= scope.frames
  }

  /// Changes the taking side's buffer for the middle one, if that is newer.
  ///
  /// - Returns: The frame time of the cycle in it; beyond 32 bits before the first.
  ///
  /// [audio-thread]
  @_noLocks @_noAllocation
  private func takeLast() -> UInt64 {
    // A plain load first, as most looks find nothing new.
    if unsafe shared.pointee.middle.load(ordering: .relaxed) & Shared.given != 0 {
      let old = unsafe shared.pointee.middle.exchange(
        shared.pointee.taking,
        ordering: .acquiringAndReleasing,
      )
      unsafe shared.pointee.taking = old & ~Shared.given
    }
    return unsafe shared.pointee.frames[Int(shared.pointee.taking)]
  }

  /// The samples of a channel in the cycle taken last, for the taking callback to use as it likes.
  /// [audio-thread & active]
  @_noLocks @_noAllocation
  public func samples(_ channel: Int) -> UnsafeMutablePointer<Float> {
    unsafe buffer(shared.pointee.taking, channel)
  }

  @_noLocks @_noAllocation
  private func buffer(_ number: UInt32, _ channel: Int) -> UnsafeMutablePointer<Float> {
    unsafe memory + (Int(number) * channels + channel) * Self.capacityFrames
  }
}

extension ProcessScope {
  /// The time on CLOCK_MONOTONIC until which a callback may wait for others.
  ///
  /// Leaves twice the time that the callback itself needs, and a part of a period for the clients
  /// behind it. JACK's prediction of the next cycle can be milliseconds wrong for a second after a late
  /// cycle; the deadline is capped at one period after the real start. If the callback started so late
  /// that less time is left, it still waits for a quarter of a period, because other clients were late
  /// then, too.
  ///
  /// - Parameters:
  ///   - costNanoseconds: Cost of the callback's own work.
  ///   - part: The divisor of the period that is left: 4 for a quarter, or more if only the server
  ///     waits for the callback.
  /// - Returns: The time.
  ///
  /// [audio-thread & active]
  @_noLocks @_noAllocation
  public func handoverDeadlineNanoseconds(
    costNanoseconds: UInt64,
    leavingOneOf part: UInt64 = 4,
  ) -> UInt64 {
    let times = cycleTimes
    let period = UInt64(max(0, times.periodMicroseconds) * 1000)
    let now = nowMicroseconds
    let left = times.nextMicroseconds > now ? (times.nextMicroseconds &- now) &* 1000 : 0
    let sinceStart = period &* UInt64(framesSinceCycleStart) / UInt64(max(1, frames))
    let kept = period / part &+ 2 &* costNanoseconds
    let longest = min(
      left > kept ? left &- kept : 0,
      period > kept &+ sinceStart ? period &- kept &- sinceStart : 0,
    )
    return realtime_now_nanoseconds() &+ max(longest, period / 4)
  }
}
