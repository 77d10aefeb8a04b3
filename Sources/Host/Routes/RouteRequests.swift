// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket

extension Host {
  /// Adds the requests on routes. [any-thread]
  nonisolated func registerRoutes(on router: ControlRouter) -> ControlRouter {
    router.on(SetAlignment.self) { params, _ throws(ControlError) in
      try await self.run { rooms throws(ControlError) in try rooms.setAlignment(params) }
    }
  }
}
