// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Glibc
internal import GraphFiles
internal import InterAppAudio
internal import SystemSupport

/// The machine as nodes use it; tests answer from a script.
///
/// Belongs to the control thread.
struct NodeMachine {
  /// Reads the node files, and returns the faults of those that cannot be used.
  var readFiles: () -> (nodes: [InstalledNode], faults: [NodeFileError])
  /// Records the use of a node.
  var noteUse: (NodeDescription) -> Void
  /// Starts the program of a node file, for a server.
  var start: (InstalledNode, _ server: String) throws(InterAppAudioError) -> any NodeProcess
  /// Whether SIGSTOP holds a process; nil if it has ended or is about to.
  var isStopped: (Int32) -> Bool?

  /// The real machine.
  ///
  /// - Parameter folders: The installed nodes.
  /// - Returns: The machine.
  static func real(_ folders: NodeFolders) -> NodeMachine {
    NodeMachine(
      readFiles: { folders.read() },
      noteUse: { folders.noteUse(of: $0) },
      start: { file, server throws(InterAppAudioError) in
        try NodeProgram(
          file.command,
          environment: file.environment,
          server: server,
          lossPolicy: file.lossPolicy,
        )
      },
      isStopped: { Machine.this.state(of: $0).isStopped },
    )
  }
}

/// The programs that the host starts for nodes, with their starts, restarts and ends.
///
/// Belongs to the control thread.
final class NodePrograms {
  private let control: Control
  private let ledger: NodeLedger
  private let machine: NodeMachine
  private let server: () -> (any NodeServer)?
  private let report: (String, NodeFault) -> Void
  /// Processes that were started for nodes no longer in use.
  private var leaving: [String: LeavingNode] = [:]

  /// Makes the programs of a ledger's nodes.
  ///
  /// - Parameters:
  ///   - control: The services that all rooms share.
  ///   - ledger: The nodes in use.
  ///   - machine: Starts programs.
  ///   - server: Gives the server; nil while the host is not attached.
  ///   - report: Receives nodes that cannot be started.
  init(
    control: Control,
    ledger: NodeLedger,
    machine: NodeMachine,
    server: @escaping () -> (any NodeServer)?,
    report: @escaping (_ node: String, NodeFault) -> Void,
  ) {
    self.control = control
    self.ledger = ledger
    self.machine = machine
    self.server = server
    self.report = report
  }

  /// Reads the files of installed nodes, and reports files that cannot be read.
  func readFiles() -> [InstalledNode] {
    let (installed, faults) = machine.readFiles()
    for fault in faults { control.publish(.error(), "\(fault)") }
    return installed
  }

  // MARK: - Starting

  /// Starts the program that a node file names; without one the host waits for the node.
  func start(_ name: String) {
    guard let server = server() else { return }
    guard let file = ledger.installed(name), !file.command.isEmpty else {
      guard ledger.change(name, { $0.miss() }) == true else { return }
      control.publish(
        .nodeGone(.init(node: name)),
        "node '\(name)' does not run, and no node file has a command for it; the host waits for it",
      )
      return
    }
    do throws(InterAppAudioError) {
      let program = try machine.start(file, server.serverName)
      _ = ledger.change(name) { $0.start(program) }
      control.publish(
        .nodeStarted(.init(node: name, pid: program.processID)),
        "node '\(name)' is started: \(file.command.joined(separator: " "))",
      )
    } catch {
      report(name, .cannotStart(error))
    }
  }

  /// Plans the next start of a node that has gone.
  ///
  /// - Parameters:
  ///   - name: The name under which it is used.
  ///   - since: The time at which its client had come; nil without one.
  func planRestart(_ name: String, ranSinceNanoseconds since: UInt64?) {
    let now = control.nowNanoseconds
    _ = ledger.change(name) { $0.planRestart(ranSinceNanoseconds: since, nowNanoseconds: now) }
  }

  /// Starts the nodes that are due, and reports programs that ended too early; called by the host's timer.
  func restart() {
    for name in ledger.names {
      guard let program = ledger.change(name, { $0.takeStillborn() }) ?? nil else { continue }
      let end = program.end.map { ": " + $0 } ?? ""
      control.publish(
        .nodeGone(.init(node: name)),
        "node '\(name)': its program has ended without being a node of the server" + end,
      )
      planRestart(name, ranSinceNanoseconds: nil)
    }
    let now = control.nowNanoseconds
    for name in ledger.names
    where ledger.change(name, { $0.isDue(nowNanoseconds: now) }) == true {
      if ledger.running(name) == nil { start(name) }
    }
  }

  // MARK: - Ending

  /// Begins the use of a node, which gets back its process unless that was asked to end.
  func take(_ use: GraphFile.NodeUse) {
    let name = use.name
    guard ledger[name] == nil else { return }
    var program: (any NodeProcess)?
    if let last = leaving[name], !last.isAsked {
      program = last.program
      leaving[name] = nil
    }
    ledger.add(UsedNode(use, program: program))
  }

  /// Ends the use of a node that has left all chains.
  func giveUp(_ name: String) {
    if let node = ledger.running(name) { server()?.release(node) }
    guard let program = ledger.remove(name)?.program else { return }
    leaving[name] = LeavingNode(program, nowNanoseconds: control.nowNanoseconds)
  }

  /// Ends the processes of nodes no longer in use; called by the host's timer.
  func endLeaving() {
    let now = control.nowNanoseconds
    for (name, last) in leaving {
      let program = last.program
      switch leaving[name]?.step(hasEnded: program.hasEnded, nowNanoseconds: now) {
      case .ask: program.send(SIGTERM)
      case .insist: program.send(SIGKILL)
      case .forget: leaving[name] = nil
      case .wait, nil: break
      }
    }
  }

  /// Ends all processes that were started for nodes, when the host ends.
  func end() {
    for name in ledger.names { ledger.remove(name)?.program?.send(SIGTERM) }
    for last in leaving.values { last.program.send(SIGTERM) }
    leaving.removeAll()
  }

  // MARK: - Stopped processes

  /// The nodes that SIGSTOP holds now but not at the last call, and those that continue.
  func stopChanges() -> [(name: String, node: Node, isStopped: Bool)] {
    ledger.names.compactMap { name in
      guard let used = ledger[name], let node = ledger.running(name),
        let pid = node.processID ?? used.program?.processID,
        // A process that is killed while stopped does not continue: its client's end is about to be reported.
        let isStopped = machine.isStopped(pid), isStopped != used.life.isStopped
      else { return nil }
      return (name, node, isStopped)
    }
  }

  /// Ends the process of a stopped node, if the host started it.
  ///
  /// - Returns: Whether the host started it.
  func endStopped(_ name: String, _ node: Node) -> Bool {
    guard let program = ledger[name]?.program,
      program.processID == node.processID ?? program.processID
    else { return false }
    program.send(SIGKILL)
    return true
  }
}

/// The process of a node that has left all chains, until its end.
///
/// Pure value: [any-thread].
struct LeavingNode: Sendable {
  /// The next action for it.
  enum Step: Sendable { case wait, ask, insist, forget }

  /// Grace period before SIGTERM: a removed node is often inserted elsewhere right after, and is unpatched until then.
  static let graceNanoseconds: UInt64 = 2_000_000_000
  /// Grace period between SIGTERM and SIGKILL.
  static let patienceNanoseconds: UInt64 = 5_000_000_000

  let program: any NodeProcess
  private(set) var sinceNanoseconds: UInt64
  /// Whether it was asked to end.
  private(set) var isAsked = false

  init(_ program: any NodeProcess, nowNanoseconds: UInt64) {
    self.program = program
    sinceNanoseconds = nowNanoseconds
  }

  /// The next step: ask it to end once, then insist.
  mutating func step(hasEnded: Bool, nowNanoseconds now: UInt64) -> Step {
    if hasEnded { return .forget }
    guard isAsked else {
      guard now &- sinceNanoseconds >= Self.graceNanoseconds else { return .wait }
      isAsked = true
      sinceNanoseconds = now
      return .ask
    }
    return now &- sinceNanoseconds >= Self.patienceNanoseconds ? .insist : .wait
  }
}
