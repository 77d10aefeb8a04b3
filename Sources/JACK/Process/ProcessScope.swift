// SPDX-License-Identifier: MIT

internal import CJACK
internal import CRealtime

/// The C function that JACK calls for every cycle: `frames`, and the pointer given at activation.
///
/// Write it as a named function with `@c @_noLocks @_noAllocation` and do the work inside
/// ``ProcessScope/run(_:_:as:body:)``. Return 0; anything else takes the client out of the graph.
public typealias ProcessFunction =
  @convention(c) (_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32

/// The inside of one process callback: the only place where port buffers exist.
///
/// ```swift
/// @c(gain_process) @_noLocks @_noAllocation
/// func gainProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
///   unsafe ProcessScope.run(frames, context, as: Gain.self) { gain, scope in
///     let input = unsafe scope.samples(of: gain.pointee.input)
///     let output = unsafe scope.samples(of: gain.pointee.output)
///     for index in 0..<Int(scope.frames) {
///       unsafe output[index] = input[index] * gain.pointee.factor
///     }
///   }
/// }
/// ```
@safe
public struct ProcessScope: ~Copyable {
  /// The length of this cycle in frames; any number, not only powers of two.
  public let frames: UInt32

  let context: UnsafeMutablePointer<ProcessContext>
  let client: OpaquePointer
  private let startNanoseconds: UInt64
  private let floatMode: realtime_float_mode

  /// The pointer given at activation. [audio-thread & active]
  public var userContext: UnsafeMutableRawPointer? {
    @_noLocks @_noAllocation get { unsafe context.pointee.userContext }
  }

  /// Opens the scope: denormals off, sanitizer on, clock started; for callbacks that cannot use ``run(_:_:as:body:)``.
  ///
  /// - Parameters:
  ///   - frames: The first argument of the callback.
  ///   - context: The second argument of the callback.
  /// [audio-thread]
  @_noLocks @_noAllocation
  public init?(frames: UInt32, context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context?.assumingMemoryBound(to: ProcessContext.self),
      let client = unsafe context.pointee.client
    else { return nil }
    self.frames = frames
    unsafe self.context = unsafe context
    unsafe self.client = unsafe client
    self.floatMode = realtime_denormals_off()
    self.startNanoseconds = realtime_now_nanoseconds()
    realtime_sanitizer_enter()
  }

  /// Closes the scope and counts its cost. [audio-thread]
  @_noLocks @_noAllocation
  public consuming func finish() {
    realtime_sanitizer_exit()
    let end = realtime_now_nanoseconds()
    let nanoseconds = end &- startNanoseconds
    let waited = unsafe context.pointee.waitedNanoseconds
    unsafe context.pointee.waitedNanoseconds = 0
    // JACK's clock is not CLOCK_MONOTONIC: the delay is the age of the cycle less the callback.
    let cycleStart = cycleTimes.startMicroseconds
    let now = nowMicroseconds
    let age = now > cycleStart ? (now &- cycleStart) &* 1000 : 0
    unsafe context.pointee.record(
      nanoseconds: nanoseconds &- waited,
      startDelayNanoseconds: age > nanoseconds ? age &- nanoseconds : 0,
    )
    realtime_denormals_restore(floatMode)
  }

  /// The working time of this callback so far, without its waits. [audio-thread]
  public var costNanoseconds: UInt64 {
    @_noLocks @_noAllocation get {
      unsafe realtime_now_nanoseconds() &- startNanoseconds &- context.pointee.waitedNanoseconds
    }
  }

  /// Runs `body` with the state of the client and the scope of this cycle.
  ///
  /// Flushes denormals to zero, declares to RealtimeSanitizer (if linked) that blocking calls are
  /// errors, and measures the callback for ``ClientConnection/processStatistics``.
  ///
  /// - Parameters:
  ///   - frames: The first argument of the callback.
  ///   - context: The second argument of the callback.
  ///   - type: The type behind the pointer given at activation.
  ///   - body: The work. It may not keep its argument, which is invalid afterwards.
  /// - Returns: 0, the value for the callback to return.
  ///
  /// [audio-thread & active]
  @_transparent
  public static func run<State: ~Copyable>(
    _ frames: UInt32,
    _ context: UnsafeMutableRawPointer?,
    as type: State.Type,
    body: (UnsafeMutablePointer<State>, borrowing ProcessScope) -> Void,
  ) -> Int32 {
    guard let scope = unsafe ProcessScope(frames: frames, context: context) else { return 0 }
    if let state = unsafe scope.userContext?.assumingMemoryBound(to: State.self) {
      unsafe body(state, scope)
    }
    scope.finish()
    return 0
  }
}
