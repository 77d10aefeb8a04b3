// SPDX-License-Identifier: MIT

internal import CRealtime
internal import Realtime
internal import Synchronization

/// The audio side of a `FilePlayer`: a pointer, free to copy, valid while the player lives.
@safe
public struct FilePlayerSource: BitwiseCopyable, @unchecked Sendable {
  /// The channels that `read` delivers.
  public let channels: Int

  let state: UnsafeMutablePointer<State>

  /// Reads the next frames, de-interleaved; silence if there are none.
  ///
  /// - Parameters:
  ///   - outputs: One pointer per channel, `channels` of them; a nil one is left out. All frames of
  ///     the others are written.
  ///   - frames: 0 or more.
  ///   - deadlineNanoseconds: The time on CLOCK_MONOTONIC until which the disk is waited for, where a cycle may take as
  ///     long as it needs; 0 to wait never.
  /// - Returns: The frames that came from the file; the rest is silence.
  /// - Complexity: O(frames × channels).
  /// [audio-thread] — blocks until the deadline at most, never allocates.
  @discardableResult
  @_noLocks @_noAllocation
  public func read(
    into outputs: UnsafePointer<UnsafeMutablePointer<Float>?>,
    frames: Int,
    until deadlineNanoseconds: UInt64 = 0,
  ) -> Int {
    takeUpcoming()
    var rt = unsafe state.pointee.rt
    let isPlaying = unsafe state.pointee.isPlaying.load(ordering: .relaxed)
    let fadeFrames = unsafe state.pointee.fadeFrames.load(ordering: .relaxed)
    unsafe rt.level = min(rt.level, fadeFrames)
    var consumed = unsafe rt.stream.pointee.consumed.load(ordering: .relaxed)
    var done = 0
    var heard = 0
    while done < frames {
      if unsafe deadlineNanoseconds > 0 && isPlaying && rt.upcoming == nil {
        unsafe awaitFrames(rt, consumed, fadeFrames: fadeFrames, until: deadlineNanoseconds)
      }
      let reader = unsafe rt.stream.pointee.reader
      let readable = reader.readableFrames
      let end = unsafe rt.stream.pointee.end.load(ordering: .acquiring)
      let toEnd = end >= consumed ? end - consumed : Int.max
      if toEnd == 0 { unsafe rt.level = 0 }
      if unsafe rt.level == 0, let upcoming = unsafe rt.upcoming {
        unsafe state.pointee.retired.store(rt.stream, ordering: .releasing)
        unsafe rt.stream = upcoming
        unsafe rt.upcoming = nil
        consumed = unsafe upcoming.pointee.consumed.load(ordering: .relaxed)
        continue
      }
      let plan = unsafe step(
        rt: &rt,
        wantsSound: isPlaying && rt.upcoming == nil,
        fadeFrames: fadeFrames,
        readable: readable,
        toEnd: toEnd,
        wanted: frames - done,
      )
      guard plan.frames > 0 else {
        if plan.isStarved { unsafe countStarvation(rt: &rt, frames: frames - done) }
        break
      }
      unsafe copy(
        reader,
        into: outputs,
        at: done,
        frames: plan.frames,
        level: rt.level,
        slope: plan.slope,
        fadeFrames: fadeFrames,
      )
      unsafe rt.level = plan.frames == toEnd ? 0 : rt.level + plan.slope * plan.frames
      unsafe rt.startsExactly = false
      unsafe rt.isStarved = false
      reader.discard(frames: plan.frames)
      consumed += plan.frames
      unsafe rt.stream.pointee.consumed.store(consumed, ordering: .releasing)
      done += plan.frames
      heard += plan.frames
    }
    unsafe silence(outputs, from: done, to: frames)
    unsafe state.pointee.rt = rt
    return heard
  }
}

// MARK: - Steps of a cycle

extension FilePlayerSource {
  /// The treatment of the next frames of the cycle.
  private struct Step {
    /// Frames to take from the ring; 0 to leave the rest of the cycle silent.
    var frames = 0
    /// Change of the fade level per frame: −1, 0 or 1.
    var slope = 0
    /// Whether the silence is for want of data.
    var isStarved = false
  }

  /// Takes a new stream if there is one; the present sound fades out first. [audio-thread]
  @_noLocks @_noAllocation
  func takeUpcoming() {
    guard unsafe state.pointee.rt.upcoming == nil,
      unsafe state.pointee.next.load(ordering: .relaxed) != nil,
      unsafe state.pointee.retired.load(ordering: .acquiring) == nil
    else { return }
    unsafe state.pointee.rt.upcoming = state.pointee.next.exchange(nil, ordering: .acquiring)
    unsafe state.pointee.rt.startsExactly = state.pointee.rt.level == 0
  }

  /// Decides how many frames go on in which manner.
  ///
  /// The length of a fade always stays in reserve until the end of the stream is in sight, so that a
  /// player that runs dry can fade out with the reserve.
  @_noLocks @_noAllocation
  private func step(
    rt: inout RT,
    wantsSound: Bool,
    fadeFrames: Int,
    readable: Int,
    toEnd: Int,
    wanted: Int,
  ) -> Step {
    let isFinal = toEnd <= readable
    let safe = isFinal ? toEnd : readable - fadeFrames
    let level = unsafe rt.level
    if wantsSound, toEnd == 0 { return Step() }
    if wantsSound, safe > 0 {
      if level == fadeFrames { return Step(frames: min(wanted, safe)) }
      if unsafe level == 0 && rt.startsExactly {
        unsafe rt.level = fadeFrames
        return Step(frames: min(wanted, safe))
      }
      // After starvation some more is awaited, so that it does not flutter.
      let isEnough = unsafe isFinal || !rt.isStarved || safe >= 2 * fadeFrames
      if isEnough { return Step(frames: min(min(wanted, safe), fadeFrames - level), slope: 1) }
    }
    if level > 0 {
      let frames = min(min(wanted, level), min(readable, toEnd))
      if frames == 0 { unsafe rt.level = 0 }
      return Step(frames: frames, slope: -1, isStarved: wantsSound && frames == 0)
    }
    return Step(isStarved: wantsSound)
  }

  /// Waits until the file's next frames are read; returns at once where they are, and at the file's end.
  @_noLocks @_noAllocation
  private func awaitFrames(
    _ rt: RT,
    _ consumed: Int,
    fadeFrames: Int,
    until deadlineNanoseconds: UInt64,
  ) {
    // As in ``step``, the length of a fade stays in reserve, and some more after starvation.
    let wanted = unsafe rt.isStarved ? 3 * fadeFrames : fadeFrames + 1
    while true {
      let round = unsafe state.pointee.rounds.load(ordering: .acquiring)
      let readable = unsafe rt.stream.pointee.reader.readableFrames
      let end = unsafe rt.stream.pointee.end.load(ordering: .acquiring)
      let toEnd = end >= consumed ? end - consumed : Int.max
      guard toEnd > readable, readable < wanted,
        realtime_now_nanoseconds() < deadlineNanoseconds
      else { return }
      unsafe state.pointee.waits.wrappingAdd(1, ordering: .relaxed)
      unsafe realtime_wait_word(UnsafeRawPointer(state), round, deadlineNanoseconds)
    }
  }

  @_noLocks @_noAllocation
  private func countStarvation(rt: inout RT, frames: Int) {
    if unsafe !rt.isStarved {
      unsafe rt.isStarved = true
      unsafe state.pointee.underruns.wrappingAdd(1, ordering: .relaxed)
    }
    unsafe state.pointee.silentFrames.wrappingAdd(frames, ordering: .relaxed)
  }

  @_noLocks @_noAllocation
  private func copy(
    _ reader: AudioRingReader,
    into outputs: UnsafePointer<UnsafeMutablePointer<Float>?>,
    at offset: Int,
    frames: Int,
    level: Int,
    slope: Int,
    fadeFrames: Int,
  ) {
    let source = unsafe reader.regions(maximumFrames: frames)
    let scale = 1 / Float(fadeFrames)
    for channel in 0..<channels {
      guard let output = unsafe outputs[channel] else { continue }
      for frame in 0..<frames {
        let isFirst = unsafe frame < source.firstFrames
        let sample =
          unsafe isFirst
          ? source.first[frame * channels + channel]
          : source.second[(frame - source.firstFrames) * channels + channel]
        let isWhole = slope == 0
        unsafe output[offset + frame] =
          isWhole ? sample : sample * (Float(level + slope * frame) * scale)
      }
    }
  }

  @_noLocks @_noAllocation
  private func silence(
    _ outputs: UnsafePointer<UnsafeMutablePointer<Float>?>,
    from start: Int,
    to end: Int,
  ) {
    guard start < end else { return }
    for channel in 0..<channels {
      guard let output = unsafe outputs[channel] else { continue }
      for frame in start..<end { unsafe output[frame] = 0 }
    }
  }
}
