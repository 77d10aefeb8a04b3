// SPDX-License-Identifier: MIT

import Glibc
import Realtime

/// Owns the memory of a group of ramps, and remembers where control has sent them.
///
/// [control-thread] all of it; the memory itself is the audio thread's once it is part of a plan.
@safe
final class RampBlock {
  let group: RampGroup
  /// The target of each ramp.
  private(set) var targets: [Float]
  /// The ramps that may still be on their way.
  private var journeys: [Journey?]

  /// Makes ramps that rest at `values`.
  init(groupID: UInt32, values: [Float], kind: (Int) -> GainRamp.Kind = { _ in .plain }) {
    let header = UnsafeMutablePointer<RampGroup.Header>.allocate(capacity: 1)
    unsafe header.initialize(to: RampGroup.Header(groupID: groupID))
    let ramps = UnsafeMutablePointer<GainRamp>.allocate(capacity: values.count)
    for (index, value) in values.enumerated() {
      unsafe (ramps + index).initialize(
        to: GainRamp(restingAt: value, header: header, kind: kind(index))
      )
    }
    group = unsafe RampGroup(header: header, ramps: ramps, count: values.count)
    targets = values
    journeys = values.map { _ in nil }
  }

  deinit {
    unsafe group.header.deallocate()
    unsafe group.ramps.deallocate()
  }

  var groupID: UInt32 { unsafe group.header.pointee.groupID }

  /// Sends a ramp to a new target, by a command that is still to be delivered.
  func retarget(_ index: Int, to value: Float, by ramp: RampTime, reportID: UInt32 = 0) -> Command {
    depart(index, from: targets[index], by: ramp)
    targets[index] = value
    return unsafe Command(
      target: group.ramps + index,
      value: value,
      frames: ramp.frames,
      reportID: reportID,
      kind: .ramp,
      shape: ramp.shape,
    )
  }

  /// Commands for the ramps whose targets change.
  func changes(to values: [Float], by ramp: RampTime) -> [Command] {
    values.indices.filter { values[$0] != targets[$0] }
      .map { retarget($0, to: values[$0], by: ramp) }
  }

  /// Starts a ramp at silence; only before the audio thread has the memory.
  func fadeIn(_ index: Int, by ramp: RampTime, reportID: UInt32) {
    depart(index, from: 0, by: ramp)
    unsafe group.ramps[index].reportID = reportID
    unsafe group.ramps[index].ramp = Ramp(restingAt: 0)
    unsafe group.ramps[index].ramp.retarget(
      to: targets[index],
      frames: ramp.frames,
      shape: ramp.shape,
    )
  }

  // MARK: Values on the way

  /// A time in which a ramp has any value between its target and the smallest one that it comes from.
  private struct Journey {
    var smallest: Float
    var endNanoseconds: UInt64
  }

  /// The time in nanoseconds after a ramp until its end is certainly heard: commands wait for the next cycle.
  private static let marginNanoseconds: UInt64 = 100_000_000

  /// The smallest value that a ramp can have now.
  func smallest(_ index: Int, atNanoseconds now: UInt64) -> Float {
    guard let journey = journeys[index], now < journey.endNanoseconds else { return targets[index] }
    return Self.smaller(journey.smallest, targets[index])
  }

  private func depart(_ index: Int, from value: Float, by ramp: RampTime) {
    let now = Self.nowNanoseconds()
    // A ramp that is replaced on its way begins anywhere between the values before.
    let smallest = Self.smaller(smallest(index, atNanoseconds: now), value)
    // A step is heard with the next cycle, before anybody could tell.
    let end = ramp.frames == 0 ? now : now + ramp.nanoseconds + Self.marginNanoseconds
    journeys[index] = Journey(
      smallest: smallest,
      endNanoseconds: max(end, journeys[index]?.endNanoseconds ?? 0),
    )
  }

  /// The value that is nearer to silence; 0 for values of opposite sign, between which silence lies.
  private static func smaller(_ first: Float, _ second: Float) -> Float {
    first.sign != second.sign ? 0 : abs(first) < abs(second) ? first : second
  }

  /// The time of the ramps, which goes on while no cycle is rendered.
  static func nowNanoseconds() -> UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

/// A ``Fade`` in the engine's own frames.
struct RampTime {
  var frames: UInt32
  var shape: Ramp.Shape
  /// The same time in nanoseconds.
  var nanoseconds: UInt64
}
