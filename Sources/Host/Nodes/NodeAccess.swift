// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import InterAppAudio
internal import JACK
internal import Sessions

/// The host's description for nodes, and the check of which nodes may be connected (IAA-3, IAA-4).
///
/// Belongs to the control thread.
final class NodeAccess {
  private let inForce: GraphRoom
  private var graph: GraphFile { inForce.file }
  private let server: () -> (any NodeServer)?
  private let isSessionActive: () -> Bool
  /// Whether the published description calls the host's session active.
  private var isPublishedActive = false

  /// Makes the access for a graph.
  ///
  /// - Parameters:
  ///   - graph: The graph, with the host's session.
  ///   - server: Gives the server; nil while the host is not attached.
  ///   - isSessionActive: Whether the host's own session is active.
  init(
    graph: GraphRoom,
    server: @escaping () -> (any NodeServer)?,
    isSessionActive: @escaping () -> Bool,
  ) {
    inForce = graph
    self.server = server
    self.isSessionActive = isSessionActive
  }

  /// Checks whether a node may be connected.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - assumesSession: Whether the host's session counts as active, because it may become so later.
  /// - Throws: `notPermitted` with the missing permission and its place.
  func check(_ node: Node, assumingSession assumesSession: Bool = false) throws(InterAppAudioError)
  {
    var host = description
    if assumesSession { host.isSessionActive = true }
    try host.checkAccess(to: node)
  }

  /// Publishes the host's present description for nodes.
  func describeHost(on server: any NodeServer) throws(JACKError) {
    let description = description
    try server.describe(description)
    isPublishedActive = description.isSessionActive
  }

  /// Publishes a change of the host's session.
  ///
  /// A connected node stays connected while the host is interrupted; its strip is silent then.
  ///
  /// - Returns: Whether nodes that waited for the session may be connected now.
  func followSession() -> Bool {
    guard let server = server(), isSessionActive() != isPublishedActive else { return false }
    // When the server has just gone, the description is published again on its return.
    try? describeHost(on: server)
    return isPublishedActive
  }

  private var description: HostDescription {
    HostDescription(
      name: server()?.hostName ?? graph.name,
      iconName: "multimedia-volume-control",
      hasEntitlement: true,
      mixesWithOthers: graph.session.options.contains { $0.contains(.mixWithOthers) },
      isSessionActive: server() != nil && isSessionActive(),
    )
  }
}
