// SPDX-License-Identifier: MIT

public import Synchronization

/// The two positions of a single-producer single-consumer queue, each on separate cache lines.
///
/// Two lines apart, because x86 prefetches lines in pairs.
///
/// Made by the queue: [any-thread].
@usableFromInline
struct SPSCPositions: ~Copyable {
  /// Elements written since the start; stored by the producer alone.
  @usableFromInline let written = Atomic<Int>(0)
  @usableFromInline let padding = InlineArray<15, Int>(repeating: 0)
  /// Elements read since the start; stored by the consumer alone.
  @usableFromInline let read = Atomic<Int>(0)
  @usableFromInline let padding2 = InlineArray<15, Int>(repeating: 0)

  @inlinable init() {}
}

/// The smallest power of two that is at least `minimum`. [any-thread]
@usableFromInline
func powerOfTwo(atLeast minimum: Int) -> Int {
  minimum <= 1 ? 1 : 1 << (Int.bitWidth - (minimum - 1).leadingZeroBitCount)
}

/// A fixed-capacity queue between exactly one producing and one consuming thread.
///
/// Neither side ever waits for the other: a full queue hands the element back, an empty one returns
/// nil. Positions only grow and are masked on access, so that full and empty need no spare slot.
/// The owner frees the memory, so it must outlive both endpoints.
@safe
public struct SPSCQueue<Element: BitwiseCopyable>: ~Copyable {
  @usableFromInline let header: UnsafeMutablePointer<SPSCPositions>
  @usableFromInline let slots: UnsafeMutablePointer<Element>

  /// The number of elements that fit: a power of two.
  public let capacity: Int

  /// Allocates an empty queue.
  ///
  /// - Parameter minimumCapacity: Elements that must fit; rounded up to a power of two, at least 2.
  ///
  /// [control-thread]
  @inlinable
  public init(minimumCapacity: Int) {
    let capacity = powerOfTwo(atLeast: max(2, minimumCapacity))
    self.capacity = capacity
    unsafe header = .allocate(capacity: 1)
    unsafe header.initialize(to: SPSCPositions())
    unsafe slots = .allocate(capacity: capacity)
  }

  deinit {
    unsafe header.deinitialize(count: 1)
    unsafe header.deallocate()
    unsafe slots.deallocate()
  }

  /// The sending end; to be used by one thread at a time.
  @inlinable
  public var producer: Producer {
    unsafe Producer(header: header, slots: slots, mask: capacity - 1)
  }

  /// The receiving end; to be used by one thread at a time.
  @inlinable
  public var consumer: Consumer {
    unsafe Consumer(header: header, slots: slots, mask: capacity - 1)
  }
}
