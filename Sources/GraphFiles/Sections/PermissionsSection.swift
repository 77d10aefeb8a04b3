// SPDX-License-Identifier: MIT

/// The keys of `permissions`.
enum PermissionsKey: String, SectionKey {
  static let section = "permissions"
  case `default`, granted, denied
}

extension GraphFile.Permissions {
  init(_ section: Section<PermissionsKey>) {
    standard = section[.default]?.choice() ?? standard
    let lists: [(key: PermissionsKey, permission: GraphFile.Permission)] = [
      (.granted, .granted), (.denied, .denied),
    ]
    for (key, permission) in lists {
      for entry in section[key]?.list(allowed: "a list of programs", limit: 1_024) ?? [] {
        guard let program = entry.text(allowed: "a program's name") else { continue }
        if let other = programs[program] {
          entry.error("\(MessageText.quoted(program)) is \(other.rawValue) already")
        }
        programs[program] = permission
      }
    }
  }
}
