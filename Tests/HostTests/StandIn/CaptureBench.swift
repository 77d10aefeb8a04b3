// SPDX-License-Identifier: MIT

import ControlProtocol
import GraphFiles
import JACK
import Logging
import Patchbay
import Sessions
import SystemSupport
import TestSupport

@testable import Host

/// A room of captures on a scripted server.
///
/// Used on the host's control thread only, and by the test while that rests.
final class CaptureBench: @unchecked Sendable, CaptureServer {
  let hostClients = ["house"]
  /// The host's outputs, each with the port of another client that is mixed into it.
  var mix: [String: String] = [:]
  var ports = PortDirectory(ownPorts: [])
  var links: Set<ConnectionPair> = []
  var gates = ScriptedGates("house-gates")
  /// The errors of connecting and of cutting; nil to do it.
  var connectFailure: JACKError?
  var cutFailure: JACKError?
  /// Whether gates cannot be opened.
  var hasNoGates = false
  private(set) var events: [ControlEvent] = []
  var answers = CapturePermissions.Answers()
  /// The sessions of clients, and whether they record.
  var sessions: [String: Bool] = [:]
  var rules: [String: GraphFile.Adoption] = [:]
  /// The executables of clients; a client without one cannot be identified.
  var executables = ["rec": "/usr/bin/rec", "good": "/usr/bin/good", "bad": "/usr/bin/bad"]
  /// The files that clients run, where those are not the ones at their paths.
  var running: [String: FileIdentity] = [:]
  /// The clients whose processes hide their programs.
  var hidden: Set<String> = []
  /// The number of times that the file of a path was replaced.
  var replacements: [String: Int] = [:]
  /// The names by which a shell starts nothing.
  var notInstalled: Set<String> = []
  /// The executables of processes that answer.
  var processes: [Int32: String] = [:]
  var ownLinks: Set<ConnectionPair> = []
  /// The processes of the host's helper programs, by the names of their clients.
  var helpers: [String: Int32] = [:]
  /// The ports that the route `main` has found.
  var mainPorts: [String] = []
  private(set) var changes = 0
  /// Called when the process of a client is looked for.
  var whenAsked: () -> Void = {}
  var wasDirectWhenAsked: Bool?

  private let house: House
  private lazy var control = Control(
    owner: house.host,
    thread: house.host.thread,
    clock: house.clock,
    logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() },
    present: { [unowned self] in events.append($0) },
  )
  private(set) lazy var programs = ProgramDirectory(
    control: control,
    lookup: ProgramDirectory.Lookup(
      find: { [unowned self] client in
        whenAsked()
        if hidden.contains(client) { return ClientProcess(pid: 1, executable: nil) }
        return executables[client].map {
          ClientProcess(pid: 1, executable: $0, file: running[client] ?? file(at: $0))
        }
      },
      isPipeWire: { false },
      ask: { _ in nil },
      installed: { [unowned self] in notInstalled.contains($0) ? nil : "/usr/bin/\($0)" },
      resolved: { $0 },
      process: { [unowned self] pid in
        processes[pid].map { ClientProcess(pid: pid, executable: $0, file: file(at: $0)) }
      },
      file: { [unowned self] in file(at: $0) },
      isOnlyRoots: { $0.hasPrefix("/usr/") },
    ),
    found: {},
  )
  private(set) lazy var room = CaptureRoom(
    control: control,
    graph: GraphRoom(house.host.configuration.graph),
    connectsPorts: true,
    programs: programs,
    server: { [unowned self] in self },
    links: CaptureRoom.Links(
      answers: { [unowned self] in answers },
      isSessionOpen: { [unowned self] in sessions[$0] },
      rule: { [unowned self] in rules[$0] },
      microphoneOutputs: { [unowned self] isMicrophone in
        Set(mix.filter { isMicrophone($0.value) }.keys)
      },
      microphonePlaces: { [unowned self] isMicrophone in
        Set(mix.filter { isMicrophone($0.value) }.keys.map { String($0.dropFirst(6).dropLast(6)) })
      },
      helperProcess: { [unowned self] in helpers[$0] },
      isOwnLink: { [unowned self] in ownLinks.contains($0) },
      answer: { [unowned self] in answers.ofUser[$0] = $1 == .undetermined ? nil : $1 },
      captureChanged: { _ in },
      gatesChanged: { [unowned self] in changes += 1 },
      stateChanged: {},
    ),
  )

  /// Makes a room with a microphone and the program `rec`.
  init(permissions: String = "{default: undetermined, granted: [good], denied: [bad]}") throws {
    house = try House(
      """
      multiroute: 1
      name: house
      session: {category: multiRoute}
      \(permissions.isEmpty ? "" : "permissions: " + permissions)
      routes:
        main: {type: lineOut, ports: [system:playback_1]}
        loop: {type: lineIn, ports: ["loop:out_1"]}
      sources: {}
      mix: []
      """
    )
    ports.insert(Ports.output("system:capture_1", physical: true))
    for client in ["rec", "good", "bad"] { ports.insert(Ports.input("\(client):in")) }
  }

  /// Begins the room, and connects a client with a port.
  func capture(_ client: String, from source: String = "system:capture_1") async {
    await act { bench in
      let pair = ConnectionPair(source: source, destination: "\(client):in")
      bench.links.insert(pair)
      if !bench.room.hold(pair) {
        bench.room.enforce(source: source, destination: pair.destination)
      }
    }
  }

  /// The file at a path; each path has one, which is another one after each replacement.
  func file(at path: String) -> FileIdentity {
    FileIdentity(
      device: 1,
      inode: UInt64(path.utf8.reduce(7) { ($0 &* 31 &+ Int($1)) & 0xFFFF_FFFF }),
      changedNanoseconds: Int64(replacements[path, default: 0]),
    )
  }

  /// Moves the time on.
  func pass(nanoseconds: UInt64) { house.clock.advance(nanoseconds: nanoseconds) }

  func act(_ body: @escaping @Sendable (CaptureBench) -> Void) async {
    await house.host.run { _ in body(self) }
    await house.settle()
  }

  /// Answers for a program, and returns the entry that the user sees.
  func answer(_ program: String, _ permission: RecordPermission) async {
    await act {
      _ = try? $0.room.setPermission(SetPermission.Params(program: program, permission: permission))
    }
  }

  /// The errors that were told.
  var errors: [String] { events.filter { $0.kind == .error }.map(\.message) }

  /// The alarms that were told.
  var alarms: [AlarmStatus] {
    events.compactMap { if case .alarm(let status) = $0.payload { status } else { nil } }
  }

  var kinds: [String] { events.compactMap { $0.kind?.rawValue } }

  func isDirect(_ client: String, to source: String = "system:capture_1") -> Bool {
    links.contains(ConnectionPair(source: source, destination: "\(client):in"))
  }

  // MARK: - The server

  func foundPorts(of route: GraphFile.Route) -> [String] {
    route.name == "loop" ? ["loop:out_1"] : mainPorts
  }

  func listeners(of port: String) -> [String] {
    links.filter { $0.source == port }.map(\.destination).sorted()
  }

  func destinations(of ownPort: String) -> [String] { listeners(of: ownPort) }

  func connect(_ source: String, to destination: String) throws(JACKError) {
    if let connectFailure { throw connectFailure }
    links.insert(ConnectionPair(source: source, destination: destination))
  }

  func cut(_ source: String, from destination: String) throws(JACKError) {
    if let cutFailure { throw cutFailure }
    guard links.remove(ConnectionPair(source: source, destination: destination)) != nil else {
      throw JACKError(.notConnected, call: "jack_disconnect", subject: source)
    }
  }

  func openGates() throws -> any CaptureGates {
    if hasNoGates { throw JACKError(.serverGone, call: "jack_client_open", subject: "gates") }
    return gates
  }
}
