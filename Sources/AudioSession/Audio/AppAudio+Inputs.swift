// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Foundation
internal import JACK
internal import Synchronization

extension AppAudio {
  /// Opens the recorders' way when the permission and the mutes allow it (PRM-1).
  func reviewInput() {
    let detail = SessionController.shared.current.detail
    let isOpen =
      detail.map { $0.permission == "granted" && $0.active && !$0.inputMuted } ?? false
    lock.withLock {
      try? withOpen { unsafe $0.state.pointee.isInputOpen.store(isOpen, ordering: .relaxed) }
    }
  }

  /// Makes sure that there are so many inputs; under the lock.
  func prepareInputs(_ count: Int) throws {
    try withOpen { open in
      while open.inputs.count < count {
        open.inputs.append(try open.client.connection.register("in_\(open.inputs.count + 1)"))
      }
    }
  }

  /// Connects the inputs with the JACK ports of the input route, and with nothing else.
  func connectInputs() {
    let inputs = SessionController.shared.current.detail?.route.inputs ?? []
    let ports = inputs.flatMap(\.jackPorts)
    try? withOpen { open in
      let inputs = open.inputs.indices.map { ports.indices.contains($0) ? ports[$0] : nil }
      try open.patch.follow(open.client.connection, inputs)
    }
    reviewInput()
  }
}
