// SPDX-License-Identifier: MIT

import TestSupport

@testable import EndToEndSupport

/// A screen, keyboard and mouse without hardware, for programs with windows.
final class VirtualScreen: Sendable {
  /// The environment of programs that use it.
  let environment: [String: String]
  private let server: Child
  private let scratch: Scratch

  init(in scratch: Scratch) async throws {
    self.scratch = scratch
    let server = try Child(
      "Xvfb",
      ["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"],
      in: scratch,
    )
    try await waitUntil("the screen is there") { server.standardOutput.contains("\n") }
    let number = server.standardOutput.prefix { $0.isNumber }
    self.server = server
    environment = ["DISPLAY": ":\(number)", "QT_QPA_PLATFORM": "xcb"]
  }

  /// Clicks at a place, and presses a key there.
  func press(_ key: String, clickingAt point: (x: Int, y: Int)) async throws {
    let child = try Child(
      "xdotool",
      ["mousemove", "\(point.x)", "\(point.y)", "click", "1", "key", key],
      environment: environment,
      in: scratch,
    )
    _ = try await child.waitForEnd()
  }
}
