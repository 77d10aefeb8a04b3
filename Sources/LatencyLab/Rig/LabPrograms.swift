// SPDX-License-Identifier: MIT

import Glibc
import SystemSupport

/// The programs that benchmarks start: the host that is measured, and the helper clients.
///
/// A plain value: [any-thread].
public struct LabPrograms: Sendable, Equatable {
  /// The path of the `multiroute` program that is measured.
  public var host: String
  /// The path of the program whose hidden `bench` commands are the helper clients.
  public var helpers: String

  /// The path of `engine-cycles`, whose instructions are counted.
  public var engineCycles: String

  /// This program for the helpers, and the `multiroute` and `engine-cycles` in its folder.
  public init() {
    let path = Machine.this.executable(of: getpid()) ?? "multiroute-lab"
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    helpers = path
    host = folder + "multiroute"
    engineCycles = folder + "engine-cycles"
  }

  /// Asks the host program for its version.
  ///
  /// - Returns: The version; nil if the program is missing or prints none.
  ///
  /// [control-thread]
  public func hostVersion() async -> String? {
    let program = ToolProcess(name: host, package: "multiroute", timeLimit: .seconds(10))
    let output = try? await program.run(["--version"])
    return output?.standardOutput.split(separator: "\n").first.map(String.init)
  }
}
