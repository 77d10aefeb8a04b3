// SPDX-License-Identifier: MIT

internal import NIOConcurrencyHelpers

/// Whether the app takes remote-control commands (VOL-2).
final class RemoteControl: Sendable {
  static let shared = RemoteControl()

  private let isTaking = NIOLockedValueBox(false)

  var isOn: Bool { isTaking.withLockedValue { $0 } }

  func set(_ isOn: Bool) { isTaking.withLockedValue { $0 = isOn } }
}
