// SPDX-License-Identifier: MIT

internal import FoundationEssentials

/// The policy files that come with the program, found from the place of the program itself.
///
/// Pure value: [any-thread].
public struct ShippedPolicies: Sendable {
  /// Their folder; nil where there is none.
  public let folder: String?
  /// Their names, in alphabetical order.
  public let names: [String]

  /// Finds them beside the program that runs.
  public init() {
    let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    self.init(program: program ?? "")
  }

  /// Finds them beside a program: in `graphs/policies` of the checkout in which it was built, or in
  /// `share/multiroute/policies` beside the folder in which it is installed.
  ///
  /// - Parameter program: The path of the program's file.
  public init(program: String) {
    let parts = program.split(separator: "/", omittingEmptySubsequences: false)
    var places = [parts.dropLast(2).joined(separator: "/") + "/share/multiroute/policies"]
    if let build = parts.lastIndex(of: ".build") {
      places.insert(parts[..<build].joined(separator: "/") + "/graphs/policies", at: 0)
    }
    for place in places {
      guard let files = try? FileManager.default.contentsOfDirectory(atPath: place) else {
        continue
      }
      folder = place
      names = files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
      return
    }
    folder = nil
    names = []
  }

  /// The path of a shipped policy.
  ///
  /// - Parameter name: Its name, without folder and ending.
  /// - Returns: The path; nil for an unknown name.
  public func path(of name: String) -> String? {
    guard let folder, names.contains(name) else { return nil }
    return "\(folder)/\(name).yaml"
  }

  /// The names for a message.
  var allowed: String {
    folder.map { "shipped policies: \(names.joined(separator: ", ")) (in \($0))" }
      ?? "no policies are installed beside this program"
  }
}
