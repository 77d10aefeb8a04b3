// SPDX-License-Identifier: MIT

/// A picture of one unit: all that its motors, lamps, rings and displays are to show.
///
/// Pure value: [any-thread].
struct MackiePicture: Equatable, Sendable {
  /// The positions of the faders, 0 to 1023, with the master's as the ninth; nil for one that is left alone.
  var faders = [UInt16?](repeating: nil, count: 9)
  /// Whether each lamp is lit, by its note; nil for one that is left alone.
  var lamps = [Bool?](repeating: nil, count: MackieLamp.count)
  /// The values of the rings.
  var rings = [UInt8](repeating: 0, count: MackieUnit.stripCount)
  /// The two lines of the display, of 56 characters each.
  var text = [UInt8](repeating: 0x20, count: 2 * MackieText.lineLength)
  /// The colours of the strips' displays; nil where there are none.
  var colors: [UInt8]?
  /// The digits from right to left: ten of the time, then two of the assignment; nil where there are none.
  var digits: [UInt8]?
}

/// One unit as it is: what it shows, and which of its faders are touched.
///
/// Pure value: [any-thread].
struct MackiePanel: Sendable {
  /// The time without texts after the meters were turned over (Logic Control manual).
  static let meterChange = Duration.milliseconds(600)
  /// The shortest time between two full pictures that a unit can ask for.
  static let repaintInterval = Duration.milliseconds(300)

  let unit: MackieUnit
  /// The kind of device in its messages, which the unit itself can correct.
  var header: UInt8
  var isOnline = false
  var touched = [Bool](repeating: false, count: 9)
  /// The end of each strip's overload lamp; nil for one that is off.
  var overloads = [Duration?](repeating: nil, count: MackieUnit.stripCount)
  private(set) var nextRepaint = Duration.zero

  private var faders = [UInt16?](repeating: nil, count: 9)
  private var lamps = [Bool?](repeating: nil, count: MackieLamp.count)
  private var rings = [UInt8?](repeating: nil, count: MackieUnit.stripCount)
  private var text = [UInt8?](repeating: nil, count: 2 * MackieText.lineLength)
  private var digits = [UInt8?](repeating: nil, count: 12)
  private var colors: [UInt8]?
  private var textBegin = Duration.zero

  /// Makes a unit that is not ready.
  init(_ unit: MackieUnit) {
    self.unit = unit
    header = unit.header
  }

  /// A SysEx message to the unit.
  func system(_ command: UInt8, _ data: [UInt8] = []) -> [UInt8] {
    MackieSystemMessage(header: header, command: command, data: data).bytes
  }

  /// Begins anew with a unit that shows nothing, as it has just become ready.
  ///
  /// - Returns: The messages that turn its meters on.
  mutating func begin(at now: Duration) -> [[UInt8]] {
    var fresh = MackiePanel(unit)
    fresh.header = header
    fresh.isOnline = true
    fresh.nextRepaint = now + Self.repaintInterval
    fresh.textBegin = now + Self.meterChange
    self = fresh
    // Signal lamp, peak hold and the display; then upright bars, which keep to the blank between the names.
    let modes = (0..<UInt8(MackieUnit.stripCount)).map { system(0x20, [$0, 0x07]) }
    return modes + [system(0x21, [0x01])]
  }

  /// Notes a fader's position as its unit reports it.
  ///
  /// - Returns: The same position for the motor, which would go back to its last one (MCU-11).
  mutating func moved(_ fader: Int, to value: UInt16) -> [UInt8] {
    faders[fader] = value
    return Self.fader(fader, value)
  }

  /// Shows a picture.
  ///
  /// - Returns: The messages for what is different; a touched fader is left alone.
  mutating func show(_ picture: MackiePicture, at now: Duration) -> [[UInt8]] {
    var messages: [[UInt8]] = []
    for (index, value) in picture.faders.enumerated() {
      guard let value, !touched[index], faders[index] != value else { continue }
      faders[index] = value
      messages.append(Self.fader(index, value))
    }
    for (note, isLit) in picture.lamps.enumerated() {
      guard let isLit, lamps[note] != isLit else { continue }
      lamps[note] = isLit
      messages.append([0x90, UInt8(note), isLit ? 0x7F : 0x00])
    }
    for (index, value) in picture.rings.enumerated() where rings[index] != value {
      rings[index] = value
      messages.append([0xB0, UInt8(48 + index), value])
    }
    for (index, value) in (picture.digits ?? []).enumerated() where digits[index] != value {
      digits[index] = value
      messages.append([0xB0, UInt8(64 + index), value])
    }
    guard now >= textBegin else { return messages }
    if let new = picture.colors, new != colors {
      colors = new
      messages.append(system(0x72, new))
    }
    return messages + showText(picture.text)
  }

  /// Cells of seven characters that have changed, neighbours of one line in one message.
  private mutating func showText(_ new: [UInt8]) -> [[UInt8]] {
    var messages: [[UInt8]] = []
    for line in 0..<2 {
      let end = (line + 1) * MackieText.lineLength
      var cell = line * MackieText.lineLength
      while cell < end {
        let begin = cell
        while cell < end, text[cell..<cell + 7] != new[cell..<cell + 7].map(Optional.some)[...] {
          cell += MackieText.cellLength
        }
        if cell > begin { messages.append(system(0x12, [UInt8(begin)] + new[begin..<cell])) }
        cell += MackieText.cellLength
      }
    }
    text = new
    return messages
  }

  private static func fader(_ index: Int, _ value: UInt16) -> [UInt8] {
    [0xE0 + UInt8(index), UInt8(value & 0x7) << 4, UInt8(value >> 3)]
  }
}
