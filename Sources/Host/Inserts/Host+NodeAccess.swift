// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import InterAppAudio
internal import JACK
internal import Sessions

/// Which nodes are let in, and when (IAA-3, IAA-4).
extension Host {
  /// What nodes are told about this host.
  var nodeHostDescription: HostDescription {
    HostDescription(
      name: presence?.mix.name ?? configuration.graph.name,
      iconName: "multimedia-volume-control",
      hasEntitlement: true,
      mixesWithOthers: configuration.graph.session.options.contains {
        $0.contains(.mixWithOthers)
      },
      isSessionActive: isHostSessionActive,
    )
  }

  private var isHostSessionActive: Bool {
    guard let host = tower.held.first(where: { $0.value.owner == .host })?.key else { return false }
    return phase == .running && tower.tower.state.session(host)?.isActive == true
  }

  /// Tells nodes what the host's session is like now.
  func tellNodesOfHost(on connection: ClientConnection) throws(JACKError) {
    let description = nodeHostDescription
    try description.publish(on: connection)
    nodes.isHostToldActive = description.isSessionActive
  }

  /// Lets in those that had to wait for the host's session to be active, as long as it is.
  ///
  /// Who is connected stays so while the host is interrupted: its strips are silent then.
  func followHostSession() {
    guard let connection = presence?.mix, isHostSessionActive != nodes.isHostToldActive else {
      return
    }
    // Where the server has just gone, all are told anew when it is back.
    try? tellNodesOfHost(on: connection)
    guard nodes.isHostToldActive else { return }
    for (name, wanted) in nodes.wanted where wanted.isRefused {
      if let node = nodes.running(name) { nodeCame(node) }
    }
  }

  /// Takes in that a node says something else about itself than before.
  func nodeChanged(_ node: Node) {
    guard let name = nodes.wantedName(of: node), let wanted = nodes.wanted[name],
      wanted.client == node.name
    else { return }
    var host = nodeHostDescription
    host.isSessionActive = true
    do throws(InterAppAudioError) {
      try host.checkAccess(to: node)
      if wanted.isRefused { nodeCame(node) } else { settleInserts() }
    } catch {
      guard !wanted.isRefused else { return }
      nodes.wanted[name]?.isRefused = true
      for (strip, used) in nodes.sources where used == name { unpatchSource(strip) }
      fault(name, error.description)
      presence?.mix.release(node)
    }
  }

  /// Takes a node source from its strip, until it is let in again.
  private func unpatchSource(_ strip: String) {
    for pair in keeper.unplug(strip) { disconnect(pair) }
  }
}
