// SPDX-License-Identifier: MIT

/// The attributes of nodes, by their names in OSCQuery.
///
/// Pure value: [any-thread].
enum OSCQueryAttribute: String, CodingKey, CaseIterable {
  case fullPath = "FULL_PATH"
  case contents = "CONTENTS"
  case type = "TYPE"
  case value = "VALUE"
  case range = "RANGE"
  case access = "ACCESS"
  case clipMode = "CLIPMODE"
  case unit = "UNIT"
  case description = "DESCRIPTION"
  case tags = "TAGS"
  case extendedType = "EXTENDED_TYPE"
  case critical = "CRITICAL"
  case overloads = "OVERLOADS"

  /// The attributes that a server need not have, and so declares (OQ-2).
  static let extensions = allCases.filter { ![.fullPath, .contents, .type].contains($0) }
}

/// The lowest and the highest number, or the allowed words, of one value.
///
/// Pure value: [any-thread].
struct OSCQueryRange: Encodable {
  private enum CodingKeys: String, CodingKey {
    case lowest = "MIN"
    case highest = "MAX"
    case values = "VALS"
  }

  /// The lowest number.
  var lowest: Double?
  /// The highest number.
  var highest: Double?
  /// The allowed words.
  var values: [String]?
}

/// A further form in which an address takes its value.
///
/// Pure value: [any-thread].
struct OSCQueryOverload: Encodable {
  private enum CodingKeys: String, CodingKey {
    case type = "TYPE"
    case range = "RANGE"
  }

  /// The OSC type.
  let type: String
  /// The range of the value.
  let range: [OSCQueryRange]?
}

/// The answer to `HOST_INFO`: the server's name, abilities and ports (OQ-4).
///
/// Pure value: [any-thread].
package struct OSCQueryHostInfo: Encodable, Sendable {
  private enum CodingKeys: String, CodingKey {
    case name = "NAME"
    case extensions = "EXTENSIONS"
    case oscPort = "OSC_PORT"
    case transport = "OSC_TRANSPORT"
    case description = "DESCRIPTION"
  }

  /// The host's name.
  package var name: String
  /// The port that takes OSC messages over UDP; nil where none does.
  package var oscPort: Int?
  /// Whether other machines reach that port.
  private let oscLAN: Bool

  private var transport: String? = "UDP"
  /// The other way for OSC packets, for a peer that reaches no port.
  private var description: String?
  private let extensions: [String: Bool] = {
    let attributes = OSCQueryAttribute.extensions.map(\.rawValue)
    let commands = ["LISTEN", "PATH_ADDED", "PATH_CHANGED", "PATH_REMOVED"]
    return Dictionary(uniqueKeysWithValues: (attributes + commands).map { ($0, true) })
  }()

  /// Makes the answer of a host.
  package init(name: String, oscPort: Int? = nil, oscLAN: Bool = false) {
    self.name = name
    self.oscPort = oscPort
    self.oscLAN = oscLAN
  }

  /// The answer for a peer: other machines are not told of a port that they do not reach, but of the way that they have.
  func seen(from peer: String) -> OSCQueryHostInfo {
    var info = self
    guard !oscLAN, !WebAccess.isLoopback(peer) else { return info }
    (info.oscPort, info.transport) = (nil, nil)
    info.description =
      "no OSC port is open to other machines, because UDP carries no token: send OSC packets as binary frames over the WebSocket"
    return info
  }
}
