// SPDX-License-Identifier: MIT

internal import YAML

/// One entry of a `ports` list: a JACK port by name, or every port that a pattern matches.
///
/// Pure value: [any-thread].
public enum PortSelector: Sendable, Equatable {
  /// The port of this full name, `client:port`.
  case name(String)
  /// Every port whose full name matches.
  case pattern(PortPattern)

  /// Whether the port of this full name matches.
  ///
  public func matches(_ portName: String) -> Bool {
    switch self {
    case .name(let name): name == portName
    case .pattern(let pattern): pattern.matches(portName)
    }
  }
}

extension PortSelector: CustomStringConvertible {
  /// The selector as a graph file writes it.
  public var description: String {
    switch self {
    case .name(let name): name
    case .pattern(let pattern): pattern.description
    }
  }
}

extension Field {
  /// A list of JACK ports, one entry per channel.
  ///
  /// A faulty entry stays in as a name that no port has, so that channels keep their numbers.
  func portSelectors() -> [PortSelector] {
    let allowed = "a list of ports, for example [system:playback_1, \"/Mixxx:out_[01]/\"],"
    guard let entries = list(allowed: allowed, limit: GraphFile.portLimit) else { return [] }
    if entries.isEmpty { error("the list is empty; name one port or pattern per channel") }
    return entries.map { $0.portSelector() ?? .name("") }
  }

  /// A JACK port by its full name, or a pattern between slashes.
  func portSelector() -> PortSelector? {
    guard let text = text(allowed: "a port 'client:port' or a pattern between slashes") else {
      return nil
    }
    if text.utf8.first == UInt8(ascii: "/") {
      return pattern(text)
    }
    // JACK's own limit for full names is 320 bytes with the ending zero.
    guard text.utf8.count < 320 else {
      error("a port name longer than 319 bytes")
      return nil
    }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else {
      error(
        "\(MessageText.quoted(text)) is not a port; write 'client:port', or a pattern between "
          + "slashes such as /.*:\(PortPattern.literal(text))/"
      )
      return nil
    }
    let ports = Self.portsWithoutComma(text)
    guard ports.isEmpty else {
      error(
        "\(MessageText.quoted(text)) is \(ports.count) ports without a comma; "
          + "write [\(ports.joined(separator: ", "))]"
      )
      return nil
    }
    return .name(text)
  }

  /// The ports of a text that consists of several, such as `a:1 a:2`; empty for one port.
  ///
  /// A port's name may contain blanks, so each word must look like a whole port. ALSA's numbers, such as `20:0`, do not.
  private static func portsWithoutComma(_ text: String) -> [Substring] {
    let words = text.split(separator: " ")
    let arePorts = words.allSatisfy { word in
      let parts = word.split(separator: ":", omittingEmptySubsequences: false)
      return parts.count == 2 && parts[0].first?.isLetter == true && !parts[1].isEmpty
    }
    return words.count > 1 && arePorts ? words : []
  }

  private func pattern(_ text: String) -> PortSelector? {
    guard text.utf8.count > 1, text.utf8.last == UInt8(ascii: "/") else {
      error("the pattern \(MessageText.quoted(text)) has no closing slash")
      return nil
    }
    do {
      let pattern = try PortPattern(String(text.dropFirst().dropLast()))
      guard pattern.canMatchColon else {
        error(
          "the pattern \(MessageText.quoted(text)) can never match, because it has no ':' and must match the "
            + "whole name 'client:port'; write /.*:\(pattern.expression)/"
        )
        return nil
      }
      return .pattern(pattern)
    } catch {
      self.error("the pattern \(MessageText.quoted(text)) cannot be used: \(error.description)")
      return nil
    }
  }
}

extension GraphChecks {
  /// Checks that JACK ports are used once, are not the host's own, and are not more than JACK allows.
  func checkPorts() {
    guard checkPortCount() else { return }
    var used: [(selector: PortSelector, route: String)] = []
    for route in graph.routes {
      for (index, port) in route.ports.enumerated() {
        let position = map.position("routes", .key(route.name), "ports", .index(index))
        checkForeign(port, at: position)
        if let owner = used.first(where: { $0.selector.overlaps(port) })?.route {
          log.error(
            at: position,
            "ports: '\(port)' is in route '\(owner)' already; each port is in one route, once",
          )
        }
        used.append((port, route.name))
      }
    }
    for source in graph.sources {
      guard case .ports(let ports) = source.kind else { continue }
      for (index, port) in ports.enumerated() {
        let position = map.position("sources", .key(source.name), "ports", .index(index))
        checkForeign(port, at: position)
        if let owner = used.first(where: { $0.selector == port })?.route {
          log.error(
            at: position,
            "ports: '\(port)' belongs to route '\(owner)'; to hear an input route, "
              + "write 'input: \(owner)'",
          )
        }
      }
    }
  }

  /// Whether the host's ports stay within JACK's limit: one port for each channel of output routes
  /// and sources.
  private func checkPortCount() -> Bool {
    let outputs = graph.routes.filter { $0.direction == .output }.map(\.channels).reduce(0, +)
    let inputs = graph.sources.map { $0.channels ?? 2 }.reduce(0, +)
    let limit = GraphFile.portLimit
    guard outputs + inputs > limit else { return true }
    log.error(
      at: map.keyPosition("routes"),
      "\(outputs) route channels and \(inputs) source channels; JACK gives one client at most "
        + "\(limit) ports",
    )
    return false
  }

  /// Reports a port of the host itself: JACK would add a period of latency to such a loop.
  private func checkForeign(_ port: PortSelector, at position: SourcePosition) {
    guard case .name(let name) = port, name.hasPrefix("\(graph.name):") else { return }
    log.error(
      at: position,
      "ports: '\(name)' is a port of the host itself ('name: \(graph.name)'), which makes a loop; "
        + "name a port of another client",
    )
  }
}

extension PortSelector {
  /// Whether two selectors surely match one port.
  ///
  /// Two different patterns are assumed not to.
  fileprivate func overlaps(_ other: PortSelector) -> Bool {
    switch (self, other) {
    case (.name(""), _), (_, .name("")): false
    case (.name(let name), .pattern): other.matches(name)
    case (_, .name(let name)): matches(name)
    case (.pattern, .pattern): self == other
    }
  }
}
