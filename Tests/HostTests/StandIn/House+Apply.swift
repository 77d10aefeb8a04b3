// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import GraphFiles
import JACK
import Mixing
import Synchronization

@testable import Host

extension House {
  /// Applies another version of the graph, with the audio and the time that it takes.
  ///
  /// - Parameters:
  ///   - text: The version.
  ///   - meanwhile: Called before each cycle.
  /// - Throws: The host's refusal, or why the text cannot be read.
  func apply(
    _ text: String,
    meanwhile: (House) async throws -> Void = { _ in },
  ) async throws {
    let graph = try GraphFile.parse(text, path: "house.yaml")
    let difference = GraphDifference(from: await host.run { $0.graph }, to: graph)
    let outcome = Mutex<Result<Void, HostError>?>(nil)
    let applying = Task { [host] in
      let result: Result<Void, HostError>
      do throws(HostError) {
        try await host.apply(graph, difference: difference)
        result = .success(())
      } catch {
        result = .failure(error)
      }
      outcome.withLock { $0 = result }
    }
    for _ in 0..<10_000 where outcome.withLock({ $0 == nil }) {
      try await meanwhile(self)
      await host.run { _ in self.server.presence?.cycle() }
      clock.advance(nanoseconds: 2_000_000)
      await Task.yield()
    }
    await applying.value
    await settle()
    guard let result = outcome.withLock({ $0 }) else { throw Refusal(message: "no answer") }
    return try result.get()
  }

  /// The host as a program sees it: ports, connections, levels and sessions, without what depends on the time.
  func picture() async -> Picture {
    let status = await status
    let server = self.server
    let ports = await host.run { _ in
      server.list().map(\.name).filter { $0.hasPrefix("house") }
    }
    let connections = await host.run { _ in
      Dictionary(
        uniqueKeysWithValues: server.list().map(\.name).map { ($0, server.connections(of: $0)) }
      ).filter { !$0.value.isEmpty }
    }
    let spec = await host.run { $0.control.mixEngine?.spec }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let permissions =
      (try? await call("listPermissions")).flatMap { try? encoder.encode($0) } ?? Data()
    return Picture(
      ports: ports,
      connections: connections,
      strips: (spec?.strips ?? []).map { "\($0)" },
      routes: (spec?.routes ?? []).map { "\($0)" },
      sends: (spec?.sends ?? []).map { "\($0)" }.sorted(),
      crossfader: spec.map { "\($0.crossfader)" } ?? "",
      sessions: status.sessions.map { session in
        [
          session.id, session.app, String(describing: session.category),
          String(describing: session.mode), "\(session.options)",
          session.active ? "active" : "inactive", "\(session.strips)",
          "class \(String(describing: session.priorityClass))", "by \(session.duckedBy)",
          "\(session.duckGainDB) dB", String(describing: session.interruptedBy),
        ].joined(separator: " ")
      }.sorted(),
      routeStatuses: status.routes.map { "\($0)" },
      stripStatuses: status.strips.map { "\($0)" },
      recorders: status.recorders.map { "\($0.name) \($0.from) \($0.recording)" },
      inserts: status.inserts.map { "\($0)" },
      hardware: [status.hardware.ioBufferFrames.preferred, status.hardware.ioBufferFrames.actual]
        .map { String(describing: $0) }.joined(separator: " → "),
      permissions: String(decoding: permissions, as: UTF8.self),
    )
  }
}

/// A host as a program sees it.
struct Picture: Equatable {
  var ports: [String]
  var connections: [String: [String]]
  var strips: [String]
  var routes: [String]
  var sends: [String]
  var crossfader: String
  var sessions: [String]
  var routeStatuses: [String]
  var stripStatuses: [String]
  var recorders: [String]
  var inserts: [String]
  var hardware: String
  var permissions: String

  /// The parts in which another host differs, in sentences.
  func differences(from fresh: Picture) -> [String] {
    let parts: [(String, [String], [String])] = [
      ("ports", ports, fresh.ports),
      (
        "connections", connections.map { "\($0) → \($1)" }.sorted(),
        fresh.connections.map { "\($0) → \($1)" }.sorted()
      ),
      ("strips", strips, fresh.strips),
      ("routes", routes, fresh.routes),
      ("sends", sends, fresh.sends),
      ("crossfader", [crossfader], [fresh.crossfader]),
      ("sessions", sessions, fresh.sessions),
      ("route status", routeStatuses, fresh.routeStatuses),
      ("strip status", stripStatuses, fresh.stripStatuses),
      ("recorders", recorders, fresh.recorders),
      ("inserts", inserts, fresh.inserts),
      ("hardware", [hardware], [fresh.hardware]),
      ("permissions", [permissions], [fresh.permissions]),
    ]
    return parts.filter { $0.1 != $0.2 }.map { name, now, wanted in
      let extra = now.filter { !wanted.contains($0) }
      let missing = wanted.filter { !now.contains($0) }
      return "\(name): too much \(extra), missing \(missing)"
        + (extra.isEmpty && missing.isEmpty ? ", another order: \(now) for \(wanted)" : "")
    }
  }
}
