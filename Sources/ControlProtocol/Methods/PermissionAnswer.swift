// SPDX-License-Identifier: MIT

/// What a program may record.
public enum PermissionAnswer: String, Codable, Sendable, CaseIterable {
  /// Nobody has answered: it hears silence.
  case undetermined
  /// It may.
  case granted
  /// It may not: it hears silence.
  case denied
}
