// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import TestSupport

/// The host program as a user runs it, with `--json`.
final class HostProcess: Sendable {
  /// The name of its client and socket.
  let name: String
  /// The name of the server it is to use.
  let server: String
  let child: Child
  private let scratch: Scratch

  /// Starts the host.
  ///
  /// - Parameters:
  ///   - graph: The path of a graph file.
  ///   - server: The server's name.
  ///   - name: The host's name; nil for one of its own.
  ///   - arguments: More of them.
  ///   - prefix: The command that runs the program, such as `pw-jack`.
  ///   - environment: Changes to the environment of the test.
  ///   - scratch: Where files and sockets go.
  /// - Throws: ``TestFailure`` when it cannot be started.
  init(
    graph: String,
    server: String,
    name: String? = nil,
    arguments: [String] = [],
    under prefix: [String] = [],
    environment: [String: String] = [:],
    in scratch: Scratch,
  ) throws {
    self.name = name ?? Scratch.uniqueName("host")
    self.server = server
    self.scratch = scratch
    // However a test ends, its processes must end too.
    let limit = arguments.contains("--duration") ? [] : ["--duration", "240"]
    let words =
      prefix + [try Multiroute.path(), "run", graph, "--server", server, "--name", self.name]
      + ["--json"] + limit + arguments
    child = try Child(
      words[0],
      Array(words.dropFirst()),
      environment: scratch.hostEnvironment.merging(environment) { $1 },
      in: scratch,
    )
  }

  deinit {
    // A test that fails must not leave a stopped guard: it can hold a lock for which all JACK programs wait.
    for guardian in Guards.processes(of: name) where Guards.isStopped(guardian) {
      killOutsideStore(guardian)
    }
  }

  /// Starts a host, and waits until it plays.
  static func running(
    graph: String,
    server: String,
    name: String? = nil,
    arguments: [String] = [],
    in scratch: Scratch,
  ) async throws -> HostProcess {
    let host = try HostProcess(
      graph: graph,
      server: server,
      name: name,
      arguments: arguments,
      in: scratch,
    )
    _ = try await host.attached()
    return host
  }

  /// The status that the host prints when it is attached, for the first time or again.
  @discardableResult
  func attached(times: Int = 1, within limit: Duration = .seconds(60)) async throws -> HostStatus {
    var found: [HostStatus] = []
    try await waitUntil("\(name) is attached \(times) times", within: limit) {
      if let end = child.end { throw TestFailure("the host ended: \(end)\n\(child.standardError)") }
      found = statuses
      return found.count >= times
    }
    return found[times - 1]
  }

  /// How often it has been attached so far.
  var attachments: Int { statuses.count }

  /// Waits for a further attachment, after `count`, whose status fits, and returns that status.
  func attached(
    after count: Int,
    within limit: Duration = .seconds(60),
    where fits: (HostStatus) -> Bool,
  ) async throws -> HostStatus {
    var found: HostStatus?
    try await waitUntil("\(name) is attached anew", within: limit) {
      found = statuses.dropFirst(count).last(where: fits)
      return found != nil
    }
    guard let found else { throw TestFailure("\(name) is not attached") }
    return found
  }

  /// The events printed so far.
  var events: [ControlEvent] {
    lines.compactMap { try? JSONCoding.decoder().decode(ControlEvent.self, from: Data($0.utf8)) }
  }

  /// Waits for a number of events of one kind, and returns them.
  func waitForEvents(
    _ kind: EventKind,
    count: Int = 1,
    within limit: Duration = .seconds(60),
  ) async throws -> [ControlEvent] {
    var found: [ControlEvent] = []
    try await waitUntil("\(count) events of kind \(kind.rawValue)", within: limit) {
      found = events.filter { $0.kind == kind }
      return found.count >= count
    }
    return found
  }

  /// A connection to its control socket.
  func control(role: ClientRole? = nil) async throws -> ControlClient {
    try await ControlClient.connect(
      to: .name(name),
      directory: scratch.socketDirectory,
      clientName: "test",
      role: role,
    )
  }

  /// The whole state, asked for over the control socket.
  func status() async throws -> HostStatus {
    let client = try await control()
    let status = try await client.call(GetStatus.self)
    await client.close()
    return status
  }

  /// Sends Ctrl-C to the host and to everything it has started, as a terminal does.
  func stop() async throws -> Child.End {
    child.send(SIGINT, toGroup: true)
    return try await child.waitForEnd()
  }

  /// Waits until its state file has a text: the host writes a change a moment after it.
  func hasKept(_ text: String) async throws {
    try await waitUntil("\(name)'s state files have \(text)") {
      keptState().contains(text) || kept("permissions.json").contains(text)
    }
  }

  /// The text of its state files, one for each graph; empty while there is none.
  func keptState() -> String {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: stateFolder)) ?? []
    // One that is being written has another ending, and is none yet.
    let written = files.filter { $0.hasPrefix("state") && $0.hasSuffix(".json") }
    return written.sorted().map(kept).joined()
  }

  private var stateFolder: String { "\(scratch.stateDirectory)/multiroute/\(name)" }

  private func kept(_ file: String) -> String {
    (try? String(contentsOfFile: "\(stateFolder)/\(file)", encoding: .utf8)) ?? ""
  }

  /// The full name of one of its ports.
  func port(_ short: String) -> String { "\(name):\(short)" }

  /// The memory that it has in use in bytes, without the server's shared segment.
  ///
  /// libjack locks that one, 105 MB with jackd's usual number of ports, into each of its clients.
  var residentBytes: Int? {
    let text = try? String(contentsOfFile: "/proc/\(child.pid)/status", encoding: .utf8)
    let kibibytes = text?.split(separator: "\n")
      .filter { $0.hasPrefix("RssAnon:") || $0.hasPrefix("RssFile:") }
      .compactMap { $0.split(whereSeparator: \.isWhitespace).dropFirst().first }
      .compactMap { Int($0) }
    guard let kibibytes, kibibytes.count == 2 else { return nil }
    return kibibytes.reduce(0, +) * 1024
  }

  private var lines: [Substring] { child.standardOutput.split(separator: "\n") }

  private var statuses: [HostStatus] {
    struct Attached: Decodable { let event: String, status: HostStatus }
    return lines.filter { $0.hasPrefix("{\"event\":\"attached\"") }
      .compactMap { try? JSONCoding.decoder().decode(Attached.self, from: Data($0.utf8)).status }
  }
}
