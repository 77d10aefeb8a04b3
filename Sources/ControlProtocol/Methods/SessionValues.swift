// SPDX-License-Identifier: MIT

internal import Sessions

/// The names of sessions' values in the protocol, and the allowed values of each.
///
/// Pure functions: [any-thread].
enum SessionField {
  /// A value with a name; the codec has refused unknown names already.
  static func named<Params, Value: WireNamed>(
    _ name: String,
    _ type: Value.Type,
  ) -> ParamField<Params> {
    ParamField(name, allowed: Value.allowed)
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

  /// The name that a program gives itself: none under which answers about other programs are kept (PRM-2).
  static func app<Params>(_ value: @escaping @Sendable (Params) -> String) -> ParamField<Params> {
    let plain: ParamField<Params> = text("app", "the program's name", value)
    return ParamField("app", allowed: "\(plain.allowed), no path and no client:NAME") { params in
      if let fault = plain.fault(params) { return fault }
      let isKey = value(params).hasPrefix("/") || value(params).hasPrefix("client:")
      return isKey ? "answers about other programs are kept under such a name" : nil
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

  /// The ports of a strip: each entry is compiled and matched with every port, so there are few.
  static func ports<Params>(
    _ value: @escaping @Sendable (Params) -> [String]?
  ) -> ParamField<Params> {
    list("ports", "JACK port names, globs, or /patterns/", limit: 16, value)
  }

  static func options<Params>() -> ParamField<Params> {
    ParamField("options", allowed: CategoryOptions.allowed)
  }

  static func sampleRate<Params>(
    _ value: @escaping @Sendable (Params) -> Double?
  ) -> ParamField<Params> {
    .number(
      "preferredSampleRateHz",
      in: 0...768_000,
      "frames per second; 0 takes the preference back",
      value
    )
  }

  static func ioBuffer<Params>(
    _ value: @escaping @Sendable (Params) -> Double?
  ) -> ParamField<Params> {
    .number("preferredIOBufferSeconds", in: 0...1, "seconds; 0 takes the preference back", value)
  }
}

extension ParamField {
  /// A session's id.
  static var session: ParamField { ParamField("session", allowed: "a session's id, a string") }
}
