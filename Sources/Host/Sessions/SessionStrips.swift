// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import JACK
internal import Mixing
internal import Patchbay
internal import Sessions

/// The audio half of sessions: their strips, and the detection of running audio.
///
/// Belongs to the control thread.
final class SessionStrips {
  private let control: Control
  private let inForce: GraphRoom
  private var graph: GraphFile { inForce.file }
  private let connectsPorts: Bool
  private let ledger: SessionLedger
  private let sources: SourceRoom

  /// Makes the audio half of the sessions of a ledger.
  init(
    control: Control,
    graph: GraphRoom,
    connectsPorts: Bool,
    ledger: SessionLedger,
    sources: SourceRoom,
  ) {
    self.control = control
    inForce = graph
    self.connectsPorts = connectsPorts
    self.ledger = ledger
    self.sources = sources
  }

  // MARK: - Strips

  /// Gives a session one of its own strips, silent until the tower opens its gate.
  ///
  /// - Parameters:
  ///   - session: A session with strips of its own.
  ///   - index: The number of the strip.
  ///   - levels: The levels with which it starts; its sends come with its routes.
  ///   - isCued: Whether its user has it on the cue routes; nil where the graph decides.
  ///   - rule: The connections that feed the strip, by the name of the host's client.
  /// - Throws: `notReady` without a server, `refused` if JACK or the engine has no room.
  func add(
    _ session: HeldSession,
    _ index: Int,
    _ levels: GraphFile.StartLevels,
    isCued: Bool?,
    rule: (_ client: String) -> ConnectionRule?,
  ) throws(ControlError) {
    guard let attachment = control.attachment else {
      throw ControlError(.notReady, message: "the host is not attached to a JACK server now")
    }
    var spec = StripSpec(
      id: session.strips[index],
      channels: session.channels(ofStrip: index),
      faderDB: levels.gainDB,
      isGated: true,
      pan: levels.pan,
      meterTap: StripSpec.MeterTap(session.meterTap(ofStrip: index)),
    )
    if session.graphStrips.indices.contains(index) {
      spec.crossfaderSide = graph.crossfaderSide(of: session.graphStrips[index])
      spec.isCued = graph.isCued(session.graphStrips[index])
    }
    if let isCued { spec.isCued = isCued }
    try attachment.strips.add(spec, feed: sources.feed(ofStrip: spec.id), rule: rule)
  }

  /// Plays a file into a strip that is about to be added; ``remove(_:)`` ends it.
  func play(_ file: OpenedFile, strip: String) { sources.play(file, strip: strip) }

  /// Forgets the file of a strip that could not be added.
  func forgetFile(of strip: String) { sources.leave(strip: strip) }

  /// Removes a strip with a fade, and the file that the host plays into it.
  func remove(_ id: String) {
    sources.leave(strip: id)
    if let attachment = control.attachment { return attachment.strips.remove(id) }
    guard let engine = control.life.remains?.mix.engine else { return }
    do throws(MixError) {
      try engine.apply(engine.spec.removing(strip: id))
    } catch {
      control.publish(.error(), "strip '\(id)' cannot be removed: \(error)")
    }
  }

  /// Opens or closes the gates of a session's strips.
  func setGate(_ id: SessionID, isOpen: Bool, fadeMilliseconds: Double) {
    if isOpen { resumePlayers(of: id) }
    let isStep = isOpen && ledger.held[id]?.startsAtOnce == true
    onStrips(of: id) { engine, strip throws(MixError) in
      let fade: Fade = isStep ? .none : .seconds(fadeMilliseconds / 1000)
      try engine.setGate(strip: strip, isOpen: isOpen, fade: fade)
    }
  }

  /// Ducks a session's strips by a gain, or ends the duck.
  func setDuck(_ id: SessionID, gainDB: Double, rampMilliseconds: Double) {
    onStrips(of: id) { engine, strip throws(MixError) in
      try engine.setDuck(
        strip: strip,
        decibels: gainDB,
        fade: .seconds(rampMilliseconds / 1000),
      )
    }
  }

  private func onStrips(
    of id: SessionID,
    _ body: (MixEngine, String) throws(MixError) -> Void,
  ) {
    guard let engine = control.mixEngine else { return }
    for strip in ledger.held[id]?.strips ?? [] {
      do throws(MixError) {
        try body(engine, strip)
      } catch {
        control.publish(.error(), "strip '\(strip)': \(error)")
      }
    }
  }

  /// Sends a session's own strip to these routes only; the levels of sends that it had before are theirs again.
  ///
  /// - Parameters:
  ///   - id: The session.
  ///   - routes: The routes by name.
  ///   - placed: Where each strip is heard that an adopted client feeds, with the channels; nil for other strips.
  ///   - isFlat: Whether the strip's channels are the flat channel space of `multiRoute`.
  func setSends(
    of id: SessionID,
    to routes: [String],
    placed: ((_ strip: Int) -> [(route: String, matrix: [[Float]]?)])?,
    isFlat: Bool,
  ) {
    guard let attachment = control.attachment else { return }
    remember(id, attachment.engine.spec)
    guard let held = ledger.held[id] else { return }
    for (index, strip) in held.strips.enumerated() {
      let levels = held.sendLevels[index] ?? [:]
      do throws(ControlError) {
        try attachment.changeMix { mix throws(ControlError) in
          try mix.change(fade: held.startsAtOnce ? .none : .standard) { spec in
            if let sends = placed?(index) {
              spec.place(strip, to: sends.map(\.route), sends.map(\.matrix), levels: levels)
            } else {
              spec.route(strip, to: routes, isFlat: isFlat, levels: levels)
            }
          }
        }
      } catch {
        control.publish(.error(), "strip '\(strip)': \(error)")
      }
    }
    attachment.latencies.restateLater()
  }

  /// Gives a strip the levels of another version of its rule, where that changes them.
  ///
  /// - Parameters:
  ///   - start: The levels with which the strip would start now.
  ///   - index: The number of the strip.
  ///   - id: The session.
  func take(_ start: GraphFile.StartLevels, ofStrip index: Int, of id: SessionID) {
    guard let held = ledger.held[id], held.strips.indices.contains(index) else { return }
    let (strip, before) = (held.strips[index], held.start(ofStrip: index))
    guard start != before else { return }
    let routes = Set(start.sends.keys).union(before.sends.keys)
    let sends = routes.filter { start.sends[$0] != before.sends[$0] }.map { route in
      (route: route, level: start.sends[route] ?? GraphFile.SendLevel())
    }
    ledger.change(id) { held in
      while held.starts.count <= index { held.starts.append(GraphFile.StartLevels()) }
      held.starts[index] = start
      for send in sends { held.sendLevels[index, default: [:]][send.route] = send.level }
    }
    do throws(ControlError) {
      try control.attachment?.changeMix { mix throws(ControlError) in
        try mix.change { spec in
          guard let place = spec.strips.firstIndex(where: { $0.id == strip }) else { return }
          if start.gainDB != before.gainDB { spec.strips[place].faderDB = start.gainDB }
          if start.isMuted != before.isMuted { spec.strips[place].isMuted = start.isMuted }
          if start.pan != before.pan { spec.strips[place].pan = start.pan }
          for send in sends {
            for place in spec.sends.indices
            where spec.sends[place].strip == strip && spec.sends[place].route == send.route {
              spec.sends[place].gainDB = send.level.gainDB
              spec.sends[place].isMuted = send.level.isMuted
            }
          }
        }
      }
    } catch {
      control.publish(.error(), "strip '\(strip)': \(error)")
    }
  }

  /// Notes the levels of the sends that are there, before some of them go.
  private func remember(_ id: SessionID, _ spec: MixSpec) {
    ledger.change(id) { held in
      for (index, strip) in held.strips.enumerated() { held.note(spec.sends, of: strip, index) }
    }
  }

  /// Disconnects direct connections to the hardware, so that a session's ports are heard only through their
  /// strip (INT-1).
  ///
  /// - Parameter source: The one port to check; nil for all.
  func enforce(source: String? = nil) {
    guard connectsPorts, let attachment = control.attachment else { return }
    let patterns = ledger.claims.values.flatMap(\.patterns)
    guard !patterns.isEmpty else { return }
    let claimed = Self.claimed(by: patterns, among: attachment.connections.ports, source: source)
    guard !claimed.isEmpty else { return }
    let hardwarePorts = Set(
      graph.outputRoutes
        .flatMap { attachment.connections.foundPorts(of: $0.name) }
        + attachment.connections.ports.physical(facing: .outOfHost)
    )
    for port in claimed {
      for other in attachment.connections.others(of: port) where hardwarePorts.contains(other) {
        do throws(JACKError) {
          try attachment.connections.cut(ConnectionPair(source: port, destination: other))
          control.publishEnforcement(of: port, insteadOf: other)
        } catch {
          // The connection has gone by itself.
          continue
        }
      }
    }
  }

  /// The ports that patterns match, as the rules of the strips have found them; of one port only, where it is given.
  private static func claimed(
    by patterns: [PortPattern],
    among ports: PortDirectory,
    source: String?,
  ) -> [String] {
    guard let source else {
      return Set(patterns.flatMap { ports.named($0, facing: .intoHost) }).sorted()
    }
    let isClaimed = patterns.contains { ports.isNamed(source, by: $0, facing: .intoHost) }
    return isClaimed ? [source] : []
  }

  // MARK: - Running audio

  /// Whether a session's audio runs (SES-4), from its program's report or from its connections.
  ///
  /// - Parameters:
  ///   - held: The session.
  ///   - isCapturing: Whether a client is connected to a capture gate.
  /// - Returns: Whether the audio runs.
  func isRunning(_ held: HeldSession, isCapturing: (String) -> Bool) -> Bool {
    if held.owner == .host { return true }
    if let isRunning = held.reportedRunning { return isRunning }
    guard let attachment = control.attachment else { return false }
    if case .client(let client) = held.owner, isCapturing(client) { return true }
    return held.strips.contains { strip in
      if let source = graph.source(named: strip) {
        guard case .ports = source.kind else { return true }
      }
      return attachment.connections.isConnected(attachment.strips.ports(of: strip))
    }
  }

  // MARK: - Players of the graph

  /// Pauses the file of a strip that has become silent, if its session is interrupted or paused; a muted file
  /// plays on (INT-5, INT-6).
  func pausePlayer(ofStrip strip: String, of id: SessionID) {
    guard let session = ledger.session(id), !session.isGateOpen else { return }
    let isFile = ledger.held[id]?.playsFile == true
    guard
      isFile
        ? session.pausesPlayedFile : session.interruption != nil || session.isPaused
    else { return }
    sources.setPlaying(strip, false)
  }

  /// Lets the file of an active session begin that is silent from the start, for example by the silent switch: it plays on
  /// unheard, as one that falls silent later.
  func beginUnheard(_ id: SessionID) {
    guard let session = ledger.session(id), session.isActive, !session.isGateOpen,
      !session.isPaused
    else { return }
    for strip in ledger.held[id]?.strips ?? [] { sources.beginUnheard(strip: strip) }
  }

  private func resumePlayers(of id: SessionID) {
    for strip in ledger.held[id]?.strips ?? [] { sources.setPlaying(strip, true) }
  }
}

extension Session {
  /// Whether a file that the host plays for it waits while it is silent. [any-thread]
  ///
  /// A prompt that would not be resumed after its interruption plays on unheard, so that its program does not wait for ever.
  fileprivate var pausesPlayedFile: Bool {
    if isPaused { return true }
    guard interruption != nil else { return !isActive }
    return traits.reactions.interruptionEnd == .resume
  }
}

extension Control {
  /// The engine of the mix, which takes changes also without a server; nil before the first attachment.
  var mixEngine: MixEngine? { attachment?.engine ?? life.remains?.mix.engine }

  /// Publishes that a port is heard through its strip, because its direct connection was removed (INT-1).
  func publishEnforcement(of port: String, insteadOf hardware: String) {
    publish(
      .decision(.init(rule: .int1, port: port)),
      "INT-1 \(port) sounds through its session's strip and not directly to \(hardware)",
    )
  }
}
