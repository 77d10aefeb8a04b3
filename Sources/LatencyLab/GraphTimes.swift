// SPDX-License-Identifier: MIT

import Glibc
import JACK

/// How long the audio threads of other clients run, from the scheduler's accounts of their processes.
///
/// JACK tells the time of single clients nowhere; jackd's clients have processes that can be found.
struct GraphTimes {
  /// A process and its clients.
  private struct Entry {
    var pid: Int32
    var clients: [String]
    var times: ThreadTimes
  }

  private let entries: [Entry]
  /// Clients whose process cannot be found: PipeWire's, other users', the server's own.
  let unknownClients: [String]

  /// Reads the times of all clients that have ports, but those of this process.
  init(_ connection: ClientConnection) {
    let ports = (try? connection.ports()) ?? []
    let names = Set(ports.map { String($0.name.prefix { $0 != ":" }) }).sorted()
    var clients: [Int32: [String]] = [:]
    var unknown: [String] = []
    for name in names {
      if let process = ClientProcess.find(client: name) {
        clients[process.pid, default: []].append(name)
      } else {
        unknown.append(name)
      }
    }
    clients[getpid()] = nil
    entries = clients.sorted { $0.key < $1.key }.map {
      Entry(pid: $0.key, clients: $0.value, times: ThreadTimes(ofProcess: $0.key))
    }
    unknownClients = unknown
  }

  /// The time of each process's audio threads since then, a cycle, in nanoseconds.
  ///
  /// - Parameter cycles: How many cycles were run since.
  /// - Returns: By the names of its clients; empty when there were no cycles.
  func nanosecondsPerCycle(cycles: UInt64) -> [String: Double] {
    guard cycles > 0 else { return [:] }
    return entries.reduce(into: [:]) { result, entry in
      let time = ThreadTimes(ofProcess: entry.pid)
        .busiestNanoseconds(since: entry.times, threads: entry.clients.count)
      result[entry.clients.joined(separator: "+")] = Double(time) / Double(cycles)
    }
  }
}
