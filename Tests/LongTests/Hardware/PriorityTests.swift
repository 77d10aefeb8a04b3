// SPDX-License-Identifier: MIT

import CRealtime
import Foundation
import TestSupport
import Testing

@testable import EndToEndSupport

/// Silencing a strip does not wait on a busy machine.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct PriorityTests {
  /// Name, policy (1 is SCHED_FIFO) and real-time priority of each thread of a process.
  private func threads(of pid: Int32) throws -> [(name: String, policy: Int, priority: Int)] {
    let folder = "/proc/\(pid)/task"
    return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { thread in
      // A thread may end meanwhile.
      guard let data = FileManager.default.contents(atPath: "\(folder)/\(thread)/stat"),
        case let line = String(decoding: data, as: UTF8.self),
        let open = line.firstIndex(of: "("), let close = line.lastIndex(of: ")")
      else { return nil }
      let name = String(line[line.index(after: open)..<close])
      // The third field of proc(5) is the first one behind the name.
      let fields = line[line.index(close, offsetBy: 2)...].split(separator: " ")
      guard let priority = Int(fields[37]), let policy = Int(fields[38]) else { return nil }
      return (name, policy, priority)
    }
  }

  @Test(.jackServer(frames: 64))
  func `INT-1 control and socket run above ordinary programs where the user may, and below audio`()
    async throws
  {
    let scratch = try Scratch()
    let graph = try scratch.write(
      """
      multiroute: 1
      routes: {main: {type: lineOut, ports: [system:playback_1]}}
      """,
      to: "priority.yaml",
    )
    let host = try await HostProcess.running(
      graph: graph,
      server: try testServer().name,
      in: scratch,
    )
    _ = try await host.status()
    let threads = try threads(of: host.child.pid)
    let mayRaise = realtime_thread_max_fifo() >= 2
    let raised = threads.filter { $0.policy == 1 && $0.priority == 2 }.map(\.name)
    #expect(raised.contains("control") == mayRaise, "\(threads)")
    #expect(raised.contains { $0.hasPrefix("NIO") } == mayRaise, "\(threads)")
    // The audio threads are above; whatever else there is has no priority from us.
    #expect(threads.allSatisfy { $0.policy == 0 || $0.priority >= 2 }, "\(threads)")
    #expect(threads.contains { $0.policy == 0 }, "\(threads)")
    _ = try await host.stop()
  }
}
