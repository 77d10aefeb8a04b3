// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import InterAppAudio
internal import JACK
internal import Sessions

extension Host {
  /// Looks for the graph's nodes on the server, starts those that do not run, and patches.
  ///
  /// After each attachment.
  func beginNodes() {
    guard let connection = presence?.mix else { return }
    nodes.begin(configuration.graph)
    let installed = readNodeFiles()
    do throws(JACKError) {
      try tellNodesOfHost(on: connection)
      nodes.directory = try NodeDirectory(connection, declarations: installed)
    } catch {
      publish(.error, "no inter-app audio: \(error)")
      return
    }
    for place in nodes.chains.keys {
      nodes.chains[place]?.links = []
      nodes.chains[place]?.isSettling = false
    }
    for name in nodes.wanted.keys.sorted() {
      nodes.wanted[name]?.starts = 0
      nodes.wanted[name]?.client = nil
      nodes.wanted[name]?.isRefused = false
      nodes.wanted[name]?.isStopped = false
      if let node = nodes.running(name) { nodeCame(node) } else { startNode(name) }
    }
    settleInserts()
    watchNodes()
  }

  /// Reads the files of installed nodes, and tells of those that cannot be.
  func readNodeFiles() -> [InstalledNode] {
    let (installed, faults) = nodes.folders.read()
    for fault in faults { publish(.error, "\(fault)") }
    return installed
  }

  /// Takes in what a notification means for nodes.
  func takeNodes(_ notification: ClientNotification) {
    for change in nodes.directory?.take(notification) ?? [] {
      switch change {
      case .published(let node): nodeCame(node)
      case .changed(let node): nodeChanged(node)
      case .withdrawn(let node): nodeGone(node)
      case .remoteControl(let node, let event): remoteControl(event, from: node)
      case .overran(let node, _): nodeOverran(node)
      }
    }
    switch notification {
    case .portsConnected(let source, _): followRoute(source)
    case .portsDisconnected(let source, let destination):
      linkLost(ConnectionPair(source: source, destination: destination))
      followRoute(source)
    case .portUnregistered(let name), .portRenamed(let name, _): linksGone(with: name)
    default: break
    }
  }

  // MARK: - Coming and going

  func nodeCame(_ node: Node) {
    guard let name = nodes.wantedName(of: node), let connection = presence?.mix,
      nodes.running(name)?.name == node.name
    else { return }
    nodes.wanted[name]?.client = node.name
    nodes.wanted[name]?.failedConnections = 0
    nodes.wanted[name]?.cameNanoseconds = HostClock.nowNanoseconds()
    do throws(InterAppAudioError) {
      try nodeHostDescription.checkAccess(to: node)
      try connection.claim(node)
    } catch {
      nodes.wanted[name]?.isRefused = true
      fault(name, error.description)
      return
    }
    nodes.wanted[name]?.isRefused = false
    nodes.folders.noteUse(of: node.description)
    nodes.wanted[name]?.isMissing = false
    nodes.wanted[name]?.isStopped = false
    nodes.wanted[name]?.overrunsNanoseconds = []
    for place in nodes.places(of: name) { nodes.chains[place]?.lost = nil }
    clearFaults(of: name)
    for (strip, used) in nodes.sources where used == name { patchSource(strip, node) }
    publish(.nodeConnected, "node '\(name)' is connected", details: ["node": .string(name)])
    settleInserts()
  }

  /// Has the strip of a node source connected with the node's outputs whenever they are there.
  private func patchSource(_ strip: String, _ node: Node) {
    guard let presence else { return }
    let own = presence.inserts(at: .strip(strip))?.returnClient.inletNames ?? []
    guard let pairs = try? PortPairs.pairs(node.audioOutputs, own) else {
      let name = nodes.wantedName(of: node) ?? node.name
      return fault(name, "it has other channels than strip '\(strip)'")
    }
    keeper.plug(strip)
    keeper.change(
      ConnectionRule(
        owner: strip,
        direction: .intoHost,
        channels: pairs.map {
          ConnectionRule.Channel(ownPort: $0.destination, target: .named($0.source))
        },
      )
    )
    connectMissing()
    tellAvailability()
  }

  private func nodeGone(_ node: Node) {
    guard let name = nodes.wantedName(of: node), nodes.wanted[name]?.client == node.name else {
      return
    }
    nodes.wanted[name]?.client = nil
    publish(
      .nodeGone,
      "node '\(name)' is gone" + (nodes.places(of: name).isEmpty ? "" : "; it is bypassed"),
      details: ["node": .string(name)],
    )
    nodes.wanted[name]?.isStopped = false
    nodes.wanted[name]?.isRefused = false
    forgiveMisses(with: name)
    for place in nodes.places(of: name) { nodes.chains[place]?.lost = nil }
    if let another = nodes.running(name) { return nodeCame(another) }
    settleInserts()
    restartNode(name)
  }

  // MARK: - Starting

  private func restartNode(_ name: String) {
    guard let wanted = nodes.wanted[name] else { return }
    switch wanted.use.restart {
    case .never: return
    case .once where wanted.starts > 1: return
    case .once, .always:
      let now = HostClock.nowNanoseconds()
      if wanted.use.restart == .always, let came = wanted.cameNanoseconds,
        now &- came >= NodeKeeper.steadyNanoseconds
      {
        nodes.wanted[name]?.starts = 1
      }
      let wait = NodeKeeper.backOffNanoseconds(starts: nodes.wanted[name]?.starts ?? 1)
      nodes.wanted[name]?.notBeforeNanoseconds = now + wait
    }
  }

  /// Starts the nodes whose time has come, and tells of programs that have come to nothing; by the host's
  /// timer.
  func restartNodes() {
    for (name, wanted) in nodes.wanted
    where wanted.cameNanoseconds == nil && wanted.program?.hasEnded == true {
      nodes.wanted[name]?.program = nil
      let end = wanted.program?.end.map { ": " + $0 } ?? ""
      publish(
        .nodeGone,
        "node '\(name)': its program has ended without being a node of the server" + end,
        details: ["node": .string(name)],
      )
      restartNode(name)
    }
    let now = HostClock.nowNanoseconds()
    for (name, wanted) in nodes.wanted
    where wanted.notBeforeNanoseconds != 0 && now >= wanted.notBeforeNanoseconds {
      nodes.wanted[name]?.notBeforeNanoseconds = 0
      if nodes.running(name) == nil { startNode(name) }
    }
  }

  /// Starts what a node file says; without one the node is waited for.
  func startNode(_ name: String) {
    guard let server = presence?.mix.server else { return }
    guard let file = nodes.installed(name), !file.command.isEmpty else {
      guard nodes.wanted[name]?.isMissing == false else { return }
      nodes.wanted[name]?.isMissing = true
      publish(
        .nodeGone,
        "node '\(name)' does not run, and no node file tells how to start it; it is waited for",
        details: ["node": .string(name)],
      )
      return
    }
    do throws(InterAppAudioError) {
      let program = try NodeProgram(
        file.command,
        server: server,
        lossPolicy: file.lossPolicy,
      )
      nodes.wanted[name]?.program = program
      nodes.wanted[name]?.starts += 1
      nodes.wanted[name]?.cameNanoseconds = nil
      publish(
        .nodeStarted,
        "node '\(name)' is started: \(file.command.joined(separator: " "))",
        details: ["node": .string(name), "pid": .integer(Int64(program.processID))],
      )
    } catch {
      fault(name, error.description)
    }
  }

  // MARK: - Remote control

  private func remoteControl(_ event: AudioUnitRemoteControlEvent, from node: Node) {
    guard let connection = presence?.mix, nodes.wantedName(of: node) != nil else { return }
    do throws(JACKError) {
      switch event {
      case .togglePlayPause:
        if try connection.transport.state == .stopped {
          try connection.startTransport()
        } else {
          try connection.stopTransport()
        }
      case .rewind:
        try connection.locateTransport(toFrame: 0)
      case .toggleRecord:
        nodeTransport.isRecording.toggle()
        nodeTransport = try connection.announce(nodeTransport)
      }
      publish(
        .remoteControl,
        "node '\(node.name)' asks: \(event)",
        details: ["node": .string(node.name), "event": .string("\(event)")],
      )
    } catch {
      publish(.error, "node '\(node.name)' asks: \(event): \(error)")
    }
  }
}
