// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Dispatch
internal import NIOConcurrencyHelpers

extension SessionController {
  /// Asks for the permission to record, and waits for the user's answer.
  ///
  /// - Returns: Whether it is granted; false where no host runs, or when it goes meanwhile.
  func requestPermission() -> Bool {
    let answer = PermissionAnswer()
    participants.add(answer)
    guard (try? askPermission()) != nil else { return false }
    while true {
      switch state.withLockedValue({ $0.detail?.permission }) {
      case "granted": return true
      case "undetermined": answer.changed.wait()
      default: return false
      }
    }
  }
}

/// Wakes who waits for the user's answer.
private final class PermissionAnswer: SessionParticipant {
  let changed = DispatchSemaphore(value: 0)

  func session(did event: SessionEvent) {
    switch event {
    case .inputChanged, .mediaServicesLost: changed.signal()
    default: break
    }
  }
}
