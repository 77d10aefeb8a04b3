// SPDX-License-Identifier: MIT

/// The version of the host program.
public enum HostVersion {
  /// The version in `--version`, `hello` and `status`.
  public static let current = "0.2.0"
}
