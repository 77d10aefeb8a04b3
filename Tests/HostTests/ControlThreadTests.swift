// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Dispatch
import Foundation
import Glibc
import Logging
import Synchronization
import Testing

@testable import Host

/// The order of work on the control thread.
struct ControlThreadTests {
  private final class Order: Sendable {
    private let list = Mutex<[String]>([])
    func add(_ name: String) { list.withLock { $0.append(name) } }
    var names: [String] { list.withLock { $0 } }
  }

  @Test func `urgent work comes before all that waits, and the rest keeps its order`() async {
    let thread = ControlThread()
    let order = Order()
    let mayGoOn = DispatchSemaphore(value: 0)
    thread.run { mayGoOn.wait() }
    for number in 1...3 { thread.run { order.add("request \(number)") } }
    let urgent = Task(executorPreference: thread, priority: .high) { order.add("notification") }
    let last = Task(executorPreference: thread, priority: .medium) { order.add("last") }
    mayGoOn.signal()
    await urgent.value
    await last.value
    #expect(order.names == ["notification", "request 1", "request 2", "request 3", "last"])
  }

  /// State of the control thread, as the host's is.
  private actor Owner {
    private let thread: ControlThread
    nonisolated var unownedExecutor: UnownedSerialExecutor {
      unsafe thread.asUnownedSerialExecutor()
    }

    init(_ thread: ControlThread) { self.thread = thread }

    /// Keeps the thread busy; returns for how long, in nanoseconds.
    func work(milliseconds: Int) -> UInt64 {
      let start = HostClock.nowNanoseconds()
      while HostClock.nowNanoseconds() < start + UInt64(milliseconds) * 1_000_000 {}
      return HostClock.nowNanoseconds() - start
    }
  }

  @Test func `the time of a request is the time on the thread, and not that of its waits`() async {
    let thread = ControlThread()
    let owner = Owner(thread)
    let (times, report) = AsyncStream.makeStream(of: UInt64.self)
    let worked = await Task(executorPreference: thread) {
      thread.reportPresentJob { report.yield($0) }
      let before = await owner.work(milliseconds: 5)
      // The wait that is not to be counted.
      try? await Task.sleep(for: .milliseconds(200))
      thread.reportPresentJob { report.yield($0) }
      return (before, await owner.work(milliseconds: 3))
    }.value
    var measured = times.makeAsyncIterator()
    let stretches = (await measured.next() ?? 0, await measured.next() ?? 0)
    #expect(stretches.0 >= worked.0)
    #expect(stretches.1 >= worked.1)
    #expect(stretches.0 + stretches.1 < 200_000_000)
  }

  @Test func `requests of one process wait when they have had their share of the thread`()
    async throws
  {
    let thread = ControlThread()
    let owner = Owner(thread)
    let order = Order()
    let directory = "/tmp/mr-thread-\(getpid())"
    var settings = ControlServerConfiguration(
      hostName: "h",
      hostVersion: "1",
      directory: directory,
    )
    settings.executor = thread
    settings.limits.handlingShare = 0.1
    settings.limits.handlingBurstSeconds = 0.05
    let router = ControlRouter().on(SetSolo.self) { params, _ in
      order.add(params.strip)
      _ = await owner.work(milliseconds: 20)
      return Applied(frame: nil)
    }
    let server = try await ControlServer.start(
      settings,
      handler: router,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
    )
    let start = ContinuousClock.now
    try await withThrowingTaskGroup { group in
      for number in 1...8 {
        group.addTask {
          let client = try await ControlClient.connect(to: .path(server.path), clientName: "test")
          for half in ["a", "b"] {
            let params = SetSolo.Params(strip: "\(number)\(half)", solo: true)
            _ = try await client.call(SetSolo.self, params)
          }
          await client.close()
        }
      }
      try await group.waitForAll()
    }
    // The first 8 take 160 ms, of which 50 ms are free: the others wait for 1.1 s, at a tenth of the time.
    #expect(ContinuousClock.now - start > .seconds(1))
    #expect(order.names.count == 16)
    await server.close()
    try? FileManager.default.removeItem(atPath: directory)
  }
}
