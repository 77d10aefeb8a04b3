// SPDX-License-Identifier: MIT

internal import CJACK
internal import CRealtime

/// The C function that gives the musical time: state, frames, JACK's position, whether the
/// position is new, and the pointer given with it.
///
/// Write it as a named function with `@c @_noLocks @_noAllocation` around
/// ``TimebaseScope/run(_:_:_:_:_:as:body:)``.
public typealias TimebaseFunction =
  @convention(c) (
    _ state: UInt32, _ frames: UInt32, _ position: UnsafeMutableRawPointer?,
    _ isNewPosition: Int32, _ context: UnsafeMutableRawPointer?
  ) -> Void

/// The C function that answers whether a client is ready to roll: state, JACK's position, and the
/// pointer given with it.
///
/// Write it as a named function with `@c @_noLocks @_noAllocation` around
/// ``SyncScope/run(_:_:_:as:body:)``.
public typealias SyncFunction =
  @convention(c) (
    _ state: UInt32, _ position: UnsafeMutableRawPointer?, _ context: UnsafeMutableRawPointer?
  ) -> Int32

/// The inside of a timebase callback. [audio-thread & active]
@safe
public struct TimebaseScope: ~Copyable {
  /// Whether the transport moves.
  public let state: TransportState
  /// The length of the cycle in frames.
  public let frames: UInt32
  /// Whether the transport was moved since the last call.
  public let isNewPosition: Bool

  private let jackPosition: UnsafeMutablePointer<jack_position_t>

  @usableFromInline
  @_noLocks @_noAllocation
  init?(
    state: UInt32,
    frames: UInt32,
    position: UnsafeMutableRawPointer?,
    isNewPosition: Int32,
  ) {
    guard let position = unsafe position?.assumingMemoryBound(to: jack_position_t.self) else {
      return nil
    }
    self.state = TransportState(jack_transport_state_t(rawValue: state))
    self.frames = frames
    self.isNewPosition = isNewPosition != 0
    unsafe self.jackPosition = unsafe position
    realtime_sanitizer_enter()
  }

  @usableFromInline
  @_noLocks @_noAllocation
  consuming func finish() {
    realtime_sanitizer_exit()
  }

  /// The position to complete. [audio-thread & active]
  public var position: TransportPosition {
    @_noLocks @_noAllocation get {
      unsafe TransportPosition(cjack_position_read(jackPosition))
    }
  }

  /// Gives the musical time of the position, or declares that there is none. [audio-thread & active]
  @_noLocks @_noAllocation
  public func setBarBeatTick(_ barBeatTick: BarBeatTick?) {
    var position = self.position
    position.barBeatTick = barBeatTick
    var unpacked = position.unpacked
    unsafe cjack_position_write(&unpacked, jackPosition)
  }

  /// Runs `body` with the state behind `context` and the scope of this callback.
  ///
  /// The arguments are those of the callback, in its order. [audio-thread & active]
  @_transparent
  public static func run<State: ~Copyable>(
    _ state: UInt32,
    _ frames: UInt32,
    _ position: UnsafeMutableRawPointer?,
    _ isNewPosition: Int32,
    _ context: UnsafeMutableRawPointer?,
    as type: State.Type,
    body: (UnsafeMutablePointer<State>, borrowing TimebaseScope) -> Void,
  ) {
    let scope = unsafe TimebaseScope(
      state: state,
      frames: frames,
      position: position,
      isNewPosition: isNewPosition,
    )
    guard let scope else { return }
    if let state = unsafe context?.assumingMemoryBound(to: State.self) {
      unsafe body(state, scope)
    }
    scope.finish()
  }
}

/// The inside of a sync callback. [audio-thread & active]
public struct SyncScope: ~Copyable {
  /// Whether the transport moves.
  public let state: TransportState
  /// Position from which it will start.
  public let position: TransportPosition

  @usableFromInline
  @_noLocks @_noAllocation
  init?(state: UInt32, position: UnsafeMutableRawPointer?) {
    guard let position = unsafe position?.assumingMemoryBound(to: jack_position_t.self) else {
      return nil
    }
    self.state = TransportState(jack_transport_state_t(rawValue: state))
    self.position = unsafe TransportPosition(cjack_position_read(position))
    realtime_sanitizer_enter()
  }

  @usableFromInline
  @_noLocks @_noAllocation
  consuming func finish() {
    realtime_sanitizer_exit()
  }

  /// Runs `body` with the state behind `context` and the scope of this callback.
  ///
  /// The arguments are those of the callback, in its order; `body` answers whether the client is
  /// ready.
  /// - Returns: The value for the callback to return. [audio-thread & active]
  @_transparent
  public static func run<State: ~Copyable>(
    _ state: UInt32,
    _ position: UnsafeMutableRawPointer?,
    _ context: UnsafeMutableRawPointer?,
    as type: State.Type,
    body: (UnsafeMutablePointer<State>, borrowing SyncScope) -> Bool,
  ) -> Int32 {
    guard let scope = unsafe SyncScope(state: state, position: position) else { return 1 }
    var isReady = true
    if let state = unsafe context?.assumingMemoryBound(to: State.self) {
      isReady = unsafe body(state, scope)
    }
    scope.finish()
    return isReady ? 1 : 0
  }
}
