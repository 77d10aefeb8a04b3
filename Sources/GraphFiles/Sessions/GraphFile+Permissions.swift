// SPDX-License-Identifier: MIT

extension GraphFile {
  /// The programs that may record (PRM-1).
  public struct Permissions: Sendable, Equatable {
    /// The permission of programs without an answer from the file or a user.
    public var standard = Permission.undetermined
    /// The permission of single programs until a user answers, by program.
    public var programs: [String: Permission] = [:]
  }

  /// Whether a program may record; the raw value is the name in the file.
  public enum Permission: String, Sendable, CaseIterable {
    /// The user is asked.
    case undetermined
    /// It may.
    case granted
    /// It may not.
    case denied
  }
}

/// The keys of `permissions`.
enum PermissionsKey: String, SectionKey {
  static let section = "permissions"
  case `default`, granted, denied
}

extension GraphFile.Permissions {
  /// Takes the values that a section has; others stay.
  mutating func read(_ section: Section<PermissionsKey>) {
    var own: [String: GraphFile.Permission] = [:]
    standard = section[.default]?.choice() ?? standard
    let lists: [(key: PermissionsKey, permission: GraphFile.Permission)] = [
      (.granted, .granted), (.denied, .denied),
    ]
    for (key, permission) in lists {
      for entry in section[key]?.list(allowed: "a list of programs", limit: 1_024) ?? [] {
        guard let program = entry.text(allowed: "a program's name") else { continue }
        if let other = own[program] {
          entry.error("\(MessageText.quoted(program)) is \(other.rawValue) already")
        }
        own[program] = permission
      }
    }
    programs.merge(own) { $1 }
  }
}
