// SPDX-License-Identifier: MIT

/// A key that has a function here.
///
/// Pure value: [any-thread].
enum MackieKey: Equatable, Sendable {
  /// The keys of a strip, 0 to 7.
  case record(Int)
  case solo(Int)
  case mute(Int)
  case select(Int)
  case pot(Int)
  /// A key of the master section.
  case master(MackieMasterKey)

  /// Reads a key from its note; nil for one without a function.
  init?(note: UInt8) {
    let strip = Int(note % 8)
    switch note {
    case 0...7: self = .record(strip)
    case 8...15: self = .solo(strip)
    case 16...23: self = .mute(strip)
    case 24...31: self = .select(strip)
    case 32...39: self = .pot(strip)
    default:
      guard let key = MackieMasterKey(rawValue: note) else { return nil }
      self = .master(key)
    }
  }
}

/// The keys of the master section with their notes.
///
/// Pure value: [any-thread].
enum MackieMasterKey: UInt8, Sendable {
  case send = 41
  case pan = 42
  case bankLeft = 46
  case bankRight = 47
  case channelLeft = 48
  case channelRight = 49
  case flip = 50
  case timeFormat = 53
  /// The key SOLO beside CLICK.
  case cue = 90
  case rewind = 91
  case forward = 92
  case stop = 93
  case play = 94
  case record = 95
}

/// The lamps by their notes.
///
/// Pure values: [any-thread].
enum MackieLamp {
  /// All notes that can have a lamp here.
  static let count = 116

  static func record(_ strip: Int) -> Int { strip }
  static func solo(_ strip: Int) -> Int { 8 + strip }
  static func mute(_ strip: Int) -> Int { 16 + strip }
  static func select(_ strip: Int) -> Int { 24 + strip }
  static func key(_ key: MackieMasterKey) -> Int { Int(key.rawValue) }

  static let time = 113
  static let beats = 114
  /// Lit while any strip is soloed.
  static let anySolo = 115
}
