// SPDX-License-Identifier: MIT

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
