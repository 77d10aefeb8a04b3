// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import TestSupport

/// The guards of hosts, as processes.
enum Guards {
  /// The processes of guards of a host.
  static func processes(of host: String) -> [Int32] {
    let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return folders.compactMap(Int32.init).filter { pid in
      let line = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") ?? Data()
      let words = String(decoding: line, as: UTF8.self).split(separator: "\0")
      return words.contains("guard") && words.contains { $0 == host }
    }
  }

  /// Whether a signal has stopped a process.
  static func isStopped(_ pid: Int32) -> Bool {
    let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
    return status?.contains("\nState:\tT") == true
  }

  /// Waits for a host's guard that has its orders: it keeps their token in its file.
  static func ready(of host: HostProcess, in scratch: Scratch) async throws -> Int32 {
    var found: Int32?
    try await waitUntil("the guard of \(host.name) has orders") {
      let path = "\(scratch.socketDirectory)/\(host.name).guard"
      let lines = (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n") ?? []
      found = lines.count == 2 ? Int32(lines[0]) : nil
      return found.map { processes(of: host.name).contains($0) } ?? false
    }
    guard let found else { throw TestFailure("\(host.name) has no guard") }
    return found
  }
}
