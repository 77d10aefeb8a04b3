// SPDX-License-Identifier: MIT

internal import Foundation
internal import Glibc
internal import JACK

/// JACK's eight places for servers, which lie in shared memory.
///
/// A killed server keeps its place until one of the same name has come and gone: test servers,
/// named differently each time, would use them up.
enum ServerPlaces {
  /// Gives back the places of killed test servers.
  static func reclaim() async {
    for name in deadTestServers() {
      let server = ServerProcess(ServerConfiguration(name: name, driver: .dummy))
      try? await server.start()
      await server.stop()
    }
  }

  /// Removes the store of metadata that all servers of the user share, unless one of them runs: it may hold
  /// locks of the dead, for which every other server would wait.
  static func forgetMetadata() {
    let programs = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap {
      try? String(contentsOfFile: "/proc/\($0)/comm", encoding: .utf8)
    }
    guard programs?.contains(where: { $0.hasPrefix("jackd") }) == false else { return }
    try? FileManager.default.removeItem(atPath: "/dev/shm/jack_db-\(getuid())")
  }

  /// The names in the registry that begin like the tests' names, and whose process is gone.
  static func deadTestServers() -> [String] {
    guard let registry = FileManager.default.contents(atPath: "/dev/shm/jack-shm-registry") else {
      return []
    }
    // An entry is the process id, and "jack-<user>:<name>:" ended by zero.
    let mark = Data("jack-\(getuid()):multiroute-test-".utf8)
    var names: [String] = []
    var rest = registry.startIndex..<registry.endIndex
    while let found = registry.range(of: mark, in: rest), found.lowerBound >= 4 {
      let pid = registry[(found.lowerBound - 4)..<found.lowerBound].reversed()
        .reduce(Int32(0)) { $0 << 8 | Int32($1) }
      let entry = registry[found.lowerBound...].prefix { $0 != 0 }
      let fields = String(decoding: entry, as: UTF8.self).split(separator: ":")
      if fields.count == 2, pid > 0, kill(pid, 0) != 0 { names.append(String(fields[1])) }
      rest = found.upperBound..<registry.endIndex
    }
    return names
  }
}
