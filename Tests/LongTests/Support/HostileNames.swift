// SPDX-License-Identifier: MIT

import Foundation
import JACK
import TestSupport

@testable import EndToEndSupport

/// Names of JACK clients, ports and strips that would become markup or scripts in a careless page.
struct HostileNames: Encodable {
  /// Names of clients; JACK allows no colon in them.
  let clientNames: [String]
  /// Names of ports, without their clients'.
  let portNames: [String]
  /// Labels of strips.
  let labels: [String]

  private static let forms = [
    "<img src=x onerror=document.title='owned'>", "<script>document.title='owned'</script>",
    "\"><svg onload=document.title='owned'>", "'-document.title='owned'-'",
    "${document.title='owned'}",
    "{{document.title='owned'}}", "</button><h1>", "<style>*{display:none}</style>", "<!--",
    "&lt;b&gt;",
    "<a href=javascript&colon;alert(1)>", "\u{202E}<iframe srcdoc=x>",
  ]
  private static let portsOfClient = 82

  /// Makes 12 clients, 984 ports and 12 labels, each with a number of its own.
  init() {
    clientNames = Self.forms.enumerated().map { "\($0) \($1.replacing(":", with: "").prefix(50))" }
    labels = Self.forms.enumerated().map { "label \($0) \($1)" }
    portNames = (0..<Self.portsOfClient * Self.forms.count).map { number in
      "port \(number) \(Self.forms[number % Self.forms.count])"
    }
  }

  /// The sources of a graph, with the labels.
  var sources: String {
    labels.enumerated().map { number, label in
      let text = label.replacing("'", with: "''")
      return "  s\(number): {tone: {frequency: 500 Hz, level: -40 dB}, label: '\(text)'}"
    }.joined(separator: "\n")
  }

  /// The mix of those sources.
  var mix: String {
    labels.indices.map { "  - {from: s\($0), to: main}" }.joined(separator: "\n")
  }

  /// The names as a script reads them.
  func json() throws -> String { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }

  /// Opens all clients with all ports.
  func clients(on server: String) throws -> [HostileClient] {
    try clientNames.enumerated().map { index, name in
      let start = index * Self.portsOfClient
      let ports = portNames[start..<start + Self.portsOfClient]
      return try HostileClient(name, ports: ports, server: server)
    }
  }
}

/// A JACK client with outputs, which leaves with the value.
final class HostileClient {
  private var active: ActiveClient?

  /// Opens the client.
  init(_ name: String, ports: some Sequence<String>, server: String) throws {
    let client = try OpenedClient.open(name: name, server: server)
    for port in ports {
      let _: AudioOutputPort = try client.connection.register(port)
    }
    active = try client.activate()
  }

  deinit { close() }

  /// Leaves the server.
  func close() {
    if let active = active.take() { _ = active.close() }
  }
}
