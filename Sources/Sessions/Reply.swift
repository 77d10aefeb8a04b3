// SPDX-License-Identifier: MIT

/// The one answer to a request.
public enum Reply: Hashable, Codable, Sendable {
  /// Done.
  case done
  /// Whether the app may record.
  case recordPermission(isGranted: Bool)
  /// Refused; nothing changed unless the error is `isBusy` (rule ACT-5).
  case refused(error: SessionError)
}
