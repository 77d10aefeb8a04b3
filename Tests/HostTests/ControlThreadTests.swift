// SPDX-License-Identifier: MIT

import Dispatch
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
}
