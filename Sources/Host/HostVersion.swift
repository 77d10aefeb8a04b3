// SPDX-License-Identifier: MIT

/// The version of the host program.
public enum HostVersion {
  /// What `--version`, `hello` and `status` tell.
  public static let current = "0.1.0"
}
