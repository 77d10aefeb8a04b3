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

  /// The path of the library that times the callbacks of the programs that load it.
  public var callbackTimer: String

  /// This program for the helpers, and the `multiroute`, `engine-cycles` and `libcallback-timer.so` in its folder.
  ///
  /// An installed library is in `../lib/multiroute`.
  public init() {
    let path = Machine.this.executable(of: getpid()) ?? "multiroute-lab"
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    helpers = path
    host = folder + "multiroute"
    engineCycles = folder + "engine-cycles"
    let timer = "libcallback-timer.so"
    let installed = folder + "../lib/multiroute/" + timer
    callbackTimer = unsafe access(installed, R_OK) == 0 ? installed : folder + timer
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
