// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import GraphFiles
internal import JACK
internal import Mixing

extension Host {
  /// Answers all requests. [any-thread]
  nonisolated func router() -> ControlRouter {
    var router = registerMix(on: hostRequests())
    router = registerSessions(on: router)
    router = registerCaptures(on: router)
    router = registerNodes(on: router)
    router = registerRecording(on: router)
    router = registerParameters(on: router)
    router = registerScenes(on: router)
    router = registerControllers(on: router)
    router = registerWebTokens(on: router)
    router = registerPatch(on: router)
    router = registerRevision(on: router)
    router = registerApply(on: router)
    return registerRoles(on: registerRoutePicker(on: registerRoutes(on: router)))
  }

  private nonisolated func hostRequests() -> ControlRouter {
    ControlRouter()
      .on(GetStatus.self) { _, _ in await self.status() }
      .on(Stop.self) { params, _ in
        Task { await self.stop(fadeSeconds: params.fadeMilliseconds.map { $0 / 1000 }) }
        return NoResult()
      }
      .onSubscriptionsChanged { demand in
        await self.run { $0.levels.subscriptionsChanged(demand) }
      }
  }
}
