// SPDX-License-Identifier: MIT

import Realtime

/// The moves of the crossfader that come from the audio thread itself, in one cycle, by their frames.
///
/// A plain value: [any-thread].
struct CrossfaderMoves: BitwiseCopyable {
  private struct Move: BitwiseCopyable {
    var offset = 0
    var position = 0.0
  }

  /// The most moves in a cycle; of further ones only the last counts.
  static var capacity: Int {
    @_noLocks @_noAllocation
    get { 32 }
  }

  private var moves = InlineArray<32, Move>(repeating: Move())
  private var count = 0
  private var next = 0

  /// Adds a move; one before the last one's frame happens at that frame.
  ///
  /// [audio-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  mutating func add(position: Double, offset: Int) {
    let last = count > 0 ? moves[count - 1].offset : 0
    let index = min(count, Self.capacity - 1)
    moves[index] = Move(offset: max(offset, last), position: position)
    count = index + 1
  }

  /// Takes the next move that is due.
  ///
  /// - Parameter offset: The present frame of the cycle.
  /// - Returns: Its position; nil if none is due.
  ///
  /// [audio-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  mutating func take(atOffset offset: Int) -> Double? {
    guard next < count, moves[next].offset <= offset else { return nil }
    defer { next += 1 }
    return moves[next].position
  }

  /// The frame of the next move, or the end of the cycle.
  ///
  /// [audio-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  func nextOffset(below frames: Int) -> Int {
    next < count ? min(moves[next].offset, frames) : frames
  }

  /// Forgets the moves of the cycle.
  ///
  /// [audio-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  mutating func removeAll() {
    count = 0
    next = 0
  }
}

extension RenderCore {
  /// Makes the moves that are due at a frame of the cycle.
  ///
  /// [audio-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  mutating func moveCrossfader(atOffset offset: Int) {
    while let position = crossfaderMoves.take(atOffset: offset) {
      for index in unsafe 0..<plan.pointee.strips.count {
        let strip = unsafe plan.pointee.strips[index]
        guard strip.crossfaderSide != 0 else { continue }
        let distance = (1 + strip.crossfaderSide * position) / 2
        unsafe retarget(
          strip.state.pointee.crossfade,
          to: plan.pointee.crossfaderCurve.gainLinear(distance: distance),
          frames: plan.pointee.crossfadeFrames,
          shape: .linear,
        )
      }
      unreportedMove = RenderReport(
        crossfader: position,
        frame: cycleFrame &+ UInt64(offset),
        afterCommands: UInt32(truncatingIfNeeded: commands.position),
      )
    }
  }

  /// Tells control of the last move, as soon as there is room.
  ///
  /// [audio-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  mutating func reportMove() {
    crossfaderMoves.removeAll()
    if let report = unreportedMove, reports.push(report) { unreportedMove = nil }
  }
}
