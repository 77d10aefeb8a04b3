// SPDX-License-Identifier: MIT

internal import Foundation

/// A place in a recording that is kept over restarts of the app (INT-6).
struct PositionBookmark: Sendable {
  let name: String
  private let url: URL

  /// The place is kept in `$XDG_STATE_HOME/multiroute/positions`, by app and name.
  init(name: String) {
    self.name = name
    let environment = ProcessInfo.processInfo.environment
    let state = environment["XDG_STATE_HOME"] ?? NSHomeDirectory() + "/.local/state"
    let app = SessionController.shared.settings.app
    let file = "\(app) \(name)".map { $0 == "/" || $0 == "\0" ? "_" : $0 }
    url = URL(filePath: state + "/multiroute/positions").appending(path: String(file))
  }

  /// Keeps a place; a file that cannot be written is as good as none.
  func save(_ seconds: Double) {
    try? FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(),
      withIntermediateDirectories: true,
    )
    try? Data("\(seconds)\n".utf8).write(to: url, options: .atomic)
  }

  /// The place in seconds; nil where none was kept.
  func read() -> Double? {
    guard let data = try? Data(contentsOf: url) else { return nil }
    return Double(
      String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    )
  }
}
