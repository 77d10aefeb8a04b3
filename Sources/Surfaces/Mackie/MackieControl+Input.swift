// SPDX-License-Identifier: MIT

internal import ControlProtocol

/// The meaning of faders, V-pots, keys and the jog wheel.
///
/// Pure value: [any-thread].
extension MackieControl {
  /// The travel of a V-pot for one tick.
  private static let tick = 0.01
  /// The time that the keys rewind and forward, and one tick of the jog wheel, move the transport, in seconds.
  private static let skipSeconds = 5.0
  private static let jogSeconds = 0.1

  /// Takes in what a unit that is ready has sent.
  mutating func take(_ input: MackieInput, from unit: Int, at now: Duration) {
    switch input {
    case .fader(let index, let value):
      send(panels[unit].moved(index, to: value), to: unit)
      guard let target = faderTarget(index, of: unit), mixer.number(target.path) != nil else {
        return
      }
      set(target.path, .number(target.value(at: Double(value) / 1023)))
    case .touch(let index, let isTouched): panels[unit].touched[index] = isTouched
    case .press(.master(let key)): press(key, at: now)
    case .press(let key): press(key, of: unit, at: now)
    case .turn(let pot, let ticks): turn(pot, of: unit, by: ticks)
    case .jog(let ticks): skip(Double(ticks) * Self.jogSeconds)
    case .challenge, .ready, .rejected, .other: break
    }
  }

  // MARK: - Faders and V-pots

  /// The number that a fader sets; nil for a place without a strip, and for the ninth fader of an extender.
  func faderTarget(_ index: Int, of unit: Int) -> MackieTarget? {
    guard index < MackieUnit.stripCount else {
      guard !panels[unit].unit.isExtender else { return nil }
      return mixer.routes.first.map { .gain("/route/\($0.id)") }
    }
    return isFlipped ? assigned(index, of: unit) : stripGain(index, of: unit)
  }

  /// The number that a V-pot sets; nil for a strip that does not have it.
  func potTarget(_ index: Int, of unit: Int) -> MackieTarget? {
    isFlipped ? stripGain(index, of: unit) : assigned(index, of: unit)
  }

  private func stripGain(_ index: Int, of unit: Int) -> MackieTarget? {
    strip(index, of: unit).map { .gain("/strip/\($0.id)") }
  }

  private func assigned(_ index: Int, of unit: Int) -> MackieTarget? {
    guard let strip = strip(index, of: unit) else { return nil }
    switch assignment {
    case .pan: return .pan("/strip/\(strip.id)")
    case .send(let number):
      guard mixer.sendRoutes.indices.contains(number) else { return nil }
      return .gain("/strip/\(strip.id)/send/\(mixer.sendRoutes[number].id)")
    }
  }

  private mutating func turn(_ pot: Int, of unit: Int, by ticks: Int) {
    guard let target = potTarget(pot, of: unit), let value = mixer.number(target.path) else {
      return
    }
    let position = target.position(of: value) + Double(ticks) * Self.tick
    let new = target.value(at: min(max(position, 0), 1))
    // Whole hundredths, so that a centre is reached again.
    set(target.path, .number((new * 100).rounded() / 100))
  }

  // MARK: - Keys of strips

  private mutating func press(_ key: MackieKey, of unit: Int, at now: Duration) {
    switch key {
    case .mute(let index): toggle(index, of: unit, "mute")
    case .solo(let index): toggle(index, of: unit, cues ? "cue" : "solo")
    case .select(let index):
      guard let strip = strip(index, of: unit) else { return }
      selected = strip.id
      tell(summary(of: strip), at: now)
    case .record(let index):
      let place = unit * MackieUnit.stripCount + index
      guard mixer.recorders.indices.contains(place) else { return }
      let recorder = mixer.recorders[place]
      guard let isRecording = toggle("/recorder/\(recorder.id)/recording") else { return }
      tell("\(recorder.name): \(isRecording ? "recording" : "stopped")", at: now)
    case .pot(let index):
      guard let target = potTarget(index, of: unit), !isFlipped else { return }
      if let mute = target.mute {
        toggle(mute)
      } else if mixer.number(target.path) != nil {
        set(target.path, .number(0))
      }
    case .master: break
    }
  }

  private mutating func toggle(_ index: Int, of unit: Int, _ name: String) {
    guard let strip = strip(index, of: unit) else { return }
    toggle("/strip/\(strip.id)/\(name)")
  }

  /// Turns a switch over.
  ///
  /// - Returns: Its new state; nil for one that does not exist.
  @discardableResult
  private mutating func toggle(_ path: String) -> Bool? {
    guard let isOn = mixer.flag(path) else { return nil }
    set(path, .flag(!isOn))
    return !isOn
  }

  // MARK: - Keys of the master section

  private mutating func press(_ key: MackieMasterKey, at now: Duration) {
    let width = panels.count * MackieUnit.stripCount
    switch key {
    case .bankLeft: setBank(bank - width)
    case .bankRight: setBank(bank + width)
    case .channelLeft: setBank(bank - 1)
    case .channelRight: setBank(bank + 1)
    case .pan: assignment = .pan
    case .send: chooseSend(at: now)
    case .flip: isFlipped.toggle()
    case .timeFormat: showsBeats.toggle()
    case .cue: cues.toggle()
    case .play: if mixer.flag("/transport/rolling") == false { toggle("/transport/rolling") }
    case .stop:
      guard let isRolling = mixer.flag("/transport/rolling") else { return }
      if isRolling { toggle("/transport/rolling") } else { skip(-.infinity) }
    case .rewind: skip(-Self.skipSeconds)
    case .forward: skip(Self.skipSeconds)
    case .record:
      let paths = mixer.recorders.map { "/recorder/\($0.id)/recording" }
      let starts = !paths.contains { mixer.flag($0) == true }
      for path in paths where mixer.flag(path) == !starts { set(path, .flag(starts)) }
    }
  }

  /// Goes to the sends of the next route.
  private mutating func chooseSend(at now: Duration) {
    guard !mixer.sendRoutes.isEmpty else { return tell("no strip has a send", at: now) }
    var number = 0
    if case .send(let last) = assignment { number = (last + 1) % mixer.sendRoutes.count }
    assignment = .send(route: number)
    tell("sends to \(mixer.sendRoutes[number].name)", at: now)
  }

  private mutating func skip(_ seconds: Double) {
    guard let position = mixer.number("/transport/position") else { return }
    set("/transport/position", .number(max(0, position + seconds)))
  }
}
