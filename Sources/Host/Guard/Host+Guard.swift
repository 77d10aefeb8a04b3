// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import JACK

extension Host {
  /// Starts the guard where one is wanted and none runs, and tells it what has changed.
  func tellGuard() {
    guard phase == .running, let program = configuration.guardProgram, needsGuard,
      let presence
    else { return }
    if guardian?.isRunning != true {
      if let guardian { publish(.error, "the guard (pid \(guardian.pid)) is gone; another starts") }
      guardian = GuardLink(program: program, name: configuration.graph.name)
      if guardian == nil { publish(.error, "no guard can be started") }
    }
    guardian?.send(
      GuardOrders(
        server: presence.mix.server,
        host: presence.mix.name,
        placements: placements(ofSilent: false)
          .map { GuardOrders.Placement(port: $0.port, hardware: $0.hardware) }
          .sorted { $0.port < $1.port },
        cuts: (gates?.gates ?? []).filter { !$0.isOpen }
          .map { GuardOrders.Cut(source: $0.source, client: $0.client) },
      )
    )
  }

  /// Whether there may ever be anything to guard.
  private var needsGuard: Bool {
    configuration.connectsPorts
      && (configuration.graph.adoptions.contains { $0.session != nil } || gates != nil)
  }
}
