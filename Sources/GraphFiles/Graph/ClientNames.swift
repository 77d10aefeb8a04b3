// SPDX-License-Identifier: MIT

/// The names of a host's JACK clients: `dj`, `dj-sources`, `dj-mic`, … or, in a session of a session manager, `ID`, `ID/sources`,
/// `ID/mic`, ….
///
/// Session managers know a program's ports by these names.
///
/// Pure value: [any-thread].
public struct ClientNames: Sendable, Equatable {
  /// The longest name of a client in bytes.
  private static let limitBytes = 63
  /// The longest name that a session manager may give, in bytes: it leaves room for a part of two letters.
  public static let managedLimitBytes = 60

  /// The name of the main client.
  public let main: String
  /// Whether a session manager has given the name.
  public let isManaged: Bool

  /// Makes the names of a host.
  public init(main: String, isManaged: Bool = false) {
    self.main = main
    self.isManaged = isManaged
  }

  /// The name of a further client.
  ///
  /// In a session, a part that is too long for JACK becomes a short checksum of itself, because the manager's name has to stay
  /// whole.
  public func part(_ part: String) -> String {
    guard isManaged else { return "\(main)-\(part)" }
    let room = Self.limitBytes - main.utf8.count - 1
    if part.utf8.count <= room { return "\(main)/\(part)" }
    return "\(main)/\(Self.checksum(of: part).suffix(max(room, 0)))"
  }

  /// The name of the control socket of a host with this main client: the same name where a socket can have it.
  var socketName: String {
    let limitBytes = 40
    let isPlain = { (byte: UInt8) in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: false
      }
    }
    let bytes = main.utf8.map { isPlain($0) || "._-".utf8.contains($0) ? $0 : UInt8(ascii: "_") }
    let text = String(decoding: bytes, as: UTF8.self)
    guard text != main || bytes.count > limitBytes || !(bytes.first.map(isPlain) ?? false) else {
      return main
    }
    // Two names that differ must not meet in one socket.
    let start = text.drop { !$0.isLetter && !$0.isNumber }.prefix(limitBytes - 7)
    return "\(start.isEmpty ? "session" : start)-\(Self.checksum(of: main).suffix(6))"
  }

  /// The FNV-1a checksum of a text, in digits and small letters.
  private static func checksum(of text: String) -> String {
    let sum = text.utf8.reduce(14_695_981_039_346_656_037 as UInt64) {
      ($0 ^ UInt64($1)) &* 1_099_511_628_211
    }
    return String(sum, radix: 36)
  }
}

extension GraphFile {
  /// The names of the host's JACK clients.
  public var clientNames: ClientNames {
    ClientNames(main: managedName ?? name, isManaged: managedName != nil)
  }

  /// Takes the name that a session manager gives: for the JACK clients as it is, and for the control socket in a form that a
  /// socket can have.
  public mutating func takeManagedName(_ clientID: String) {
    managedName = clientID
    name = clientNames.socketName
  }

  /// The names of the host's JACK clients, where JACK has given the main client another name.
  public func clientNames(main: String) -> ClientNames {
    ClientNames(main: main, isManaged: managedName != nil)
  }
}
