// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import JACK
internal import Mixing
internal import Patchbay
internal import Sessions
internal import SystemSupport

/// Captures that need a permission: programs hear them through capture gates, which permissions and sessions
/// open and close (PRM-1 to PRM-4).
///
/// Belongs to the control thread.
final class CaptureRoom {
  /// The connections of the capture room to other rooms.
  struct Links {
    /// The user's answers, and the tower's data about permissions.
    var answers: () -> CapturePermissions.Answers
    /// Whether the session of a client records now; nil for a client without a session.
    var isSessionOpen: (_ client: String) -> Bool?
    /// The first rule of the graph that adopts or excludes a client.
    var rule: (_ client: String) -> GraphFile.Adoption?
    /// The host's outputs into which a microphone is mixed, by whether a port of another client gives one.
    var microphoneOutputs: (_ isMicrophone: (_ port: String) -> Bool) -> Set<String>
    /// The strips and routes that carry a microphone, by whether a port of another client gives one.
    var microphonePlaces: (_ isMicrophone: (_ port: String) -> Bool) -> Set<String>
    /// The process of the helper program whose client has this name; nil without one.
    var helperProcess: (_ client: String) -> Int32?
    /// Whether the host itself made a connection, for a node.
    var isOwnLink: (ConnectionPair) -> Bool
    /// Passes the user's answer for a ``Program/key`` or a bare name to the tower; `undetermined` withdraws it.
    var answer: (_ key: String, RecordPermission) -> Void
    /// Reports that a client has been connected to a capture gate, or that its gates were removed.
    var captureChanged: (_ client: String) -> Void
    /// Reports that a gate was made, opened, closed or removed.
    var gatesChanged: () -> Void
    /// Reports a change of state that outlives the host.
    var stateChanged: () -> Void
  }

  private let control: Control
  private let inForce: GraphRoom
  private var graph: GraphFile { inForce.file }
  private let connectsPorts: Bool
  private let programs: ProgramDirectory
  private let server: () -> (any CaptureServer)?
  private let links: Links
  private let files: AnsweredFiles
  private let permissions: CapturePermissions
  private let gates: CaptureGateList
  private let alarms: CaptureAlarms
  private let cuts: CaptureCuts
  /// The clients to which a capture port has been connected directly.
  private var hearing: Set<String> = []
  private lazy var outputs = WithheldOutputs(
    links: WithheldOutputs.Links(
      outputs: { [unowned self] in microphoneOutputs },
      isProgram: { [unowned self] client in sources?.isProgram(client) ?? false },
      mayHear: { [unowned self] client in
        claim(of: client, programs.program(of: client)).mayHearOutputs
      },
      cut: { [unowned self] pair, client in withhold(pair, from: client) },
      restore: { [cuts] pair in cuts.restore(pair) },
    )
  )

  /// Makes a room without gates; ``begin()`` checks the captures that are going on.
  ///
  /// - Parameters:
  ///   - control: The services that all rooms share.
  ///   - graph: The graph.
  ///   - connectsPorts: Whether the host makes connections at all.
  ///   - programs: The programs behind clients.
  ///   - server: Gives the server; nil while the host is not attached.
  ///   - links: The connections to other rooms.
  init(
    control: Control,
    graph: GraphRoom,
    connectsPorts: Bool,
    programs: ProgramDirectory,
    server: @escaping () -> (any CaptureServer)?,
    links: Links,
  ) {
    self.control = control
    inForce = graph
    self.connectsPorts = connectsPorts
    self.programs = programs
    self.server = server
    self.links = links
    alarms = CaptureAlarms(control: control)
    cuts = CaptureCuts(control: control, server: server, alarms: alarms)
    gates = CaptureGateList(control: control, server: server)
    files = AnsweredFiles(programs: programs, changed: links.stateChanged)
    permissions = CapturePermissions(
      control: control,
      graph: graph,
      programs: programs,
      files: files,
      answers: links.answers,
    )
  }

  // MARK: - Changes on the server

  /// Begins on a new server, and checks every capture that is going on.
  func begin() {
    programs.removeAll()
    if graph.permissions != nil { gates.open() }
    enforceAll()
  }

  /// Goes over to the permissions of the version in force.
  func takePermissions() {
    if graph.permissions != nil, server() != nil { gates.open() }
    settle()
    enforceAll()
    enforceOutputs()
  }

  /// The clients without a session that hear a capture now and would not under another version of the graph, or the other way
  /// round.
  ///
  /// - Parameter new: The version.
  /// - Returns: Each with its program, the permission that it would have, and whether it would hear its capture, by name.
  func changes(
    under new: GraphFile
  ) -> [(client: String, program: Program, permission: RecordPermission, isHeard: Bool)] {
    guard let sources else { return [] }
    let next = sources.under(new) { [programs] client in
      new.adoption(of: client) { programs.program(of: client).executable }
    }
    let listeners = sources.ports.flatMap(sources.server.listeners(of:))
    let clients = Set(listeners.compactMap(JACKNames.client(of:)) + gates.all.map(\.client))
    return clients.sorted().compactMap { client in
      guard links.isSessionOpen(client) == nil else { return nil }
      let program = programs.program(of: client)
      let claim = CaptureClaim(
        permission: permissions.permission(of: program, under: new),
        isRestricted: new.permissions != nil || next.rule(client)?.session != nil,
      )
      let isHeard = !sources.isProgram(client) || self.claim(of: client, program).isHeard
      let willBeHeard = !next.isProgram(client) || claim.isHeard
      return isHeard == willBeHeard ? nil : (client, program, claim.permission, willBeHeard)
    }
  }

  /// Ends with the server; the gates are gone with it.
  func end() {
    gates.close()
    alarms.removeAll()
    outputs.removeAll()
    hearing.removeAll()
  }

  /// Frees memory that the audio thread no longer uses, and ends alarms; called by the host's timer.
  func look() {
    gates.collect()
    alarms.look()
  }

  /// The samples of captures that were no sound, since their gates were made.
  func inputFaults() -> [FaultPlace: InputFaults] { gates.inputFaults() }

  /// Checks every capture that is going on, after an answer or an attachment.
  func enforceAll() {
    guard connectsPorts, let server = server(), let sources else { return }
    for source in sources.ports {
      for destination in server.listeners(of: source) {
        // A capture that goes on already may be allowed, and has no gap then.
        prepare(destination)
        enforce(source: source, destination: destination)
      }
    }
    enforceOutputs()
  }

  /// Cuts a connection at once that a program in an alarm has made again, before anything else is looked at (PRM-4).
  ///
  /// - Returns: False for any other connection.
  func hold(_ pair: ConnectionPair) -> Bool { connectsPorts && cuts.hold(pair) }

  /// Whether a connection is cut whenever its program makes it again.
  func isHeld(_ pair: ConnectionPair) -> Bool { alarms.rule(holding: pair) != nil }

  /// Handles the end of a connection.
  func disconnected(_ pair: ConnectionPair) { gates.disconnected(pair) }

  /// Handles a new connection: a capture that needs a permission is moved to a gate.
  ///
  /// The direct connection is removed first, so silence comes with the next period, however long the rest
  /// takes.
  func enforce(source: String, destination: String) {
    guard connectsPorts, let server = server(), let sources,
      let client = JACKNames.client(of: destination)
    else { return }
    let made = ConnectionPair(source: source, destination: destination)
    let isOutput = JACKNames.client(of: source).map(server.hostClients.contains) ?? false
    if isOutput || sources.isMonitor(source) { return outputs.enforce(made, of: client) }
    guard !gates.take(made, of: client) else { return }
    guard let capture = sources.capture(of: source, for: client) else { return }
    hearing.insert(client)
    guard sources.isProgram(client), !links.isOwnLink(made) else { return }
    let begunNanoseconds = control.nowNanoseconds
    // The process of a new client takes milliseconds to find: the connection is cut before that.
    let isCutFirst = !programs.isKnown(client) && graph.permissions != nil
    guard !isCutFirst || cuts.cut(made, rule: .prm1) else { return }
    let program = programs.program(of: client)
    // An existing gate stays, so that a program can lose its permission without a click.
    guard
      gates.has(client) || sources.isPrivate(capture) || claim(of: client, program).needsGate
    else {
      if isCutFirst { cuts.restore(made) }
      return
    }
    guard isCutFirst || cuts.cut(made, rule: .prm1) else { return }
    hearing.remove(client)
    tellOfCut(made, capture: capture, client, rule: .prm1, begunNanoseconds)
    gates.connect(capture, to: destination, of: client)
    settle()
    links.captureChanged(client)
    links.gatesChanged()
    ask(about: program, client: client)
  }

  /// Whether the host may make a connection itself, as a patch rule asks (PRM-1, PRM-3).
  ///
  /// A capture that needs a permission is offered through a gate instead; an output that carries a microphone is not connected to
  /// a program without a yes.
  func permits(_ pair: ConnectionPair) -> Bool {
    guard let server = server(), let sources, let client = JACKNames.client(of: pair.destination),
      sources.isProgram(client)
    else { return true }
    let isOutput = JACKNames.client(of: pair.source).map(server.hostClients.contains) ?? false
    let program = programs.program(of: client)
    if isOutput || sources.isMonitor(pair.source) {
      return claim(of: client, program).mayHearOutputs || !microphoneOutputs.contains(pair.source)
    }
    guard let capture = sources.capture(of: pair.source, for: client),
      gates.has(client) || sources.isPrivate(capture) || claim(of: client, program).needsGate
    else { return true }
    gates.connect(capture, to: pair.destination, of: client)
    settle()
    links.captureChanged(client)
    links.gatesChanged()
    ask(about: program, client: client)
    return false
  }

  /// Looks up the program of a client whose ports have come, so that its first capture is cut at once.
  func prepare(_ port: String) {
    guard connectsPorts, graph.permissions != nil, let server = server(),
      let client = JACKNames.client(of: port),
      !isOwnClient(client), !server.hostClients.contains(client)
    else { return }
    _ = programs.program(of: client)
  }

  private func tellOfCut(
    _ made: ConnectionPair,
    capture: String,
    _ client: String,
    rule: RuleID,
    _ begunNanoseconds: UInt64,
  ) {
    let program = programs.program(of: client)
    cuts.tell(
      CaptureAlarms.Cut(
        made: made,
        capture: capture,
        client: client,
        program: program,
        rule: rule,
      ),
      mayRecord: permissions.permission(of: program) == .granted,
      begunNanoseconds: begunNanoseconds,
    )
  }

  /// Removes the gates of clients that have gone, after ports have come or gone.
  ///
  /// - Parameter changed: The clients of these ports.
  func review(clients changed: Set<String>) {
    guard let ports = server()?.ports else { return }
    for client in changed where !ports.hasPorts(ofClient: client) { forget(client) }
    removeGates(of: changed.filter { ports.ports(ofClient: $0, facing: .outOfHost).isEmpty })
  }

  /// Removes the gates of a client that has gone: another program's client may have its name next (PRM-2).
  func clientGone(_ client: String) {
    forget(client)
    removeGates(of: [client])
  }

  private func forget(_ client: String) {
    programs.forget(client)
    alarms.forget(client)
    hearing.remove(client)
    outputs.forget(client)
  }

  private func removeGates(of clients: Set<String>) {
    let gone = gates.remove(clients: clients)
    guard !gone.isEmpty else { return }
    for client in gone { links.captureChanged(client) }
    links.gatesChanged()
  }

  /// Opens and closes gates by permissions and sessions.
  func settle() {
    defer { outputs.giveBack() }
    takeGrantedThroughGates()
    let hasChanged = gates.settle(fadeSeconds: graph.tower.fadeDuration.seconds) { client in
      claim(of: client, programs.program(of: client)).mayHear
    }
    if hasChanged {
      links.gatesChanged()
      // A program that hears a microphone now may pass it on.
      enforceOutputs()
    }
    for (client, program) in capturing { ask(about: program, client: client) }
  }

  /// Connects the programs to their gates that were held, and may record now: they may have left their gates.
  private func takeGrantedThroughGates() {
    let held = alarms.endGranted { permissions.permission(of: $0) == .granted }
    guard !held.isEmpty, let ports = server()?.ports else { return }
    for cut in held where cut.rule == .prm1 {
      guard ports.contains(cut.capture), ports.contains(cut.made.destination) else { continue }
      gates.connect(cut.capture, to: cut.made.destination, of: cut.client)
      links.captureChanged(cut.client)
    }
  }

  private func ask(about program: Program, client: String) {
    guard !programs.isBeingIdentified(client) else { return }
    permissions.ask(about: program, client: client)
  }

  // MARK: - Queries

  /// Whether a client is connected to a gate, open or closed.
  func isCapturing(_ client: String) -> Bool { gates.has(client) }

  /// Whether a client of this process is connected to a gate.
  func isCapturing(process: Int32) -> Bool {
    gates.all.contains { programs.program(of: $0.client).pid == process }
  }

  /// Whether a process runs the program that a shell starts by this name.
  func isProgram(_ process: Int32, installedAs name: String) -> Bool {
    let program = programs.program(ofProcess: process)
    return program.name == name && permissions.isInstalled(program)
  }

  /// Whether this client contains the gates.
  func isOwnClient(_ client: String) -> Bool { gates.client?.clientName == client }

  /// Whether gates can exist.
  var hasGates: Bool { gates.client != nil }

  /// The gates that are closed.
  var closedGates: [CaptureGate] { gates.all.filter { !$0.isOpen } }

  /// The alarms for `status`.
  var alarmStatuses: [AlarmStatus] { alarms.statuses }

  /// The capture ports, and the clients that may hear captures, should the host die; nil where
  /// programs need no permission.
  var guardedCaptures: (ports: [String], permitted: [String])? {
    let isAnybodyDenied = links.answers().ofUser.values.contains(.denied)
    guard graph.permissions != nil || isAnybodyDenied, let sources else { return nil }
    let permitted = sources.server.ports.clients.filter { client in
      guard sources.isProgram(client) else { return true }
      guard programs.isKnown(client) else { return false }
      let claim = claim(of: client, programs.program(of: client))
      return claim.mayHear || !claim.needsGate
    }
    return (sources.ports, permitted.sorted())
  }

  /// The permission of a client's program, for the tower.
  func permission(ofClient client: String) -> RecordPermission {
    permissions.permission(of: programs.program(of: client))
  }

  /// The permission that a client's program would have under another version of the graph.
  func permission(ofClient client: String, under graph: GraphFile) -> RecordPermission {
    permissions.permission(of: programs.program(of: client), under: graph)
  }

  /// The key under which answers for a client's program are kept.
  func key(ofClient client: String) -> String { programs.program(of: client).key }

  private func claim(of client: String, _ program: Program) -> CaptureClaim {
    CaptureClaim(
      permission: permissions.permission(of: program),
      isRestricted: graph.permissions != nil || links.rule(client)?.session != nil,
      isSessionOpen: links.isSessionOpen(client),
    )
  }

  // MARK: - Requests

  /// Publishes the question whether a program may record.
  func publishQuestion(_ program: String) { permissions.publishQuestion(program) }

  /// Takes a user's answer, or withdraws one.
  ///
  /// - Parameters:
  ///   - params: The program and the answer.
  ///   - process: The process that asks for it; nil where it is not known.
  /// - Returns: The program as the list shows it.
  /// - Throws: `badValue` for a name that means two programs, `refused` where the program answers for itself.
  func setPermission(
    _ params: SetPermission.Params,
    from process: Int32? = nil,
  ) throws(ControlError) -> ListPermissions.Program {
    let key = try permissions.key(named: params.program, capturing: capturing)
    try permissions.refuseOwnAnswer(for: key, from: process, capturing: capturing)
    let before = permissions.entry(ofKey: key, capturing: capturing).permission
    permissions.forgetQuestion(key)
    permissions.noteFile(ofKey: key, params.permission, capturing: capturing)
    links.answer(key, params.permission)
    permissions.nameReplaced(by: key, params.permission).map { links.answer($0, .undetermined) }
    settle()
    enforceAll()
    links.stateChanged()
    let entry = permissions.entry(ofKey: key, capturing: capturing)
    if let permission = entry.permission, permission != before {
      permissions.publishAnswer(entry.program, permission)
    }
    return entry
  }

  /// The files that the user's answers mean, by path, to keep them.
  var answeredFiles: [String: FileIdentity] { files.ofUser }

  /// Takes over the files that the answers to the last host mean.
  func restore(answeredFiles: [String: FileIdentity]) { files.restore(answeredFiles) }

  /// Every program with an answer, and every program that asks, records or has a session with input.
  func listPermissions() -> ListPermissions.Result { permissions.list(capturing: capturing) }

  /// The reasons why the clients of a program hear silence or their capture.
  func explanations(of app: String) -> [Why.Explanation] {
    permissions.explanations(
      of: app,
      in: CapturePermissions.Hearing(
        gates: gates.all,
        withheld: outputs.withheld,
        program: programs.program(of:),
      ),
    )
  }

  private var capturing: [CapturePermissions.Capturing] {
    (gates.all.map(\.client) + outputs.withheld.keys)
      .map { ($0, programs.program(of: $0)) }
  }

  // MARK: - Outputs

  /// Checks who hears the host's outputs that carry a microphone, after a change of the mix or the patch (PRM-3).
  func enforceOutputs() {
    guard connectsPorts, let server = server() else { return }
    let isAnybodyRestricted =
      graph.permissions != nil || !graph.adoptions.isEmpty
      || links.answers().ofUser.values.contains(.denied)
    if isAnybodyRestricted { outputs.enforceAll(on: server) }
  }

  private var microphoneOutputs: Set<String> {
    guard let sources else { return [] }
    let outputs = links.microphoneOutputs(isMicrophone(among: sources))
    return outputs.union(sources.monitors(of: outputs))
  }

  /// Whether a port gives a microphone: a capture port, or one of a program that hears one and may pass it on.
  private func isMicrophone(among sources: CaptureSources) -> (_ port: String) -> Bool {
    let captures = Set(sources.ports)
    let open = gates.all.filter(\.isOpen).map(\.client)
    let programs = hearing.union(open).filter(sources.isProgram)
    return { port in
      captures.contains(port) || JACKNames.client(of: port).map(programs.contains) ?? false
    }
  }

  /// Refuses a recording of a strip or route that carries a microphone to a program that may not hear it (PRM-3).
  ///
  /// - Parameters:
  ///   - subject: The strip or route.
  ///   - process: The process that asks for it; nil where it is not known.
  /// - Throws: `refused`.
  func refuseRecording(of subject: String, by process: Int32?) throws(ControlError) {
    guard let sources, links.microphonePlaces(isMicrophone(among: sources)).contains(subject) else {
      return
    }
    try permissions.refuseRecording(
      of: subject,
      by: process,
      isRestricted: graph.permissions != nil
    )
  }

  private func withhold(_ pair: ConnectionPair, from client: String) -> Bool {
    guard !links.isOwnLink(pair) else { return false }
    let begunNanoseconds = control.nowNanoseconds
    guard cuts.cut(pair, rule: .prm3) else { return false }
    tellOfCut(pair, capture: pair.source, client, rule: .prm3, begunNanoseconds)
    ask(about: programs.program(of: client), client: client)
    return true
  }

  private var sources: CaptureSources? {
    server().map { server in
      CaptureSources(
        graph: graph,
        server: server,
        gates: gates.client,
        programs: programs,
        rule: links.rule,
        helperProcess: links.helperProcess,
      )
    }
  }
}
