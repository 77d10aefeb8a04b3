// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import Logging

extension Host {
  /// Tells everybody who listens that something happened, and the log.
  func publish(
    _ kind: EventKind,
    _ message: String,
    frame: UInt64? = nil,
    details: [String: JSONValue] = [:],
  ) {
    let event = ControlEvent(
      kind: kind,
      time: HostClock.stamp(frame: frame),
      message: message,
      details: details,
    )
    // Whoever runs the host shows its events: in the log they would stand a second time.
    logger.info("\(kind.rawValue): \(message)")
    control?.publish(event)
    continuation.yield(.event(event))
  }
}
