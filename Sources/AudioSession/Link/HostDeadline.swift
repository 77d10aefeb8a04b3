// SPDX-License-Identifier: MIT

internal import Foundation

/// The end of the time that a call of the app may take, with all requests to the host that belong to it.
///
/// Pure value: [any-thread].
struct HostDeadline: Sendable {
  /// The whole time, for messages.
  let limitSeconds: Double
  private let uptimeSeconds: Double

  /// A deadline that begins now.
  init(afterSeconds seconds: Double) {
    limitSeconds = seconds
    uptimeSeconds = Self.nowSeconds + seconds
  }

  /// The time left; 0 once it is over.
  var secondsLeft: Double { max(0, uptimeSeconds - Self.nowSeconds) }

  private static var nowSeconds: Double { ProcessInfo.processInfo.systemUptime }
}
