// SPDX-License-Identifier: MIT

/// The names of sessions' values on the wire, and what is allowed for each.
enum SessionField {
  static let presets = [
    "game", "player", "voip", "measurement", "browser", "navigation", "musicMaking",
  ]
  static let classes = ["phone", "alarm", "assistant", "app"]
  static let policies = ["default", "longFormAudio", "independent", "longFormVideo"]
  static let remoteCommands = [
    "play", "pause", "toggle", "stop", "next", "previous", "seek", "skipForward", "skipBackward",
    "rate", "record",
  ]
  static let backgroundModes = ["audio", "none", "suspend"]
  static let interruptingClasses = ["phone", "alarm", "assistant"]

  static func choice<Params>(
    _ name: String,
    of names: [String],
    _ value: @escaping @Sendable (Params) -> String?,
  ) -> ParamField<Params> {
    ParamField(name, allowed: "one of " + names.joined(separator: ", ")) {
      guard let text = value($0), !names.contains(text) else { return nil }
      return "'\(text.prefix(64))' is not known"
    }
  }

  static func text<Params>(
    _ name: String,
    _ meaning: String,
    limit: Int = 128,
    _ value: @escaping @Sendable (Params) -> String?,
  ) -> ParamField<Params> {
    ParamField(name, allowed: "\(meaning), 1 to \(limit) bytes without control characters") {
      guard let text = value($0) else { return nil }
      let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 }
      return (1...limit).contains(text.utf8.count) && isPlain
        ? nil : "it is empty, long or unprintable"
    }
  }

  static func list<Params>(
    _ name: String,
    _ meaning: String,
    limit: Int,
    _ value: @escaping @Sendable (Params) -> [String]?,
  ) -> ParamField<Params> {
    ParamField(name, allowed: "an array of at most \(limit) strings, \(meaning)") {
      guard let list = value($0), list.count > limit else { return nil }
      return "it has \(list.count)"
    }
  }

  static func category<Params>(
    _ value: @escaping @Sendable (Params) -> String?
  ) -> ParamField<Params> {
    text("category", "a category's name, for instance playback", value)
  }

  static func mode<Params>(
    _ value: @escaping @Sendable (Params) -> String?
  ) -> ParamField<Params> {
    text("mode", "a mode's name, for instance spokenAudio", value)
  }

  static func options<Params>(
    _ value: @escaping @Sendable (Params) -> [String]?
  ) -> ParamField<Params> {
    list("options", "names of category options", limit: 16, value)
  }

  static func sampleRate<Params>(
    _ value: @escaping @Sendable (Params) -> Double?
  ) -> ParamField<Params> {
    .number("preferredSampleRateHz", in: 0...768_000, "frames per second; 0 is no wish", value)
  }

  static func ioBuffer<Params>(
    _ value: @escaping @Sendable (Params) -> Double?
  ) -> ParamField<Params> {
    .number("preferredIOBufferSeconds", in: 0...1, "seconds; 0 is no wish", value)
  }
}

extension ParamField {
  /// A session's id.
  static var session: ParamField { ParamField("session", allowed: "a session's id, a string") }
}
