// SPDX-License-Identifier: MIT

internal import GraphFiles

/// Lets a fader without a motor take over a parameter that stands elsewhere.
///
/// Positions go from 0 to 1. Pure value: [any-thread].
struct FaderTakeover {
  /// A new position of the parameter, and the least length of its ramp.
  struct Step: Equatable {
    /// The position.
    var position: Double
    /// The ramp in milliseconds; nil for the host's own.
    var rampMilliseconds: Double?
  }

  /// The distance within which a fader is at the value: 3 of 128 steps (MID-20).
  static let threshold = 3.0 / 128
  /// The time for a way of one threshold where the parameter catches up with the fader, in milliseconds.
  static let thresholdMilliseconds = 5.0

  private let mode: ControlMapping.Takeover
  private var last: Double?
  /// The position that this fader has given to the parameter last.
  private var given: Double?
  /// The time at which the parameter has caught up with the fader, in milliseconds.
  private var caughtUp = -Double.infinity

  /// Starts with a fader that has not been moved yet.
  init(_ mode: ControlMapping.Takeover) { self.mode = mode }

  /// Whether the parameter stands where this fader has put it.
  func isInSync(with current: Double) -> Bool {
    given.map { abs($0 - current) < 1e-6 } ?? false
  }

  /// Whether the parameter has reached the fader after the last pickup.
  func hasCaughtUp(at milliseconds: Double) -> Bool { milliseconds >= caughtUp }

  /// Forgets where the fader stands, as after plugging in.
  mutating func forget() { self = FaderTakeover(mode) }

  /// Takes note of a position that the parameter has taken from this fader already.
  mutating func note(_ position: Double) { (last, given) = (position, position) }

  /// Moves the fader.
  ///
  /// - Parameters:
  ///   - hardware: The fader's new position.
  ///   - current: The parameter's position.
  ///   - milliseconds: The time now, on any clock.
  /// - Returns: The parameter's new position; nil while it stays.
  mutating func move(to hardware: Double, current: Double, at milliseconds: Double) -> Step? {
    let before = last
    last = hardware
    let position: Double
    switch mode {
    case .jump: position = hardware
    case .pickup:
      guard isInSync(with: current) || reaches(current, from: before, to: hardware) else {
        // The fader has left the value: it must not have it when somebody puts the value back.
        given = nil
        return nil
      }
      position = hardware
    case .scaled:
      guard let before else {
        guard reaches(current, from: nil, to: hardware) else { return nil }
        return step(to: hardware, from: current, by: 0, at: milliseconds)
      }
      position = Self.scaled(from: before, to: hardware, current: current)
    }
    return step(
      to: position,
      from: current,
      by: before.map { abs(hardware - $0) } ?? 0,
      at: milliseconds,
    )
  }

  /// Whether the fader comes to the value or passes it.
  private func reaches(_ current: Double, from before: Double?, to hardware: Double) -> Bool {
    if abs(hardware - current) <= Self.threshold { return true }
    guard let before else { return false }
    return abs(before - current) <= Self.threshold || (before < current) != (hardware < current)
  }

  /// The way towards the end that the fader moves to, so that both reach it together (MID-23).
  private static func scaled(from before: Double, to hardware: Double, current: Double) -> Double {
    let end = hardware > before ? 1.0 : 0.0
    let way = end - before
    guard abs(way) > 1e-9 else { return hardware }
    return current + (hardware - before) * (end - current) / way
  }

  /// A step with a ramp where the parameter goes further than the fader itself.
  private mutating func step(
    to position: Double,
    from current: Double,
    by travel: Double,
    at now: Double,
  ) -> Step {
    // Without it, the parameter would jump at the pickup by all that the fader has passed it (MID-T2).
    let wasInSync = mode == .jump || (mode == .pickup && isInSync(with: current))
    let way = abs(position - current)
    if !wasInSync, way > (mode == .scaled ? max(travel, Self.threshold) : Self.threshold) {
      caughtUp = max(caughtUp, now + way / Self.threshold * Self.thresholdMilliseconds)
    }
    given = position
    let rest = caughtUp - now
    return Step(position: position, rampMilliseconds: rest > 0 ? rest : nil)
  }
}
