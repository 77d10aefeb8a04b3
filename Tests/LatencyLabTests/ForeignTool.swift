// SPDX-License-Identifier: MIT

import Foundation

/// Runs one of JACK's own measuring programs and reads its figures.
enum ForeignTool {
  /// Starts a program and ends it again after `body` has seen enough of its output.
  ///
  /// - Returns: The lines it wrote.
  static func run(
    _ name: String,
    _ arguments: [String],
    server: String,
    output path: String,
    while body: () async throws -> Void,
  ) async throws -> [String] {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/stdbuf")
    process.arguments = ["-oL", "/usr/bin/\(name)"] + arguments
    var environment = ProcessInfo.processInfo.environment
    environment["JACK_DEFAULT_SERVER"] = server
    environment["JACK_NO_START_SERVER"] = "1"
    process.environment = environment
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    process.standardOutput = file
    process.standardError = file
    process.standardInput = FileHandle.nullDevice
    try process.run()
    defer {
      // jack_iodelay does not end at SIGTERM.
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    try await body()
    let text = try String(contentsOfFile: path, encoding: .utf8)
    return text.split(whereSeparator: \.isNewline).map(String.init)
  }

  /// The figures before the word "frames", in order.
  ///
  /// Whole ones are left out: they are not readings but what jack_iodelay makes of them.
  static func frames(in lines: [String]) -> [Double] {
    lines.compactMap { line in
      let words = line.split(separator: " ")
      guard let index = words.firstIndex(of: "frames"), index > 0, words[index - 1].contains(".")
      else { return nil }
      return Double(words[index - 1])
    }
  }
}
