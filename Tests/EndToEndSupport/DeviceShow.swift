// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import Sessions
import TestSupport

/// A host that plays files of noise to fake devices.
struct DeviceShow {
  let host: HostProcess
  let decks: [[Float]]
  let name: String

  /// Starts a host with a mono deck for each route.
  init(_ routes: String, mix: String, decks count: Int, in scratch: Scratch) async throws {
    decks = (0..<count).map { Signals.noise(40_000 + 7 * $0, seed: UInt64(40 + $0)) }
    for (index, deck) in decks.enumerated() {
      try scratch.write([deck], to: "deck-\(index + 1).wav", format: .wavPCM16)
    }
    let sources = decks.indices.map { "  d\($0 + 1): {file: deck-\($0 + 1).wav, loop: true}" }
    let graph = try scratch.write(
      """
      multiroute: 1
      session: {category: multiRoute}
      routes:
      \(routes)
      sources:
      \(sources.joined(separator: "\n"))
      mix:
      \(mix)
      """,
      to: "show.yaml",
    )
    host = try await HostProcess.running(graph: graph, server: testServer().name, in: scratch)
    name = host.name
  }

  /// Waits until a route is (or is not) there.
  func waitFor(_ route: String, available: Bool = true) async throws {
    try await waitUntil("route \(route) is \(available ? "there" : "gone")") {
      try await host.status().routes.contains { $0.name == route && $0.available == available }
    }
  }

  /// The reasons of the route changes of the host's session so far.
  var reasons: [RouteChangeReason] {
    host.events.compactMap {
      if case .routeChanged(let reason, _, _)? = $0.session?.content { reason } else { nil }
    }
  }
}
