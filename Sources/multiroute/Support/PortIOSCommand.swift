// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import Glibc
import SystemSupport

/// `multiroute port-ios PATH`: rewrites sources of an iOS app, by a program of its own that knows Swift's grammar.
struct PortIOSCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "port-ios",
    abstract:
      "Rewrite Swift sources of an iOS app for Linux, where only the platform hinders the compiler.",
  )

  /// The program's name, in the folder of `multiroute` or on `PATH`.
  static let program = "multiroute-port-ios"

  @Argument(parsing: .captureForPassthrough, help: "A Swift file, or a folder of them; --dry-run.")
  var words: [String] = []

  func run() throws {
    let sibling = try ThisProgram.path(ofSibling: Self.program)
    let isSibling = unsafe access(sibling, X_OK) == 0
    guard let path = isSibling ? sibling : Machine.this.program(Self.program) else {
      Terminal.complain(
        "error: there is no program \(Self.program), neither beside multiroute nor on PATH; in MultiRoute's source folder, "
          + "'swift build -c release --package-path scripts/port-ios' builds it into scripts/port-ios/.build/release"
      )
      throw ExitCode.unavailable
    }
    try OtherProgram.become(path, words)
  }
}
