// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import SystemSupport

extension Host {
  /// Keeps apps from the requests of users' tools. [any-thread]
  nonisolated func registerRoles(on router: ControlRouter) -> ControlRouter {
    router
      .onHello { role, connection in await self.run { $0.roles.hello(role, from: connection) } }
      .refusing { request, connection in
        await self.run { rooms in
          do throws(ControlError) {
            try rooms.roles.check(request, from: connection)
            return nil
          } catch {
            return error
          }
        }
      }
  }
}

extension Rooms {
  /// The questions of the role room to other rooms.
  func roleLinks() -> RoleRoom.Links {
    RoleRoom.Links(
      isOwnProgram: { [programs] in programs.isOwnProgram($0) },
      isCapturing: { [unowned self] in capture.isCapturing(process: $0) },
      startTicks: { Machine.this.startTicks(of: $0) },
      owner: { [unowned self] name in sessions.owner(ofSessionNamed: name) },
      owners: { [unowned self] app in sessions.owners(ofApp: app) },
      isProgram: { [unowned self] process, name in capture.isProgram(process, installedAs: name) },
      surfaceRole: { [surfaces] in surfaces.role(of: $0) },
    )
  }
}

/// The owners of sessions, for the roles of their programs.
extension SessionRoom {
  /// The owner of a session in the protocol; nil without a session of that name.
  fileprivate func owner(ofSessionNamed name: String) -> HeldSession.Owner? {
    (try? session(named: name)).flatMap(held)?.owner
  }

  /// The owners of a program's sessions.
  fileprivate func owners(ofApp app: String) -> [HeldSession.Owner] {
    sessions(of: app).compactMap { held($0)?.owner }
  }
}
