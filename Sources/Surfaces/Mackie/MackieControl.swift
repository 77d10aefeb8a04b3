// SPDX-License-Identifier: MIT

internal import ControlProtocol

/// A control surface of one or more units as a state machine: events in; messages and settings out.
///
/// The units stand side by side, and the strips go over all of them. Pure value: [any-thread].
struct MackieControl: Sendable {
  /// The function of the V-pots.
  enum Assignment: Equatable, Sendable {
    case pan
    /// The sends to one of the routes that have sends.
    case send(route: Int)
  }

  /// The time for which a notice covers the lower line.
  static let noticeTime = Duration.seconds(2)
  /// The time between two messages of a meter (Logic Control manual: 50 to 100 ms).
  static let meterInterval = Duration.milliseconds(100)

  var mixer: MackieMixer
  var panels: [MackiePanel]
  var assignment = Assignment.pan
  /// The first strip of the first unit.
  var bank = 0
  /// Whether faders and V-pots have changed places.
  var isFlipped = false
  /// Whether the solo keys cue.
  var cues = false
  /// Whether the time is shown as bars and beats.
  var showsBeats = false
  /// The strip that was selected last.
  var selected: String?

  private var notice: (text: String, end: Duration)?
  private var nextMeters = Duration.zero
  private var reaction = MackieReaction()
  /// Whether the host has ended.
  private var hasLeft = false

  /// Makes a surface whose units are not plugged in.
  ///
  /// - Parameters:
  ///   - units: The units from left to right.
  ///   - order: The order of strips and routes.
  init(units: [MackieUnit], order: MackieOrder = MackieOrder()) {
    mixer = MackieMixer(order: order)
    panels = units.map(MackiePanel.init)
  }

  /// Reacts to an event.
  ///
  /// - Parameters:
  ///   - event: The event; one of a unit that is not there is ignored.
  ///   - now: The time since any beginning; it never goes back.
  /// - Returns: The messages and settings.
  mutating func react(to event: MackieEvent, at now: Duration) -> MackieReaction {
    reaction = MackieReaction()
    guard !hasLeft else { return reaction }
    switch event {
    case .plugged(let unit) where panels.indices.contains(unit): plug(unit, at: now)
    case .unplugged(let unit) where panels.indices.contains(unit):
      panels[unit] = MackiePanel(panels[unit].unit)
    case .received(let bytes, let unit) where panels.indices.contains(unit):
      receive(bytes, from: unit, at: now)
    case .loaded(let settings):
      mixer.load(settings)
      setBank(bank)
      show(at: now)
    case .ordered(let order):
      mixer.take(order)
      setBank(bank)
      show(at: now)
    case .changed(let changes):
      if let steps = changes.renamed, let strip = selected {
        selected = String(steps.path(after: "/strip/\(strip)").dropFirst("/strip/".count))
      }
      mixer.apply(changes)
      setBank(bank)
      show(at: now)
    // Hundreds of late cycles in a second must not fill the cable: the next tick shows the last one.
    case .notice(let text): tell(text, at: now)
    case .tick:
      if let end = notice?.end, end <= now { notice = nil }
      show(at: now)
      showMeters(at: now)
    case .leaving: leave()
    case .plugged, .unplugged, .received: break
    }
    return reaction
  }

  // MARK: - Units

  private mutating func plug(_ unit: Int, at now: Duration) {
    panels[unit] = MackiePanel(panels[unit].unit)
    switch panels[unit].unit.model {
    // Clones never say that they are ready.
    case .mackie: begin(unit, at: now)
    case .logic: send(panels[unit].system(0x00), to: unit)
    }
  }

  private mutating func begin(_ unit: Int, at now: Duration) {
    for message in panels[unit].begin(at: now) { send(message, to: unit) }
    show(at: now)
  }

  private mutating func receive(_ bytes: [UInt8], from unit: Int, at now: Duration) {
    guard let input = MackieInput(bytes) else { return }
    if let header = MackieSystemMessage(bytes)?.header { panels[unit].header = header }
    switch input {
    case .challenge(let serial, let code):
      // Mackie Controls need no answer (Ardour), and Logic Controls are ready after theirs.
      guard panels[unit].unit.model == .logic else { return beginAgain(unit, at: now) }
      let response = MackieSystemMessage.response(to: code) ?? []
      send(panels[unit].system(0x02, serial + response), to: unit)
    case .ready: beginAgain(unit, at: now)
    case .rejected: panels[unit].isOnline = false
    default:
      // A clone of a Logic Control without the challenge is ready when it is used.
      if !panels[unit].isOnline { begin(unit, at: now) }
      take(input, from: unit, at: now)
      // A fader sends up to a thousand messages a second: the next tick shows its value.
      if case .fader = input { return }
      show(at: now)
    }
  }

  private mutating func beginAgain(_ unit: Int, at now: Duration) {
    if !panels[unit].isOnline || now >= panels[unit].nextRepaint { begin(unit, at: now) }
  }

  private mutating func leave() {
    hasLeft = true
    let blank = MackieText.line("", length: MackieText.lineLength)
    for unit in panels.indices where panels[unit].isOnline {
      send(panels[unit].system(0x62), to: unit)
      send(panels[unit].system(0x12, [0] + blank), to: unit)
      send(panels[unit].system(0x12, [UInt8(MackieText.lineLength)] + blank), to: unit)
    }
  }

  // MARK: - Output

  /// Sets a parameter, here at once and in the tree.
  mutating func set(_ path: String, _ value: ParameterValue) {
    let setting = ParameterSetting(path: path, value: value)
    mixer.set(setting)
    reaction.settings.append(setting)
  }

  mutating func send(_ bytes: [UInt8], to unit: Int) {
    reaction.messages.append(MackieReaction.Message(unit: unit, bytes: bytes))
  }

  /// Shows a text on the lower line for two seconds.
  mutating func tell(_ text: String, at now: Duration) { notice = (text, now + Self.noticeTime) }

  /// Brings all units up to date.
  private mutating func show(at now: Duration) {
    for unit in panels.indices where panels[unit].isOnline {
      let picture = picture(of: unit, notice: notice?.text)
      for message in panels[unit].show(picture, at: now) { send(message, to: unit) }
    }
  }

  /// Sends the peaks of all strips with a signal: the bars fall by themselves (MCU-41).
  private mutating func showMeters(at now: Duration) {
    guard now >= nextMeters else { return }
    nextMeters = now + Self.meterInterval
    for unit in panels.indices where panels[unit].isOnline {
      for index in 0..<MackieUnit.stripCount {
        let peak = strip(index, of: unit).map { mixer.peak("/strip/\($0.id)/level") } ?? -.infinity
        let place = UInt8(index) << 4
        let step = Self.meterStep(ofPeakDB: peak)
        if step > 0 { send([0xD0, place | step], to: unit) }
        if peak >= 0 {
          if panels[unit].overloads[index] == nil { send([0xD0, place | 0xE], to: unit) }
          panels[unit].overloads[index] = now + Self.noticeTime
        } else if let end = panels[unit].overloads[index], end <= now {
          panels[unit].overloads[index] = nil
          send([0xD0, place | 0xF], to: unit)
        }
      }
    }
  }

  /// The steps of a meter, 0 to 12, for a peak (MCU-40).
  static func meterStep(ofPeakDB peak: Double) -> UInt8 {
    let steps: [Double] = [-60, -50, -40, -30, -20, -14, -10, -8, -6, -4, -2, 0]
    return UInt8(steps.prefix { peak >= $0 }.count)
  }

  // MARK: - Banks

  /// The strip at a place of a unit; nil to the right of the last one.
  func strip(_ index: Int, of unit: Int) -> MackieMixer.Part? {
    let place = bank + unit * MackieUnit.stripCount + index
    return mixer.strips.indices.contains(place) ? mixer.strips[place] : nil
  }

  /// Moves the strips on the units, with the last bank full (MCU-60).
  mutating func setBank(_ first: Int) {
    let last = max(0, mixer.strips.count - panels.count * MackieUnit.stripCount)
    let new = min(max(first, 0), last)
    guard new != bank else { return }
    bank = new
    for unit in panels.indices where panels[unit].isOnline {
      for index in 0..<MackieUnit.stripCount {
        send([0xD0, UInt8(index) << 4], to: unit)
        if panels[unit].overloads[index] != nil { send([0xD0, UInt8(index) << 4 | 0xF], to: unit) }
      }
      panels[unit].overloads = panels[unit].overloads.map { _ in nil }
    }
  }
}
