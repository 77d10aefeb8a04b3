// SPDX-License-Identifier: MIT

internal import Glibc
internal import JACK
internal import SystemSupport

/// The programs of JACK clients; each client is looked up once.
///
/// Belongs to the control thread.
final class ProgramDirectory {
  /// Finds processes; tests answer from a script.
  struct Lookup {
    /// The process of a client of jackd or jackdbus; nil if /proc does not show it.
    var find: (_ client: String) -> ClientProcess? = { ClientProcess.find(client: $0) }
    /// Whether the server is PipeWire, which is asked if /proc does not show a process.
    var isPipeWire: () -> Bool = { JACKLibrary.isPipeWire }
    /// The process of a client of PipeWire; nil without an answer.
    var ask: (_ client: String) async -> ClientProcess? = {
      await PipeWireClients().process(ofClient: $0)
    }
    /// The name of the program that a process runs; nil for no such process.
    var nameOfProcess: (_ pid: Int32) -> String? = { Machine.this.name(of: $0) }
    /// The path of the program that a shell starts by this name; nil without one.
    var installed: (_ name: String) -> String? = { Machine.this.programFile($0) }
    /// A path without symbolic links.
    var resolved: (_ path: String) -> String = { Machine.this.resolved($0) }
    /// The program that a process runs; nil for no such process.
    var process: (_ pid: Int32) -> ClientProcess? = { ClientProcess(pid: $0) }
    /// The identity of the file at a path; nil without a file.
    var file: (_ path: String) -> FileIdentity? = { Machine.this.identity(ofFile: $0) }
    /// Whether only root can replace or change the file of a path.
    var isOnlyRoots: (_ path: String) -> Bool = { Machine.this.isOnlyRoots($0) }
  }

  private let control: Control
  private let lookup: Lookup
  private let found: () -> Void
  private var programs: [String: Program] = [:]
  /// The clients that PipeWire is to be asked about.
  private var unknown: Set<String> = []
  /// The clients that PipeWire has been asked about, without an answer yet.
  private var asked: Set<String> = []

  /// Makes an empty directory.
  ///
  /// - Parameters:
  ///   - control: The services that all rooms share.
  ///   - lookup: Finds processes.
  ///   - found: Called when PipeWire has reported the process of a client.
  init(control: Control, lookup: Lookup = Lookup(), found: @escaping () -> Void) {
    self.control = control
    self.lookup = lookup
    self.found = found
  }

  /// The program of a client; known only by the client's name until its process is found.
  func program(of client: String) -> Program {
    if let known = programs[client] { return known }
    let program = Program(
      client: client,
      process: lookup.find(client),
      nameOfProcess: lookup.nameOfProcess,
    )
    programs[client] = program
    if program.executable == nil { unknown.insert(client) }
    return program
  }

  /// The program of a process; without one it is known by that alone.
  func program(ofProcess process: Int32?) -> Program {
    Program(
      client: process.map { "process \($0)" } ?? "an unknown process",
      process: process.flatMap(lookup.process),
    )
  }

  /// Asks PipeWire for the processes of the clients that are known only by their names.
  func askAboutUnknown() {
    let clients = unknown.sorted()
    unknown.removeAll()
    guard !clients.isEmpty, lookup.isPipeWire() else { return }
    for client in clients { ask(about: client) }
  }

  /// Whether PipeWire may still report the process of a client.
  func isBeingIdentified(_ client: String) -> Bool {
    asked.contains(client) || unknown.contains(client) && lookup.isPipeWire()
  }

  /// The path of the program that a shell starts by this name, without symbolic links; nil without one.
  func installed(_ name: String) -> String? { lookup.installed(name) }

  /// A path without symbolic links, as /proc shows executables.
  func resolved(_ path: String) -> String { lookup.resolved(path) }

  /// The path of the program that a process runs; nil where /proc does not show it.
  func executable(of process: Int32) -> String? { lookup.process(process)?.executable }

  /// Whether a process runs the host's own program, which is also the user's tool and opens sessions in the names of others.
  func isOwnProgram(_ process: Int32) -> Bool {
    let own = lookup.process(getpid())
    guard let own, let path = own.executable, let other = lookup.process(process),
      other.executable == path
    else { return false }
    // The package manager may have replaced the file since the host was started.
    return other.file == own.file || lookup.isOnlyRoots(path) && other.file == lookup.file(path)
  }

  /// The identity of the file at a path; nil without a file.
  func file(at path: String) -> FileIdentity? { lookup.file(path) }

  /// Whether only root can replace or change the file of a path.
  func isOnlyRoots(_ path: String) -> Bool { lookup.isOnlyRoots(path) }

  /// Whether the server is PipeWire.
  var isPipeWire: Bool { lookup.isPipeWire() }

  /// Whether a client was looked up before.
  func isKnown(_ client: String) -> Bool { programs[client] != nil }

  /// The clients in the directory.
  var clients: Set<String> { Set(programs.keys) }

  /// Forgets a client that has gone.
  func forget(_ client: String) {
    programs[client] = nil
    unknown.remove(client)
    asked.remove(client)
  }

  /// Forgets all clients, because those of the next server may belong to other programs.
  func removeAll() {
    programs.removeAll()
    unknown.removeAll()
    asked.removeAll()
  }

  private func ask(about client: String) {
    asked.insert(client)
    control.task { [weak self, lookup] in
      let process = await lookup.ask(client)
      // The client may have gone in the meantime, and another one of its name may have come.
      guard let self, asked.remove(client) != nil else { return }
      if let process {
        programs[client] = Program(
          client: client,
          process: process,
          nameOfProcess: lookup.nameOfProcess,
        )
      }
      found()
    }
  }
}

/// Asks PipeWire for the processes of its JACK clients, which /proc does not show. [any-thread]
struct PipeWireClients: Sendable {
  private let tool: ToolProcess

  /// Asks the PipeWire of the process's environment.
  ///
  /// - Parameter environment: Variables to change in that environment.
  init(environment: [String: String] = [:]) {
    tool = ToolProcess(
      name: "pw-cli",
      package: "pipewire-bin",
      environment: environment,
      timeLimit: .seconds(2),
    )
  }

  /// The process of a client.
  ///
  /// - Parameter client: Its name, as JACK gave it.
  /// - Returns: The process; nil if PipeWire does not answer, or has several clients of that name.
  func process(ofClient client: String) async -> ClientProcess? {
    guard let nodes = try? await tool.run(["ls", "Node"]),
      let clients = try? await tool.run(["ls", "Client"])
    else { return nil }
    let owners = Self.objects(nodes.standardOutput)
      .filter { $0["node.name"] == client }.compactMap { $0["client.id"] }
    let pids = Self.objects(clients.standardOutput)
      .filter { $0["id"].map(owners.contains) ?? false }
      .compactMap { $0["pipewire.sec.pid"].flatMap(Int32.init) }
    return pids.count == 1 ? ClientProcess(pid: pids[0]) : nil
  }

  /// Reads the output of `pw-cli ls`: a line with the id of each object, and its properties below.
  static func objects(_ text: String) -> [[String: String]] {
    var objects: [[String: String]] = []
    for line in text.split(separator: "\n").map({ $0.drop { $0 == " " || $0 == "\t" } }) {
      if line.hasPrefix("id "), let end = line.firstIndex(of: ",") {
        objects.append(["id": String(line[..<end].dropFirst(3))])
      } else if let mark = line.firstRange(of: " = \""), line.hasSuffix("\""), !objects.isEmpty {
        let value = line[mark.upperBound...].dropLast()
        objects[objects.count - 1][String(line[..<mark.lowerBound])] = String(value)
      }
    }
    return objects
  }
}
