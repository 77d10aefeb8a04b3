// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import Mixing
internal import Sessions

/// The rooms, as another version of the graph comes into force. [control-thread]
extension Rooms {
  /// Goes over to the version in force, room by room.
  ///
  /// - Parameters:
  ///   - before: The version that was in force, with the new names of its sources and routes.
  ///   - renames: The sources and routes that have been renamed.
  func take(insteadOf before: GraphFile, renaming renames: PortRenames) {
    routes.take(insteadOf: before)
    control.attachment?.connections.makeMissing()
    tellAvailability()
    sessions.take(
      towerSettings(under: graph),
      insteadOf: before,
      sampleRateHz: hardware.sampleRateHz,
    )
    if graph.adoptions != before.adoptions { adoption.takeRules() }
    if graph.permissions != before.permissions || graph.tower != before.tower {
      capture.takePermissions()
    }
    patches.take(graph.patches)
    nodes.take(insteadOf: before)
    controllers.take(controllerDevices(of: graph))
    recording.take(graph.recorders, insteadOf: before.recorders, rateHz: hardware.sampleRateHz)
    if graph.serverPreference != before.serverPreference {
      hardware.takePreference(insteadOf: before.serverPreference)
    }
    capture.enforceOutputs()
    sessions.enforceStrips()
    guarding.look()
    tellGuard()
    parameters.changed()
  }

  /// The tower's settings under a graph, with what it gives to the sessions that are there.
  ///
  /// The tower knows an adopted client by its program's name, and a source by the one with which its session began.
  ///
  /// - Parameters:
  ///   - graph: The graph.
  ///   - renamed: The sources with another name in it, old to new.
  /// - Returns: The settings.
  func towerSettings(
    under graph: GraphFile,
    renamed: [String: String] = [:],
  ) -> TowerConfiguration {
    var settings = graph.towerConfiguration
    for (_, held) in sessions.all {
      switch held.owner {
      case .client(let client):
        guard let session = adoptedSession(of: client, under: graph) else { continue }
        settings.priorityClasses[held.app] = session.priorityClass
        settings.permissions[held.app] = capture.permission(ofClient: client, under: graph)
      case .source:
        let name = renamed[held.name] ?? held.name
        guard let session = graph.source(named: name)?.session else { continue }
        settings.priorityClasses[held.app] = session.priorityClass
        settings.permissions[held.app] = .granted
      case .host, .connection: break
      }
    }
    return settings
  }

  /// The session that a graph's rule gives a client; nil for one that is left alone.
  func adoptedSession(of client: String, under graph: GraphFile) -> GraphFile.AppSession? {
    graph.adoption(of: client) { [programs] in programs.program(of: client).executable }?.session
  }

  /// Gives sources and routes other names.
  func rename(_ renames: PortRenames) {
    sessions.rename(strips: renames.strips)
    routes.rename(renames.routes)
    sessions.rename(routes: renames.routes)
    webTokens.rename(routes: renames.routes)
    recording.rename(renames.strips.merging(renames.routes) { first, _ in first })
    nodes.rename(renames)
    scenes.rename(renames)
    learning.rename(renames)
    // Last: whoever is told of it may ask for any of them.
    parameters.rename(renames)
  }

  /// Keeps what users change compared with the mix of the version in force.
  func takeKeptMix() {
    guard let bank = sources.present else { return }
    keeping.takeMix(
      MixBuilder.spec(
        of: graph,
        channels: bank.channels,
        sampleRateHz: Double(hardware.sampleRateHz),
      )
    )
  }
}

extension GraphFile {
  /// The nodes that are sources, by source. [any-thread]
  var nodeSources: [String: NodeUse] {
    Dictionary(
      sources.compactMap { source in
        guard case .node(let use) = source.kind else { return nil }
        return (source.name, use)
      }
    ) { first, _ in first }
  }

  /// Whether the graph has a source or a route of this name. [any-thread]
  func has(_ name: String) -> Bool { source(named: name) != nil || route(named: name) != nil }

  /// The crossfader side and the cue that the graph gives a strip of a rule. [any-thread]
  func controls(of strip: String) -> StripSpec {
    StripSpec(
      id: strip,
      channels: 1,
      isCued: isCued(strip),
      crossfaderSide: crossfaderSide(of: strip),
    )
  }
}
