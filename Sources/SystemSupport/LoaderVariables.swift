// SPDX-License-Identifier: MIT

/// The variables of an environment that bring foreign code into every program that is started with them.
///
/// The dynamic loader and the C library read them before a program's first instruction. So a person who sets one for the
/// host would also change the server, the nodes and the bridges that the host starts.
///
/// Pure functions: [any-thread].
package enum LoaderVariables {
  private static let libraryPath = "LD_LIBRARY_PATH"
  private static let others: Set<String> = [
    "GCONV_PATH", "GETCONF_DIR", "GLIBC_TUNABLES", "LOCPATH", "MALLOC_TRACE",
  ]
  /// The end of the folder by which `pw-jack` selects PipeWire's libjack.
  private static let pipeWireFolder = "/pipewire-0.3/jack"

  /// An environment without these variables.
  ///
  /// Of `LD_LIBRARY_PATH` only the folder of PipeWire's libjack stays: without it a child of a program under `pw-jack`
  /// would look for another server.
  package static func removed(from environment: [String: String]) -> [String: String] {
    var kept = environment.filter { !isLoader($0.key) }
    let folders = (environment[libraryPath] ?? "").split(separator: ":")
      .filter { $0.hasPrefix("/") && $0.hasSuffix(pipeWireFolder) }
    if !folders.isEmpty { kept[libraryPath] = folders.joined(separator: ":") }
    return kept
  }

  private static func isLoader(_ name: String) -> Bool {
    name.hasPrefix("LD_") || others.contains(name)
  }
}
