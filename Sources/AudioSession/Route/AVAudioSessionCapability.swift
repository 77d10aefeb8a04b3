// SPDX-License-Identifier: MIT

public import Foundation

/// Whether a port can do something, and does; no port on JACK has any.
open class AVAudioSessionCapability: NSObject, @unchecked Sendable {
  /// Whether the port can.
  open var isSupported: Bool { false }

  /// Whether it does.
  open var isEnabled: Bool { false }
}
