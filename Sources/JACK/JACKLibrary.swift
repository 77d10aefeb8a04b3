// SPDX-License-Identifier: MIT

internal import CJACK

/// Which libjack this process uses.
public enum JACKLibrary {
  /// Its version, such as `1.9.21`. [any-thread]
  public static var version: String {
    unsafe ClientConnection.string(jack_get_version_string())
  }

  /// Whether it is PipeWire's.
  ///
  /// Its version string says so; older ones are known by where the library lies. [any-thread]
  public static var isPipeWire: Bool {
    if version.contains("PipeWire") { return true }
    let maps = TextFile.read("/proc/self/maps") ?? ""
    return maps.split(separator: "\n").contains {
      $0.contains("pipewire") && $0.contains("/libjack.so")
    }
  }

  /// Says what is allowed where no client can have a name; nil where one can. [any-thread]
  public static func fault(inClientName name: String) -> String? {
    // The size counts the final zero, and jackd takes one byte less than it says.
    let longest = Int(jack_client_name_size()) - 2
    guard name.isEmpty || name.utf8.count > longest || name.contains(":") else { return nil }
    return "a client name has 1 to \(longest) bytes and no colon"
  }
}
