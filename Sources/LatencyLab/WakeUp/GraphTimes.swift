// SPDX-License-Identifier: MIT

import Glibc
import JACK

/// Processor time of other clients' audio threads, from the scheduler's accounts of their processes.
///
/// JACK reports no times of single clients; the processes of jackd's clients can be found.
///
/// Pure value: [any-thread].
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
  /// - Parameter cycles: The number of cycles since then.
  /// - Returns: The times by the names of the clients; empty without cycles.
  func nanosecondsPerCycle(cycles: UInt64) -> [String: Double] {
    guard cycles > 0 else { return [:] }
    return entries.reduce(into: [:]) { result, entry in
      let time = ThreadTimes(ofProcess: entry.pid)
        .busiestNanoseconds(since: entry.times, threads: entry.clients.count)
      result[entry.clients.joined(separator: "+")] = Double(time) / Double(cycles)
    }
  }
}
