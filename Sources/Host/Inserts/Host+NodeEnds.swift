// SPDX-License-Identifier: MIT

internal import Glibc
internal import GraphFiles
internal import InterAppAudio

/// Nodes that the host wants no more, and the end of those that it has started.
extension Host {
  /// Wants a node that was not wanted before; what was started for it, and has not been asked to end, is its own again.
  func want(_ name: String) {
    guard nodes.wanted[name] == nil else { return }
    var wanted = NodeKeeper.Wanted(use: GraphFile.NodeUse(name: name))
    if let leaving = nodes.leaving[name], !leaving.isAsked {
      wanted.program = leaving.program
      wanted.cameNanoseconds = nodes.running(name).map { _ in HostClock.nowNanoseconds() }
      nodes.leaving[name] = nil
    }
    nodes.wanted[name] = wanted
  }

  /// Gives a node up that is in no chain any more.
  func giveUp(_ name: String) {
    if let node = nodes.running(name) { presence?.mix.release(node) }
    guard let program = nodes.wanted.removeValue(forKey: name)?.program else { return }
    nodes.leaving[name] = LeavingNode(program, nowNanoseconds: HostClock.nowNanoseconds())
  }

  /// Ends what was started for nodes that nobody wants any more; by the host's timer.
  func endLeavingNodes() {
    let now = HostClock.nowNanoseconds()
    for (name, leaving) in nodes.leaving {
      let program = leaving.program
      switch nodes.leaving[name]?.step(hasEnded: program.hasEnded, nowNanoseconds: now) {
      case .ask: program.send(SIGTERM)
      case .insist: program.send(SIGKILL)
      case .forget: nodes.leaving[name] = nil
      case .wait, nil: break
      }
    }
  }

  /// Gives all nodes up and ends those that the host has started, when it ends itself.
  func endNodes() {
    for (name, wanted) in nodes.wanted {
      if let node = nodes.running(name) { presence?.mix.release(node) }
      wanted.program?.send(SIGTERM)
    }
    for leaving in nodes.leaving.values { leaving.program.send(SIGTERM) }
    nodes.wanted.removeAll()
    nodes.leaving.removeAll()
  }
}
