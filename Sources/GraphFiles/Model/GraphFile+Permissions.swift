// SPDX-License-Identifier: MIT

extension GraphFile {
  /// What programs may record (PRM-1).
  public struct Permissions: Sendable, Equatable {
    /// What programs may record that neither the file nor a user has an answer for.
    public var standard = Permission.undetermined
    /// What single programs may record until a user says otherwise, by program.
    public var programs: [String: Permission] = [:]
  }

  /// What a program may record; the raw value is the name in the file.
  public enum Permission: String, Sendable, CaseIterable {
    /// The user is asked.
    case undetermined
    /// It may.
    case granted
    /// It may not.
    case denied
  }
}
