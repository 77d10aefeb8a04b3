// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import Glibc
import JACK
import ServerControl
import SystemSupport

/// The start of a host on PipeWire: `pw-jack` starts this program again, with PipeWire's libjack.
///
/// Belongs to the control thread.
enum PipeWireStart: EnumerableFlag {
  /// Always.
  case throughPipewire
  /// Where PipeWire runs and no JACK server does.
  case preferPipewire

  static func help(for value: PipeWireStart) -> ArgumentHelp? {
    switch value {
    case .throughPipewire: "Play on PipeWire, through pw-jack."
    case .preferPipewire:
      "Play on PipeWire where it runs, pw-jack is installed and no JACK server runs."
    }
  }

  /// Replaces this process by `pw-jack` with the same command, where that is wanted.
  ///
  /// - Parameter server: The JACK server that was named; nil for the usual one.
  /// - Throws: Status 69 where there is no `pw-jack`, or it cannot be run.
  func beginAgain(insteadOf server: String?) throws {
    let program = Self.program
    if self == .preferPipewire {
      let name = server ?? ServerIdentity.find().name
      guard program != nil, PipeWireDaemon.isListening, !ServerIdentity.isListening(name: name)
      else { return }
    }
    guard let program else {
      Terminal.complain(
        "error: --through-pipewire: there is no pw-jack on the PATH; PipeWire's JACK brings it: "
          + "sudo apt install pipewire-jack"
      )
      throw ExitCode.unavailable
    }
    let flags = ["--through-pipewire", "--prefer-pipewire"]
    let words = CommandLine.arguments.dropFirst().filter { !flags.contains($0) }
    try OtherProgram.become(program, [try ThisProgram.path()] + words)
  }

  /// The path of `pw-jack`; nil where it is not installed.
  private static var program: String? {
    (Machine.variable("PATH") ?? "/usr/bin:/bin").split(separator: ":").map { "\($0)/pw-jack" }
      .first { unsafe access($0, X_OK) == 0 }
  }
}
