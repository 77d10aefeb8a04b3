// SPDX-License-Identifier: MIT

import ControlProtocol
import Host
import NSM

/// The reports of a running host to a session manager: unsaved changes, and texts about faults.
///
/// Belongs to the control thread.
final class SessionReports {
  /// The shortest time between two texts about one kind of event.
  private static let pauseNanoseconds: UInt64 = 10_000_000_000

  private let session: ManagedSession
  private let xruns = XrunLines(pauseNanoseconds: pauseNanoseconds)
  private var lastNanoseconds: [EventKind: UInt64] = [:]

  init(session: ManagedSession) { self.session = session }

  /// Reports one output of the host, if it concerns the manager.
  func report(_ output: HostOutput) {
    switch output {
    case .unsaved(let isUnsaved): session.setDirty(isUnsaved)
    case .event(let event): report(event)
    case .attached, .meters, .stopped: break
    }
  }

  private func report(_ event: ControlEvent) {
    guard let kind = event.kind else { return }
    switch kind {
    case .xrun:
      if let line = xruns.line(for: event) { session.show(line, priority: .normal) }
    case .serverBack:
      session.show(event.message, priority: .normal)
    case .error, .alarm, .inputFault, .nodeFault, .serverLost:
      let now = event.time.monotonicNanoseconds
      if let last = lastNanoseconds[kind], now &- last < Self.pauseNanoseconds { return }
      lastNanoseconds[kind] = now
      session.show(event.message, priority: .high)
    default: break
    }
  }
}
