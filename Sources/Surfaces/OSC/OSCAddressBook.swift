// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import OSC

/// An address of the tree of parameters: a parameter in its unit, or its position on a fader.
///
/// Pure value: [any-thread].
struct OSCAddress: Hashable, Sendable {
  /// The address.
  var path: String
  /// The parameter.
  var parameter: ParameterDescription
  /// Whether its value is a position, 0 to 1.
  var isFader: Bool

  /// The change of the parameter that a message asks for.
  ///
  /// - Throws: ``OSCError`` for a value of another type.
  func setting(_ values: [OSCValue]) throws(OSCError) -> ParameterSetting {
    let value =
      isFader
      ? try OSCMapping.gain(atPosition: values) : try OSCMapping.value(values, for: parameter)
    return ParameterSetting(path: parameter.path, value: value)
  }

  /// The message that tells a value of the parameter.
  func message(_ value: ParameterValue, _ form: OSCForm) -> OSCMessage {
    if isFader { return OSCMessage(path, OSCMapping.position(of: value)) }
    if form.levelsAsBlobs, case .numbers = value {
      return OSCMessage(path, OSCMapping.blob(of: value))
    }
    return OSCMessage(path, OSCMapping.values(of: value, switches: form.switches))
  }
}

/// The form in which a client gets values.
///
/// Pure value: [any-thread].
struct OSCForm: Hashable, Sendable {
  /// Switches as numbers or as types.
  var switches = OSCMapping.Switches.integers
  /// The levels of all channels in one blob, instead of a float for each.
  var levelsAsBlobs = false
}

/// The addresses of all parameters.
///
/// Pure value: [any-thread].
struct OSCAddressBook: Sendable {
  private struct Entry: Sendable {
    var address: OSCAddress
    var parts: [[UInt8]]
  }

  private var entries: [String: Entry] = [:]
  /// The addresses of each parameter.
  private var ofParameter: [String: [String]] = [:]
  private var sorted: [String] = []

  /// Makes the book of these parameters.
  init(_ parameters: [ParameterDescription] = []) {
    for parameter in parameters { add(parameter.path, parameter, isFader: false) }
    for parameter in parameters {
      guard let fader = OSCMapping.faderPath(of: parameter), entries[fader] == nil else { continue }
      add(fader, parameter, isFader: true)
    }
    sorted = entries.keys.sorted()
  }

  private mutating func add(_ path: String, _ parameter: ParameterDescription, isFader: Bool) {
    entries[path] = Entry(
      address: OSCAddress(path: path, parameter: parameter, isFader: isFader),
      parts: path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        .dropFirst().map(Array.init),
    )
    ofParameter[parameter.path, default: []].append(path)
  }

  /// The address that is written so; nil if there is none.
  subscript(_ path: String) -> OSCAddress? { entries[path]?.address }

  /// The addresses of a parameter; empty for one that is not known.
  func addresses(ofParameter path: String) -> [OSCAddress] {
    (ofParameter[path] ?? []).compactMap { self[$0] }
  }

  /// The addresses that a client has subscribed to, sorted.
  func addresses(of interest: OSCInterest) -> [OSCAddress] {
    sorted.filter(interest.contains).compactMap { self[$0] }
  }

  /// The addresses that a pattern reaches, sorted.
  func addresses(matching pattern: OSCPattern) -> [OSCAddress] {
    sorted.compactMap { path in
      guard let entry = entries[path], pattern.matches(entry.parts) else { return nil }
      return entry.address
    }
  }
}

/// The addresses that a client has subscribed to: one, a branch of them, or those that a pattern reaches.
///
/// Pure value: [any-thread].
struct OSCInterest: Sendable {
  /// The address, branch or pattern as the client wrote it.
  let path: String
  private let pattern: OSCPattern?

  /// Reads an address, a branch or a pattern.
  ///
  /// - Throws: ``OSCError`` for a faulty pattern.
  init(_ path: String) throws(OSCError) {
    guard path.hasPrefix("/") else { throw OSCError("it does not begin with '/'") }
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    pattern = OSCPattern.isPattern(path) ? try OSCPattern(path) : nil
  }

  /// Whether the client wants an address.
  func contains(_ address: String) -> Bool {
    guard let pattern else {
      return path == "/" || address == path || address.hasPrefix(path + "/")
    }
    return pattern.matches(
      address.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
        .map(Array.init)
    )
  }

  /// The same interest under other paths; nil for a pattern, and where nothing is another one.
  func renamed(by steps: [ParameterRename]) -> OSCInterest? {
    let new = steps.path(after: path)
    return pattern == nil && new != path ? try? OSCInterest(new) : nil
  }

  /// The paths of the tree to watch.
  func watched(in book: OSCAddressBook) -> [String] {
    if let pattern {
      return book.addresses(matching: pattern).map(\.parameter.path)
    }
    return [book[path]?.parameter.path ?? path]
  }
}
