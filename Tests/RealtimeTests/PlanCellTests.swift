// SPDX-License-Identifier: MIT

import Foundation
import Realtime
import Synchronization
import TestSupport
import Testing

@Suite("PlanCell")
struct PlanCellTests {
  @Test("the newest wins, and what it overtakes comes back")
  func latestWins() {
    let cell = PlanCell<Int>()
    let plans = UnsafeMutablePointer<Int>.allocate(capacity: 2)
    defer { unsafe plans.deallocate() }
    #expect(unsafe cell.endpoint.take() == nil)
    #expect(unsafe cell.publish(plans) == nil)
    #expect(unsafe cell.publish(plans + 1) == plans)
    #expect(unsafe cell.endpoint.take() == plans + 1)
    #expect(unsafe cell.endpoint.take() == nil)
  }

  @Test("a million plans are each taken or given back, whole, once")
  func stress() async {
    let cell = PlanCell<Int>()
    let count = 1_000_000
    let plans = UnsafeMutableBufferPointer<Int>.allocate(capacity: count)
    defer { unsafe plans.deallocate() }
    let endpoint = cell.endpoint
    let returned = SPSCQueue<Int>(minimumCapacity: 4)
    let stop = returned.producer
    let counters = Counters()
    let isDone = DispatchSemaphore(value: 0)
    let reader = returned.consumer
    Thread {
      var last = 0
      while true {
        let isLast = reader.peek() != nil
        if let plan = unsafe endpoint.take() {
          counters.taken.wrappingAdd(1, ordering: .relaxed)
          // Each is written before it is published, and they come in order.
          if unsafe plan.pointee <= last { counters.faults.wrappingAdd(1, ordering: .relaxed) }
          last = unsafe plan.pointee
        } else if isLast {
          break
        }
      }
      isDone.signal()
    }
    .start()
    var overtaken = 0
    for index in 0..<count {
      let plan = unsafe plans.baseAddress.map { unsafe $0 + index }
      guard let plan = unsafe plan else { break }
      unsafe plan.initialize(to: index + 1)
      if unsafe cell.publish(plan) != nil { overtaken += 1 }
    }
    #expect(stop.push(1))
    await onOwnThread { isDone.wait() }
    #expect(counters.taken.load(ordering: .relaxed) + overtaken == count)
    #expect(counters.faults.load(ordering: .relaxed) == 0)
  }

  private final class Counters: Sendable {
    let taken = Atomic(0)
    let faults = Atomic(0)
  }
}
