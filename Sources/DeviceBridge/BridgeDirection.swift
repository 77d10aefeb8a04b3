// SPDX-License-Identifier: MIT

/// Which way a bridge carries audio.
public enum BridgeDirection: String, BitwiseCopyable, Sendable, Codable, CaseIterable {
  /// From JACK to the device.
  case playback
  /// From the device to JACK.
  case capture

  /// Whether it goes from JACK to the device.
  var isPlayback: Bool {
    @_noLocks @_noAllocation get {
      switch self {
      case .playback: true
      case .capture: false
      }
    }
  }
}
