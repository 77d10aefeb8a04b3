// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import Glibc
import SystemSupport

/// The program `multiroute-lab` in the same folder, which makes all measurements.
///
/// Belongs to the control thread.
enum LabProgram {
  /// Replaces this process by the lab, under this program's name; output and exit status are the
  /// lab's.
  ///
  /// - Parameter words: The arguments, such as `bench mix --rounds 3`.
  /// - Throws: Status 69 when the lab is missing or cannot be run.
  static func become(_ words: [String]) throws -> Never {
    try OtherProgram.become(try path(), words)
  }

  /// Runs the lab to its end; its progress and errors go to standard error.
  ///
  /// - Parameter words: The arguments.
  /// - Returns: Its standard output.
  /// - Throws: The lab's exit status when it is not 0; status 69 when the lab is missing or cannot be run.
  static func output(_ words: [String]) async throws -> String {
    let path = try path()
    let child: ChildProcess
    do throws(SystemError) {
      child = try ChildProcess.start(
        path,
        words,
        bond: .foreground,
        input: .inherited,
        output: .text(limitInBytes: 16 << 20),
        errors: .inherited,
      )
    } catch {
      Terminal.complain("error: \(error)")
      throw ExitCode.unavailable
    }
    guard let exit = await child.exit(within: nil), exit.status == 0 else {
      throw ExitCode(child.exit?.shellCode ?? 1)
    }
    return child.text(of: .output)
  }

  /// The path of the lab.
  private static func path() throws -> String {
    let path = try ThisProgram.path(ofSibling: "multiroute-lab")
    guard unsafe access(path, X_OK) == 0 else {
      Terminal.complain(
        "error: \(path): no such program; it makes the measurements. "
          + "'swift build --product multiroute-lab' builds it; put it into the folder of multiroute"
      )
      throw ExitCode.unavailable
    }
    return path
  }
}

/// `multiroute bench …`: measurements, made by `multiroute-lab`.
struct LabBenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Run measurements of MultiRoute.",
  )

  @Argument(parsing: .captureForPassthrough, help: "The measurement, and its options.")
  var words: [String] = []

  func run() throws { try LabProgram.become(["bench"] + words) }
}
