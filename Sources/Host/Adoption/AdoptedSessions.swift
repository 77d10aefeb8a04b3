// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import Sessions

/// The sessions that adopted clients get, each with its strips.
///
/// Belongs to the control thread.
final class AdoptedSessions {
  private let sessions: SessionRoom
  private let clients: AdoptedClients
  private let places: AdoptedPlaces
  private let permission: (_ client: String) -> RecordPermission?

  /// Makes the sessions of the clients of a directory.
  ///
  /// - Parameters:
  ///   - sessions: All sessions.
  ///   - clients: The directory.
  ///   - places: Where the clients are heard.
  ///   - permission: The permission of a client, by the client's name; nil if the tower knows it.
  init(
    sessions: SessionRoom,
    clients: AdoptedClients,
    places: AdoptedPlaces,
    permission: @escaping (_ client: String) -> RecordPermission?,
  ) {
    self.sessions = sessions
    self.clients = clients
    self.places = places
    self.permission = permission
  }

  /// Lets the tower know the class and the permission that the graph gives a client: they need no further permission
  /// (ACT-4).
  func grant(_ app: String, of client: String, _ session: GraphFile.AppSession) {
    var settings = sessions.state.configuration
    settings.priorityClasses[app] = session.priorityClass
    settings.permissions[app] = permission(client)
    if settings != sessions.state.configuration {
      sessions.tell(.configurationChanged(configuration: settings))
    }
  }

  /// Gives a client another version of its rule that differs in levels alone.
  func take(_ rule: GraphFile.Adoption, of id: SessionID) {
    for part in clients.parts(of: id) {
      clients.change(part) { $0.take(rule) }
      if let start = clients[part]?.start { sessions.take(start, ofStrip: part.index, of: id) }
    }
  }

  /// Opens the session of a client, with a strip for each of its parts, and adds the client to the directory.
  ///
  /// - Parameters:
  ///   - parts: The parts of the client.
  ///   - program: Its program.
  ///   - session: The session that its rule gives it.
  ///   - instance: The name under which its values are kept.
  /// - Returns: The session.
  /// - Throws: `ControlError` if the session or its strips are refused; the client is not in the directory then.
  func open(
    _ parts: [AdoptedClient],
    _ program: Program,
    _ session: GraphFile.AppSession,
    instance: String,
  ) throws -> SessionID {
    let client = parts[0]
    var description = try session.description(app: program.title, isAdopted: true)
    description.origin = .client(name: client.name, executable: program.executable)
    description.traits.pinnedOutputs = places.pinnedOutputs(of: parts)
    description.traits.preferredOutputs = places.preferredOutputs(of: parts)
    let name = sessions.freeName(program.title, channels: client.channels)
    let graphStrips = parts.compactMap(\.strip?.name)
    let strips =
      graphStrips.isEmpty
      ? [name] : parts.map { sessions.freeName($0.strip?.name ?? name, channels: $0.channels) }
    var held = HeldSession(
      name: name,
      app: program.title,
      owner: .client(client.name),
      strips: strips,
      feed: .client(channels: parts.map(\.channels)),
    )
    held.keptInstance = instance
    held.graphStrips = graphStrips
    held.meterTaps = parts.map(\.meterTap)
    if program.executable != nil { held.executable = program.name }
    held.isBeingMoved = true
    held.starts = parts.map(\.start)
    var number: SessionID?
    do throws(ControlError) {
      return try sessions.open(
        held,
        description,
        rule: { parts[$0].connectionRule(strip: strips[$0], client: $1) },
        onNumber: { [clients] id in
          number = id
          clients.add(parts, as: id)
        },
      )
    } catch {
      if let number { clients.remove(number) }
      throw error
    }
  }
}
