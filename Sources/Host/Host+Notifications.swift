// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import JACK
internal import Mixing
internal import Patchbay
internal import Sessions

/// The handling of JACK's notifications and of the timer: each goes to the rooms that it concerns.
extension Host {
  // MARK: - Attached

  /// Begins the rooms that need a server, after each attachment.
  ///
  /// - Parameter keepingSessions: Whether sessions and their preferences stay, because the server was not
  ///   lost.
  func attached(keepingSessions: Bool) {
    guard let attachment = rooms.control.attachment else { return }
    listen(to: attachment)
    rooms.patches.read()
    attachment.connections.makeMissing()
    if attachment.hostName != attachment.requestedName {
      rooms.control.publish(
        .hardwareChanged(),
        "the name \"\(attachment.requestedName)\" was taken; "
          + "JACK calls this host \"\(attachment.hostName)\"",
      )
    }
    rooms.routes.begin(
      on: RouteRoom.Server(
        name: rooms.server.name,
        sampleRateHz: rooms.hardware.sampleRateHz,
        isPipeWire: rooms.hardware.facts.identity?.kind == .pipewire,
      )
    )
    rooms.tellAvailability()
    rooms.sessions.tellRunning()
    beginSessions(keepingSessions: keepingSessions)
    rooms.sources.begin()
    rooms.capture.begin()
    rooms.nodes.begin()
    rooms.controllers.begin()
    rooms.patches.enforce()
    rooms.hardware.confirmBuffer()
    rooms.output.attached(status())
  }

  /// Opens the sessions of the graph or continues the existing ones, and adopts clients.
  private func beginSessions(keepingSessions: Bool) {
    if keepingSessions {
      rooms.adoption.begin()
      rooms.sessions.resume()
      rooms.hardware.tellValues(byOthers: false)
    } else {
      rooms.sessions.begin(rooms.hardware.towerFacts) { () throws(SessionError) in
        try rooms.hardware.hostSession()
      }
      rooms.adoption.begin()
    }
  }

  // MARK: - Notifications

  /// Handles JACK's notifications to the main client, as long as it is open.
  private func listen(to attachment: Attachment) {
    let notifications = attachment.notifications
    // Before requests that wait: a capture that needs a permission is heard until it is cut.
    Task(priority: .high) {
      for await notification in notifications {
        // Notifications of a client that has been replaced are ignored.
        guard rooms.control.attachment === attachment else { return }
        take(notification, from: attachment)
      }
    }
  }

  private func take(_ notification: ClientNotification, from attachment: Attachment) {
    guard !takeHeld(notification, from: attachment) else { return }
    rooms.controllers.take(notification)
    defer { rooms.nodes.take(notification) }
    let connections = attachment.connections
    switch notification {
    case .portRegistered(let port):
      connections.appeared(port)
      rooms.patches.appeared(port)
      rooms.capture.prepare(port.name)
      portChanged(port.name)
    case .portUnregistered(let name):
      connections.vanished(name)
      rooms.patches.vanished(name)
      portChanged(name)
    case .portRenamed(let old, let new):
      rename(old, to: new, on: connections)
    case .portsConnected(let source, let destination):
      rooms.capture.enforce(source: source, destination: destination)
      let pair = ConnectionPair(source: source, destination: destination)
      connections.connected(pair)
      rooms.patches.connected(pair, isHosts: connections.takeOwnConnect(pair))
      rooms.adoption.connected(source, to: destination)
      rooms.sources.connected(source, to: destination)
      rooms.sessions.enforceStrips(source: source)
      rooms.pace.settleSoon()
    case .portsDisconnected(let source, let destination):
      let pair = ConnectionPair(source: source, destination: destination)
      connections.disconnected(pair)
      rooms.patches.disconnected(pair, isHosts: connections.takeOwnCut(pair))
      rooms.capture.disconnected(pair)
      rooms.adoption.disconnected(source, from: destination)
      rooms.sources.disconnected(source, from: destination)
      rooms.pace.settleSoon()
    case .bufferSizeChanged(let frames): rooms.hardware.bufferChanged(Int(frames))
    case .sampleRateChanged(let hz): rooms.server.sampleRateChanged(Int(hz))
    case .xrun(let delay, let frameTime):
      countXrun(delayMicroseconds: Double(delay), frame: UInt64(frameTime), on: attachment)
    case .freewheel(let isOn):
      rooms.control.publish(.hardwareChanged(), isOn ? "freewheeling" : "back in real time")
      let areOwnLost = connections.freewheel(isOn)
      // jackd2 goes back to the connections of before, and reports none of that.
      if !isOn { readAnewSoon(attachment, areOwnLost: areOwnLost) }
    case .shutdown(_, let reason): rooms.server.lose(reason)
    case .latencyRecomputed: rooms.routes.readLatenciesSoon()
    case .clientUnregistered(let client): rooms.capture.clientGone(client)
    case .graphReordered, .clientRegistered, .propertyChanged: break
    }
  }

  /// Handles a port that has another name, and whose connections stay.
  private func rename(_ old: String, to new: String, on connections: HostConnections) {
    let isKept = connections.renamed(old, to: new)
    rooms.patches.renamed(old, to: new)
    rooms.capture.prepare(new)
    if isKept {
      rooms.adoption.portRenamed(old, to: new)
    } else {
      portChanged(old)
      portChanged(new)
    }
    // Permissions and rules that go by names may mean its connections now.
    let isOutput = connections.ports.info(of: new)?.isOutput == true
    for other in connections.others(of: new) {
      rooms.capture.enforce(source: isOutput ? new : other, destination: isOutput ? other : new)
    }
    rooms.sessions.enforceStrips(source: new)
    rooms.pace.settleSoon()
  }

  /// Handles a connection that a program in an alarm makes again and again: it is cut, and no other room hears of it.
  ///
  /// Such a program makes hundreds in a second, and is heard until each is cut.
  private func takeHeld(_ notification: ClientNotification, from attachment: Attachment) -> Bool {
    switch notification {
    case .portsConnected(let source, let destination):
      let pair = ConnectionPair(source: source, destination: destination)
      guard rooms.capture.hold(pair) else { return false }
      attachment.connections.connected(pair)
      _ = attachment.connections.takeOwnConnect(pair)
      return true
    case .portsDisconnected(let source, let destination):
      let pair = ConnectionPair(source: source, destination: destination)
      guard rooms.capture.isHeld(pair) else { return false }
      attachment.connections.disconnected(pair)
      _ = attachment.connections.takeOwnCut(pair)
      return true
    default: return false
    }
  }

  /// Handles a port that has come or gone.
  ///
  /// Work about its client is done at once, work about the whole patch once for all ports of a burst.
  private func portChanged(_ port: String) {
    rooms.adoption.portChanged(port)
    rooms.pace.settleSoon()
  }

  private func countXrun(delayMicroseconds: Double, frame: UInt64, on attachment: Attachment) {
    rooms.levels.countXrun(
      LevelRoom.LateCycle(
        delayMicroseconds: delayMicroseconds,
        frame: frame,
        callbackNanoseconds: UInt64(attachment.callbacks.lastNanoseconds),
        loadPercent: attachment.loadPercent,
        periodMicroseconds: rooms.hardware.periodMicroseconds,
      )
    )
  }

  // MARK: - Reading anew

  /// Reads the graph anew once the server runs cycles with it: jackd2 restores its connections before it starts its driver again.
  ///
  /// - Parameters:
  ///   - attachment: The server.
  ///   - areOwnLost: Whether the server has lost ports of the host's own, which needs new ones then.
  private func readAnewSoon(_ attachment: Attachment, areOwnLost: Bool) {
    Task {
      await rooms.control.passCycles(2, on: attachment)
      guard rooms.control.attachment === attachment else { return }
      if areOwnLost { await rooms.server.attachAnew([:]) } else { readAnew() }
    }
  }

  /// Brings all rooms to what the server has, where no reports have told it.
  func readAnew() {
    guard let attachment = rooms.control.attachment else { return }
    do throws(JACKError) {
      try attachment.connections.read()
    } catch {
      return rooms.control.publish(.error(), "the connections cannot be read: \(error)")
    }
    rooms.adoption.readAnew()
    rooms.patches.readAnew()
    attachment.connections.makeMissing()
    rooms.capture.enforceAll()
    rooms.sessions.enforceStrips()
    rooms.nodes.readAnew()
    rooms.sources.begin()
    rooms.sessions.tellRunning()
    rooms.tellAvailability()
    rooms.routes.readLatenciesSoon()
    rooms.pace.settleSoon()
  }

  // MARK: - Settling

  /// Brings the rooms up to date after a burst of notifications.
  func settle() {
    guard let attachment = rooms.control.attachment else { return }
    let clients = attachment.connections.takeChangedClients()
    if !clients.isEmpty {
      rooms.capture.review(clients: clients)
      attachment.connections.makeMissing()
    }
    // Also where connections alone have changed: what a user has patched by hand is there.
    rooms.tellAvailability()
    if !clients.isEmpty {
      rooms.routes.readLatenciesSoon()
      rooms.nodes.settle()
    }
    rooms.patches.settle()
    rooms.capture.enforceOutputs()
    rooms.programs.askAboutUnknown()
    rooms.keeping.keep(attachment.connections.patches)
  }

  // MARK: - The timer

  /// Runs the periodic work of the engine, the server and all rooms once.
  func look() {
    rooms.server.look()
    guard let attachment = rooms.control.attachment else { return }
    // JACK reports faster than the host reads: what was dropped is not known.
    if attachment.takeLostNotifications() { readAnew() }
    rooms.levels.collect()
    rooms.collectMix()
    rooms.controllers.look()
    rooms.capture.look()
    rooms.programs.askAboutUnknown()
    attachment.connections.settle()
    rooms.patches.settle()
    rooms.keeping.keep(attachment.connections.patches)
    rooms.routes.supervise()
    rooms.adoption.tick()
    rooms.sessions.listenToPrompts()
    attachment.catchUp(isBusy: rooms.adoption.isAnyArriving)
    rooms.guarding.look()
    rooms.tellGuard()
    rooms.nodes.look()
    rooms.levels.tell(
      attachment.inputFaults().merging(rooms.capture.inputFaults()) { $0 + $1 }
    )
    readMeters(of: attachment)
    rooms.parameters.take(attachment.transport)
    rooms.keeping.keepPositions()
  }

  private func readMeters(of attachment: Attachment) {
    attachment.engine.watchLevels(rooms.levels.isWatched)
    guard let reading = rooms.levels.read({ attachment.engine.meters() }) else { return }
    if rooms.sessions.tellSilence(heard: reading.heard) { rooms.parameters.changed() }
    if let meters = reading.meters {
      rooms.output.present(meters)
      rooms.surfaces.present(meters)
      rooms.parameters.take(meters)
    }
  }
}
