// SPDX-License-Identifier: MIT

import Foundation
import Realtime
import Testing

@Suite("SPSCQueue")
struct SPSCQueueTests {
  @Test(
    "rounds the capacity up to a power of two",
    arguments: [(-1, 2), (0, 2), (1, 2), (2, 2), (3, 4), (4, 4), (5, 8), (1000, 1024)]
  )
  func capacity(minimum: Int, expected: Int) {
    #expect(SPSCQueue<Int>(minimumCapacity: minimum).capacity == expected)
  }

  @Test("an empty queue gives nil, a full one refuses, and every element arrives")
  func emptyAndFull() {
    let queue = SPSCQueue<Int>(minimumCapacity: 4)
    #expect(queue.consumer.pop() == nil)
    #expect(queue.consumer.peek() == nil)
    for lap in 0..<3 {
      for item in 0..<4 { #expect(queue.producer.push(lap * 4 + item)) }
      #expect(!queue.producer.push(99))
      #expect(queue.producer.freeCount == 0)
      #expect(queue.consumer.peek() == lap * 4)
      for item in 0..<4 { #expect(queue.consumer.pop() == lap * 4 + item) }
      #expect(queue.consumer.availableCount == 0)
    }
  }

  @Test("a batch goes in whole or not at all, across the end of the memory too")
  func batches() {
    let queue = SPSCQueue<Int>(minimumCapacity: 8)
    for _ in 0..<5 {
      #expect(queue.producer.push(-1))
      #expect(queue.consumer.pop() == -1)
    }
    let items = Array(0..<6)
    #expect(unsafe items.withUnsafeBufferPointer { unsafe queue.producer.push(contentsOf: $0) })
    #expect(unsafe !items.withUnsafeBufferPointer { unsafe queue.producer.push(contentsOf: $0) })
    for item in items { #expect(queue.consumer.pop() == item) }
    #expect(queue.consumer.pop() == nil)
  }

  @Test("positions count what was sent and read, whether it is still there or not")
  func positions() {
    let queue = SPSCQueue<Int>(minimumCapacity: 4)
    #expect(queue.producer.freeCount == 4)
    for lap in 0..<3 {
      for item in 0..<3 { #expect(queue.producer.push(item)) }
      #expect(queue.consumer.pop() == 0)
      #expect(queue.producer.position == 3 * lap + 3)
      #expect(queue.consumer.writtenPosition == 3 * lap + 3)
      #expect(queue.consumer.position == 3 * lap + 1)
      #expect(queue.consumer.availableCount == 2)
      #expect(queue.producer.freeCount == 2)
      #expect(queue.consumer.pop() == 1)
      #expect(queue.consumer.pop() == 2)
    }
  }

  @Test("a batch that just fits goes in, and an empty one changes nothing")
  func exactFit() {
    let queue = SPSCQueue<Int>(minimumCapacity: 4)
    #expect(queue.producer.push(1))
    for (items, fits) in [([], true), ([2, 3, 4], true), ([5], false), ([], true)]
      as [([Int], Bool)]
    {
      let isIn = unsafe items.withUnsafeBufferPointer {
        unsafe queue.producer.push(contentsOf: $0)
      }
      #expect(isIn == fits, "\(items)")
    }
    for item in 1...4 { #expect(queue.consumer.pop() == item) }
  }

  @Test("ten million items cross threads in order")
  func stress() {
    struct Item: BitwiseCopyable {
      var number: Int
      var check: Int
    }
    let queue = SPSCQueue<Item>(minimumCapacity: 1024)
    let producer = queue.producer
    let consumer = queue.consumer
    let count = 10_000_000
    let thread = Thread {
      for number in 0..<count {
        while !producer.push(Item(number: number, check: ~number)) { sched_yield() }
      }
    }
    thread.start()
    var faults = 0
    for number in 0..<count {
      var item = consumer.pop()
      while item == nil {
        sched_yield()
        item = consumer.pop()
      }
      if item?.number != number || item?.check != ~number { faults += 1 }
    }
    #expect(faults == 0)
    #expect(consumer.pop() == nil)
    withExtendedLifetime(thread) {}
  }
}
