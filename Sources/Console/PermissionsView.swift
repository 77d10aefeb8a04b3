// SPDX-License-Identifier: MIT

public import ControlProtocol
internal import Sessions

/// The permissions of programs as text, for `multiroute permission list`.
///
/// Pure value: [any-thread].
public enum PermissionsView {
  /// The lines.
  ///
  /// - Parameters:
  ///   - result: The permissions.
  ///   - width: The columns of the terminal; nil for any.
  /// - Returns: The text line by line.
  public static func lines(_ result: ListPermissions.Result, width: Int? = nil) -> [String] {
    var table = Table(["program", "may record", "says", "records now", "executable"])
    for entry in result.programs {
      table.add([
        entry.program, text(entry.permission, name: entry.$permission), entry.$source,
        entry.clients.joined(separator: ", "), entry.executable ?? "",
      ])
    }
    let rest =
      "all other programs: \(text(result.defaultPermission, name: result.$defaultPermission))"
    return result.programs.isEmpty ? [rest] : table.lines(width: width) + [rest]
  }

  private static func text(_ answer: RecordPermission?, name: String) -> String {
    switch answer {
    case .granted: "yes"
    case .denied: "no"
    case .undetermined: "asks"
    case nil: name
    }
  }
}
