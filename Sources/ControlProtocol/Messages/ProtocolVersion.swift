// SPDX-License-Identifier: MIT

/// Versions of the protocol, whole numbers that rise when something existing changes its meaning.
///
/// Additions (methods, fields of results, event kinds) do not change the version: clients ignore
/// what they do not know in results and notifications.
public enum ProtocolVersion {
  /// The version that this code speaks.
  public static let current = 1
  /// Every version that this code can speak, rising.
  public static let supported = [1]
}
