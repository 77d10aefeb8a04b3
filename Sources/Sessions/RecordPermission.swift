// SPDX-License-Identifier: MIT

/// Whether an app may record; the SDK's raw values (rule PRM-1).
public enum RecordPermission: UInt, Codable, Sendable {
  /// Nobody was asked yet.
  case undetermined = 0x756E_6474
  /// The user said no.
  case denied = 0x6465_6E79
  /// The user said yes.
  case granted = 0x6772_6E74
}
