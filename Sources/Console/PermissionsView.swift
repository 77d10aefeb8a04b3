// SPDX-License-Identifier: MIT

public import ControlProtocol

/// What programs may record as text, for `multiroute permission list`.
public enum PermissionsView {
  /// The lines.
  public static func lines(_ result: ListPermissions.Result) -> [String] {
    var table = Table(["program", "may record", "says", "records now", "executable"])
    for entry in result.programs {
      table.add([
        entry.program, word(entry.permission), entry.source.rawValue,
        entry.clients.joined(separator: ", "), entry.executable ?? "",
      ])
    }
    let rest = "all other programs: \(word(result.defaultPermission))"
    return result.programs.isEmpty ? [rest] : table.lines() + [rest]
  }

  private static func word(_ answer: PermissionAnswer) -> String {
    switch answer {
    case .granted: "yes"
    case .denied: "no"
    case .undetermined: "asks"
    }
  }
}
