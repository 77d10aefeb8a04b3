// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import Mixing

/// The parts of a version that concern the host as a whole. [control-thread]
extension Rooms {
  /// The fade of the routes before the host leaves its server.
  private static let fadeSeconds = 0.01

  /// The part of a version that only a new start of the host can change, with the reason; nil without any.
  func partForStart(of new: GraphFile) -> (part: String, reason: String)? {
    if new.name != graph.name || new.managedName != graph.managedName {
      return (
        "name",
        "the running host is '\(graph.name)', and its socket and its kept state have that name"
      )
    }
    if new.server != graph.server, opensCard(with: new.server) {
      return (
        "server", "the host opens the microphones of a sound card once, when it starts"
      )
    }
    return nil
  }

  /// Goes over to a JACK server with other settings; everything is silent meanwhile.
  ///
  /// - Parameters:
  ///   - settings: The settings.
  ///   - former: The settings of the present one.
  /// - Throws: ``HostError`` if the host cannot be there; it is back on the present one then, or looks for it.
  func moveServer(
    to settings: GraphFile.Server,
    from former: GraphFile.Server,
  ) async throws(HostError) {
    guard settings != former else { return }
    await hardware.isSettled()
    guard let last = control.attachment else { throw .notAttached }
    control.publish(
      .hardwareChanged(),
      "the host leaves the JACK server \"\(server.name)\" for one with the settings of the graph",
    )
    let gains = Dictionary(last.spec.routes.map { ($0.id, $0.gainDB) }) { first, _ in first }
    await last.fadeOut(seconds: Self.fadeSeconds)
    guard control.attachment === last else { throw .serverWent }
    try await server.change(to: settings, insteadOf: former, gains)
  }
}
